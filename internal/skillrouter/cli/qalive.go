package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/setup"
)

// A live is what became of one host's call.
type live struct {
	Host   block.Target `json:"host"`
	Status string       `json:"status"` // OK, NEEDS_LOGIN, FAILED or SKIPPED
	Text   string       `json:"text,omitempty"`
}

// liveWord is what the host is asked to say.
const liveWord = "MEGATRON-LIVE"

// liveArgs start one turn of a host that needs no tool.
var liveArgs = map[block.Target][]string{
	block.Codex:  {"exec", "--skip-git-repo-check"},
	block.Claude: {"-p"},
	block.Gemini: {"--skip-trust", "-p"},
	block.Hermes: {"chat", "-q"},
}

func qaLiveVerb() command.Verb {
	return command.Verb{
		Name: "qa-live", Synopsis: "[--host LIST] [--json]", Summary: "makes one real call to each installed host",
		Help: `Asks each installed host one short question, as it is set up, and tells what came
back: OK, NEEDS_LOGIN where the host wants an account first, FAILED, or SKIPPED where
its program is not on the path. A call goes to the host's model and costs what it
costs there.

MEGA_QA_TIMEOUT_S bounds each call; 120 without it. Exit code 1 when one FAILED.`,
		Examples: []string{"mega-tron qa-live", "mega-tron qa-live --host codex,claude --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			hosts := f.String("host", "all", "the hosts of `LIST`")
			asJSON := f.Bool("json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				targets, err := setup.Choose(c, *hosts, func(string) bool { return false })
				if err != nil {
					return command.Usage("%v", err)
				}
				return callAll(ctx, p, c, targets, *asJSON)
			}
		},
	}
}

// callAll calls each host in turn.
func callAll(ctx context.Context, p command.Process, c *config.Config, targets []block.Target, asJSON bool) error {
	timeout := time.Duration(c.Int("MEGA_QA_TIMEOUT_S", 120)) * time.Second
	failed := 0
	all := []live{}
	for _, t := range targets {
		l := callLive(ctx, p, t, timeout)
		if l.Status == "FAILED" {
			failed++
		}
		if all = append(all, l); !asJSON {
			fmt.Fprintf(p.Stdout, "%-7s %-11s %s\n", l.Host, l.Status, line(l.Text))
		}
	}
	if asJSON {
		if err := p.WriteJSON(all); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("a host failed%w", command.ErrSilent)
	}
	return nil
}

func callLive(ctx context.Context, p command.Process, t block.Target, timeout time.Duration) live {
	exe, err := exec.LookPath(string(t))
	if err != nil {
		return live{t, "SKIPPED", "its program is not on the path"}
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, append(append([]string{}, liveArgs[t]...), "Answer with the word "+liveWord+" and nothing else.")...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.Dir, p.Env, time.Second
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	last := text[strings.LastIndexByte(text, '\n')+1:]
	switch {
	case wantsLogin(text):
		return live{t, "NEEDS_LOGIN", last}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return live{t, "FAILED", fmt.Sprintf("no answer in %v", timeout)}
	case err != nil:
		return live{t, "FAILED", fmt.Sprintf("%v: %s", err, last)}
	case !strings.Contains(answerOf(text), liveWord):
		return live{t, "FAILED", "it answered something else: " + last}
	}
	return live{t, "OK", "it answered"}
}

// answerOf is what was said without the question, which some hosts repeat.
func answerOf(text string) string {
	return strings.ReplaceAll(text, "the word "+liveWord+" and nothing else", "")
}

// wantsLogin knows the words of hosts that want an account first.
func wantsLogin(text string) bool {
	text = strings.ToLower(text)
	for _, w := range []string{"not logged in", "please run /login", "please log in", "login required", "not authenticated", "401 unauthorized", "invalid api key", "api key not valid", "set an auth method", "no api key", "missing bearer", "hermes setup", "hermes model"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

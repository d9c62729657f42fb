package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence/capture"
	"github.com/marola-dev/marola-routing/internal/skillrouter/setup"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// stopHookVerbs are what the hosts run at the end of a turn.
func stopHookVerbs() (verbs []command.Verb) {
	for _, h := range []struct {
		name, event, host string
		id                skill.Host
	}{
		{"stop-hook", "Stop", "Codex", skill.Codex},
		{"claude-stop-hook", "Stop", "Claude Code", skill.Claude},
		{"gemini-stop-hook", "AfterAgent", "Gemini CLI", skill.Gemini},
		{"hermes-stop-hook", "post_llm_call", "Hermes", skill.Hermes},
	} {
		verbs = append(verbs, command.Verb{
			Name: h.name, Synopsis: "< EVENT", Summary: "keeps the verdicts of a turn that ended in " + h.host, Hidden: true,
			Help: fmt.Sprintf(`Reads the %s event of %s from stdin and keeps the verdicts of the reply's
<skill-used name="…" verdict="HELPFUL|HARMFUL|NEUTRAL" reason="…"/> tags that count.
It prints nothing, and its exit code is 0 whatever happens: a fault is one line on
stderr. What was captured and what was dropped stands in verdicts.log in the data
directory.`, h.event, h.host),
			Examples: []string{"mega-tron " + h.name + " < event.json"},
			Setup: func(*flag.FlagSet) command.Run {
				return func(ctx context.Context, p command.Process, _ []string) error {
					failOpen(p, h.name, func() error {
						c, err := config.Load(p.Getenv)
						if err != nil {
							fmt.Fprintf(p.Stderr, "mega-tron: %s: %s\n", h.name, line(err.Error()))
						}
						err = capture.Stop(ctx, c, h.id, p.Stdin)
						if h.id == skill.Codex { // another program may have moved the hooks, and Codex trusts places
							err = errors.Join(err, setup.KeepTrusted(c))
						}
						return err
					})
					return nil
				}
			},
		})
	}
	return verbs
}

// failOpen runs what a host must not notice the failure of.
func failOpen(p command.Process, name string, do func() error) {
	defer func() {
		if x := recover(); x != nil {
			fmt.Fprintf(p.Stderr, "mega-tron: %s: %s\n", name, line(fmt.Sprint(x)))
		}
	}()
	if err := do(); err != nil {
		fmt.Fprintf(p.Stderr, "mega-tron: %s: %s\n", name, line(err.Error()))
	}
}

package session

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A selfCheck is one named check. It returns what is wrong, or "".
type selfCheck struct {
	name string
	run  func(*stage) string
}

// selfChecks are the checks of the design, by its names.
var selfChecks = []selfCheck{
	{"plugin_missing_asks", func(s *stage) string {
		return s.want(s.start(), "▸ routing: bundle main@", "▸ opt-in: ")
	}},
	{"plugin_installed_silent", func(s *stage) string {
		s.client("plugins/installed_plugins.json", `{"version":2,"plugins":{"devkit@acme":[{"scope":"user"}]}}`)
		defer s.forget("plugins/installed_plugins.json")
		return s.want(s.start(), "▸ routing: bundle main@")
	}},
	{"optout_env_silent", func(s *stage) string {
		if wrong := s.want(s.start("MAROLA_PLUGIN_OPTOUT=1"), "▸ routing: bundle main@"); wrong != "" {
			return wrong
		}
		s.client("settings.json", `{"env":{"MAROLA_PLUGIN_OPTOUT":"1"}}`)
		defer s.forget("settings.json")
		return s.want(s.start(), "▸ routing: bundle main@")
	}},
	{"remote_session_silent", func(s *stage) string {
		return s.want(s.start("CLAUDE_CODE_REMOTE=true"), "▸ routing: bundle main@")
	}},
	{"resume_source_silent", func(s *stage) string {
		for _, message := range []string{`{"source":"resume"}`, `{"source":"clear"}`, `{"source":"compact"}`, `{}`, `no JSON`, ``} {
			if wrong := s.want(s.hook(message)); wrong != "" {
				return plaintext.Line(message, 60) + ": " + wrong
			}
		}
		return ""
	}},
	{"stale_bundle_line", func(s *stage) string {
		s.git("update-ref", "refs/remotes/origin/main", "refs/heads/later")
		defer s.git("update-ref", "refs/remotes/origin/main", "refs/heads/main")
		return s.want(s.start("MAROLA_PLUGIN_OPTOUT=1"), "stale; route fetch refreshes it")
	}},
	{"uninitialised_submodule_line", func(s *stage) string {
		s.git("read-tree", "refs/heads/later")
		s.write(s.repo, ".gitmodules", submoduleFile)
		defer s.git("read-tree", "refs/heads/main")
		return s.want(s.start("MAROLA_PLUGIN_OPTOUT=1"), "▸ routing: ", "▸ submodule apps/app not checked out")
	}},
	{"no_network_calls", (*stage).offline},
	{"under_100ms", func(s *stage) string {
		best := time.Hour
		for range 10 {
			begin := time.Now()
			s.start()
			best = min(best, time.Since(begin))
		}
		if best > 100*time.Millisecond {
			return fmt.Sprintf("the best of ten starts took %v", best.Round(time.Millisecond))
		}
		return ""
	}},
}

// selfTest runs the hook in a repository of its own, as a process, the way
// the client does. It cleans up, also when it is interrupted.
func selfTest(p command.Process) int {
	begin := time.Now()
	s, err := newStage(p)
	if s != nil {
		defer s.clean()
	}
	if err != nil {
		fmt.Fprintf(p.Stderr, "session-check: the checks cannot be set up: %s\nhint: git must be on the PATH, and the directory for temporary files be writable\n", plaintext.Line(err.Error(), 300))
		return 1
	}
	var interrupted atomic.Bool
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	go func() {
		<-signals
		interrupted.Store(true)
	}()
	failed := 0
	for _, c := range selfChecks {
		if interrupted.Load() {
			fmt.Fprintln(p.Stderr, "session-check: interrupted")
			return 1
		}
		wrong := c.run(s)
		if s.err != nil {
			wrong, s.err = s.err.Error(), nil
		}
		if wrong == "" {
			fmt.Fprintln(p.Stdout, "ok   "+c.name)
			continue
		}
		failed++
		fmt.Fprintln(p.Stdout, "FAIL "+c.name+": "+plaintext.Line(wrong, 500))
	}
	if failed > 0 {
		fmt.Fprintf(p.Stderr, "session-check: %d of %d checks failed\nhint: %s=off turns the hook off until it is mended\n", failed, len(selfChecks), SwitchVariable)
		return 1
	}
	fmt.Fprintf(p.Stdout, "%d checks passed in %.1f s\n", len(selfChecks), time.Since(begin).Seconds())
	return 0
}

// want compares lines with what each must contain, and returns how they
// differ, or "".
func (s *stage) want(lines []string, parts ...string) string {
	if len(lines) != len(parts) {
		return fmt.Sprintf("%d lines, want %d: %q", len(lines), len(parts), lines)
	}
	for i, part := range parts {
		if !strings.Contains(lines[i], part) {
			return fmt.Sprintf("line %d is %q; it should have %q", i+1, lines[i], part)
		}
	}
	return ""
}

package setup

import (
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
)

// milli is a second in Gemini's unit of time-outs.
const milli = 1000

// gemini are the files of Gemini CLI. Its hooks have no matcher: these events
// have no trigger. Its trusted_hooks.json is read for hooks of a project only,
// and warns only, so nothing is written there. In a folder that is not trusted
// Gemini runs no hooks at all, the person's own neither.
func (s *Setup) gemini() []step {
	dir := HostDir(s.config, block.Gemini)
	hooks := []hook{
		{"BeforeAgent", s.hookCommand(block.Gemini, promptVerb[block.Gemini]), promptTimeout * milli, ""},
		{"PreCompress", s.hookCommand(block.Gemini, promptVerb[block.Gemini]), promptTimeout * milli, ""}, // what was shown is gone then
		{"SessionStart", s.hookCommand(block.Gemini, promptVerb[block.Gemini]), promptTimeout * milli, "clear"},
		{"AfterAgent", s.hookCommand(block.Gemini, stopVerb[block.Gemini]), stopTimeout * milli, ""},
	}
	steps := []step{{path: filepath.Join(dir, "settings.json"), kind: hostfile.JSON, what: "hooks BeforeAgent, PreCompress, SessionStart and AfterAgent", take: withoutHooks,
		edit: func(now, _ []byte) ([]byte, error) {
			if s.NoHook {
				if now == nil {
					return nil, nil
				}
				return withoutHooks(now)
			}
			return withHooks(now, jsonMark, hooks)
		}}}
	if !s.NoMemory {
		steps = append(steps, step{path: filepath.Join(dir, "GEMINI.md"), what: "how skills are used and judged",
			edit: markdownFence.edit(guidance(block.Gemini)), take: markdownFence.take})
	}
	return steps
}

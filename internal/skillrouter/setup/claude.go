package setup

import (
	"encoding/json"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
)

// Time-outs of hooks, in seconds. The hooks end by themselves long before.
const (
	promptTimeout = 10
	stopTimeout   = 30
)

// claudeSettings is the settings file of the person, which Claude Code reads
// in every directory; settings.local.json beside it is read in the home alone.
func (s *Setup) claudeSettings() string {
	return filepath.Join(HostDir(s.config, block.Claude), "settings.json")
}

// overridesKey is Claude's setting that shortens its catalogue by name.
const overridesKey = "skillOverrides"

func (s *Setup) claude() []step {
	dir := HostDir(s.config, block.Claude)
	hooks := []hook{
		{"UserPromptSubmit", s.hookCommand(block.Claude, promptVerb[block.Claude]), promptTimeout, ""},
		{"SessionStart", s.hookCommand(block.Claude, promptVerb[block.Claude]), promptTimeout, "compact|clear"}, // what was shown is gone then
		{"Stop", s.hookCommand(block.Claude, stopVerb[block.Claude]), stopTimeout, ""},
	}
	settings := step{path: s.claudeSettings(), kind: hostfile.JSON, what: "hooks UserPromptSubmit, SessionStart and Stop", take: withoutHooks,
		edit: func(now, before []byte) ([]byte, error) {
			text, err := now, error(nil)
			if s.NoHook {
				text, err = withoutHooks(text)
			} else {
				text, err = withHooks(text, jsonMark, hooks)
			}
			if err != nil || s.Mode != "passive" && !s.NoHook {
				return text, err
			}
			return restoreKey(text, before, overridesKey)
		}}
	steps := []step{settings}
	if !s.NoMemory {
		steps = append(steps, step{path: filepath.Join(dir, "CLAUDE.md"), what: "how skills are used and judged",
			edit: markdownFence.edit(guidance(block.Claude)), take: markdownFence.take})
	}
	return steps
}

// restoreKey gives a member the value that it has without us.
func restoreKey(text, before []byte, key string) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	e, err := jsonplace.Edit(text)
	if err != nil {
		return nil, err
	}
	old, err := jsonplace.Edit(before)
	if err != nil {
		return nil, err
	}
	now, there := e.Get(key)
	was, had := old.Get(key)
	switch {
	case had && !jsonplace.Same(now, was):
		e.Set(nil, jsonplace.Pair{Name: key, Value: was})
	case !had && there:
		e.Delete(key)
	default:
		return text, nil
	}
	return e.Bytes()
}

// nameOnly is the override that leaves a skill's name and hides the rest.
var nameOnly = json.RawMessage(`"name-only"`)

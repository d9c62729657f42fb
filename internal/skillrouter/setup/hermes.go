package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
	"github.com/marola-dev/marola-routing/internal/skillrouter/yamlplace"
)

// hermesEvents are the hooks of Hermes: once before and once after a turn.
func (s *Setup) hermesEvents() []hook {
	return []hook{
		{"pre_llm_call", s.hookCommand(block.Hermes, promptVerb[block.Hermes]), promptTimeout, ""},
		{"post_llm_call", s.hookCommand(block.Hermes, stopVerb[block.Hermes]), stopTimeout, ""},
	}
}

// allowlistName is Hermes' list of commands that may run.
const allowlistName = "shell-hooks-allowlist.json"

// hermes are the files of Hermes: its configuration, the list of commands that
// may run, and the text that begins its system prompt. That text is not made:
// without the file Hermes has its own.
func (s *Setup) hermes() []step {
	dir := HostDir(s.config, block.Hermes)
	steps := []step{
		{path: filepath.Join(dir, "config.yaml"), kind: hostfile.YAML, what: "hooks pre_llm_call and post_llm_call", take: withoutHermesHooks,
			edit: func(now, before []byte) ([]byte, error) {
				if s.NoHook {
					return before, nil
				}
				return withHermesHooks(now, s.hermesEvents())
			}},
		{path: filepath.Join(dir, allowlistName), kind: hostfile.JSON, what: "leave to run the hooks", take: withoutApprovals,
			edit: func(now, before []byte) ([]byte, error) {
				if s.NoHook {
					return before, nil
				}
				return withApprovals(now, s.hermesEvents(), time.Now())
			}},
	}
	soul := filepath.Join(dir, "SOUL.md")
	if _, err := os.Stat(soul); err == nil && !s.NoMemory {
		steps = append(steps, step{path: soul, what: "how skills are used and judged",
			edit: markdownFence.edit(guidance(block.Hermes)), take: markdownFence.take})
	}
	return steps
}

func withHermesHooks(text []byte, hooks []hook) ([]byte, error) {
	for _, h := range hooks {
		path := []string{"hooks", h.event}
		commands, err := hermesCommands(text, h.event)
		if err != nil {
			return nil, err
		}
		there := false
		for i := len(commands) - 1; i >= 0; i-- {
			switch {
			case commands[i] == h.command && !there:
				there = true
			case ourCommand.MatchString(commands[i]):
				if text, err = yamlplace.Delete(text, path, i); err != nil {
					return nil, err
				}
			}
		}
		if there {
			continue
		}
		text, err = yamlplace.Append(text, path, yamlplace.Row{{Key: "command", Value: yamlplace.String(h.command)}, {Key: "timeout", Value: fmt.Sprint(h.timeout)}})
		if err != nil {
			return nil, err
		}
	}
	return text, nil
}

// hermesCommands are the commands of an event, "" for what has none.
func hermesCommands(text []byte, event string) (commands []string, err error) {
	var list []any
	v, ok := yamlplace.Get(text, "hooks", event)
	if ok && v != nil {
		if list, ok = v.([]any); !ok {
			return nil, fmt.Errorf("hooks.%s is no list", event)
		}
	}
	for _, x := range list {
		m, _ := x.(map[string]any)
		c, _ := m["command"].(string)
		commands = append(commands, c)
	}
	return commands, nil
}

func withoutHermesHooks(text []byte) ([]byte, error) {
	for _, event := range []string{"pre_llm_call", "post_llm_call"} {
		commands, err := hermesCommands(text, event)
		if err != nil {
			continue // nothing of ours
		}
		for i := len(commands) - 1; i >= 0; i-- {
			if ourCommand.MatchString(commands[i]) {
				if text, err = yamlplace.Delete(text, []string{"hooks", event}, i); err != nil {
					return nil, err
				}
			}
		}
	}
	return text, nil
}

// An approval is an entry of Hermes' list of commands that may run.
type approval struct {
	Event   string `json:"event"`
	Command string `json:"command"`
	At      string `json:"approved_at"`
}

var approvalsPath = []string{"approvals"}

func approvals(e *jsonplace.Editor) (all []approval, err error) {
	if raw, ok := e.Get(approvalsPath...); ok && json.Unmarshal(raw, &all) != nil {
		return nil, errors.New("its approvals are no list of commands")
	}
	return all, nil
}

// withApprovals gives leave to our commands, at the time now.
func withApprovals(text []byte, hooks []hook, now time.Time) ([]byte, error) {
	e, err := jsonplace.Edit(text)
	if err != nil {
		return nil, err
	}
	all, err := approvals(e)
	if err != nil {
		return nil, err
	}
	missing := append([]hook{}, hooks...)
	for i := len(all) - 1; i >= 0; i-- {
		given := false
		for k, h := range missing {
			if given = h.event == all[i].Event && h.command == all[i].Command; given {
				missing = append(missing[:k], missing[k+1:]...)
				break
			}
		}
		if !given && ourCommand.MatchString(all[i].Command) {
			e.DeleteElement(approvalsPath, i)
		}
	}
	for _, h := range missing {
		raw, err := json.Marshal(approval{h.event, h.command, now.UTC().Format(time.RFC3339)})
		if err != nil {
			return nil, err
		}
		e.Append(approvalsPath, raw)
	}
	return e.Bytes()
}

func withoutApprovals(text []byte) ([]byte, error) {
	e, err := jsonplace.Edit(text)
	if err != nil {
		return nil, err
	}
	all, err := approvals(e)
	if err != nil {
		return text, nil
	}
	for i := len(all) - 1; i >= 0; i-- {
		if ourCommand.MatchString(all[i].Command) {
			e.DeleteElement(approvalsPath, i)
		}
	}
	return e.Bytes()
}

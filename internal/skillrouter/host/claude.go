package host

import (
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

type claude struct{}

func (claude) Name() skill.Host     { return skill.Claude }
func (claude) Target() block.Target { return block.Claude }
func (claude) Mark() string         { return "seen-claude" }

func (claude) Read(message []byte) (Event, error) {
	var f struct {
		common
		Turn text `json:"prompt_id"`
	}
	if err := decode(message, &f); err != nil {
		return Event{}, err
	}
	switch f.Event {
	case "UserPromptSubmit":
		switch {
		case f.Agent != "":
			return skipped("the prompt is a sub-agent's"), nil
		case f.Source != "" && f.Source != "user":
			return skipped("no person gave the prompt"), nil
		case notice(string(f.Prompt)):
			return skipped("the prompt is a notice of the host"), nil
		}
		return f.prompted(f.Turn), nil
	case "SessionStart":
		if f.Source == "compact" || f.Source == "clear" {
			return f.reset(), nil
		}
	}
	return f.unasked(), nil
}

// notice reports text that the host itself writes where a prompt would stand:
// that work in the background is done, what a local command said.
func notice(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	for _, tag := range []string{"<task-notification>", "<local-command-stdout>", "<local-command-caveat>", "<bash-stdout>", "<bash-input>", "<system-reminder>"} {
		if strings.HasPrefix(prompt, tag) {
			return true
		}
	}
	return false
}

func (claude) Render(text string) []byte { return specific("UserPromptSubmit", text) }

// CatalogueOff reports the strict mode, in which the tool that carries the
// list is taken away.
func (claude) CatalogueOff(c *config.Config, _ string) bool { return claudeMode(c) == "strict" }

// Hides reports the modes in which skills that do not fit keep their names
// alone.
func (claude) Hides(c *config.Config) bool {
	mode := claudeMode(c)
	return (mode == "active" || mode == "strict") && managed(filepath.Join(homeOf(c, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json"))
}

func claudeMode(c *config.Config) string {
	return strings.ToLower(strings.TrimSpace(c.Env("MEGA_CLAUDE_NATIVE_MODE")))
}

func (claude) Loads(*config.Config, string, *skill.Skill) bool { return true } // it reads any path

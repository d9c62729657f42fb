package host

import (
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

type codex struct{}

func (codex) Name() skill.Host     { return skill.Codex }
func (codex) Target() block.Target { return block.Codex }
func (codex) Mark() string         { return "seen" }

func (codex) Read(message []byte) (Event, error) {
	var f struct {
		common
		Turn text `json:"turn_id"`
	}
	if err := decode(message, &f); err != nil {
		return Event{}, err
	}
	switch f.Event {
	case "UserPromptSubmit":
		if f.Agent != "" {
			return skipped("the prompt is a sub-agent's"), nil
		}
		return f.prompted(f.Turn), nil
	case "PostCompact":
		return f.reset(), nil
	case "SessionStart":
		if f.Source == "compact" || f.Source == "clear" {
			return f.reset(), nil
		}
	}
	return f.unasked(), nil
}

func (codex) Render(text string) []byte { return specific("UserPromptSubmit", text) }

// CatalogueOff reports that config.toml says skills.include_instructions =
// false; that of the repository wins, where it speaks of it.
func (codex) CatalogueOff(c *config.Config, dir string) bool {
	off := false
	files := []string{filepath.Join(homeOf(c, "CODEX_HOME", ".codex"), "config.toml")}
	if dir != "" {
		files = append(files, filepath.Join(dir, ".codex", "config.toml"))
	}
	for _, file := range files {
		var f struct {
			Skills struct {
				Include *bool `toml:"include_instructions"`
			} `toml:"skills"`
		}
		if readTOML(file, &f) && f.Skills.Include != nil {
			off = !*f.Skills.Include
		}
	}
	return off
}

// Hides is false: its list is on or off, whatever the prompt is.
func (codex) Hides(*config.Config) bool { return false }

func (codex) Loads(*config.Config, string, *skill.Skill) bool { return true } // it reads any path

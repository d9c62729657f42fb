package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

type gemini struct{}

func (gemini) Name() skill.Host     { return skill.Gemini }
func (gemini) Target() block.Target { return block.Gemini }
func (gemini) Mark() string         { return "seen-gemini" }

func (gemini) Read(message []byte) (Event, error) {
	var f common
	if err := decode(message, &f); err != nil {
		return Event{}, err
	}
	switch f.Event {
	case "BeforeAgent":
		if f.Agent != "" {
			return skipped("the prompt is a sub-agent's"), nil
		}
		return f.prompted(""), nil
	case "PreCompress":
		return f.reset(), nil
	case "SessionStart":
		if f.Source == "clear" {
			return f.reset(), nil
		}
	}
	return f.unasked(), nil
}

func (gemini) Render(text string) []byte { return specific("BeforeAgent", text) }

// geminiSettings are those fields of settings.json that tell what the agent
// sees.
type geminiSettings struct {
	Skills struct {
		Enabled  *bool    `json:"enabled"`
		Disabled []string `json:"disabled"`
	} `json:"skills"`
}

func geminiHome(c *config.Config) string { return homeOf(c, "", ".gemini") }

func geminiFile(c *config.Config) string { return filepath.Join(geminiHome(c), "settings.json") }

func (g geminiSettings) off() bool { return g.Skills.Enabled != nil && !*g.Skills.Enabled }

// CatalogueOff reports that skills are switched off, or that those which did
// not fit the last session's first prompt were taken out of the list.
func (h gemini) CatalogueOff(c *config.Config, _ string) bool {
	var g geminiSettings
	return readJSON(geminiFile(c), &g) && (g.off() || len(g.Skills.Disabled) > 0 && h.Hides(c))
}

// Hides is true where mega-tron was set up, unless MEGA_GEMINI_MODE is
// passive.
func (gemini) Hides(c *config.Config) bool {
	return !strings.EqualFold(strings.TrimSpace(c.Env("MEGA_GEMINI_MODE")), "passive") && managed(geminiFile(c))
}

// Loads reports whether activate_skill knows a skill: it stands in one of
// Gemini's directories, and was not disabled when the session began. Others
// cannot even be read, for its tools stay in the workspace.
func (gemini) Loads(c *config.Config, dir string, s *skill.Skill) bool {
	var g geminiSettings
	readJSON(geminiFile(c), &g)
	if g.off() || slices.ContainsFunc(g.Skills.Disabled, func(name string) bool { return strings.EqualFold(name, s.Name) }) {
		return inside(s.Dir, dir)
	}
	roots := []string{filepath.Join(geminiHome(c), "skills"), filepath.Join(homeOf(c, "", ".agents"), "skills")}
	for _, root := range roots {
		if _, err := os.Stat(filepath.Join(root, filepath.Base(s.Dir), skill.FileName)); err == nil {
			return true
		}
	}
	return inside(s.Dir, dir) || inside(s.Dir, filepath.Join(geminiHome(c), "extensions"))
}

// inside reports whether a path lies in a directory.
func inside(path, dir string) bool {
	if dir == "" {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

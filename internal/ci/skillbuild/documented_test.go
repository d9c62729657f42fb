package skillbuild

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hookCommand is the entry that a repository's settings have.
const hookCommand = `f="${CLAUDE_PROJECT_DIR:-.}/.claude/skills/routing/scripts/session-check.sh"; [ ! -f "$f" ] || bash "$f"`

// TestH13Settings: the entry that people copy runs the tested command and has
// a limit of five seconds.
func TestH13Settings(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(module(t), "docs", "vendored-skill.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```json\n")
	block, _, _ = strings.Cut(block, "```")
	var settings struct {
		Hooks struct {
			SessionStart []struct {
				Hooks []struct {
					Type, Command string
					Timeout       int
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(block), &settings); err != nil {
		t.Fatal(err)
	}
	if len(settings.Hooks.SessionStart) != 1 || len(settings.Hooks.SessionStart[0].Hooks) != 1 {
		t.Fatalf("the entry is %+v", settings)
	}
	if h := settings.Hooks.SessionStart[0].Hooks[0]; h.Type != "command" || h.Timeout != 5 || h.Command != hookCommand {
		t.Errorf("the hook is %+v", h)
	}
}

package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
	"github.com/marola-dev/marola-routing/internal/skillrouter/tomlplace"
)

// codexDir is the directory that Codex looks in: CODEX_HOME without links, as
// Codex itself makes it, or .codex under the home as it stands.
func (s *Setup) codexDir() string {
	dir := s.CodexHome
	if dir == "" {
		dir = s.config.Env("CODEX_HOME")
	}
	if !filepath.IsAbs(dir) {
		return filepath.Join(s.config.Home, ".codex")
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

func (s *Setup) codexHooks() string {
	return or(s.CodexHooks, filepath.Join(s.codexDir(), "hooks.json"))
}
func (s *Setup) codexConfig() string {
	return or(s.CodexConfig, filepath.Join(s.codexDir(), "config.toml"))
}

// codexMemory is the file that Codex reads on every turn: the override where
// there is one.
func (s *Setup) codexMemory() string {
	if s.MemoryFile != "" {
		return s.MemoryFile
	}
	name := filepath.Join(s.codexDir(), "AGENTS.override.md")
	if data, err := os.ReadFile(name); err == nil && strings.TrimSpace(string(data)) != "" {
		return name
	}
	return filepath.Join(s.codexDir(), "AGENTS.md")
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (s *Setup) codexEvents() []hook {
	return []hook{
		{"UserPromptSubmit", s.hookCommand(block.Codex, promptVerb[block.Codex]), promptTimeout, ""},
		{"Stop", s.hookCommand(block.Codex, stopVerb[block.Codex]), stopTimeout, ""},
	}
}

func (s *Setup) codex() []step {
	var planned []byte // hooks.json as it will be
	steps := []step{{path: s.codexHooks(), kind: hostfile.JSON, what: "hooks UserPromptSubmit and Stop", take: withoutHooks,
		edit: func(now, before []byte) (text []byte, err error) {
			if s.NoHook {
				text, err = withoutHooks(now)
			} else {
				text, err = withHooks(now, codexMark, s.codexEvents())
			}
			if planned = text; s.NoHook && hollow(text) && before == nil {
				return nil, err
			}
			return text, err
		}}}
	steps = append(steps, step{path: s.codexConfig(), kind: hostfile.TOML, what: s.codexWhat(), take: takeCodexConfig,
		edit: func(now, before []byte) ([]byte, error) {
			if s.NoHook {
				return before, nil
			}
			stamps, err := stampsOf(planned, s.codexHooks())
			if err != nil {
				return nil, err
			}
			return withCodexConfig(now, before, stamps, !s.KeepCatalogue)
		}})
	if !s.NoMemory {
		steps = append(steps, step{path: s.codexMemory(), what: "how skills are used and judged",
			edit: markdownFence.edit(guidance(block.Codex)), take: markdownFence.take})
	}
	return steps
}

func (s *Setup) codexWhat() string {
	if s.KeepCatalogue {
		return "trust in the hooks"
	}
	return "trust in the hooks, and Codex's own catalogue off"
}

func hollow(text []byte) bool {
	rest := strings.Join(strings.Fields(string(text)), "")
	return rest == "" || rest == "{}"
}

// Names of Codex's configuration.
var (
	skillsTable = []string{"skills"}
	stateTable  = []string{"hooks", "state"}
)

const includeKey = "include_instructions"

// withCodexConfig is a config.toml with the hooks trusted and, where off is
// set, Codex's own catalogue switched off. What fits into a table that is
// there goes there; the rest is a block at the end.
func withCodexConfig(now, before []byte, stamps []stamp, off bool) ([]byte, error) {
	if err := tomlplace.Check(now); err != nil {
		return nil, err
	}
	// From the text without us: somebody may have written into the block.
	text := []byte(hashFence.without(string(before)))
	var rows strings.Builder
	var err error
	switch v, there := tomlplace.Get(text, "skills", includeKey); {
	case !off || there && v == false:
	case hasTable(text, "skills"):
		if text, err = tomlplace.Set(text, skillsTable, includeKey, "false"); err != nil {
			return nil, err
		}
	default:
		fmt.Fprintf(&rows, "[skills]\n%s = false\n", includeKey)
	}
	for _, st := range stamps {
		if v, there := tomlplace.Get(text, "hooks", "state", st.key); there {
			if m, ok := v.(map[string]any); !ok || m["trusted_hash"] != st.hash {
				if text, err = tomlplace.Set(text, append(slices.Clone(stateTable), st.key), "trusted_hash", tomlplace.String(st.hash)); err != nil {
					return nil, err
				}
			}
			continue
		}
		if rows.Len() > 0 {
			rows.WriteByte('\n')
		}
		fmt.Fprintf(&rows, "[hooks.state.%s]\ntrusted_hash = %s\n", tomlplace.String(st.key), tomlplace.String(st.hash))
	}
	if rows.Len() == 0 {
		return text, tomlplace.Check(text)
	}
	out := []byte(hashFence.with(string(text), rows.String()))
	if err := tomlplace.Check(out); err != nil {
		return nil, fmt.Errorf("the catalogue's switch and the trust in hooks cannot be written there (%w); write [skills] and [hooks.state] as tables of their own", err)
	}
	return out, nil
}

// hasTable reports whether [name] may get another key: as a table of the text,
// or key by key.
func hasTable(text []byte, name string) bool {
	v, ok := tomlplace.Get(text, name)
	m, table := v.(map[string]any)
	if !ok || !table {
		return ok
	}
	for _, x := range m {
		_, below := x.(map[string]any)
		_, rows := x.([]any)
		if !below && !rows {
			return true
		}
	}
	return strings.Contains(strings.ReplaceAll(string(text), " ", ""), "["+name+"]")
}

// takeCodexConfig takes the block out of a config.toml that was edited since.
func takeCodexConfig(text []byte) ([]byte, error) {
	out := []byte(hashFence.without(string(text)))
	return out, tomlplace.Check(out)
}

// helpTimeout is how long a program may take to print its help.
const helpTimeout = 10 * time.Second

// includeOption is what a Codex may know that lets it read further
// directories. --add-dir of today's is none: it makes them writable.
const includeOption = "--include-directories"

// codexWrapper starts Codex with the added skill directories, where the
// installed program has an option for that; else there is nothing to wrap.
func (s *Setup) codexWrapper() string {
	dirs := slices.Concat(s.config.ExtraDirs, skill.SplitList(s.config.Env("MEGA_SKILL_DIRS"), s.config.Home))
	exe, err := exec.LookPath("codex")
	if err != nil || len(dirs) == 0 {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), helpTimeout)
	defer cancel()
	help, err := exec.CommandContext(ctx, exe, "--help").Output()
	if err != nil || !strings.Contains(string(help), includeOption) {
		s.notes = append(s.notes, "this codex has no option that adds directories to read; mega-tron skills mirror brings skills to where it looks")
		return ""
	}
	return fmt.Sprintf(`function codex() {
  if [ "${MEGA_ROUTER:-1}" = 0 ]; then
    command codex "$@"
  else
    command codex %s=%s "$@"
  fi
}
`, includeOption, shellWord(strings.Join(dirs, ",")))
}

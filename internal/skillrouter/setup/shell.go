package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
)

// rcFile is the start file of the person's shell, or "" for a shell that none
// is known of.
func (s *Setup) rcFile() string {
	if s.RC != "" {
		return s.RC
	}
	shell := s.Shell
	if shell == "" || shell == "auto" {
		shell = strings.TrimSuffix(filepath.Base(filepath.ToSlash(s.config.Env("SHELL"))), ".exe")
	}
	switch shell {
	case "zsh":
		if d := s.config.Env("ZDOTDIR"); filepath.IsAbs(d) {
			return filepath.Join(d, ".zshrc")
		}
		return filepath.Join(s.config.Home, ".zshrc")
	case "bash":
		return filepath.Join(s.config.Home, ".bashrc")
	}
	return ""
}

// exported are the variables that setup's flags set in new shells, and that a
// later setup without these flags leaves.
var exported = []string{"MEGA_SKILLS_DIR", "MEGA_TOP_K", "MEGA_BUDGET_TOK"}

// usesClaude reports whether Claude Code has hooks after this, or had before.
func (s *Setup) usesClaude() bool {
	if slices.Contains(s.Targets, block.Claude) {
		return !s.NoHook
	}
	return s.store.Notes[modeNote] != ""
}

// shell is the block of the shell's start file, if there is anything to say.
func (s *Setup) shell() ([]step, error) {
	var b strings.Builder
	export := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "export %s=%s\n", name, shellWord(value))
		}
	}
	for _, v := range exported {
		export(v, s.store.Notes[v])
	}
	if s.usesClaude() && s.Mode != "passive" {
		export("MEGA_CLAUDE_NATIVE_MODE", s.Mode)
		if s.Mode == "strict" {
			b.WriteString(claudeWrapper)
		}
	}
	if slices.Contains(s.Targets, block.Codex) && !s.NoHook && !s.undoing {
		b.WriteString(s.codexWrapper())
	}
	rc := s.rcFile()
	if rc == "" {
		if b.Len() > 0 {
			s.notes = append(s.notes, "the shell of SHELL is neither zsh nor bash; put this into its start file, or name one with --rc-file:\n"+b.String())
		}
		return nil, nil
	}
	if b.Len() == 0 {
		if data, err := os.ReadFile(rc); err != nil || !strings.Contains(string(data), hashFence.close) {
			return nil, nil
		}
	}
	return []step{{path: rc, what: "a block of exports and wrappers; it holds in new shells", edit: hashFence.edit(b.String()), take: hashFence.take}}, nil
}

// claudeWrapper starts Claude Code without its Skill tool, whose catalogue is
// what costs. The mode is read when it is called. The value stands in the same
// word: the option would take what follows it, the prompt, for more of them.
const claudeWrapper = `function claude() {
  if [ "${MEGA_CLAUDE_NATIVE_MODE:-passive}" = strict ]; then
    command claude --disallowedTools=Skill "$@"
  else
    command claude "$@"
  fi
}
`

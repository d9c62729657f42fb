package setup

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
)

// The verbs that hosts call.
var promptVerb = map[block.Target]string{block.Codex: "hook", block.Claude: "claude-hook", block.Gemini: "gemini-hook", block.Hermes: "hermes-hook"}
var stopVerb = map[block.Target]string{block.Codex: "stop-hook", block.Claude: "claude-stop-hook", block.Gemini: "gemini-stop-hook", block.Hermes: "hermes-stop-hook"}

// hookCommand is what a host runs. Where the program is gone it is silent: a
// host says on each prompt that a command is not found. Each host runs it in
// another way: Codex in the person's shell or cmd.exe, Claude Code in a POSIX
// shell, Gemini CLI in bash or PowerShell, Hermes in none.
func (o Options) hookCommand(t block.Target, verb string) string {
	if o.Command != "" {
		return o.Command + " " + verb
	}
	if o.Windows {
		switch t {
		case block.Codex:
			p := o.Program
			if strings.ContainsAny(p, " &()") {
				p = `"` + p + `"`
			}
			return fmt.Sprintf("if exist %s %s %s", p, p, verb)
		case block.Gemini:
			p := "'" + strings.ReplaceAll(o.Program, "'", "''") + "'"
			return fmt.Sprintf("if (Test-Path -LiteralPath %s) { & %s %s }", p, p, verb)
		case block.Hermes:
			return fmt.Sprintf(`"%s" %s`, o.Program, verb)
		}
		p := shellWord(strings.ReplaceAll(o.Program, `\`, "/"))
		return fmt.Sprintf("[ ! -x %s ] || %s %s", p, p, verb)
	}
	p := shellWord(o.Program)
	if t == block.Hermes {
		return fmt.Sprintf(`sh -c '[ ! -x "$0" ] || exec "$0" %s' %s`, verb, p)
	}
	return fmt.Sprintf("[ ! -x %s ] || %s %s", p, p, verb)
}

// plainWord is what a shell takes as it stands.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellWord is a word of a POSIX shell, or of fish, that stands for a text.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ourCommand is a command that calls a hook of mega-tron, wherever that lies.
var ourCommand = regexp.MustCompile(`(?:^|[\s/\\'"])mega-tron(?:\.exe)?['"]?\s+(?:codex-|claude-|gemini-|hermes-)?(?:stop-)?hook(?:\s+--.*|\s*\})?\s*$|exec "\$0" (?:hermes-)?(?:stop-)?hook' .*mega-tron['"]?\s*$`)

package usage

import (
	"path"
	"slices"
	"strings"
)

// counts says what a call does that is counted.
func (c call) counts() (n Counts) {
	switch strings.ToLower(c.tool) {
	case "grep", "search_file_content", "grep_search":
		n.Grep++
	}
	if path.Base(strings.ReplaceAll(c.file, `\`, "/")) == "wiring.json" {
		n.Wiring++
	}
	for _, command := range simple(c.command) {
		n.add(classify(command))
	}
	return n
}

// maxCommand is how much of a command line is looked at, in bytes.
const maxCommand = 64 << 10

// simple cuts a command line into its simple commands, as words. Quoting is
// followed as far as words go; what a substitution runs is a command, too.
func simple(line string) (commands [][]string) {
	var words []string
	var word strings.Builder
	quote, inWord := byte(0), false
	endWord := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			commands = append(commands, words)
		}
		words = nil
	}
	line = line[:min(len(line), maxCommand)]
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case quote == '\'' && ch == '\'', quote == '"' && ch == '"':
			quote = 0
		case quote == '\'':
			word.WriteByte(ch)
		case ch == '`', ch == '$' && i+1 < len(line) && line[i+1] == '(':
			endCommand()
			quote = 0
		case ch == '\\' && i+1 < len(line):
			if i++; line[i] != '\n' {
				word.WriteByte(line[i])
				inWord = true
			}
		case quote == '"':
			word.WriteByte(ch)
		case ch == '\'' || ch == '"':
			quote, inWord = ch, true
		case strings.IndexByte(";&|()\n{}", ch) >= 0:
			endCommand()
		case ch == ' ' || ch == '\t' || ch == '\r':
			endWord()
		default:
			word.WriteByte(ch)
			inWord = true
		}
	}
	endCommand()
	return commands
}

// before are the words that may stand before a command.
var before = []string{"sudo", "env", "time", "nice", "command", "exec", "xargs", "timeout", "if", "then", "do", "while", "!", "else"}

// verbs are the words that follow route; Linux and macOS have a route of
// their own.
var verbs = []string{"query", "explain", "path", "wiring", "fetch", "status", "impact", "docs", "code", "why", "bench", "forget", "usage"}

var searches = []string{"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ripgrep", "ugrep"}

// classify counts one simple command.
func classify(words []string) (n Counts) {
	if slices.ContainsFunc(words, func(w string) bool { return base(w) == "wiring.json" || strings.Contains(w, "wiring:start") }) {
		n.Wiring++
	}
	for len(words) > 1 && (slices.Contains(before, words[0]) || strings.Contains(words[0], "=") || strings.Trim(words[0], "0123456789.smh") == "") {
		words = words[1:]
	}
	if len(words) == 0 {
		return n
	}
	program := strings.TrimSuffix(base(words[0]), ".exe")
	// An interpreter that is given the launcher.
	if slices.Contains([]string{"sh", "bash", "dash", "zsh", "python", "python3"}, program) && len(words) > 1 {
		if script := base(words[1]); script == "route" || script == "route.py" {
			program, words = "route", words[1:]
		}
	}
	verb := ""
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			verb = w
			break
		}
	}
	switch {
	case (program == "route" || program == "route.py" || program == "just" && verb == "route") && takes(words, program):
		n.Route++
		if slices.Contains(words, "wiring") {
			n.Wiring++
		}
	case slices.Contains(searches, program), program == "git" && slices.Contains(words[:min(len(words), 6)], "grep"):
		n.Grep++
	}
	return n
}

// takes reports whether a command line of route, or of just route, has one of
// route's verbs.
func takes(words []string, program string) bool {
	at := 1
	if program == "just" {
		at = 2
	}
	return len(words) > at && slices.Contains(verbs, words[at])
}

func base(word string) string { return path.Base(strings.ReplaceAll(word, `\`, "/")) }

// signs are what a prompt that asks for route, or for what it reads, holds.
var signs = []string{"scripts/route", "route query", "route explain", "route path", "route wiring", "route fetch", "route status", "`route`", "/routing",
	"routing skill", "routing bundle", "use route", "wiring"}

// asksForRoute reports whether a person's prompt names route, the routing
// skill or the wiring.
func asksForRoute(prompt string) bool {
	prompt = strings.ToLower(prompt[:min(len(prompt), maxCommand)])
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(prompt, sign) })
}

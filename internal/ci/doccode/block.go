package doccode

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/markdown"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

// blockLangs are the languages of definitions that a block of code may use,
// by the word after its fence.
var blockLangs = map[string]string{
	"go": "go", "golang": "go", "python": "python", "py": "python", "python3": "python", "pycon": "python",
	"js": "javascript", "javascript": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
	"ts": "javascript", "tsx": "javascript", "typescript": "javascript", "mts": "javascript", "vue": "javascript", "svelte": "javascript",
	"java": "java", "scala": "scala", "sbt": "scala", "kotlin": "kotlin", "kt": "kotlin", "groovy": "groovy",
	"rust": "rust", "rs": "rust", "ruby": "ruby", "rb": "ruby", "php": "php", "swift": "swift", "c": "c", "cpp": "c", "c++": "c", "cc": "c",
	"csharp": "csharp", "cs": "csharp", "c#": "csharp", "elixir": "elixir", "lua": "lua", "ocaml": "ocaml",
}

// family is the language of a block that can use what a file of a language
// defines.
func family(lang string) string {
	switch lang {
	case "typescript", "vue", "svelte":
		return "javascript"
	case "cpp":
		return "c"
	}
	return lang
}

// shells are the words after a fence for what is typed at a prompt.
var shells = set("sh bash shell zsh console shell-session terminal")

// definers stand before a name that a block of code defines.
var definers = set("func function def fn class struct interface trait object enum type const let var val impl module record fun defmodule defp macro")

// code reads a block of code: names of its language that are called or
// written as types are, and in commands the paths.
func (d *document) code(b markdown.Block) {
	lang := blockLangs[b.Lang]
	line := b.Line
	for text := range strings.SplitSeq(b.Text, "\n") {
		switch {
		case lang != "":
			d.codeLine(text, mention{how: doccode.Block, lang: lang, section: b.Section, line: line})
		case shells[b.Lang]:
			for word := range strings.FieldsSeq(text) {
				if word == "#" {
					break
				}
				word = strings.Trim(word, "\"'")
				if strings.Count(word, "/") > 0 && isPath(word) {
					d.add(mention{how: doccode.Block, text: word, path: word, section: b.Section, line: line})
				}
			}
		}
		line++
	}
}

// codeLine reads one line of code.
func (d *document) codeLine(text string, m mention) {
	if len(text) > 400 {
		return
	}
	imports := isImport(text)
	if imports {
		m.from = text
	}
	text = uncommented(text)
	before := ""
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) || text[i] >= '0' && text[i] <= '9' {
			i++
			continue
		}
		start := i
		for i < len(text) && (isNameByte(text[i]) || i+1 < len(text) && isNameByte(text[i+1]) && text[i] == '.' || i+2 < len(text) && text[i:i+2] == "::" && isNameByte(text[i+2])) {
			if text[i] == ':' {
				i++
			}
			i++
		}
		word := text[start:i]
		if definers[before] {
			d.defines[word] = true
		} else if n := parseName(word); n.last != "" && (start == 0 || text[start-1] != '.') {
			called := i < len(text) && (text[i] == '(' || text[i] == '{' || text[i] == '!')
			n.call = called
			if called && (len(n.quals) > 0 || shaped(n.last)) || imports && shaped(n.last) || shaped(n.last) && n.last[0] >= 'A' && n.last[0] <= 'Z' && strings.ToUpper(n.last) != n.last {
				m.text, m.name = word, n
				d.add(m)
			}
		}
		// What stands left of an assignment is a name of the block's own.
		if rest := strings.TrimLeft(text[i:], " "); strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
			d.defines[word] = true
		}
		before = word
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

func isImport(text string) bool {
	t := strings.TrimSpace(text)
	for _, p := range [...]string{"import ", "from ", "use ", "using ", "require", "alias "} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

// uncommented is a line of code with its comment and the insides of its
// strings blanked.
func uncommented(text string) string {
	b := []byte(text)
	quote := byte(0)
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				b[i] = ' '
			}
		case c == '"' || c == '`' || c == '\'' && i+2 < len(b) && strings.IndexByte(text[i+1:], '\'') > 0:
			quote = c
		case c == '/' && i+1 < len(b) && b[i+1] == '/', c == '#' && (i == 0 || b[i-1] == ' ') && !(i+1 < len(b) && b[i+1] == '['):
			return string(b[:i])
		}
	}
	return string(b)
}

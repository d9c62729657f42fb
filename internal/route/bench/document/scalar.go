package document

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/pattern"
)

// value reads the scalar or bracketed list that starts at byte at of the
// line; nothing but a comment may follow it.
func (l *line) value(at int) (*Node, error) {
	var n *Node
	var end int
	var err error
	switch l.text[at] {
	case '[':
		n, end, err = l.brackets(at)
	case '"', '\'':
		n, end, err = l.quoted(at)
	default:
		end = len(l.text)
		if i := strings.Index(l.text[at:], " #"); i >= 0 {
			end = at + i
		}
		end = at + len(strings.TrimRight(l.text[at:end], " "))
		n, err = l.plain(at, end, "")
	}
	if err != nil {
		return nil, err
	}
	rest := l.text[end:]
	if trimmed := strings.TrimLeft(rest, " "); trimmed != "" && (trimmed[0] != '#' || len(trimmed) == len(rest)) {
		return nil, l.fail(end, "something follows the end of the value")
	}
	return n, nil
}

// brackets reads a list like [query, "branch names"].
func (l *line) brackets(at int) (*Node, int, error) {
	n := &Node{Kind: List, Line: l.number}
	for i := at + 1; ; i++ {
		i += spaces(l.text[i:])
		if i == len(l.text) {
			return nil, 0, l.fail(at, "a list in brackets must end on its line")
		}
		var item *Node
		var err error
		switch c := l.text[i]; c {
		case ']':
			if len(n.Items) > 0 {
				return nil, 0, l.fail(i, "a comma before the end of the list")
			}
			return n, i + 1, nil
		case ',':
			return nil, 0, l.fail(i, "a comma without an item before it")
		case '[', '{':
			return nil, 0, l.fail(i, "a list in brackets holds texts only")
		case '"', '\'':
			item, i, err = l.quoted(i)
		default:
			end := i + strings.IndexAny(l.text[i:]+",", ",]")
			item, err = l.plain(i, i+len(strings.TrimRight(l.text[i:end], " ")), "[]{}?")
			i = end
		}
		if err != nil {
			return nil, 0, err
		}
		n.Items = append(n.Items, item)
		i += spaces(l.text[i:])
		switch {
		case i == len(l.text):
			return nil, 0, l.fail(at, "a list in brackets must end on its line")
		case l.text[i] == ']':
			return n, i + 1, nil
		case l.text[i] != ',':
			return nil, 0, l.fail(i, "a comma was expected")
		}
	}
}

func spaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// quoted reads a text in single or double quotes and returns where it ends.
func (l *line) quoted(at int) (*Node, int, error) {
	quote := l.text[at]
	var b strings.Builder
	for i := at + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == quote && quote == '\'' && strings.HasPrefix(l.text[i:], "''"):
			b.WriteByte('\'')
			i++
		case c == quote:
			return &Node{Kind: Text, Line: l.number, Text: b.String()}, i + 1, nil
		case c == '\\' && quote == '"':
			r, n, ok := escape(l.text[i+1:])
			if !ok {
				return nil, 0, l.fail(i, `an escape that is not \" \\ \n \t \r or \uXXXX`)
			}
			b.WriteRune(r)
			i += n
		default:
			b.WriteByte(c)
		}
	}
	return nil, 0, l.fail(at, "a quoted text must end on its line")
}

// escape reads what follows a backslash: the character and how many bytes
// spell it.
func escape(s string) (rune, int, bool) {
	if s == "" {
		return 0, 0, false
	}
	switch s[0] {
	case '"', '\\':
		return rune(s[0]), 1, true
	case 'n':
		return '\n', 1, true
	case 't':
		return '\t', 1, true
	case 'r':
		return '\r', 1, true
	case 'u':
		if len(s) < 5 {
			return 0, 0, false
		}
		n, err := strconv.ParseUint(s[1:5], 16, 16)
		return rune(n), 5, err == nil && utf8.ValidRune(rune(n))
	}
	return 0, 0, false
}

// Why a plain scalar may not start with a character.
var indicators = map[byte]string{
	'&': "an anchor", '*': "an alias", '!': "a tag", '|': "a block text", '>': "a folded text", '{': "a mapping in braces",
	'-': "a dash", '?': "a question mark", ':': "a colon", ',': "a comma", ']': "a bracket", '}': "a brace",
	'#': "a number sign", '%': "a percent sign", '@': "an at sign", '`': "a backquote",
}

// plain reads the unquoted text between two bytes of the line; none of the
// characters of never may stand in it.
func (l *line) plain(at, end int, never string) (*Node, error) {
	text := l.text[at:end]
	if name, ok := indicators[text[0]]; ok {
		return nil, l.fail(at, "%s (%c) is not part of the subset here; put the text in quotes if it is meant literally", name, text[0])
	}
	for i, c := range []byte(text) {
		switch {
		case c == ':' && (i+1 == len(text) || text[i+1] == ' '):
			return nil, l.fail(at+i, "a colon before a space or the end; put the text in quotes")
		case c == '#' && text[i-1] == ' ':
			return nil, l.fail(at+i, "a number sign after a space; put the text in quotes")
		case strings.IndexByte(never, c) >= 0:
			return nil, l.fail(at+i, "%q inside a list in brackets; put the text in quotes", c)
		}
	}
	n := &Node{Kind: Text, Line: l.number, Text: text}
	switch meaning := meaning(text); {
	case wholeNumber().Match(text):
		n.Kind = Integer
	case meaning != plainText:
		return nil, l.fail(at, "%s is %s to a YAML reader; put it in quotes to mean the text", text, meaning)
	}
	return n, nil
}

var wholeNumber = sync.OnceValue(func() *pattern.Pattern { return pattern.Must(`^(?:0|[1-9][0-9]{0,8})$`) })

// numberLike reports whether s is made of what numbers, dates and times are
// made of.
func numberLike(s string) bool {
	return strings.IndexByte("-+.0123456789", s[0]) >= 0 && strings.ContainsAny(s, "0123456789") &&
		strings.Trim(s, "0123456789abcdefABCDEFxXoO_.,:+-TtZz ") == ""
}

const plainText = "text"

// meaning says what some YAML reader, 1.1 or 1.2, takes an unquoted scalar
// for. It names a little more than any reader does: quotes never hurt.
func meaning(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n":
		return "a truth value"
	case "null", "~":
		return "no value"
	case "<<", "=":
		return "a merge or default key"
	case ".nan", ".inf", "+.inf", "-.inf":
		return "a number"
	}
	if numberLike(s) {
		return "a number or a date"
	}
	return plainText
}

package doccode

import (
	"strings"
	"unicode"
)

// A name is what a document writes for a definition.
type name struct {
	quals []string // what stands before it: packages, types
	last  string
	call  bool // with parentheses
	key   bool // after a keyword that defines
	dot   bool // a member of something that is not told
}

// maxQuals bounds what stands before a name.
const maxQuals = 8

// keywords stand before a name that is a definition for certain.
var keywords = set("func function def fn class struct interface trait object enum type new const let var impl mod module package async pub public private static abstract final record")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// parseName reads what may be the name of a definition; last is "" for
// anything else, such as a command, an option or an expression.
func parseName(s string) (n name) {
	s = strings.TrimRight(strings.TrimSpace(s), ";,")
	if len(s) > 200 {
		return name{}
	}
	for {
		word, rest, ok := strings.Cut(s, " ")
		if !ok || !keywords[word] {
			break
		}
		n.key, s = true, strings.TrimSpace(rest)
	}
	s = strings.TrimLeft(s, "&*@")
	if open := strings.IndexByte(s, '('); open > 0 {
		if !balanced(s[open:]) {
			return name{}
		}
		n.call, s = true, strings.TrimSpace(s[:open])
	}
	if open := strings.IndexAny(s, "<["); open > 0 && strings.HasSuffix(s, map[byte]string{'<': ">", '[': "]"}[s[open]]) {
		s = s[:open]
	}
	s = strings.TrimSuffix(strings.TrimSuffix(s, "!"), "?")
	if slash := strings.LastIndexByte(s, '/'); slash > 0 && strings.Trim(s[slash+1:], "0123456789") == "" {
		s = s[:slash] // with the number of its arguments
	}
	for _, join := range [...]string{"::", "->", "#"} {
		s = strings.ReplaceAll(s, join, ".")
	}
	if rest, ok := strings.CutPrefix(s, "."); ok {
		n.dot, s = true, rest
	}
	parts := strings.Split(s, ".")
	if len(parts) > maxQuals+1 {
		return name{}
	}
	for i, p := range parts {
		if !isIdentifier(p) {
			return name{}
		}
		switch {
		case i == len(parts)-1:
			n.last = p
		case i == 0 && (p == "self" || p == "this" || p == "crate" || p == "super"):
			n.dot = p == "self" || p == "this"
		default:
			n.quals = append(n.quals, p)
		}
	}
	return n
}

// balanced reports whether what opens with a parenthesis ends with the one
// that closes it.
func balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				rest := strings.TrimSpace(s[i+1:])
				return rest == "" || rest[0] == ':' || strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "error") || rest[0] == '{'
			}
		}
	}
	return false
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// shaped reports a name that no word and no command is written like: with an
// underscore or a digit inside, or with a capital after a small letter.
func shaped(s string) bool {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '_' && i+1 < len(s), c >= '0' && c <= '9':
			return true
		case c >= 'A' && c <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z':
			return true
		case c >= 'a' && c <= 'z' && i > 1 && s[i-1] >= 'A' && s[i-1] <= 'Z' && s[i-2] >= 'A' && s[i-2] <= 'Z':
			return true // HTTPServer
		}
	}
	return false
}

// humps counts the words of a name that capitals divide.
func humps(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' && (i == 0 || s[i-1] < 'A' || s[i-1] > 'Z') {
			n++
		}
	}
	return n
}

// unlikeWord reports a name that stands among words and is none: products
// and people, too, have capitals inside.
func (n name) unlikeWord() bool {
	first := n.last[0]
	switch {
	case (n.call || n.key) && len(n.quals) == 0:
		return shaped(n.last)
	case len(n.quals) > 0:
		q := n.quals[len(n.quals)-1]
		return (shaped(n.last) || n.call) && shaped(q) && len(n.last) > 3
	case strings.Contains(strings.Trim(n.last, "_"), "_"):
		return strings.ToLower(n.last) == n.last
	case first >= 'a' && first <= 'z':
		return shaped(n.last) && humps(n.last) > 0 && strings.Trim(n.last, "0123456789") == n.last
	}
	return humps(n.last) > 2
}

// known are names that every language has, so that a document that says one
// rarely means the workspace's own.
var known = set("String Object Array Promise Error Exception Number Boolean Function Date Map Set List Dict Option Result Optional Iterator Iterable Vec Box None Some True False Null Integer Float Double Long Int Char Byte Bytes Class Type Any Unit Void Symbol Module Buffer Request Response Context Window Document Node Element Event RegExp Math Json JSON Omit Pick Partial Required Record Readonly Exclude Extract Awaited ReturnType Parameters Future Duration Time Path File " +
	"map filter print println len open close read write get set push pop require import fetch async await toString main init test run exec call apply bind then catch keys values items next join split index find sort size length format parse stringify export typeof describe expect assert exit echo eval source return undefined null true false string number boolean object array error " +
	"setTimeout setInterval useState useEffect console.log hashCode equals isEmpty isPresent forEach addEventListener toJSON iterator constructor prototype instanceof __init__ __call__ __name__ __main__ __all__ __str__ __repr__ __dict__ __file__ __version__ isinstance getattr setattr")

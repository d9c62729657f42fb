package document

import (
	"fmt"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/pattern"
)

// ParseYAML reads a document of the YAML subset. An error is an *[Error].
func ParseYAML(data []byte) (*Node, error) {
	data, err := check(data)
	if err != nil {
		return nil, err
	}
	p := &parser{}
	if err := p.split(string(data)); err != nil {
		return nil, err
	}
	if len(p.lines) == 0 {
		return nil, &Error{Line: 1, Column: 1, Text: "the file is empty"}
	}
	n, err := p.block(0)
	if err != nil {
		return nil, err
	}
	if l := p.line(); l != nil {
		return nil, p.stray(l)
	}
	return n, nil
}

// A line is one line that holds more than a comment.
type line struct {
	number int
	indent int    // bytes before text
	text   string // without indentation and trailing spaces
}

func (l *line) fail(at int, format string, args ...any) error {
	return &Error{Line: l.number, Column: l.indent + at + 1, Text: fmt.Sprintf(format, args...)}
}

// startsItem reports whether the line is an item of a list.
func (l *line) startsItem() bool { return l.text == "-" || strings.HasPrefix(l.text, "- ") }

type parser struct {
	lines []line
	at    int
}

func (p *parser) line() *line {
	if p.at == len(p.lines) {
		return nil
	}
	return &p.lines[p.at]
}

// split finds the lines that hold something, and the one "---" that may
// open the document.
func (p *parser) split(text string) error {
	opened := false
	for i, raw := range strings.Split(text, "\n") {
		raw = strings.TrimRight(strings.TrimSuffix(raw, "\r"), " ")
		content := strings.TrimLeft(raw, " ")
		l := line{i + 1, len(raw) - len(content), content}
		if content == "" || content[0] == '#' {
			continue
		}
		if l.indent == 0 {
			switch word, rest, _ := strings.Cut(content, " "); {
			case word == "---" && !opened && len(p.lines) == 0 && (rest == "" || strings.TrimLeft(rest, " ")[0] == '#'):
				opened = true
				continue
			case word == "---" || word == "...":
				return l.fail(0, "%q: a question file is one document that starts on a line of its own", word)
			case content[0] == '%':
				return l.fail(0, "a YAML directive; it is not part of the subset")
			}
		}
		p.lines = append(p.lines, l)
	}
	return nil
}

// stray explains a line that belongs to no open block.
func (p *parser) stray(l *line) error {
	if p.at > 0 && l.indent > p.lines[p.at-1].indent {
		return l.fail(0, "indented deeper than the line before it, whose value is complete; a text stands on one line")
	}
	if l.startsItem() {
		return l.fail(0, "a list item where a key was expected")
	}
	return l.fail(0, "the indentation of %d spaces is that of no block above", l.indent)
}

// block reads the list or mapping that the current line starts.
func (p *parser) block(depth int) (*Node, error) {
	l := p.line()
	if depth == maxDepth {
		return nil, l.fail(0, "nested deeper than %d levels", maxDepth)
	}
	if l.startsItem() {
		return p.list(l.indent, depth)
	}
	return p.mapping(l.indent, depth)
}

func (p *parser) list(indent, depth int) (*Node, error) {
	n := &Node{Kind: List, Line: p.line().number}
	for l := p.line(); l != nil && l.indent == indent && l.startsItem(); l = p.line() {
		rest := strings.TrimLeft(l.text[1:], " ")
		at := len(l.text) - len(rest)
		var item *Node
		var err error
		switch {
		case rest == "" || rest[0] == '#':
			return nil, l.fail(0, "an item must start on the line of its dash")
		case rest == "-" || strings.HasPrefix(rest, "- "):
			return nil, l.fail(at, "a list directly inside a list; it is not part of the subset")
		case keyPattern().Match(rest):
			// The item is a mapping whose first key stands behind the dash.
			*l = line{l.number, l.indent + at, rest}
			item, err = p.block(depth + 1)
		default:
			item, err = l.value(at)
			p.at++
		}
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	if l := p.line(); l != nil && l.indent > indent {
		return nil, p.stray(l)
	}
	return n, nil
}

// keyPattern is a key with its colon. Keys are plain words, for a quoted or
// a long key serves nobody.
var keyPattern = sync.OnceValue(func() *pattern.Pattern { return pattern.Must(`^[A-Za-z_][A-Za-z0-9_-]{0,63}:(?: |$)`) })

func (p *parser) mapping(indent, depth int) (*Node, error) {
	n := &Node{Kind: Mapping, Line: p.line().number}
	seen := map[string]int{}
	for l := p.line(); l != nil && l.indent == indent && !l.startsItem(); l = p.line() {
		m := ""
		if at := keyPattern().Index(l.text); at != nil {
			m = l.text[:at[1]]
		}
		key, _, _ := strings.Cut(m, ":")
		switch {
		case m == "":
			return nil, l.fail(0, "a key and a colon were expected, as in \"id: some-name\"")
		case meaning(key) != plainText:
			return nil, l.fail(0, "the key %s is %s to a YAML reader", key, meaning(key))
		case seen[key] != 0:
			return nil, l.fail(0, "the key %q stands twice in one mapping; first on line %d", key, seen[key])
		}
		seen[key] = l.number
		p.at++
		value, err := p.member(l, key, len(m), depth)
		if err != nil {
			return nil, err
		}
		n.Members = append(n.Members, Member{key, l.number, value})
	}
	if l := p.line(); l != nil && l.indent > indent {
		return nil, p.stray(l)
	}
	return n, nil
}

// member reads the value of a key: what follows on its line from byte at,
// or the block below it.
func (p *parser) member(l *line, key string, at, depth int) (*Node, error) {
	rest := strings.TrimLeft(l.text[at:], " ")
	at = len(l.text) - len(rest)
	if rest != "" && rest[0] != '#' {
		return l.value(at)
	}
	next := p.line()
	if next == nil || next.indent < l.indent || next.indent == l.indent && !next.startsItem() {
		return nil, l.fail(0, "%q has no value; write \"\" for an empty text", key)
	}
	return p.block(depth + 1)
}

package pin

import (
	"strings"
)

// parseTOML reads the TOML that build files are written in: headers, dotted
// keys, strings, lists and inline tables. A line that is none of these is
// passed over, so that one mistake does not hide the rest.
func parseTOML(data []byte) *node {
	p := &tomlParser{src: string(data), line: 1, known: map[slot]*node{}}
	root := &node{kind: table, line: 1}
	here := root
	for p.skip(true); p.at < len(p.src); p.skip(true) {
		from := p.at
		if p.src[p.at] == '[' {
			here = p.header(root)
		} else {
			p.pair(here, 0)
		}
		p.restOfLine(from)
	}
	return root
}

type tomlParser struct {
	src   string
	at    int
	line  int
	known map[slot]*node
}

// A slot is a key in a table: a file may open a great many.
type slot struct {
	in  *node
	key string
}

func (p *tomlParser) set(in *node, key string, line int, v *node) {
	in.keys = append(in.keys, entry{key, line, v})
	p.known[slot{in, key}] = v
}

// skip passes spaces and comments, and line ends where lines says so.
func (p *tomlParser) skip(lines bool) {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			p.at++
		case c == '\n' && lines:
			p.line++
			p.at++
		case c == '#':
			for p.at < len(p.src) && p.src[p.at] != '\n' {
				p.at++
			}
		default:
			return
		}
	}
}

// restOfLine goes to the next line, and always on.
func (p *tomlParser) restOfLine(from int) {
	if p.at == from {
		p.at++
	}
	for p.at < len(p.src) && p.src[p.at] != '\n' {
		p.at++
	}
}

func (p *tomlParser) peek() byte {
	if p.at >= len(p.src) {
		return 0
	}
	return p.src[p.at]
}

// header reads [a.b] or [[a.b]] and returns the table that it opens.
func (p *tomlParser) header(root *node) *node {
	line := p.line
	p.at++
	array := p.peek() == '['
	if array {
		p.at++
	}
	path := p.keyPath()
	if len(path) == 0 {
		return &node{kind: table, line: line} // of nobody
	}
	last := len(path) - 1
	parent := p.descend(root, path[:last], line)
	if !array {
		return p.descend(parent, path[last:], line)
	}
	all := p.known[slot{parent, path[last]}]
	if all == nil || all.kind != list {
		all = &node{kind: list, line: line}
		p.set(parent, path[last], line, all)
	}
	n := &node{kind: table, line: line}
	all.list = append(all.list, n)
	return n
}

// descend finds or makes the table at a path. Of a list of tables it is the
// last.
func (p *tomlParser) descend(n *node, path []string, line int) *node {
	for _, key := range path {
		next := p.known[slot{n, key}]
		if next != nil && next.kind == list && len(next.list) > 0 {
			next = next.list[len(next.list)-1]
		}
		if next == nil || next.kind != table {
			next = &node{kind: table, line: line}
			p.set(n, key, line, next)
		}
		n = next
	}
	return n
}

// keyPath reads a key with dots. It stops before what is no part of one.
func (p *tomlParser) keyPath() []string {
	var path []string
	for len(path) < maxDepth {
		p.skip(false)
		var key string
		if c := p.peek(); c == '"' || c == '\'' {
			key = p.quoted()
		} else {
			from := p.at
			for p.at < len(p.src) && isBareKey(p.src[p.at]) {
				p.at++
			}
			key = p.src[from:p.at]
			if key == "" {
				return path
			}
		}
		path = append(path, key)
		p.skip(false)
		if p.peek() != '.' {
			return path
		}
		p.at++
	}
	return path
}

func isBareKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

// pair reads key = value into a table.
func (p *tomlParser) pair(into *node, depth int) {
	line := p.line
	path := p.keyPath()
	if len(path) == 0 || p.peek() != '=' {
		return
	}
	p.at++
	v := p.value(depth + 1)
	if v == nil {
		return
	}
	last := len(path) - 1
	into = p.descend(into, path[:last], line)
	p.set(into, path[last], line, v)
}

func (p *tomlParser) value(depth int) *node {
	p.skip(false)
	n := &node{line: p.line}
	switch c := p.peek(); {
	case depth > maxDepth || c == 0 || c == '\n':
		return nil
	case c == '"' || c == '\'':
		n.text = p.quoted()
	case c == '[':
		n.kind = list
		p.at++
		for p.skip(true); p.peek() != ']'; p.skip(true) {
			v := p.value(depth + 1)
			if v == nil {
				return n
			}
			n.list = append(n.list, v)
			p.skip(true)
			if p.peek() == ',' {
				p.at++
			} else if p.peek() != ']' {
				return n
			}
		}
		p.at++
	case c == '{':
		n.kind = table
		p.at++
		for p.skip(true); p.peek() != '}'; p.skip(true) {
			from := p.at
			p.pair(n, depth)
			p.skip(true)
			if p.peek() == ',' {
				p.at++
			} else if p.peek() != '}' || p.at == from {
				return n
			}
		}
		p.at++
	default:
		from := p.at
		for p.at < len(p.src) && !strings.ContainsRune(",]}#\r\n", rune(p.src[p.at])) {
			p.at++
		}
		n.text = strings.TrimSpace(p.src[from:p.at])
		if n.text == "" {
			return nil
		}
	}
	return n
}

// quoted reads a string of any of the four kinds. One that does not end on
// its line ends there.
func (p *tomlParser) quoted() string {
	quote := p.src[p.at : p.at+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(p.src[p.at:], long) {
		from := p.at + 3
		end := strings.Index(p.src[from:], long)
		if end < 0 {
			end = len(p.src) - from
		}
		text := p.src[from : from+end]
		p.line += strings.Count(text, "\n")
		p.at = min(from+end+3, len(p.src))
		return text
	}
	p.at++
	var text strings.Builder
	for p.at < len(p.src) && p.src[p.at] != '\n' {
		c := p.src[p.at]
		p.at++
		if c == quote[0] {
			break
		}
		if c == '\\' && quote == `"` && p.at < len(p.src) && p.src[p.at] != '\n' {
			c = p.src[p.at]
			p.at++
		}
		text.WriteByte(c)
	}
	return text.String()
}

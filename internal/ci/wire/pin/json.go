package pin

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// parseJSON reads JSON and what tools accept in its place: comments, trailing
// commas, single quotes and keys without quotes. It returns what it
// understood up to the first error, and whether that was all.
func parseJSON(data []byte) (*node, bool) {
	p := &jsonParser{src: data, line: 1}
	n := p.value(0)
	p.space()
	return n, !p.bad && p.at == len(p.src)
}

type jsonParser struct {
	src  []byte
	at   int
	line int
	bad  bool
}

func (p *jsonParser) fail() *node {
	p.bad = true
	p.at = len(p.src)
	return nil
}

// peek is the next byte behind space and comments, 0 at the end.
func (p *jsonParser) peek() byte {
	p.space()
	if p.at >= len(p.src) {
		return 0
	}
	return p.src[p.at]
}

func (p *jsonParser) space() {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '\n':
			p.line++
			p.at++
		case c == ' ' || c == '\t' || c == '\r':
			p.at++
		case c == '/' && p.at+1 < len(p.src) && p.src[p.at+1] == '/':
			for p.at < len(p.src) && p.src[p.at] != '\n' {
				p.at++
			}
		case c == '/' && p.at+1 < len(p.src) && p.src[p.at+1] == '*':
			p.at += 2
			for p.at < len(p.src) && (p.src[p.at] != '/' || p.src[p.at-1] != '*') {
				if p.src[p.at] == '\n' {
					p.line++
				}
				p.at++
			}
			p.at = min(p.at+1, len(p.src))
		default:
			return
		}
	}
}

func (p *jsonParser) value(depth int) *node {
	c := p.peek()
	n := &node{line: p.line}
	switch {
	case depth > maxDepth || c == 0:
		return p.fail()
	case c == '{':
		p.at++
		n.kind = table
		for p.peek() != '}' {
			key, line := p.key(), p.line
			if p.peek() != ':' {
				p.fail()
				return n
			}
			p.at++
			n.keys = append(n.keys, entry{key, line, p.value(depth + 1)})
			if !p.comma('}') {
				return n
			}
		}
		p.at++
	case c == '[':
		p.at++
		n.kind = list
		for p.peek() != ']' {
			if v := p.value(depth + 1); v != nil {
				n.list = append(n.list, v)
			}
			if !p.comma(']') {
				return n
			}
		}
		p.at++
	case c == '"' || c == '\'':
		n.text = p.quoted()
	default:
		n.text = p.word()
		if n.text == "" {
			return p.fail()
		}
	}
	return n
}

// comma passes the separator of two members. False is an error.
func (p *jsonParser) comma(end byte) bool {
	switch p.peek() {
	case ',':
		p.at++
	case end:
	default:
		p.fail()
	}
	return !p.bad
}

func (p *jsonParser) key() string {
	if c := p.peek(); c == '"' || c == '\'' {
		return p.quoted()
	}
	return p.word()
}

// word is a number, a literal, or a key without quotes.
func (p *jsonParser) word() string {
	from := p.at
	for p.at < len(p.src) && !strings.ContainsRune(" \t\r\n,:{}[]\"'/", rune(p.src[p.at])) {
		p.at++
	}
	return string(p.src[from:p.at])
}

// quoted reads a string, whose quote is the next byte.
func (p *jsonParser) quoted() string {
	quote := p.src[p.at]
	p.at++
	from := p.at
	for p.at < len(p.src) && p.src[p.at] != quote && p.src[p.at] != '\\' && p.src[p.at] != '\n' {
		p.at++
	}
	if p.at < len(p.src) && p.src[p.at] == quote { // nothing to replace
		p.at++
		return string(p.src[from : p.at-1])
	}
	text := append([]byte(nil), p.src[from:p.at]...)
	for p.at < len(p.src) {
		switch c := p.src[p.at]; c {
		case quote:
			p.at++
			return string(text)
		case '\n':
			p.fail()
			return string(text)
		case '\\':
			text = p.escape(text)
		default:
			text = append(text, c)
			p.at++
		}
	}
	p.bad = true
	return string(text)
}

func (p *jsonParser) escape(text []byte) []byte {
	p.at++
	if p.at >= len(p.src) {
		return text
	}
	c := p.src[p.at]
	p.at++
	switch c {
	case 'n':
		return append(text, '\n')
	case 't':
		return append(text, '\t')
	case 'r':
		return append(text, '\r')
	case 'b':
		return append(text, '\b')
	case 'f':
		return append(text, '\f')
	case '\n':
		p.line++
		return text
	case 'u':
		r := p.hex()
		if utf16.IsSurrogate(r) && p.at+1 < len(p.src) && p.src[p.at] == '\\' && p.src[p.at+1] == 'u' {
			p.at += 2
			r = utf16.DecodeRune(r, p.hex())
		}
		return utf8.AppendRune(text, r)
	}
	return append(text, c)
}

func (p *jsonParser) hex() rune {
	end := min(p.at+4, len(p.src))
	v, err := strconv.ParseUint(string(p.src[p.at:end]), 16, 32)
	if err != nil || end-p.at != 4 {
		return utf8.RuneError
	}
	p.at = end
	return rune(v)
}

package jsonplace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// newline is how lines end in the text.
func (e *Editor) newline() string {
	if bytes.Contains(e.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// unit is the blank before the first key that has some, or two spaces.
func (e *Editor) unit() string {
	for line := range bytes.Lines(e.plain) {
		if rest := bytes.TrimLeft(line, " \t"); len(rest) < len(line) && bytes.HasPrefix(rest, []byte(`"`)) {
			return string(line[:len(line)-len(rest)])
		}
	}
	return "  "
}

// indentAt is the blank at the start of the line that holds a place.
func (e *Editor) indentAt(at int) string {
	line := e.text[bytes.LastIndexByte(e.text[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// pretty is a compact value laid out as the text is, its first line being at
// an indent.
func (e *Editor) pretty(value json.RawMessage, indent string) string {
	if e.oneLine() {
		return string(compact(value))
	}
	var b bytes.Buffer
	if json.Indent(&b, compact(value), indent, e.unit()) != nil {
		return string(value)
	}
	return strings.ReplaceAll(b.String(), "\n", e.newline())
}

// oneLine is a text that somebody has written without line ends.
func (e *Editor) oneLine() bool {
	body := bytes.TrimSpace(e.plain)
	return len(body) > 2 && !bytes.Contains(body, []byte("\n"))
}

// insert puts entries at the end of a container.
func (e *Editor) insert(s spot, texts []func(indent string) string) {
	join := func(indent, between string) string {
		var all []string
		for _, t := range texts {
			all = append(all, t(indent))
		}
		return strings.Join(all, ","+between)
	}
	if len(s.entries) == 0 {
		if e.oneLine() {
			e.splice(s.from+1, s.from+1, join("", " "))
			return
		}
		outer := e.indentAt(s.from)
		line := e.newline() + outer + e.unit()
		tail := ""
		if len(bytes.TrimSpace(e.text[s.from+1:s.to-1])) == 0 {
			e.splice(s.from+1, s.to-1, "")
			tail = e.newline() + outer
		}
		e.splice(s.from+1, s.from+1, line+join(outer+e.unit(), line)+tail)
		return
	}
	end := s.entries[len(s.entries)-1].To
	first := s.entries[0]
	line, indent := " ", ""
	if inner := e.text[s.from+1 : first.Key]; bytes.Contains(inner, []byte("\n")) || len(s.entries) == 1 && !e.oneLine() && bytes.Contains(e.text[s.from:s.to], []byte("\n")) {
		indent = e.indentAt(first.Key)
		line = e.newline() + indent
	}
	at, comma := end, false
	if rest := bytes.TrimLeft(e.text[end:], " \t"); bytes.HasPrefix(rest, []byte(",")) {
		at, comma = len(e.text)-len(rest)+1, true
	}
	// A comment behind the last value stays behind it.
	if tail := bytes.TrimLeft(e.text[at:], " \t"); bytes.HasPrefix(tail, []byte("//")) {
		at = len(e.text) - len(tail)
		if i := bytes.IndexAny(tail, "\r\n"); i >= 0 {
			at += i
		} else {
			at = len(e.text)
		}
	}
	body := line + join(indent, line)
	if comma {
		e.splice(at, at, body+",")
		return
	}
	e.replace(slices.Concat(e.text[:end], []byte(","), e.text[end:at], []byte(body), e.text[at:]))
}

// cut takes an entry out, with one comma and its line.
func (e *Editor) cut(s spot, i int) {
	m := s.entries[i]
	from := m.Key
	for from > s.from+1 && (e.text[from-1] == ' ' || e.text[from-1] == '\t') {
		from--
	}
	if from > s.from+1 && e.text[from-1] == '\n' {
		if from--; e.text[from-1] == '\r' {
			from--
		}
	} else {
		from = m.Key // it does not begin its line
	}
	// What follows on the line must not come behind a comment.
	begins := func(to int) bool {
		rest := bytes.TrimLeft(e.text[to:], " \t")
		return from == m.Key || bytes.HasPrefix(rest, []byte("\n")) || bytes.HasPrefix(rest, []byte("\r"))
	}
	to := m.To
	after := commaAfter(e.text, e.plain, m.To, s.to)
	switch {
	case after >= 0:
		if to = after + 1; !begins(to) {
			from = m.Key
		}
		if from == m.Key {
			for to < s.to-1 && e.text[to] == ' ' {
				to++
			}
		}
		e.splice(from, to, "")
	case i > 0: // the last one takes the comma before it along
		if !begins(to) {
			from = m.Key
		}
		before := s.entries[i-1].To
		comma := before + bytes.IndexByte(e.plain[before:m.Key], ',')
		if from == m.Key {
			for from > comma+1 && e.text[from-1] == ' ' {
				from--
			}
		}
		e.replace(slices.Concat(e.text[:comma], e.text[comma+1:from], e.text[to:]))
	default: // the only one
		if len(bytes.TrimSpace(slices.Concat(e.text[s.from+1:from], e.text[to:s.to-1]))) == 0 {
			from, to = s.from+1, s.to-1
		}
		e.splice(from, to, "")
	}
}

// commaAfter is the comma that follows a value, or -1. In the plain text one
// before a closing bracket is a blank, so the text has to be asked.
func commaAfter(text, plain []byte, from, end int) int {
	for i := from; i < end; i++ {
		switch {
		case plain[i] == ',' || text[i] == ',' && plainBefore(text, from, i):
			return i
		case plain[i] != ' ' && plain[i] != '\t' && plain[i] != '\r' && plain[i] != '\n':
			return -1
		}
	}
	return -1
}

// plainBefore reports whether no comment has begun between two places.
func plainBefore(text []byte, from, to int) bool {
	for i := from; i+1 < to; i++ {
		if text[i] == '/' {
			// A whole comment may stand there; what follows it counts again.
			if text[i+1] == '*' {
				end := bytes.Index(text[i+2:to], []byte("*/"))
				if end < 0 {
					return false
				}
				i += end + 3
				continue
			}
			line := bytes.IndexByte(text[i:to], '\n')
			if line < 0 {
				return false
			}
			i += line
		}
	}
	return true
}

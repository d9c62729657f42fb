package jsonplace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An Editor changes parts of a JSON text; every other byte stays: comments,
// order, blanks, line ends. A text of blanks alone is an empty object.
type Editor struct {
	text  []byte
	plain []byte // the text without comments, of the same length
	err   error
}

// Edit begins to edit a text.
func Edit(text []byte) (*Editor, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))) == 0 {
		text = slices.Concat(bytes.TrimRight(text, " \t\r\n"), []byte("{}\n"))
	}
	e := &Editor{text: text}
	e.replace(text)
	return e, e.err
}

// Bytes is the text as it is now, or the first error.
func (e *Editor) Bytes() ([]byte, error) { return e.text, e.err }

func (e *Editor) replace(text []byte) {
	plain, err := Plain(text)
	if err != nil {
		if e.err == nil {
			e.err = err
		}
		return
	}
	e.text, e.plain = text, plain
}

func (e *Editor) splice(from, to int, what string) {
	e.replace(slices.Concat(e.text[:from], []byte(what), e.text[to:]))
}

// spot is where a value stands, and what is above it.
type spot struct {
	from, to int
	entries  []Member // of a container
	kind     byte     // its first byte
}

func (e *Editor) at(from, to int) spot {
	s := spot{from: from, to: to, kind: e.plain[from]}
	var err error
	switch s.kind {
	case '{':
		s.entries, err = Members(e.plain, from)
	case '[':
		s.entries, err = Elements(e.plain, from)
	}
	if err != nil && e.err == nil {
		e.err = err
	}
	return s
}

// find is the value at a path of names; of members with one name the last.
func (e *Editor) find(path []string) (spot, bool) {
	from := len(e.plain) - len(bytes.TrimLeft(e.plain, " \t\r\n"))
	s := e.at(from, len(bytes.TrimRight(e.plain, " \t\r\n")))
	for _, name := range path {
		i := last(s, name)
		if s.kind != '{' || i < 0 {
			return spot{}, false
		}
		s = e.at(s.entries[i].From, s.entries[i].To)
	}
	return s, true
}

func last(s spot, name string) int {
	for i, m := range slices.Backward(s.entries) {
		if m.Name == name {
			return i
		}
	}
	return -1
}

// Get is the value at a path, without comments.
func (e *Editor) Get(path ...string) (json.RawMessage, bool) {
	s, ok := e.find(path)
	if !ok || e.err != nil {
		return nil, false
	}
	return json.RawMessage(e.plain[s.from:s.to]), true
}

// A Pair is a member to be set: its value in compact JSON.
type Pair struct {
	Name  string
	Value json.RawMessage
}

// Set gives the members of the object at a path their values. Objects that are
// not there are made; a value that is something else is an error.
func (e *Editor) Set(path []string, pairs ...Pair) {
	var fresh []Pair
	s, ok := e.object(path)
	for _, p := range pairs {
		if e.err != nil {
			return
		}
		if i := last(s, p.Name); ok && i >= 0 {
			m := s.entries[i]
			if !bytes.Equal(compact(e.plain[m.From:m.To]), compact(p.Value)) {
				e.splice(m.From, m.To, e.pretty(p.Value, e.indentAt(m.Key)))
				s, ok = e.object(path)
			}
			continue
		}
		fresh = append(fresh, p)
	}
	if len(fresh) == 0 || e.err != nil {
		return
	}
	if !ok { // make what is missing, around the new members
		var b bytes.Buffer
		b.WriteByte('{')
		for i, p := range fresh {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(Quote(p.Name))
			b.WriteByte(':')
			b.Write(p.Value)
		}
		b.WriteByte('}')
		e.Set(path[:len(path)-1], Pair{path[len(path)-1], b.Bytes()})
		return
	}
	var texts []func(indent string) string
	for _, p := range fresh {
		texts = append(texts, func(indent string) string { return string(Quote(p.Name)) + ": " + e.pretty(p.Value, indent) })
	}
	e.insert(s, texts)
}

// object is the object at a path, if all of it is there.
func (e *Editor) object(path []string) (spot, bool) {
	for n := range len(path) + 1 {
		s, ok := e.find(path[:n])
		if !ok {
			return s, false
		}
		if s.kind != '{' {
			if e.err == nil {
				e.err = fmt.Errorf("%s is no object", named(path[:n]))
			}
			return s, false
		}
		if n == len(path) {
			return s, true
		}
	}
	return spot{}, false
}

func named(path []string) string {
	if len(path) == 0 {
		return "the file"
	}
	return strings.Join(path, ".")
}

// Append puts values at the end of the array at a path, which is made where it
// is not there.
func (e *Editor) Append(path []string, values ...json.RawMessage) {
	s, ok := e.find(path)
	switch {
	case e.err != nil || len(values) == 0:
	case !ok:
		e.Set(path[:len(path)-1], Pair{path[len(path)-1], slices.Concat([]byte{'['}, bytes.Join(raws(values), []byte{','}), []byte{']'})})
	case s.kind != '[':
		e.err = fmt.Errorf("%s is no list", named(path))
	default:
		var texts []func(string) string
		for _, v := range values {
			texts = append(texts, func(indent string) string { return e.pretty(v, indent) })
		}
		e.insert(s, texts)
	}
}

func raws(values []json.RawMessage) (all [][]byte) {
	for _, v := range values {
		all = append(all, v)
	}
	return all
}

// Delete takes the member at a path away, each that has its name.
func (e *Editor) Delete(path ...string) {
	for e.err == nil {
		s, ok := e.find(path[:len(path)-1])
		if !ok || s.kind != '{' {
			return
		}
		i := last(s, path[len(path)-1])
		if i < 0 {
			return
		}
		e.cut(s, i)
	}
}

// SetElement gives the element i of the array at a path another value.
func (e *Editor) SetElement(path []string, i int, value json.RawMessage) {
	if s, ok := e.find(path); ok && s.kind == '[' && i < len(s.entries) && e.err == nil {
		e.splice(s.entries[i].From, s.entries[i].To, e.pretty(value, e.indentAt(s.entries[i].From)))
	}
}

// DeleteElement takes the element i of the array at a path away.
func (e *Editor) DeleteElement(path []string, i int) {
	if s, ok := e.find(path); ok && s.kind == '[' && i < len(s.entries) && e.err == nil {
		e.cut(s, i)
	}
}

// Quote is a string of JSON, with &, < and > as they are.
func Quote(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always has a form
	return bytes.TrimSpace(b.Bytes())
}

func compact(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

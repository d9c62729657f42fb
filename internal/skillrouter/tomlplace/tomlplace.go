// Package tomlplace changes single values in a TOML text, so that every other
// byte stays: comments, order, blanks, line ends.
package tomlplace

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Check says what is wrong with a TOML text, and where; nil when nothing is.
func Check(text []byte) error {
	_, err := decode(text)
	return err
}

func decode(text []byte) (map[string]any, error) {
	all := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &all)
	if d := (*toml.DecodeError)(nil); errors.As(err, &d) {
		line, column := d.Position()
		return nil, fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(d.Error(), "toml: "))
	}
	return all, err
}

// Get is a value by its path, as go-toml decodes it.
func Get(text []byte, path ...string) (any, bool) {
	all, err := decode(text)
	if err != nil {
		return nil, false
	}
	var at any = all
	for _, name := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = m[name]; !ok {
			return nil, false
		}
	}
	return at, true
}

// Set gives a key of a table another value, written in TOML, or adds the key:
// to the table where that is there, else to a new one at the end. A table that
// is written inline is not edited, nor is a text that would then mean anything
// else: that is an error.
func Set(text []byte, table []string, key, value string) ([]byte, error) {
	if err := Check(text); err != nil {
		return nil, err
	}
	bom := []byte{}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		bom, text = text[:3], text[3:]
	}
	out, err := place(text, table, key, value)
	if err != nil {
		return nil, err
	}
	if err := Check(out); err != nil {
		return nil, fmt.Errorf("there is no safe place in it for %s of [%s]; write it by hand", key, strings.Join(table, "."))
	}
	return append(bom, out...), nil
}

func place(data []byte, table []string, key, value string) ([]byte, error) {
	var p unstable.Parser
	p.Reset(data)
	var now []string
	array := false
	header, dotted := -1, -1
	full := append(slices.Clone(table), key)
	for p.NextExpression() {
		e := p.Expression()
		var path []string
		end := 0
		for k := e.Key(); k.Next(); {
			path = append(path, string(k.Node().Data))
			end = int(k.Node().Raw.Offset + k.Node().Raw.Length)
		}
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			now, array = path, e.Kind == unstable.ArrayTable
			if slices.Equal(path, table) && !array {
				header = lineEnd(data, end)
			}
		case unstable.KeyValue:
			if array {
				continue
			}
			whole := append(slices.Clone(now), path...)
			if slices.Equal(whole, full) {
				start, stop, err := valueRange(data, end)
				if err != nil {
					return nil, err
				}
				return slices.Concat(data[:start], []byte(value), data[stop:]), nil
			}
			if len(now) == 0 && len(path) > len(table) && slices.Equal(path[:len(table)], table) && dotted < 0 {
				dotted = bytes.LastIndexByte(data[:end], '\n') + 1
			}
			if len(whole) <= len(table) && slices.Equal(whole, table[:len(whole)]) {
				return nil, fmt.Errorf("its %s is an inline table, which is not edited; write it as [%s]", strings.Join(whole, "."), strings.Join(table, "."))
			}
		}
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	nl := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		nl = "\r\n"
	}
	row := Key(key) + " = " + value + nl
	switch {
	case header >= 0:
		if data[header-1] != '\n' { // the header is the file's last line, and open
			row = nl + row
		}
		return slices.Concat(data[:header], []byte(row), data[header:]), nil
	case dotted >= 0: // the table is there already, key by key
		return slices.Concat(data[:dotted], []byte(joined(table)+"."+row), data[dotted:]), nil
	}
	gap := ""
	if len(data) > 0 {
		gap = nl
		if !bytes.HasSuffix(data, []byte("\n")) {
			gap = nl + nl
		}
	}
	return slices.Concat(data, []byte(gap+"["+joined(table)+"]"+nl+row)), nil
}

// lineEnd is the start of the line after the one that holds offset.
func lineEnd(data []byte, offset int) int {
	if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(data)
}

// valueRange finds the value that follows a key.
func valueRange(data []byte, from int) (start, stop int, err error) {
	equals := bytes.IndexByte(data[from:], '=')
	if equals < 0 {
		return 0, 0, errors.New("a key has no value")
	}
	start = from + equals + 1
	for start < len(data) && (data[start] == ' ' || data[start] == '\t') {
		start++
	}
	depth := 0
	for i := start; i < len(data); i++ {
		switch c := data[i]; c {
		case '"', '\'':
			i = stringEnd(data, i) - 1
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth < 0 {
				return start, trimmed(data, start, i), nil
			}
		case ',':
			if depth == 0 {
				return start, trimmed(data, start, i), nil
			}
		case '#':
			if depth == 0 {
				return start, trimmed(data, start, i), nil
			}
			for i < len(data) && data[i] != '\n' {
				i++
			}
		case '\n':
			if depth == 0 {
				return start, trimmed(data, start, i), nil
			}
		}
	}
	if depth > 0 {
		return 0, 0, errors.New("a value does not end")
	}
	return start, trimmed(data, start, len(data)), nil
}

func trimmed(data []byte, from, to int) int {
	return from + len(bytes.TrimRight(data[from:to], " \t\r"))
}

// stringEnd is where the string ends that begins at i.
func stringEnd(data []byte, i int) int {
	q := data[i]
	long := bytes.HasPrefix(data[i:], []byte{q, q, q})
	n := i + 1
	if long {
		n = i + 3
	}
	for ; n < len(data); n++ {
		switch {
		case data[n] == '\\' && q == '"':
			n++
		case data[n] == q && !long:
			return n + 1
		case long && bytes.HasPrefix(data[n:], []byte{q, q, q}):
			n += 3
			for n < len(data) && data[n] == q { // quotes right before the end are content
				n++
			}
			return n
		}
	}
	return len(data)
}

// Key is a name as a key is written: bare where it can be.
func Key(name string) string {
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return String(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

func joined(path []string) string {
	var all []string
	for _, name := range path {
		all = append(all, Key(name))
	}
	return strings.Join(all, ".")
}

// String is a basic string of TOML.
func String(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Strings is an array of strings.
func Strings(items []string) string {
	var all []string
	for _, s := range items {
		all = append(all, String(s))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// Package yamlplace puts rows into lists of a YAML text and takes them out, so
// that every other byte stays: comments, order, blanks, line ends. Whatever is
// not plainly safe to edit as text is refused: after each edit the text must
// mean what it meant, and the row.
package yamlplace

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Field is one field of a row; its value is written in YAML, on one line.
type Field struct{ Key, Value string }

// A Row is a mapping in a list.
type Row []Field

// Get is a value by its path, as yaml.v3 decodes it.
func Get(text []byte, path ...string) (any, bool) {
	top, err := mapping(text)
	var at any = top
	for _, name := range path {
		ok := false
		switch m := at.(type) {
		case map[string]any:
			at, ok = m[name]
		case map[any]any: // other keys are no texts
			at, ok = m[name]
		}
		if !ok {
			return nil, false
		}
	}
	return at, err == nil
}

// String is a text as a double-quoted scalar.
func String(s string) string {
	if q := strconv.QuoteToGraphic(s); !strings.Contains(q, `\x`) && !strings.ContainsAny(s, "\a\b\f\v\x7f") {
		return q
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Append puts a row at the end of the list at a path of two names, which is
// made where it is not there.
func Append(text []byte, path []string, row Row) ([]byte, error) {
	e, err := parse(text)
	if err != nil {
		return nil, err
	}
	out, err := e.append(path, row)
	if err != nil {
		return nil, err
	}
	want, err := withRow(text, path, row)
	if err != nil {
		return nil, err
	}
	return out, same(out, want, path)
}

// Delete takes row i of the list at a path out. A list that is empty then goes
// with its key, and so does what holds nothing else.
func Delete(text []byte, path []string, i int) ([]byte, error) {
	e, err := parse(text)
	if err != nil {
		return nil, err
	}
	out, err := e.delete(path, i)
	if err != nil {
		return nil, err
	}
	want, err := withoutRow(text, path, i)
	if err != nil {
		return nil, err
	}
	return out, same(out, want, path)
}

// same holds a text to what it must mean.
func same(out []byte, want map[string]any, path []string) error {
	got, err := mapping(out)
	if err != nil || !reflect.DeepEqual(got, want) {
		return fmt.Errorf("there is no safe place in it for %s; write it by hand", strings.Join(path, "."))
	}
	return nil
}

func mapping(text []byte) (map[string]any, error) {
	var all map[string]any
	err := yaml.Unmarshal(text, &all)
	if all == nil { // a document of null, too, leaves none
		all = map[string]any{}
	}
	return all, err
}

// withRow is the meaning of a text with the row.
func withRow(text []byte, path []string, row Row) (map[string]any, error) {
	all, err := mapping(text)
	if err != nil {
		return nil, err
	}
	var v any
	if err := yaml.Unmarshal([]byte(row.flow()), &v); err != nil {
		return nil, err
	}
	parent, _ := all[path[0]].(map[string]any)
	if parent == nil {
		parent = map[string]any{}
	}
	list, _ := parent[path[1]].([]any)
	parent[path[1]] = append(list, v)
	all[path[0]] = parent
	return all, nil
}

func withoutRow(text []byte, path []string, i int) (map[string]any, error) {
	all, err := mapping(text)
	if err != nil {
		return nil, err
	}
	parent, _ := all[path[0]].(map[string]any)
	list, _ := parent[path[1]].([]any)
	if i < 0 || i >= len(list) {
		return nil, errors.New("there is no such row")
	}
	if list = append(list[:i:i], list[i+1:]...); len(list) > 0 {
		parent[path[1]] = list
		return all, nil
	}
	if delete(parent, path[1]); len(parent) == 0 {
		delete(all, path[0])
	}
	return all, nil
}

func (r Row) flow() string {
	var all []string
	for _, f := range r {
		all = append(all, f.Key+": "+f.Value)
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// block is the row as it stands in a block list, at an indent.
func (r Row) block(indent, nl string) string {
	var b strings.Builder
	for i, f := range r {
		lead := indent + "  "
		if i == 0 {
			lead = indent + "- "
		}
		b.WriteString(lead + f.Key + ": " + f.Value + nl)
	}
	return b.String()
}

// A text is a document that is edited.
type document struct {
	text  []byte
	lines []int // where each begins
	top   *yaml.Node
	nl    string
}

func parse(text []byte) (*document, error) {
	d := &document{text: text, nl: "\n", lines: []int{0}}
	if bytes.Contains(text, []byte("\r\n")) {
		d.nl = "\r\n"
	}
	for i, c := range text {
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var node yaml.Node
	switch err := dec.Decode(&node); {
	case err != nil && len(bytes.TrimSpace(text)) > 0 && node.Kind == 0 && !onlyComments(text):
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	case node.Kind == 0:
		return d, nil
	}
	var more yaml.Node
	if dec.Decode(&more) == nil {
		return nil, errors.New("it has more than one document")
	}
	d.top = node.Content[0]
	if d.top.Kind == yaml.ScalarNode && d.top.Tag == "!!null" {
		d.top = nil
	} else if d.top.Kind != yaml.MappingNode || d.top.Style&yaml.FlowStyle != 0 {
		return nil, errors.New("it is no mapping in block form")
	}
	return d, nil
}

func onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if l := bytes.TrimSpace(line); len(l) > 0 && l[0] != '#' {
			return false
		}
	}
	return true
}

// member is the key and the value of a name in a mapping.
func member(m *yaml.Node, name string) (key, value *yaml.Node) {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i], m.Content[i+1]
		}
	}
	return nil, nil
}

// offset is where a node begins.
func (d *document) offset(n *yaml.Node) int {
	at := d.lines[n.Line-1]
	for range n.Column - 1 { // columns count characters
		_, size := decodeRune(d.text[at:])
		at += size
	}
	return at
}

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// A node is a value of a YAML document. The zero node is one that is not
// there; every method works on it. References and merges are followed.
type node struct{ y *yaml.Node }

// maxYAML is the largest YAML file that is read, in bytes.
const maxYAML = 8 << 20

// readYAML reads the documents of a file. What was read before an error is
// returned with it.
func readYAML(data []byte) (docs []node, err error) {
	if len(data) > maxYAML {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(data), maxYAML)
	}
	defer func() { // what foreign bytes make the parser do costs this file only
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		switch err := d.Decode(&doc); {
		case errors.Is(err, io.EOF):
			return docs, nil
		case err != nil:
			return docs, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
		}
		if len(doc.Content) == 1 {
			docs = append(docs, resolved(doc.Content[0]))
		}
	}
}

// resolved goes to what a reference stands for.
func resolved(y *yaml.Node) node {
	for range 8 {
		if y == nil || y.Kind != yaml.AliasNode {
			break
		}
		y = y.Alias
	}
	return node{y}
}

func (n node) there() bool  { return n.y != nil }
func (n node) isMap() bool  { return n.y != nil && n.y.Kind == yaml.MappingNode }
func (n node) isList() bool { return n.y != nil && n.y.Kind == yaml.SequenceNode }
func (n node) isText() bool { return n.y != nil && n.y.Kind == yaml.ScalarNode }
func (n node) isNull() bool { return n.y == nil || n.y.Tag == "!!null" }
func (n node) isBlock() bool {
	return n.isText() && n.y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// line is where the value begins, from 1; 0 for one that is not there.
func (n node) line() int {
	if n.y == nil {
		return 0
	}
	return n.y.Line
}

// text is a scalar's text, "" for anything else.
func (n node) text() string {
	if !n.isText() || n.isNull() {
		return ""
	}
	return n.y.Value
}

// A pair is an entry of a mapping.
type pair struct {
	key   string
	line  int // of the key
	value node
}

const (
	maxPairs  = 20_000 // entries of one mapping that are read
	maxMerges = 8      // mappings merged one into another
)

// pairs are the entries of a mapping in order, its own before merged ones. A
// key that stands twice is given twice.
func (n node) pairs() []pair { return n.appendPairs(nil, 0) }

func (n node) appendPairs(out []pair, depth int) []pair {
	if !n.isMap() || depth > maxMerges {
		return out
	}
	var merged []node
	for i := 0; i+1 < len(n.y.Content) && len(out) < maxPairs; i += 2 {
		k, v := resolved(n.y.Content[i]), resolved(n.y.Content[i+1])
		if k.isText() && k.y.Value == "<<" && (k.y.Tag == "!!merge" || k.y.Tag == "") {
			if v.isList() {
				merged = append(merged, v.items()...)
			} else {
				merged = append(merged, v)
			}
			continue
		}
		out = append(out, pair{k.text(), k.line(), v})
	}
	own := len(out)
	for _, m := range merged {
		for _, p := range m.appendPairs(nil, depth+1) {
			if !hasKey(out[:own], p.key) {
				out = append(out, p)
			}
		}
	}
	return out
}

func hasKey(list []pair, key string) bool {
	for _, p := range list {
		if p.key == key {
			return true
		}
	}
	return false
}

// get is the value of a key; where a key stands twice, the last counts.
func (n node) get(key string) node { return n.entry(key).value }

func (n node) entry(key string) (found pair) {
	if !n.isMap() {
		return pair{}
	}
	for i := len(n.y.Content) - 2; i >= 0; i -= 2 {
		if k := resolved(n.y.Content[i]); k.isText() && k.y.Value == key {
			return pair{key, k.line(), resolved(n.y.Content[i+1])}
		}
	}
	for _, p := range n.pairs() { // merged ones
		if p.key == key {
			return p
		}
	}
	return pair{}
}

// items are the entries of a list.
func (n node) items() []node {
	if !n.isList() {
		return nil
	}
	out := make([]node, 0, len(n.y.Content))
	for _, y := range n.y.Content {
		out = append(out, resolved(y))
	}
	return out
}

// texts are the scalars of a list, or the one scalar; none that is null.
func (n node) texts() []node {
	if n.isText() && !n.isNull() {
		return []node{n}
	}
	var out []node
	for _, i := range n.items() {
		if i.isText() && !i.isNull() {
			out = append(out, i)
		}
	}
	return out
}

// twice is the line of the first key that stands twice in one mapping, and
// its name; 0 where none does. It follows no references.
func (n node) twice() (line int, key string) {
	if n.y == nil {
		return 0, ""
	}
	seen := map[string]bool{}
	for i, c := range n.y.Content {
		if n.y.Kind == yaml.MappingNode && i%2 == 0 && c.Kind == yaml.ScalarNode && c.Value != "<<" {
			if seen[c.Value] {
				return c.Line, c.Value
			}
			seen[c.Value] = true
		}
		if line, key := (node{c}).twice(); line > 0 {
			return line, key
		}
	}
	return 0, ""
}

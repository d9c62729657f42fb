package grammar

import (
	"iter"
	"strings"
)

// A Tree is a parsed source.
type Tree struct {
	source []byte
	names  *loaded
	nodes  []node // in pre-order; laid out as flat_node in flatten.h
}

type node struct {
	start, end  uint32
	row, endRow uint32
	next        uint32
	parent      uint32
	symbol      uint16
	field       uint16
	flags       uint32
}

const (
	flagNamed = 1 << iota
	flagMissing
	flagChildren
	flagCut
)

// errorSymbol is the number that tree-sitter gives to what it cannot parse.
const errorSymbol = 0xffff

// Over makes the nodes' texts those of another source of the same length, of
// which the tree's own was an easier reading.
func (t *Tree) Over(source []byte) {
	if len(source) == len(t.source) {
		t.source = source
	}
}

// Trouble is how many bytes of the source could not be parsed.
func (t *Tree) Trouble() int {
	bytes := 0
	for n := range t.Errors() {
		bytes += n.End() - n.Start()
	}
	return bytes
}

// Root is the node of the whole source.
func (t *Tree) Root() Node { return Node{t, 0} }

// Broken reports whether the source has syntax errors, or is nested too
// deeply to be kept whole.
func (t *Tree) Broken() bool {
	for i := range t.nodes {
		if t.nodes[i].symbol == errorSymbol || t.nodes[i].flags&(flagMissing|flagCut) != 0 {
			return true
		}
	}
	return false
}

// Errors yields the outermost nodes of what could not be parsed.
func (t *Tree) Errors() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		end := uint32(0)
		for i := range t.nodes {
			n := &t.nodes[i]
			if n.symbol != errorSymbol || n.start < end {
				continue
			}
			end = n.end
			if !yield(Node{t, uint32(i)}) {
				return
			}
		}
	}
}

// A Node is one node of a tree. The zero Node is no node; it can be asked
// everything, and answers with zero values.
type Node struct {
	tree *Tree
	at   uint32
}

// Ok reports whether this is a node at all.
func (n Node) Ok() bool { return n.tree != nil }

func (n Node) raw() *node { return &n.tree.nodes[n.at] }

// Kind is the grammar's name of the node: "function_definition", "(", or
// "ERROR"; "" of no node.
func (n Node) Kind() string {
	if n.tree == nil {
		return ""
	}
	s := n.raw().symbol
	if s == errorSymbol || int(s) >= len(n.tree.names.symbols) {
		return "ERROR"
	}
	return n.tree.names.symbols[s]
}

// Is reports whether the node is of one of the kinds.
func (n Node) Is(kinds ...string) bool {
	k := n.Kind()
	for _, x := range kinds {
		if k == x {
			return true
		}
	}
	return false
}

// Field is the name under which its parent holds the node, or "".
func (n Node) Field() string {
	if n.tree == nil {
		return ""
	}
	f := n.raw().field
	if int(f) >= len(n.tree.names.fields) {
		return ""
	}
	return n.tree.names.fields[f]
}

// Named reports whether the node is more than a mark such as "(".
func (n Node) Named() bool { return n.tree != nil && n.raw().flags&flagNamed != 0 }

// Start and End are where the node's text begins and ends in the source.
func (n Node) Start() int {
	if n.tree == nil {
		return 0
	}
	return min(int(n.raw().start), len(n.tree.source))
}

// End is the offset after the node's last byte.
func (n Node) End() int {
	if n.tree == nil {
		return 0
	}
	return min(int(n.raw().end), len(n.tree.source))
}

// Line is where the node begins, from 1.
func (n Node) Line() int {
	if n.tree == nil {
		return 0
	}
	return int(n.raw().row) + 1
}

// EndLine is the line of the node's last byte that is not white space, from
// 1: some grammars count the empty lines behind a block as its own.
func (n Node) EndLine() int {
	if n.tree == nil {
		return 0
	}
	line := int(n.raw().endRow) + 1
	for e := n.End(); e > n.Start(); e-- {
		switch n.tree.source[e-1] {
		case '\n':
			line--
		case ' ', '\t', '\r':
		default:
			return line
		}
	}
	return n.Line()
}

// Text is the node's source.
func (n Node) Text() string {
	if n.tree == nil {
		return ""
	}
	return n.tree.Slice(n.Start(), n.End())
}

// Slice is the source between two offsets.
func (t *Tree) Slice(from, to int) string {
	if from < 0 || to > len(t.source) || from >= to {
		return ""
	}
	return string(t.source[from:to])
}

// Tree is the tree that the node is in; nil of no node.
func (n Node) Tree() *Tree { return n.tree }

// Parent is the node above; no node above the root.
func (n Node) Parent() Node {
	if n.tree == nil || n.at == 0 {
		return Node{}
	}
	return Node{n.tree, n.raw().parent}
}

// First is the first child, marks included.
func (n Node) First() Node {
	if n.tree == nil || n.raw().flags&flagChildren == 0 {
		return Node{}
	}
	return Node{n.tree, n.at + 1}
}

// Next is the next sibling, marks included.
func (n Node) Next() Node {
	if n.tree == nil || n.raw().next == 0 {
		return Node{}
	}
	return Node{n.tree, n.raw().next}
}

// All yields all children, marks included.
func (n Node) All() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := n.First(); c.Ok(); c = c.Next() {
			if !yield(c) {
				return
			}
		}
	}
}

// Children yields the named children.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := n.First(); c.Ok(); c = c.Next() {
			if c.Named() && !yield(c) {
				return
			}
		}
	}
}

// Get is the first child in that field, or no node.
func (n Node) Get(field string) Node {
	for c := n.First(); c.Ok(); c = c.Next() {
		if c.raw().field != 0 && c.Field() == field {
			return c
		}
	}
	return Node{}
}

// Child is the first child of one of the kinds, or no node.
func (n Node) Child(kinds ...string) Node {
	for c := n.First(); c.Ok(); c = c.Next() {
		if c.Is(kinds...) {
			return c
		}
	}
	return Node{}
}

// Has reports whether there is a child of that kind.
func (n Node) Has(kind string) bool { return n.Child(kind).Ok() }

// String is the node as an S-expression of its named nodes, for tests.
func (n Node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n Node) write(b *strings.Builder) {
	b.WriteByte('(')
	b.WriteString(n.Kind())
	for c := range n.Children() {
		b.WriteByte(' ')
		if f := c.Field(); f != "" {
			b.WriteString(f + ": ")
		}
		c.write(b)
	}
	b.WriteByte(')')
}

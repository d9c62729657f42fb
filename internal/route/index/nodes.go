package index

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Flags of a definition in a nodes piece.
const (
	flagExported = 1 << iota
	flagEntry
	flagTest
)

// table numbers the items it is given, in their order.
type table[T comparable] struct {
	items  []T
	number map[T]int
}

func newTable[T comparable](items map[T]bool, compare func(a, b T) int) *table[T] {
	t := &table[T]{items: []T{}, number: map[T]int{}}
	for w := range items {
		t.items = append(t.items, w)
	}
	slices.SortFunc(t.items, compare)
	for i, w := range t.items {
		t.number[w] = i
	}
	return t
}

func compareRules(a, b Rule) int {
	return cmp.Or(strings.Compare(a.Relation, b.Relation), strings.Compare(a.Resolver, b.Resolver), cmp.Compare(b.Certainty, a.Certainty))
}

// encodeNodes cuts the file records into pieces of about nodesPiece and
// returns the number of the first file of each.
func (b *Builder) encodeNodes(h *Header) (pieces [][]byte, starts []int) {
	kinds, rules := map[string]bool{}, map[Rule]bool{}
	for _, d := range b.docs {
		for _, def := range d.Defs {
			kinds[def.Kind] = true
		}
		for _, e := range d.Out {
			rules[e.Rule] = true
		}
	}
	kind := newTable(kinds, strings.Compare)
	rule := newTable(rules, compareRules)
	h.Kinds, h.Rules = kind.items, rule.items
	starts = []int{}

	var piece []byte
	flush := func() {
		if piece != nil {
			pieces = append(pieces, append(piece, "\n]}\n"...))
			piece = nil
		}
	}
	for n, d := range b.docs {
		if len(piece) > nodesPiece {
			flush()
		}
		if piece == nil {
			piece = append(piece, "{\"items\":[\n"...)
			starts = append(starts, n)
		} else {
			piece = append(piece, ',', '\n')
		}
		piece = appendRecord(piece, d, kind, rule)
	}
	flush()
	return pieces, starts
}

// appendRecord writes one file as items, one a line: the file, its
// definitions, its edges.
func appendRecord(dst []byte, d FileRecord, kind *table[string], rule *table[Rule]) []byte {
	integer := func(n int) { dst = strconv.AppendInt(dst, int64(n), 10) }
	text := func(s string) { dst = AppendString(dst, s) }
	raw := func(s string) { dst = append(dst, s...) }
	ints := func(list []int) {
		raw("[")
		for i, n := range list {
			if i > 0 {
				raw(",")
			}
			integer(n)
		}
		raw("]")
	}
	raw(`{"path":`)
	text(d.Path)
	raw(`,"repo":`)
	integer(d.Repo)
	if d.Lang != "" {
		raw(`,"lang":`)
		text(d.Lang)
	}
	if d.Doc != "" {
		raw(`,"doc":`)
		text(d.Doc)
	}
	if len(d.Cuts) > 0 {
		raw(`,"cuts":`)
		ints(d.Cuts)
	}
	raw("}")
	for _, def := range d.Defs {
		raw(",\n[")
		text(def.Name)
		raw(",")
		text(def.Container)
		for _, n := range []int{kind.number[def.Kind], def.Line, def.End, flags(def)} {
			raw(",")
			integer(n)
		}
		raw(",")
		text(def.Signature)
		raw(",")
		text(def.Doc)
		raw("]")
	}
	if len(d.Out) > 0 {
		raw(",\n" + `{"out":`)
		ints(flatten(d.Out, rule, outWidth))
		raw("}")
	}
	if len(d.In) > 0 {
		raw(",\n" + `{"in":`)
		ints(flatten(d.In, rule, inWidth)) // the line stands in the other file's record
		raw("}")
	}
	return dst
}

// flatten sorts edges and writes each as width numbers.
func flatten(edges []Edge, rule *table[Rule], width int) []int {
	slices.SortFunc(edges, compareEdges)
	flat := make([]int, 0, len(edges)*width)
	last := -1
	for _, e := range edges {
		row := [outWidth]int{e.Def - last, rule.number[e.Rule], e.File, e.Other, e.Line}
		flat = append(flat, row[:width]...)
		last = e.Def
	}
	return flat
}

func flags(d Def) (f int) {
	if d.Exported {
		f |= flagExported
	}
	if d.Entry {
		f |= flagEntry
	}
	if d.Test {
		f |= flagTest
	}
	return f
}

func compareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.Def, b.Def), cmp.Compare(a.File, b.File), cmp.Compare(a.Other, b.Other),
		cmp.Compare(a.Line, b.Line), compareRules(a.Rule, b.Rule))
}

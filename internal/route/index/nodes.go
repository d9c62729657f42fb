package index

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/spool"
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
	order.By(t.items, compare)
	for i, w := range t.items {
		t.number[w] = i
	}
	return t
}

func compareRules(a, b Rule) int {
	return cmp.Or(strings.Compare(a.Relation, b.Relation), strings.Compare(a.Resolver, b.Resolver), cmp.Compare(b.Certainty, a.Certainty))
}

// writeNodes cuts the file records into pieces of about nodesPiece, or as
// large as maxPieces asks for.
func (b *Builder) writeNodes(h *Header, put func(string, []byte) error) error {
	rules := map[Rule]bool{}
	for _, r := range b.rules {
		rules[r] = true
	}
	kind := newTable(b.kinds, strings.Compare)
	rule := newTable(rules, compareRules)
	h.Kinds, h.Rules, h.Nodes = kind.items, rule.items, []int{}

	records := spool.New(heldDefs)
	defer records.Close()
	places := make([]spool.Place, len(b.docs))
	size := 0
	for n := range b.docs {
		record, err := b.record(n)
		if err != nil {
			return err
		}
		places[n] = records.Put(appendRecord(nil, record, kind, rule))
		size += places[n].Size()
		b.docs[n].out, b.docs[n].in = nil, nil
	}
	most := max(nodesPiece, size/maxPieces)
	for n := 0; n < len(places); {
		piece := []byte("{\"items\":[\n")
		h.Nodes = append(h.Nodes, n)
		for first := n; n < len(places) && (n == first || len(piece) <= most); n++ {
			if n > first {
				piece = append(piece, ',', '\n')
			}
			record, err := records.Get(places[n])
			if err != nil {
				return err
			}
			piece = append(piece, record...)
		}
		if err := put(bundle.PieceName(bundle.NodesDir, len(h.Nodes)-1), append(piece, "\n]}\n"...)); err != nil {
			return err
		}
	}
	return nil
}

// record is what the piece says of file n.
func (b *Builder) record(n int) (FileRecord, error) {
	d := &b.docs[n]
	r := d.FileRecord
	if d.away.Size() > 0 {
		data, err := b.away.Get(d.away)
		if err != nil {
			return r, err
		}
		r.Defs = decodeDefs(string(data))
	}
	r.Out, r.In = b.edges(d.out), b.edges(d.in)
	return r, nil
}

// edges are links in full. Of those of a file that nearly all others use, or
// that uses nearly all, the first stay.
func (b *Builder) edges(links []link) []Edge {
	edges := make([]Edge, len(links))
	for i, l := range links {
		edges[i] = Edge{b.rules[l.rule], int(l.def), int(l.file), int(l.other), int(l.line)}
	}
	if len(edges) > mostEdges {
		order.By(edges, compareEdges)
		b.cut.Edges += len(edges) - mostEdges
		edges = edges[:mostEdges]
	}
	return edges
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
	order.By(edges, compareEdges)
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

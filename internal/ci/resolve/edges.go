package resolve

import (
	"cmp"
	"iter"
	"slices"
)

// Edges are the relations between units, in the order of From, To and
// Relation, in a fifth of the memory that a list of [Edge] takes.
type Edges struct {
	of    [][]packed // by unit that they start from
	rules []rule
	count int
}

// A packed edge starts from a definition of a unit that is known.
type packed struct{ from, unit, to, rule, line int32 }

// A rule is what many edges have in common.
type rule struct {
	relation string
	proof
}

// Len is the number of edges.
func (e *Edges) Len() int { return e.count }

// From gives the edges that start from a unit or its definitions.
func (e *Edges) From(unit int) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, p := range e.of[unit] {
			r := e.rules[p.rule]
			if !yield(Edge{Ref{unit, int(p.from)}, Ref{int(p.unit), int(p.to)}, r.relation, r.resolver, r.confidence, r.score, int(p.line)}) {
				return
			}
		}
	}
}

// All gives all edges.
func (e *Edges) All() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for unit := range e.of {
			for edge := range e.From(unit) {
				if !yield(edge) {
					return
				}
			}
		}
	}
}

// An emitter collects edges, one unit after the other, and keeps the first of
// each kind.
type emitter struct {
	w        *workspace
	original []int // number of a unit for the caller
	edges    *Edges
	rules    map[rule]int32

	unit   int // which is looked at, or -1
	kinds  edgeSet
	strays map[int][]stray // by the unit that they start from
}

// A stray edge starts from another unit than the one that tells of it: a type
// holds what is written of it elsewhere.
type stray struct {
	by int // the unit that tells
	packed
}

// An edgeSet keeps of the edges of one unit the first of each kind.
type edgeSet struct {
	list []packed
	at   map[edgeKey]int
}

type edgeKey struct {
	from, unit, to int32
	relation       string
}

func (s *edgeSet) add(p packed, relation string) {
	key := edgeKey{p.from, p.unit, p.to, relation}
	i, seen := s.at[key]
	switch {
	case !seen:
		s.at[key] = len(s.list)
		s.list = append(s.list, p)
	case p.line < s.list[i].line:
		s.list[i] = p
	}
}

func newEmitter(w *workspace, original []int) *emitter {
	return &emitter{w: w, original: original, edges: &Edges{of: make([][]packed, len(original))}, rules: make(map[rule]int32),
		unit: -1, kinds: edgeSet{at: make(map[edgeKey]int)}, strays: make(map[int][]stray)}
}

// begin says which unit is looked at from now on.
func (e *emitter) begin(unit int) {
	e.finish()
	e.unit = unit
}

func (e *emitter) add(from Ref, f found, relation string, line int) {
	for _, to := range f.refs {
		if to == from {
			continue
		}
		edge := packed{int32(from.Def), int32(e.original[to.Unit]), int32(to.Def), e.rule(rule{relation, f.proof}), int32(max(line, 1))}
		if from.Unit == e.unit {
			e.kinds.add(edge, relation)
		} else {
			e.strays[from.Unit] = append(e.strays[from.Unit], stray{e.unit, edge})
		}
	}
}

func (e *emitter) rule(r rule) int32 {
	n, known := e.rules[r]
	if !known {
		n = int32(len(e.edges.rules))
		e.rules[r] = n
		e.edges.rules = append(e.edges.rules, r)
	}
	return n
}

// finish puts the edges of a unit in order and packs them away.
func (e *emitter) finish() {
	if e.unit < 0 || len(e.kinds.list) == 0 {
		return
	}
	slices.SortFunc(e.kinds.list, func(a, b packed) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.unit, b.unit), cmp.Compare(a.to, b.to),
			cmp.Compare(e.edges.rules[a.rule].relation, e.edges.rules[b.rule].relation))
	})
	at := &e.edges.of[e.original[e.unit]]
	e.edges.count += len(e.kinds.list) - len(*at)
	*at = slices.Clone(e.kinds.list)
	e.kinds.list = e.kinds.list[:0]
	if len(e.kinds.at) > 1<<12 { // clearing a large map takes long for every unit that follows
		e.kinds.at = make(map[edgeKey]int)
	}
	clear(e.kinds.at)
}

// done puts stray edges to the others of their units, as if each had been
// added in its turn.
func (e *emitter) done() *Edges {
	e.finish()
	for unit, strays := range e.strays {
		e.unit = unit
		own := e.edges.of[e.original[unit]]
		add := func(p packed) { e.kinds.add(p, e.edges.rules[p.rule].relation) }
		for i, s := range strays {
			if s.by > unit && (i == 0 || strays[i-1].by < unit) {
				for _, p := range own {
					add(p)
				}
				own = nil
			}
			add(s.packed)
		}
		for _, p := range own {
			add(p)
		}
		e.finish()
	}
	return e.edges
}

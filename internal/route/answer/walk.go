package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/order"
)

// Bounds of the walk that follows the hits.
const (
	walkFrom    = 3  // hits that are walked from
	walkPerHit  = 4  // links shown of each
	walkMinimum = 50 // certainty below which a link is not shown, in percent
)

// Which end of a link is already among the nodes.
const (
	nearSource = iota
	nearTarget
)

// relationOrder puts the relations that lead furthest first.
var relationOrder = []string{"calls", "implements", "inherits", "embeds", "references", "imports", "contains"}

func relationRank(relation string) int {
	if i := slices.Index(relationOrder, relation); i >= 0 {
		return i
	}
	return len(relationOrder)
}

// neighbour is one end of an edge as seen from a node.
type neighbour struct {
	ref
	index.Rule
	out  bool // the edge leads from the node to the neighbour
	line int
}

// neighbours lists the edges of a node and what it holds: nearest in meaning
// first, those that lead away before those that come in.
func (e *Engine) neighbours(r ref) ([]neighbour, error) {
	out, err := e.edges(r)
	if err != nil {
		return nil, err
	}
	rec, err := e.index.File(r.file)
	if err != nil {
		return nil, err
	}
	held, err := holds(rec, r)
	if err != nil {
		return nil, err
	}
	return append(out, held...), nil
}

// edges lists the edges of a node that the index spells out.
func (e *Engine) edges(r ref) ([]neighbour, error) {
	rec, err := e.index.File(r.file)
	if err != nil {
		return nil, err
	}
	away, err := rec.OutOf(r.def)
	if err != nil {
		return nil, err
	}
	here, err := rec.InTo(r.def)
	if err != nil {
		return nil, err
	}
	var out []neighbour
	for _, x := range away {
		out = append(out, neighbour{ref{x.File, x.Other}, x.Rule, true, x.Line})
	}
	for _, x := range here {
		if other := (ref{x.File, x.Other}); other != r { // what uses itself is among those away
			out = append(out, neighbour{other, x.Rule, false, x.Line})
		}
	}
	// Neighbours in other files tell more than those next door.
	order.Stable(out, func(a, b neighbour) int {
		return cmp.Or(relationRank(a.Relation)-relationRank(b.Relation), btoi(b.out)-btoi(a.out),
			btoi(a.file == r.file)-btoi(b.file == r.file), b.Certainty-a.Certainty)
	})
	return out, nil
}

// holds lists what a node holds and what holds it in its own file, which the
// index does not spell out as edges.
func holds(rec *index.Record, r ref) ([]neighbour, error) {
	defs, err := rec.Defs()
	if err != nil {
		return nil, err
	}
	rule := index.Rule{Relation: "contains", Resolver: "same-file", Certainty: 100}
	inside := ""
	if r.def >= 0 && r.def < len(defs) {
		inside = defs[r.def].Qualified()
	}
	var out []neighbour
	for i, d := range defs {
		if d.Container == inside && i != r.def {
			out = append(out, neighbour{ref{r.file, i}, rule, true, d.Line})
		}
	}
	if inside == "" {
		return out, nil
	}
	line, container := defs[r.def].Line, defs[r.def].Container
	if container == "" {
		return append(out, neighbour{ref{r.file, -1}, rule, false, line}), nil
	}
	for i, d := range defs {
		if strings.HasSuffix(container, d.Name) && d.Qualified() == container {
			return append(out, neighbour{ref{r.file, i}, rule, false, line}), nil
		}
	}
	return out, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// walk adds the links of the best nodes to an answer. Only as many as limit
// are looked up: each may cost a piece.
func (e *Engine) walk(a *Answer, limit int) error {
	shown := map[ref]bool{}
	for _, n := range a.Nodes {
		shown[n.ref] = true
	}
	type pick struct {
		from Node
		to   neighbour
	}
	var picks []pick
	var files []int
	for i, n := range a.Nodes {
		if i == walkFrom {
			break
		}
		list, err := e.edges(n.ref)
		if err != nil {
			return err
		}
		taken := 0
		for _, nb := range list {
			if taken == walkPerHit || nb.Certainty < walkMinimum || nb.Relation == "contains" {
				continue
			}
			if shown[nb.ref] {
				continue
			}
			shown[nb.ref] = true
			taken++
			if len(picks) == limit {
				a.MoreLinks++
				continue
			}
			picks = append(picks, pick{n, nb})
			files = append(files, nb.file)
		}
	}
	e.index.Prefetch(files)
	for _, p := range picks {
		l, err := e.link(p.from, p.to)
		if err != nil {
			return err
		}
		a.Links = append(a.Links, l)
	}
	return nil
}

package bench

import (
	"context"
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// Over asks the questions of an engine, as route's verbs do.
func Over(e *answer.Engine) Asker { return engineAsker{e} }

type engineAsker struct{ engine *answer.Engine }

// asked is how many results of a query count.
const asked = 10

// Ask implements [Asker].
func (a engineAsker) Ask(ctx context.Context, verb string, args []string) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch verb {
	case "query":
		ans, err := a.engine.Query(strings.Join(args, " "), answer.Narrow{}, asked, 0)
		if err != nil {
			return nil, err
		}
		var hits []Hit
		for _, f := range ans.Files {
			hits = append(hits, Hit{Path: f.Path, Line: f.Line})
		}
		return hits, nil
	case "explain":
		l, err := a.engine.Lookup(args[0])
		if err != nil {
			return nil, err
		}
		return nodeHits(l.Found), nil
	case "path":
		return a.path(args[0], args[1])
	case "wiring":
		rows, err := a.engine.Wiring(strings.Join(args, " "))
		if err != nil {
			return nil, err
		}
		return rowHits(rows), nil
	case "docs", "code", "why":
		return a.told(verb, strings.Join(args, " "))
	case "impact", "where-used", "tests":
		return a.reach(verb, args[0])
	case "outline":
		return a.outline(args[0])
	}
	return nil, fmt.Errorf("the verb %q cannot be asked", verb)
}

// told gives what documents say: the places that docs and why list, each file
// once, and the code that code lists.
func (a engineAsker) told(verb, words string) ([]Hit, error) {
	var hits []Hit
	seen := map[string]bool{}
	add := func(path string, line int) {
		if !seen[path] {
			seen[path] = true
			hits = append(hits, Hit{Path: path, Line: line})
		}
	}
	switch verb {
	case "docs":
		list, err := a.engine.Docs(words)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			add(m.File, m.Line)
		}
	case "code":
		list, err := a.engine.Code(words)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			for _, n := range m.Nodes {
				add(n.File, n.Line)
			}
		}
	case "why":
		rows, err := a.engine.Why(words)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			add(r.File, r.Line)
		}
	}
	return hits, nil
}

// path gives the far end of each step, in order.
func (a engineAsker) path(from, to string) ([]Hit, error) {
	f, err := a.engine.Lookup(from)
	if err != nil {
		return nil, err
	}
	t, err := a.engine.Lookup(to)
	if err != nil || len(f.Found) != 1 || len(t.Found) != 1 {
		return nil, err
	}
	r, err := a.engine.Path(f, t)
	if err != nil {
		return nil, err
	}
	var nodes []answer.Node
	for _, s := range r.Steps {
		nodes = append(nodes, s.Far())
	}
	return nodeHits(nodes), nil
}

func nodeHits(nodes []answer.Node) []Hit {
	var hits []Hit
	for _, n := range nodes {
		hits = append(hits, Hit{Path: n.Path, Line: n.Line})
	}
	return hits
}

// rowHits makes one hit of each row, at its first place.
func rowHits(rows []wiring.Row) []Hit {
	var hits []Hit
	for _, r := range rows {
		var h Hit
		for _, g := range r.Groups {
			for _, p := range g.Places {
				if h.Path == "" {
					h.Path, h.Line = p.File, p.Line
				} else {
					h.Also = append(h.Also, Hit{Path: p.File, Line: p.Line})
				}
			}
		}
		hits = append(hits, h)
	}
	return hits
}

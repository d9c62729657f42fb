package answer

import "fmt"

// A Route is how two definitions are joined.
type Route struct {
	From  Node   `json:"from"`
	To    Node   `json:"to"`
	Steps []Link `json:"steps"` // each in its true direction; empty when there is no path
	Found bool   `json:"found"`
	// Exhausted is set when the search ended at its bound, so that a longer
	// path may exist.
	Exhausted bool `json:"exhausted,omitempty"`
	// Hubs counts definitions with so many links that the search did not go
	// on from them: a path across one tells nothing, but may exist.
	Hubs int `json:"hubs,omitempty"`
}

// Bounds of the search for a path.
const (
	maxVisited = 20_000 // definitions looked at
	hubDegree  = 400    // a node with more edges is reached, but not crossed
)

// Path finds a shortest path between two definitions, over edges of any
// direction.
func (e *Engine) Path(from, to *Lookup) (*Route, error) {
	a, b := from.refs[0], to.refs[0]
	r := &Route{From: from.Found[0], To: to.Found[0], Steps: []Link{}}
	if a == b {
		r.Found = true
		return r, nil
	}
	type step struct {
		before ref
		via    neighbour
	}
	came := map[ref]step{a: {}}
	queue := []ref{a}
	for len(queue) > 0 && !r.Found {
		at := queue[0]
		queue = queue[1:]
		list, err := e.neighbours(at)
		if err != nil {
			return nil, err
		}
		if len(list) > hubDegree && at != a {
			r.Hubs++
			continue
		}
		for _, nb := range list {
			if _, seen := came[nb.ref]; seen {
				continue
			}
			came[nb.ref] = step{at, nb}
			if nb.ref == b {
				r.Found = true
				break
			}
			if len(came) >= maxVisited {
				r.Exhausted = true
				return r, nil
			}
			queue = append(queue, nb.ref)
		}
	}
	if !r.Found {
		return r, nil
	}
	var back []Link
	for at := b; at != a; {
		s := came[at]
		rec, err := e.index.File(s.before.file)
		if err != nil {
			return nil, err
		}
		n, err := node(rec, s.before)
		if err != nil {
			return nil, err
		}
		l, err := e.link(n, s.via)
		if err != nil {
			return nil, err
		}
		back = append(back, l)
		at = s.before
	}
	for i := len(back) - 1; i >= 0; i-- {
		r.Steps = append(r.Steps, back[i])
	}
	return r, nil
}

// Render writes a path within a budget in tokens.
func (r *Route) Render(first string, budget int) string {
	l := listing{first: first, noun: "step"}
	switch {
	case !r.Found:
		l.none = fmt.Sprintf("no path from %s to %s", r.From.Label, r.To.Label)
		if r.Exhausted {
			l.none += fmt.Sprintf(" among the %d nearest definitions", maxVisited)
		}
		if r.Hubs > 0 {
			l.none += fmt.Sprintf("; %s with more than %d links not followed", count(r.Hubs, "definition"), hubDegree)
		}
		return l.render(budget)
	case len(r.Steps) == 0:
		l.items = []string{r.From.line() + "both names mean this definition\n"}
		return l.render(budget)
	}
	l.items = append(l.items, r.From.line())
	for _, s := range r.Steps {
		l.items = append(l.items, s.line())
	}
	return l.render(budget)
}

package bench

import "github.com/marola-dev/marola-routing/internal/route/answer"

// Steps that a question about uses follows: as the commands do.
const impactDepth, testsDepth = 2, 4

// reach gives what impact, where-used and tests list: each file once, at the
// first definition of it, then the rows of the wiring.
func (a engineAsker) reach(verb, name string) ([]Hit, error) {
	how := answer.Reach{Depth: impactDepth}
	switch verb {
	case "tests":
		how = answer.Reach{Depth: testsDepth, Tests: true}
	case "where-used":
		how = answer.Reach{Depth: 1, Alone: true}
	}
	l, err := a.engine.Lookup(name)
	if err == nil && len(l.Found) == 0 && verb == "impact" {
		l, err = a.engine.WiredAs(name)
	}
	if err != nil || l == nil || len(l.Found) > 1 {
		return nil, err
	}
	x, err := a.engine.Impact([]*answer.Lookup{l}, how)
	if err != nil {
		return nil, err
	}
	var hits []Hit
	seen := map[string]bool{}
	for _, r := range x.Reached {
		if !seen[r.Path] {
			seen[r.Path] = true
			hits = append(hits, Hit{Path: r.Path, Line: r.Line})
		}
	}
	return append(hits, rowHits(x.Wiring)...), nil
}

// outline gives the files of an outline.
func (a engineAsker) outline(name string) ([]Hit, error) {
	x, err := a.engine.Outline(name, outlineRoom)
	if err != nil || x == nil {
		return nil, err
	}
	var hits []Hit
	for _, f := range x.Files {
		hits = append(hits, Hit{Path: f.Path})
	}
	return hits, nil
}

// outlineRoom is room for more files than count, in bytes.
const outlineRoom = 1 << 12

package answer

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// Wiring returns the facts that a term means, best first, safe to print.
func (e *Engine) Wiring(term string) ([]wiring.Row, error) {
	w, err := e.wires()
	if err != nil {
		return nil, err
	}
	return printable(w.Match(term)), nil
}

// WiringRows returns all facts, safe to print.
func (e *Engine) WiringRows() ([]wiring.Row, error) {
	w, err := e.wires()
	if err != nil {
		return nil, err
	}
	return printable(w.Rows()), nil
}

func printable(rows []wiring.Row) []wiring.Row {
	out := []wiring.Row{}
	for _, r := range rows {
		r.Name, r.Kind = plaintext.Line(r.Name, maxArtifact), plaintext.Line(r.Kind, maxWord)
		for i := range r.Groups {
			g := &r.Groups[i]
			g.Role = plaintext.Line(g.Role, wiring.MaxText) // what is unresolved brings its own words
			for i := range g.Places {
				p := &g.Places[i]
				p.Via, p.When = plaintext.Line(p.Via, maxArtifact), plaintext.Line(p.When, maxSentence)
				p.Repo, p.File = plaintext.Line(p.Repo, maxRepo), plaintext.Line(p.File, maxPath)
				p.Version, p.Note, p.Evidence = plaintext.Line(p.Version, maxArtifact), plaintext.Line(p.Note, maxSentence), plaintext.Line(p.Evidence, maxSentence)
			}
		}
		out = append(out, r)
	}
	return out
}

// wires reads the bundle's wiring. A bundle without is one in which nothing
// is wired.
func (e *Engine) wires() (*wiring.Wiring, error) {
	w := &wiring.Wiring{}
	if !e.bundle.Has(bundle.WiringName) {
		return w, nil
	}
	if err := e.bundle.Decode(bundle.WiringName, w); err != nil {
		return nil, err
	}
	if err := w.Check(); err != nil {
		return nil, &bundle.Refused{File: bundle.WiringName, Reason: err.Error()}
	}
	return w, nil
}

const maxArtifact = 200 // bytes of an artifact's name or version

// placesShown are how many places of one role a line shows, as the budget
// allows: one in a thousand files may say it all.
var placesShown = []int{wiring.MaxPlaces, 60, 20, 6}

// RenderWiring writes rows within a budget in tokens: the name, then who
// publishes, pins and reads it.
func RenderWiring(first, term string, rows []wiring.Row, budget int) string {
	l := listing{first: first, noun: "row", none: fmt.Sprintf("no wiring names %q; git grep finds what no workflow, script or pin says", plaintext.Line(term, maxLabel))}
	for _, most := range placesShown {
		l.items = l.items[:0]
		size := len(first)
		for _, r := range rows {
			item := rowText(r, most)
			size += len(item) + 1
			l.items = append(l.items, item)
		}
		if size < Room(budget) {
			break
		}
	}
	return l.render(budget)
}

func rowText(r wiring.Row, most int) string {
	var groups []string
	for _, g := range r.Groups {
		var places []string
		for i, p := range g.Places {
			if i == most {
				places = append(places, fmt.Sprintf("and %d more", len(g.Places)-i))
				break
			}
			places = append(places, placeText(p))
		}
		groups = append(groups, g.Role+" "+strings.Join(places, ", "))
	}
	return fmt.Sprintf("%s (%s)  %s\n", r.Name, r.Kind, strings.Join(groups, " · "))
}

// commitLength is how long a commit's name is, and shortCommit how much of it
// tells it from others.
const commitLength, shortCommit = 40, 7

func placeText(p wiring.Place) string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	var notes []string
	if v := p.Version; v != "" {
		if len(v) == commitLength {
			v = v[:shortCommit]
		}
		notes = append(notes, plaintext.Line(v, 60))
	}
	for _, n := range []string{p.Via, p.When, p.Note} {
		if n != "" {
			notes = append(notes, plaintext.Line(n, maxLabel))
		}
	}
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, ", ") + ")"
	}
	return s
}

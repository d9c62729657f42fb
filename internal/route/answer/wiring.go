package answer

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// Wiring returns the facts that hold a term, best first.
func (e *Engine) Wiring(term string) ([]wiring.Row, error) {
	var w wiring.Wiring
	if !e.bundle.Has(bundle.WiringName) {
		return []wiring.Row{}, nil
	}
	if err := e.bundle.Decode(bundle.WiringName, &w); err != nil {
		return nil, err
	}
	rows := w.Match(term)
	if rows == nil {
		rows = []wiring.Row{}
	}
	return rows, nil
}

// RenderWiring writes rows within a budget in tokens: the name, then who
// publishes, pins and reads it.
func RenderWiring(first, term string, rows []wiring.Row, budget int) string {
	var lines []string
	for _, r := range rows {
		var groups []string
		for _, g := range r.Groups {
			var places []string
			for _, p := range g.Places {
				places = append(places, placeText(p))
			}
			groups = append(groups, g.Role+" "+strings.Join(places, ", "))
		}
		lines = append(lines, fmt.Sprintf("%s (%s)  %s\n", plaintext.Line(r.Name, 200), plaintext.Line(r.Kind, 40), strings.Join(groups, " · ")))
	}
	return render(first, budget, lines, nil, 0, 0, fmt.Sprintf("no wiring names %q", plaintext.Line(term, 80)))
}

func placeText(p wiring.Place) string {
	s := plaintext.Line(p.File, 300)
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	var notes []string
	if p.Version != "" {
		v := p.Version
		if len(v) == 40 {
			v = v[:7]
		}
		notes = append(notes, plaintext.Line(v, 60))
	}
	if p.Note != "" {
		notes = append(notes, plaintext.Line(p.Note, 120))
	}
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, ", ") + ")"
	}
	return s
}

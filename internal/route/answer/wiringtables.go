package answer

import (
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// WiringTables are the tables of the bundle's wiring, safe to print.
func (e *Engine) WiringTables() ([]wiring.Table, error) {
	w, err := e.wires()
	if err != nil {
		return nil, err
	}
	roots := wiring.Roots{}
	if e.bundle.Has(bundle.BuildName) { // a plain graph has none
		data, err := e.bundle.Read(bundle.BuildName)
		if err != nil {
			return nil, err
		}
		build, err := bundle.ParseBuild(data)
		if err != nil {
			return nil, err
		}
		roots[build.Repo] = ""
		for _, s := range build.Submodules {
			roots[s.Name] = s.Path
		}
	}
	return w.Tables(roots), nil
}

// RenderTables writes tables within a budget in tokens: those that have rows,
// as many of their rows as there is room for.
func RenderTables(first string, tables []wiring.Table, budget int) string {
	l := listing{first: first, noun: "row", none: "nothing is wired together here that a workflow, a script or a pin tells"}
	for _, t := range tables {
		for i := range t.Rows {
			item := t.Line(i)
			if i == 0 { // a head without a row says nothing
				item = "\n" + t.Header() + item
			}
			l.items = append(l.items, item)
		}
	}
	return l.render(budget)
}

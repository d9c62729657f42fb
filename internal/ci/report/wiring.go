package report

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A Wired is the wiring of one bundle.
type Wired struct {
	Build bundle.Build
	JSON  []byte // its wiring.json, unchecked; nil when it has none
}

// Wiring is what changed in the wiring's tables between two bundles: the rows
// that are gone and those that are new.
func Wiring(before, after Wired) string {
	const head = "### Wiring\n\n"
	old, err := before.tables()
	if err != nil {
		return head + "The published wiring cannot be read: " + code(err.Error()) + "\n\n"
	}
	now, err := after.tables()
	if err != nil {
		return head + "The wiring cannot be read: " + code(err.Error()) + "\n\n"
	}
	var out strings.Builder
	for i := range now {
		gone, added := apart(old[i], now[i]), apart(now[i], old[i])
		t := newTable(append([]string{""}, now[i].Head...)...)
		for _, row := range gone {
			t.row(append([]string{"gone"}, plain(row)...)...)
		}
		for _, row := range added {
			t.row(append([]string{"**new**"}, plain(row)...)...)
		}
		out.WriteString(t.String())
	}
	if out.Len() == 0 {
		return head + "Nothing changed.\n\n"
	}
	return head + out.String()
}

// tables are the wiring as people read it. A bundle without one has four
// empty tables.
func (w Wired) tables() ([]wiring.Table, error) {
	var facts wiring.Wiring
	if w.JSON != nil {
		if err := strictjson.Decode(w.JSON, &facts); err != nil {
			return nil, err
		}
		if err := facts.Check(); err != nil {
			return nil, fmt.Errorf("it is not what wiring.json may be: %w", err)
		}
	}
	roots := wiring.Roots{w.Build.Repo: ""}
	for _, s := range w.Build.Submodules {
		roots[s.Name] = s.Path
	}
	return facts.Tables(roots), nil
}

// apart are the rows of a that b does not have, in a's order.
func apart(a, b wiring.Table) (rows [][]string) {
	has := map[string]bool{}
	for i := range b.Rows {
		has[b.Line(i)] = true
	}
	for i, row := range a.Rows {
		if !has[a.Line(i)] {
			rows = append(rows, row)
		}
	}
	return rows
}

// marks are what could make a link, an image or HTML of text.
var marks = strings.NewReplacer("<", "&lt;", "[", `\[`, "*", `\*`, "_", `\_`, "~", `\~`, "://", "&#58;//")

// plain takes the marks of Markdown from what stands outside of a cell's code
// spans: a table of the wiring keeps its form, but a name may look like a link.
func plain(cells []string) []string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		parts := strings.Split(cell, "`")
		for n := 0; n < len(parts); n += 2 {
			parts[n] = marks.Replace(parts[n])
		}
		out[i] = strings.Join(parts, "`")
	}
	return out
}

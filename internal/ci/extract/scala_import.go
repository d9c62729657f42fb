package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// importDeclaration reads `import a.b.C, d.{E, F as G, H => _, *}`.
func (r *scalaReader) importDeclaration(n grammar.Node) {
	imp := Import{Line: n.Line(), Export: n.Is("export_declaration")}
	var path []string
	flush := func(whole bool) {
		if whole && len(path) > 1 {
			one := imp
			one.Path, one.Name = strings.Join(path[:len(path)-1], "."), path[len(path)-1]
			r.bring(one)
		} else if whole && len(path) == 1 {
			one := imp
			one.Path = path[0]
			r.bring(one)
		}
		path = nil
	}
	whole := true
	selector := func(name, alias string, line int) {
		if name == "given" || name == "" {
			return
		}
		one := imp
		one.Path, one.Name, one.Line = strings.Join(path, "."), name, line
		if name == "_" {
			one.Name = "*"
		}
		if alias == "_" { // hidden, not imported
			return
		}
		if alias != name {
			one.Alias = alias
		}
		r.bring(one)
	}
	for c := range n.All() {
		switch c.Kind() {
		case ",":
			flush(whole)
			whole = true
		case "identifier", "operator_identifier", "type_identifier":
			path = append(path, c.Text())
		case "stable_identifier":
			path = append(path, strings.Split(c.Text(), ".")...)
		case "namespace_wildcard":
			whole = false
			selector("_", "", c.Line())
		case "as_renamed_identifier", "arrow_renamed_identifier":
			whole = false
			selector(c.Get("name").Text(), c.Get("alias").Text(), c.Line())
		case "namespace_selectors":
			whole = false
			for s := range c.Children() {
				switch s.Kind() {
				case "namespace_wildcard":
					if s.Text() != "given" {
						selector("_", "", s.Line())
					}
				case "as_renamed_identifier", "arrow_renamed_identifier":
					selector(s.Get("name").Text(), s.Get("alias").Text(), s.Line())
				default:
					selector(s.Text(), "", s.Line())
				}
			}
		}
	}
	flush(whole)
}

package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

func (r *pythonReader) importStatement(n grammar.Node) {
	imp := Import{Line: n.Line()}
	if n.Is("import_statement") {
		for c := range n.Children() {
			imp.Path, imp.Alias = c.Text(), ""
			if c.Is("aliased_import") {
				imp.Path, imp.Alias = c.Get("name").Text(), c.Get("alias").Text()
			}
			imp.Line = c.Line()
			r.bring(imp)
		}
		return
	}
	imp.Path = strings.Join(strings.Fields(n.Get("module_name").Text()), "")
	if n.Is("future_import_statement") {
		return // a switch of the compiler, no module
	}
	for c := range n.Children() {
		imp.Name, imp.Alias, imp.Line = "", "", c.Line()
		switch {
		case c.Is("wildcard_import"):
			imp.Name = "*"
		case c.Field() != "name":
			continue
		case c.Is("aliased_import"):
			imp.Name, imp.Alias = c.Get("name").Text(), c.Get("alias").Text()
			imp.Export = imp.Name == imp.Alias // `import x as x` is how a stub re-exports
		default:
			imp.Name = c.Text()
		}
		if r.public[imp.Name] || r.public[imp.Alias] {
			imp.Export = true
		}
		if imp.Alias == imp.Name {
			imp.Alias = ""
		}
		r.bring(imp)
	}
}

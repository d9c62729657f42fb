package extract

import (
	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// defaultName is what a module's default export is imported as.
const defaultName = "default"

// learn notes exports and the types of fields and results of the whole file
// before it is read.
func (r *scriptReader) learn(block grammar.Node) {
	for n := range block.Children() {
		switch n.Kind() {
		case "export_statement":
			r.learnExport(n)
			r.learnDeclaration(n.Get("declaration"))
			if v := n.Get("value"); v.Is("identifier") {
				r.exports[v.Text()] = true
			} else if n.Has("=") {
				for v := range n.Children() {
					r.exports[v.Text()] = v.Is("identifier")
				}
			}
		case "expression_statement":
			if a := n.First(); a.Is("assignment_expression") {
				r.learnCommonExport(a)
			}
		default:
			r.learnDeclaration(n)
		}
	}
}

func (r *scriptReader) learnExport(n grammar.Node) {
	if n.Get("source").Ok() {
		return
	}
	for s := range n.Child("export_clause").Children() {
		r.exports[s.Get("name").Text()] = true
	}
}

func (r *scriptReader) learnCommonExport(a grammar.Node) {
	if commonExport(a.Get("left")) == "" {
		return
	}
	right := a.Get("right")
	switch right.Kind() {
	case "identifier":
		r.exports[right.Text()] = true
	case "assignment_expression": // module.exports = exports = f
		r.learnCommonExport(right)
	case "object":
		for p := range right.Children() {
			switch p.Kind() {
			case "shorthand_property_identifier":
				r.exports[p.Text()] = true
			case "pair":
				if v := p.Get("value"); v.Is("identifier") {
					r.exports[v.Text()] = true
				}
			}
		}
	}
}

// commonExport is the name that a CommonJS assignment exports: "default"
// for module.exports itself, "" when it is none.
func commonExport(left grammar.Node) string {
	if !left.Is("member_expression") {
		return ""
	}
	object, property := left.Get("object").Text(), left.Get("property").Text()
	switch {
	case object == "module" && property == "exports":
		return defaultName
	case object == "exports" || object == "module.exports":
		return property
	}
	return ""
}

func (r *scriptReader) learnDeclaration(n grammar.Node) {
	switch n.Kind() {
	case "class_declaration", "abstract_class_declaration":
		r.learnClass(n.Get("name").Text(), n)
	case "interface_declaration":
		name := n.Get("name").Text()
		r.types[name] = true
		r.learnMembers(name, n.Get("body"))
	case "function_declaration":
		r.results[n.Get("name").Text()] = scriptType(n.Get("return_type"))
	case "lexical_declaration", "variable_declaration":
		for d := range n.Children() {
			val := d.Get("value")
			if fn := wrappedFunction(val); fn.Ok() {
				r.results[d.Get("name").Text()] = scriptType(fn.Get("return_type"))
			}
			if val.Is("class") {
				r.learnClass(d.Get("name").Text(), val)
			}
		}
	case "ambient_declaration":
		for c := range n.Children() {
			r.learnDeclaration(c)
		}
	}
}

func (r *scriptReader) learnClass(name string, n grammar.Node) {
	r.types[name] = true
	heritage := n.Child("class_heritage")
	if ext := heritage.Child("extends_clause"); ext.Ok() {
		r.bases[name] = ext.Get("value").Text()
	} else if base := heritage.Child("identifier", "member_expression"); base.Ok() {
		r.bases[name] = base.Text()
	}
	r.learnMembers(name, n.Get("body"))
}

func (r *scriptReader) learnMembers(class string, body grammar.Node) {
	for m := range body.Children() {
		switch m.Kind() {
		case "public_field_definition", "field_definition", "property_signature":
			v := value{typ: scriptType(m.Get("type"))}
			if v.typ == "" {
				v = r.typeOf(m.Get("value"))
			}
			r.setField(class, fieldName(m).Text(), v)
		case "method_definition", "method_signature", "abstract_method_signature":
			name := m.Get("name").Text()
			if r.results[class+"."+name] = scriptType(m.Get("return_type")); r.results[class+"."+name] == "this" {
				r.results[class+"."+name] = class
			}
			if name == "constructor" {
				r.learnConstructor(class, m)
			}
		}
	}
}

// learnConstructor notes parameter properties and what the constructor
// stores in its object.
func (r *scriptReader) learnConstructor(class string, m grammar.Node) {
	r.push()
	defer r.pop()
	for p := range m.Get("parameters").Children() {
		v := value{typ: scriptType(p.Get("type"))}
		name := p.Get("pattern").Text()
		r.bind(name, v)
		if p.Child("accessibility_modifier").Ok() || p.Has("readonly") {
			r.setField(class, name, v)
		}
	}
	for s := range m.Get("body").Children() {
		a := s.First()
		left := a.Get("left")
		if s.Is("expression_statement") && a.Is("assignment_expression") && left.Get("object").Is("this") {
			r.setField(class, left.Get("property").Text(), r.typeOf(a.Get("right")))
		}
	}
}

func source(n grammar.Node) string { return n.Get("source").Child("string_fragment").Text() }

func (r *scriptReader) importStatement(n grammar.Node) {
	imp := Import{Path: source(n), Line: n.Line()}
	if req := n.Child("import_require_clause"); req.Ok() { // import fs = require("fs")
		imp.Path, imp.Alias = source(req), req.Child("identifier").Text()
		r.bring(imp)
		return
	}
	clause := n.Child("import_clause")
	if !clause.Ok() {
		if imp.Path != "" {
			r.bring(imp)
		}
		return
	}
	for c := range clause.Children() {
		switch c.Kind() {
		case "identifier":
			r.bring(Import{Path: imp.Path, Name: defaultName, Alias: c.Text(), Line: c.Line()})
		case "namespace_import":
			r.bring(Import{Path: imp.Path, Alias: c.Child("identifier").Text(), Line: c.Line()})
		case "named_imports":
			for s := range c.Children() {
				if s.Is("import_specifier") {
					r.bring(specifier(s, imp.Path, false))
				}
			}
		}
	}
}

// specifier reads `a as b` of an import or export clause.
func specifier(s grammar.Node, path string, export bool) Import {
	imp := Import{Path: path, Name: s.Get("name").Text(), Alias: s.Get("alias").Text(), Line: s.Line(), Export: export}
	if imp.Alias == imp.Name {
		imp.Alias = ""
	}
	return imp
}

func (r *scriptReader) exportStatement(n grammar.Node, parent int, comments []grammar.Node) {
	path := source(n)
	isDefault := n.Has("default")
	if d := n.Get("declaration"); d.Ok() {
		r.statement(d, n, parent, comments, true)
		if isDefault && parent < 0 {
			if name := d.Get("name"); name.Ok() {
				r.exportAs(name.Text(), defaultName, d.Line())
			}
		}
		return
	}
	if path != "" && n.Has("*") {
		r.bring(Import{Path: path, Name: "*", Line: n.Line(), Export: true})
	}
	for c := range n.Children() {
		switch {
		case c.Is("namespace_export"): // export * as q from "./q"
			r.bring(Import{Path: path, Alias: c.Child("identifier", "string").Text(), Line: c.Line(), Export: true})
		case c.Is("export_clause"):
			for s := range c.Children() {
				if imp := specifier(s, path, true); imp.Name != "" && (path != "" || imp.Alias != "") {
					r.bring(imp)
				}
			}
		case c.Field() == "value" || n.Has("=") && c.Is("identifier"):
			r.exportValue(c, scriptDoc(n, comments))
		case c.Is("internal_module", "module"):
			r.statement(c, n, parent, comments, true)
		case c.Is("decorator"):
			r.expression(c)
		}
	}
}

// exportAs notes that a name of this file is exported under another one: an
// import from no path.
func (r *scriptReader) exportAs(name, as string, line int) {
	r.bring(Import{Name: name, Alias: as, Line: line, Export: true})
}

// exportValue reads the value of a default export.
func (r *scriptReader) exportValue(v grammar.Node, doc string) {
	switch {
	case v.Is("identifier"):
		r.exportAs(v.Text(), defaultName, v.Line())
	case v.Is("class"):
		name := v.Get("name").Text()
		if name == "" {
			name = defaultName
		}
		r.classDeclaration(v, -1, doc, true, name)
		if name != defaultName {
			r.exportAs(name, defaultName, v.Line())
		}
	case v.Is("function_expression", "generator_function", "arrow_function", "function"):
		name := v.Get("name").Text()
		if name == "" {
			name = defaultName
		}
		r.function(v, -1, doc, true, name)
		if name != defaultName {
			r.exportAs(name, defaultName, v.Line())
		}
	case v.Is("object") || v.Is("call_expression") && objectArgument(v).Ok():
		i := r.whole
		if i < 0 {
			i = r.define(-1, Definition{
				Name: defaultName, Kind: Constant, Line: v.Line(), EndLine: v.EndLine(),
				Signature: "export default {…}", Doc: doc, Exported: true,
			})
		}
		r.within(i, func() { r.valueOf(v, i) })
	default:
		if id := v.Child("identifier"); v.Is("satisfies_expression", "as_expression") && id.Ok() {
			r.exportAs(id.Text(), defaultName, v.Line())
		}
		r.expression(v)
	}
}

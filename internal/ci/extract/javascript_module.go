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
			r.results[class+"."+name] = scriptType(m.Get("return_type"))
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
	case v.Is("object"):
		i := r.define(-1, Definition{
			Name: defaultName, Kind: Constant, Line: v.Line(), EndLine: v.EndLine(),
			Signature: "export default {…}", Doc: doc, Exported: true,
		})
		r.within(i, func() { r.objectMembers(v, i) })
	default:
		if id := v.Child("identifier"); v.Is("satisfies_expression", "as_expression") && id.Ok() {
			r.exportAs(id.Text(), defaultName, v.Line())
		}
		r.expression(v)
	}
}

// assignment reads `a.b = value` at the top level, where it can export or
// define.
func (r *scriptReader) assignment(a grammar.Node, doc string) {
	left, right := a.Get("left"), a.Get("right")
	if name := commonExport(left); name != "" {
		r.commonExportValue(name, left, right, doc)
		return
	}
	fn := wrappedFunction(right)
	if !left.Is("member_expression") || !fn.Ok() {
		r.expression(a)
		return
	}
	owner := left.Get("object")
	if owner.Is("member_expression") && owner.Get("property").Text() == "prototype" {
		owner = owner.Get("object")
	}
	property := left.Get("property")
	_, known := r.find(-1, owner.Text())
	if !owner.Is("identifier") || !known {
		r.expression(a)
		return
	}
	i := r.define(-1, Definition{
		Name:      property.Text(),
		Kind:      Method,
		Line:      property.Line(),
		EndLine:   a.EndLine(),
		Signature: signature(r.head(left, fn)),
		Doc:       doc,
		Exported:  r.exports[owner.Text()],
		Result:    scriptType(fn.Get("return_type")),
	})
	r.adopt(i, owner.Text())
	class := r.class
	r.class = owner.Text()
	r.within(i, func() { r.valueOf(right, i) })
	r.class = class
}

func (r *scriptReader) commonExportValue(name string, left, right grammar.Node, doc string) {
	fn := wrappedFunction(right)
	switch {
	case right.Is("assignment_expression"):
		r.assignment(right, doc)
		r.exportAs(commonOr(right), name, left.Line())
	case right.Is("identifier"):
		if right.Text() != name {
			r.exportAs(right.Text(), name, left.Line())
		}
	case right.Is("class"):
		own := right.Get("name").Text()
		if own == "" {
			own = name
		}
		r.classDeclaration(right, -1, doc, true, own)
		if own != name {
			r.exportAs(own, name, left.Line())
		}
	case fn.Ok():
		own := fn.Get("name").Text()
		if own == "" {
			own = name
		}
		i := r.define(-1, Definition{
			Name: own, Kind: Function, Line: left.Line(), EndLine: right.EndLine(),
			Signature: signature(r.head(left, fn)), Doc: doc, Exported: true, Result: scriptType(fn.Get("return_type")),
		})
		r.within(i, func() { r.valueOf(right, i) })
		if own != name {
			r.exportAs(own, name, left.Line())
		}
	case right.Is("object") && name == defaultName:
		r.exportedObject(right)
	case r.requires(left, right, left.Line()):
		// exports.x = require("./x"), told as a re-export
		last := &r.file.Imports[len(r.file.Imports)-1]
		last.Export = true
		if name != defaultName {
			last.Alias = name
		}
	case name != defaultName:
		i := r.define(-1, Definition{
			Name: name, Kind: Constant, Line: left.Line(), EndLine: right.EndLine(),
			Signature: signature(clip(left.Parent().Text(), 2*maxSignature)), Doc: doc, Exported: true,
		})
		r.within(i, func() { r.valueOf(right, i) })
	default:
		r.expression(right)
	}
}

// commonOr is what a chained CommonJS assignment gives its value to.
func commonOr(a grammar.Node) string {
	if name := commonExport(a.Get("left")); name != "" {
		return name
	}
	return a.Get("left").Text()
}

// exportedObject reads `module.exports = { f, g: h, k() {} }`.
func (r *scriptReader) exportedObject(object grammar.Node) {
	var comments []grammar.Node
	for p := range object.Children() {
		if p.Is("comment") {
			comments = append(comments, p)
			continue
		}
		above := comments
		comments = nil
		key := p.Get("key").Text()
		val := p.Get("value")
		switch {
		case p.Is("pair") && val.Is("identifier"):
			if key != val.Text() {
				r.exportAs(val.Text(), key, p.Line())
			}
		case p.Is("pair") && r.requires(p.Get("key"), val, p.Line()):
			r.file.Imports[len(r.file.Imports)-1].Export = true
		case p.Is("pair", "method_definition"):
			r.member(p, -1, true, above)
		case p.Is("spread_element"):
			if call := p.Child("call_expression"); r.requires(grammar.Node{}, call, p.Line()) { // ...require("./x")
				last := &r.file.Imports[len(r.file.Imports)-1]
				last.Name, last.Export = "*", true
				continue
			}
			r.expression(p)
		}
	}
}

// requires reads `name = require("path")`, also with a property after it or
// a pattern before it, and reports whether it is one.
func (r *scriptReader) requires(name, val grammar.Node, line int) bool {
	if val.Is("await_expression") {
		val = val.Child("call_expression")
	}
	property := ""
	if val.Is("member_expression") {
		property = val.Get("property").Text()
		val = val.Get("object")
	}
	path := requirePath(val)
	if path == "" {
		return false
	}
	imp := Import{Path: path, Name: property, Line: line}
	switch name.Kind() {
	case "identifier", "property_identifier", "member_expression":
		if _, last := cutLast(name.Text()); last != property && name.Is("identifier", "property_identifier") {
			imp.Alias = last
		}
		r.bring(imp)
	case "object_pattern":
		for p := range name.Children() {
			one := Import{Path: path, Line: p.Line()}
			switch p.Kind() {
			case "shorthand_property_identifier_pattern":
				one.Name = p.Text()
			case "pair_pattern":
				one.Name, one.Alias = p.Get("key").Text(), p.Get("value").Text()
			case "object_assignment_pattern":
				one.Name = p.First().Text()
			default:
				continue
			}
			r.bring(one)
		}
	default:
		r.bring(imp)
	}
	return true
}

// requirePath is the module that a call of require or import names.
func requirePath(call grammar.Node) string {
	fn := call.Get("function")
	if !call.Is("call_expression") || !fn.Is("import") && fn.Text() != "require" {
		return ""
	}
	for a := range call.Get("arguments").Children() {
		if a.Is("string") {
			return a.Child("string_fragment").Text()
		}
		return ""
	}
	return ""
}

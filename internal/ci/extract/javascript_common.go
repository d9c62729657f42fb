package extract

import (
	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

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
			r.member(p, -1, true, false, above)
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

package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// swiftFunctionName is the node that names a function.
func swiftFunctionName(n grammar.Node) grammar.Node {
	switch n.Kind() {
	case "deinit_declaration":
		return n.Child("deinit")
	case "subscript_declaration":
		return n.Child("subscript")
	case "init_declaration":
		return n.Child("init")
	}
	return n.Get("name")
}

func (r *swiftReader) function(n grammar.Node, comments []grammar.Node) {
	name, body := swiftFunctionName(n), n.Get("body")
	if n.Is("subscript_declaration") {
		body = n.Child("computed_property")
	}
	if name.Text() == "" {
		return
	}
	d := Definition{
		Name:      name.Text(),
		Kind:      Function,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: swiftDeclared(n, headEnd(n, body)),
		Doc:       r.doc(n, comments),
		Exported:  r.exported(n),
	}
	if r.class != "" && !r.callable() {
		d.Kind = Method
	}
	parameters, result := 0, false
	for c := range n.Children() {
		switch {
		case c.Is("parameter"):
			parameters++
		case result && c.Field() == "name":
			d.Result = swiftType(c)
			result = false
		}
		result = result || c.Next().Is("->")
	}
	d.Test = r.testCase && strings.HasPrefix(d.Name, "test") && parameters == 0 || swiftAttribute(n, "Test")
	d.Entry = d.Name == "main" && d.Kind == Method && r.parent >= 0 && r.file.Definitions[r.parent].Entry
	i := r.add(d)
	parent := r.parent
	r.parent = i
	r.within(i, func() {
		r.push()
		r.attributes(n)
		r.constraints(n)
		for c := range n.Children() {
			switch {
			case c.Is("parameter"):
				typ := swiftParameterType(c)
				r.typeUses(typ)
				r.bind(swiftParameterName(c), value{typ: swiftType(typ)})
			case c.Field() == "default_value":
				r.expression(c)
			case c.Field() == "name" && c != name:
				r.typeUses(c)
			}
		}
		r.members(body)
		r.pop()
	})
	r.parent = parent
}

// swiftParameterName is the name that a parameter has inside: "item" of
// `with item: T`.
func swiftParameterName(p grammar.Node) string {
	return p.Get("name").Text()
}

func swiftParameterType(p grammar.Node) grammar.Node {
	var typ grammar.Node
	first := true
	for c := range p.Children() {
		if c.Field() == "name" {
			if !first {
				typ = c
			}
			first = false
		}
	}
	return typ
}

// property reads `var` and `let`: members, globals, or names that are local
// to a function.
func (r *swiftReader) property(n grammar.Node, comments []grammar.Node) {
	list := swiftProperties(n)
	local := r.callable()
	kind := r.propertyKind(n)
	first := r.from
	for k, p := range list {
		if local {
			r.typeUses(p.typ)
			r.expression(p.value)
			r.expression(p.computed)
			r.bind(p.name.Text(), r.held(p))
			continue
		}
		end := p.pattern.End()
		switch {
		case p.typ.Ok():
			end = p.typ.End()
		case p.value.Is("call_expression", "line_string_literal", "integer_literal", "real_literal", "boolean_literal", "navigation_expression", "simple_identifier", "prefix_expression", "array_literal"):
			end = p.value.End()
		}
		i := r.add(Definition{
			Name:      p.name.Text(),
			Kind:      kind,
			Line:      p.name.Line(),
			EndLine:   n.EndLine(),
			Signature: swiftDeclared(n, end),
			Doc:       r.doc(n, comments),
			Exported:  r.exported(n),
		})
		if k == 0 {
			first = i
			r.within(i, func() { r.attributes(n) })
		}
		parent := r.parent
		r.within(i, func() {
			r.typeUses(p.typ)
			r.push()
			r.expression(p.value)
			r.pop()
			r.parent = i
			r.computed(p.computed)
		})
		r.parent = parent
	}
	if len(list) == 0 { // a pattern that binds no plain names
		r.within(first, func() { r.children(n) })
	}
}

func (r *swiftReader) propertyKind(n grammar.Node) Kind {
	fixed := n.Child("value_binding_pattern").Has("let")
	static := n.Child("modifiers").Child("property_modifier").Has("static")
	switch {
	case r.class != "" && fixed && static:
		return Constant
	case r.class != "":
		return Field
	case fixed:
		return Constant
	}
	return Variable
}

// computed reads what a property does: its statements are as local as those
// of a function.
func (r *swiftReader) computed(n grammar.Node) {
	if !n.Ok() {
		return
	}
	r.push()
	r.children(n)
	r.pop()
}

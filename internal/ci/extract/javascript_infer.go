package extract

import (
	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// typeUses reads the names in a type.
func (r *scriptReader) typeUses(n grammar.Node) {
	switch n.Kind() {
	case "", "predefined_type", "literal_type", "property_identifier", "this_type", "comment":
	case "type_identifier", "identifier":
		r.name(n, References)
	case "nested_type_identifier":
		r.use(References, n.Get("name"), short(n.Get("module")), value{})
	case "nested_identifier", "member_expression":
		if qual, last := cutLast(n.Text()); last != "" {
			r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: qual, Line: n.Line()})
		}
	case "function_type", "constructor_type", "method_signature", "call_signature", "construct_signature":
		r.push()
		r.typeParameters(n.Get("type_parameters"))
		for p := range n.Get("parameters").Children() {
			r.typeUses(p.Get("type"))
		}
		r.typeUses(n.Get("return_type"))
		r.typeUses(n.Get("type"))
		r.pop()
	case "property_signature":
		r.typeUses(n.Get("type"))
	case "mapped_type_clause", "infer_type":
		r.bind(n.Get("name").Text(), value{})
		r.bind(n.Child("type_identifier").Text(), value{})
		r.typeUses(n.Get("type"))
	case "type_predicate":
		r.typeUses(n.Get("type"))
	case "type_parameters":
		r.typeParameters(n)
	default:
		for c := range n.Children() {
			r.typeUses(c)
		}
	}
}

// scriptType is the class that a type annotation means: "Foo" of Foo,
// Promise<Foo>, Foo | null; "" when it is not one class.
func scriptType(n grammar.Node) string {
	if n.Is("type_annotation") {
		for c := range n.Children() {
			return scriptType(c)
		}
		return ""
	}
	switch n.Kind() {
	case "type_identifier":
		if !scriptGlobals[n.Text()] {
			return n.Text()
		}
	case "nested_type_identifier":
		return n.Text()
	case "this_type":
		return "this"
	case "parenthesized_type", "readonly_type":
		for c := range n.Children() {
			return scriptType(c)
		}
	case "generic_type":
		name := n.Get("name").Text()
		switch name {
		case "Promise", "Readonly", "Partial", "Required", "Awaited", "NonNullable":
			for c := range n.Get("type_arguments").Children() {
				return scriptType(c)
			}
		}
		return scriptType(n.Get("name"))
	case "union_type":
		found := ""
		for c := range n.Children() {
			text := c.Text()
			if text == "null" || text == "undefined" {
				continue
			}
			t := scriptType(c)
			if t == "" || found != "" {
				return ""
			}
			found = t
		}
		return found
	}
	return ""
}

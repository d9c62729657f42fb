package extract

import (
	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// typeOf says what this file tells about an expression's type.
func (r *scriptReader) typeOf(n grammar.Node) value {
	if n.Is("identifier", "this", "") {
		return r.findType(n)
	}
	return r.memo.typeOf(n, r.findType)
}

func (r *scriptReader) findType(n grammar.Node) value {
	switch n.Kind() {
	case "identifier":
		v, _ := r.lookup(n.Text())
		return v
	case "this":
		return value{typ: r.class}
	case "super":
		return value{typ: r.bases[r.class]}
	case "parenthesized_expression", "await_expression", "non_null_expression":
		for c := range n.Children() {
			return r.typeOf(c)
		}
	case "new_expression":
		return value{typ: short(n.Get("constructor"))}
	case "as_expression", "satisfies_expression":
		var last grammar.Node
		for c := range n.Children() {
			last = c
		}
		return value{typ: scriptType(last)}
	case "member_expression":
		property := n.Get("property").Text()
		if v := r.typeOf(n.Get("object")); v.typ != "" {
			if f, ok := r.fields[v.typ][property]; ok {
				return f
			}
		}
		return following(r.written(n.Get("object")), "."+property)
	case "call_expression":
		return r.resultOf(n.Get("function"))
	}
	return value{}
}

// resultOf is what a call of that function gives.
func (r *scriptReader) resultOf(fn grammar.Node) value {
	typ := ""
	switch fn.Kind() {
	case "identifier":
		if !r.local(fn.Text()) {
			typ = r.results[fn.Text()]
		}
	case "member_expression":
		if v := r.typeOf(fn.Get("object")); v.typ != "" {
			typ = r.results[v.typ+"."+fn.Get("property").Text()]
		}
	}
	if typ != "" {
		return value{typ: typ}
	}
	return following(r.written(fn), "()")
}

// following is the value of an expression and what is written behind it.
func following(expr, more string) value {
	if expr == "" || len(expr)+len(more) > maxQualifier {
		return value{}
	}
	return value{via: expr + more}
}

// written is an expression of names and calls, with the type or the value in
// the place of a local name and without arguments: "Store.open().lines"; ""
// of other expressions, and where a local name's value is not known.
func (r *scriptReader) written(n grammar.Node) string {
	switch n.Kind() {
	case "identifier":
		name := n.Text()
		if v, local := r.lookup(name); local {
			return v.typ + v.via
		}
		if scriptGlobals[name] && !r.types[name] {
			return ""
		}
		return name
	case "this", "super":
		return n.Kind()
	}
	v := r.typeOf(n)
	return v.typ + v.via
}

// destructured is what a name of an object pattern holds: a member of the
// value that is taken apart.
func (r *scriptReader) destructured(target, val grammar.Node) value {
	if target.Is("shorthand_property_identifier_pattern") && target.Parent().Is("object_pattern") {
		return following(r.written(val), "."+target.Text())
	}
	return value{}
}

package extract

import (
	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// typeOf says what this file tells about an expression's type.
func (r *scalaReader) typeOf(n grammar.Node) value {
	switch n.Kind() {
	case "identifier":
		name := n.Text()
		if name == "this" {
			return value{typ: r.class}
		}
		if v, ok := r.lookup(name); ok {
			return v
		}
		for class := r.class; ; class, _ = cutLast(class) {
			if v, ok := r.fields[class][name]; ok {
				return v
			}
			if class == "" {
				return value{}
			}
		}
	case "this":
		return value{typ: r.class}
	case "parenthesized_expression":
		for c := range n.Children() {
			return r.typeOf(c)
		}
	case "ascription_expression":
		for c := range n.Children() {
			if c != n.First() {
				return value{typ: scalaType(c)}
			}
		}
	case "instance_expression":
		for c := range n.Children() {
			if t := scalaType(c); t != "" {
				return value{typ: t}
			}
		}
	case "field_expression":
		if v := r.typeOf(n.Get("value")); v.typ != "" {
			if f, ok := r.fields[v.typ][n.Get("field").Text()]; ok {
				return f
			}
			return value{typ: r.results[v.typ+"."+n.Get("field").Text()]}
		}
	case "call_expression":
		return r.resultOf(n.Get("function"))
	}
	return value{}
}

func (r *scalaReader) resultOf(fn grammar.Node) value {
	if fn.Is("generic_function") {
		fn = fn.Get("function")
	}
	switch fn.Kind() {
	case "identifier":
		name := fn.Text()
		if r.local(name) || scalaPredef[name] && !r.types[name] {
			return value{}
		}
		for class := r.class; ; class, _ = cutLast(class) {
			key := name
			if class != "" {
				key = class + "." + name
			}
			if res, ok := r.results[key]; ok {
				return value{typ: res}
			}
			if class == "" {
				break
			}
		}
		if capital(name) { // Foo(…) is Foo.apply, which gives a Foo
			return value{typ: name}
		}
		return value{via: name}
	case "field_expression":
		object := fn.Get("value")
		if v := r.typeOf(object); v.typ != "" {
			if res, ok := r.results[v.typ+"."+fn.Get("field").Text()]; ok {
				return value{typ: res}
			}
		}
		if object.Is("identifier") && r.types[object.Text()] {
			if res, ok := r.results[object.Text()+"."+fn.Get("field").Text()]; ok {
				return value{typ: res}
			}
		}
		return value{via: short(fn)}
	}
	return value{}
}

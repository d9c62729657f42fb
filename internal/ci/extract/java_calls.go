package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// call reads a method's call. A name without an object is never a variable,
// whatever variables there are.
func (r *javaReader) call(n grammar.Node) {
	name, object, args := n.Get("name"), n.Get("object"), n.Get("arguments")
	ref := Reference{From: r.from, Relation: Calls, Name: name.Text(), Line: name.Line(), Args: r.arguments(args)}
	switch {
	case n.Has("super"): // also A.super.m()
		ref.Qualifier = "super"
	case !object.Ok():
		ref.Type = r.baseOf(name.Text())
	default:
		v := r.typeOf(object)
		ref.Qualifier, ref.Type, ref.Via = short(object), v.typ, v.via
		ref.Local = v == (value{}) && r.rooted(object)
	}
	r.refer(ref)
	switch {
	case object.Is("identifier"):
		r.className(object)
	case object.Ok():
		r.expression(object)
	}
	r.typeUses(n.Get("type_arguments"))
	r.expression(args)
}

// arguments writes the types of a call's arguments.
func (r *javaReader) arguments(args grammar.Node) string {
	var types []string
	size := len("()")
	for a := range args.Children() {
		if a.Is("line_comment", "block_comment") {
			continue
		}
		typ := r.argument(a)
		types = append(types, typ)
		size += len(", ") + len(typ)
	}
	for i := 0; i < len(types) && size > 2*maxQualifier; i++ {
		size -= len(types[i]) - len("?")
		types[i] = "?"
	}
	return "(" + strings.Join(types, ", ") + ")"
}

// argument writes the type of an argument, or else the call or field whose
// value it is, behind "=".
func (r *javaReader) argument(a grammar.Node) string {
	switch a.Kind() {
	case "null_literal":
		return "null"
	case "lambda_expression", "method_reference":
		return "->"
	}
	if typ := r.typeOf(a).typ; typ != "" {
		return typ
	}
	if expr := r.written(a); expr != "" && !strings.Contains(expr, ", ") {
		return "=" + expr
	}
	return "?"
}

// placeholders stands for the arguments of a call in an expression that is
// written: only their number counts.
func placeholders(args grammar.Node) string {
	n := 0
	for a := range args.Children() {
		if !a.Is("line_comment", "block_comment") {
			n++
		}
	}
	return "(" + strings.TrimSuffix(strings.Repeat("_,", n), ",") + ")"
}

// className tells a class that a static member is taken from.
func (r *javaReader) className(n grammar.Node) {
	if name := n.Text(); capital(name) && !r.local(name) && (!javaLang[name] || r.types[name]) {
		r.use(References, n, "", value{})
	}
}

// rooted reports whether an expression begins with a local name, or with
// something that has none.
func (r *javaReader) rooted(n grammar.Node) bool {
	for {
		switch n.Kind() {
		case "identifier":
			return r.local(n.Text())
		case "field_access", "method_invocation":
			o := n.Get("object")
			if !o.Ok() {
				return false
			}
			n = o
		case "this", "super":
			return false
		default:
			return true
		}
	}
}

// baseOf is the class that a bare call inside a body without a name may be
// inherited from: "" where the body itself or a class of this file around it
// has the method.
func (r *javaReader) baseOf(name string) string {
	if len(r.bodies) == 0 {
		return ""
	}
	for class := r.class; class != ""; class, _ = cutLast(class) {
		if _, own := r.results[class+"."+name]; own {
			return ""
		}
	}
	for i := len(r.bodies) - 1; i >= 0; i-- {
		if r.bodies[i].methods[name] {
			return ""
		}
	}
	return r.bodies[len(r.bodies)-1].base
}

func (r *javaReader) methodReference(n grammar.Node) {
	var object, name grammar.Node
	for c := range n.Children() {
		if c.Is("type_arguments") {
			r.typeUses(c)
			continue
		}
		if !object.Ok() {
			object = c
		} else {
			name = c
		}
	}
	switch {
	case name.Is("identifier"):
		v := r.typeOf(object)
		if object.Is("super") {
			r.use(References, name, "super", value{})
			return
		}
		r.refer(Reference{From: r.from, Relation: References, Name: name.Text(), Line: name.Line(),
			Qualifier: short(object), Type: v.typ, Via: v.via, Local: v == (value{}) && r.rooted(object)})
		if object.Is("identifier") {
			r.className(object)
			return
		}
	case object.Is("identifier"): // Foo::new
		r.typeUse(Calls, object)
		return
	}
	r.expression(object)
}

// creation reads `new T(…)`, also with a body.
func (r *javaReader) creation(n grammar.Node) {
	typ := n.Get("type")
	for c := range n.Children() {
		switch {
		case c == typ:
			r.created(c)
		case c.Is("class_body"):
			r.body(c, r.typeName(typ))
		default:
			r.expression(c)
		}
	}
}

func (r *javaReader) created(t grammar.Node) {
	switch t.Kind() {
	case "type_identifier", "scoped_type_identifier":
		r.typeUse(Calls, t)
	case "generic_type", "annotated_type":
		for c := range t.Children() {
			r.created(c)
		}
	default:
		r.typeUses(t)
	}
}

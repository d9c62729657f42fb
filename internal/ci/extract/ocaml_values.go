package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// ocamlName is the name of a value, operators without their brackets.
func ocamlName(n grammar.Node) string {
	if n.Is("parenthesized_operator") {
		return strings.TrimSpace(strings.Trim(n.Text(), "()"))
	}
	return n.Text()
}

// specification defines a `val` or an `external`.
func (r *ocamlReader) specification(n grammar.Node, comments []grammar.Node) {
	name := n.Child("value_name", "parenthesized_operator")
	if !name.Ok() {
		return
	}
	kind := Constant
	if n.Has("function_type") || n.Is("external") {
		kind = Function
	}
	i := r.define(r.parent, Definition{
		Name:      ocamlName(name),
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(clip(n.Text(), 4*maxSignature)),
		Doc:       ocamlDoc(n, comments),
		Exported:  true,
	})
	r.within(i, func() { r.children(n) })
}

// values reads `let … and …` of a module.
func (r *ocamlReader) values(n grammar.Node, comments []grammar.Node) {
	test := strings.Contains(n.Child("attribute_id").Text(), "test")
	first := true
	for b := range n.Children() {
		if !b.Is("let_binding") {
			continue
		}
		at, above := b, []grammar.Node(nil)
		if first {
			at, above = n, comments
		}
		first = false
		pattern := b.Get("pattern")
		switch {
		case test && pattern.Is("string"):
			r.value(b, pattern, Function, true, ocamlDoc(at, above))
		case pattern.Is("value_name", "parenthesized_operator"):
			r.value(b, pattern, ocamlKind(b), false, ocamlDoc(at, above))
		default:
			r.destructured(b, pattern)
		}
	}
}

func ocamlKind(b grammar.Node) Kind {
	if b.Has("parameter") || b.Get("body").Is("fun_expression", "function_expression") || b.Has("function_type") {
		return Function
	}
	return Constant
}

func (r *ocamlReader) value(b, name grammar.Node, kind Kind, test bool, doc string) {
	text := ocamlName(name)
	if test {
		text = oneLine(between(name))
	}
	if text == "" || text == "_" {
		r.binding(b)
		return
	}
	body := b.Get("body")
	end := body
	if kind == Constant && body.Is("number", "string", "boolean", "character", "value_path", "constructor_path") {
		end = grammar.Node{}
	}
	i := r.define(r.parent, Definition{
		Name:      clip(text, maxName),
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   b.EndLine(),
		Signature: ocamlSignature("let", b, end),
		Doc:       doc,
		Exported:  !test && !strings.HasPrefix(text, "_"),
		Entry:     text == "main" && r.parent < 0 && kind == Function,
		Test:      test || kind == Function && strings.HasPrefix(text, "test_"),
	})
	r.within(i, func() { r.binding(b) })
}

// binding reads a binding's parameters, type and body.
func (r *ocamlReader) binding(b grammar.Node) {
	r.push()
	pattern := b.Get("pattern")
	for c := range b.Children() {
		switch {
		case c == pattern:
		case c.Is("parameter"):
			r.parameter(c)
		default:
			r.expression(c)
		}
	}
	r.pop()
}

func (r *ocamlReader) parameter(p grammar.Node) {
	pattern := p.Get("pattern")
	r.pattern(pattern)
	for c := range p.Children() {
		if c != pattern {
			r.expression(c)
		}
	}
}

// destructured defines the names of `let a, b = …`.
func (r *ocamlReader) destructured(b, pattern grammar.Node) {
	var define func(grammar.Node)
	at := r.from
	define = func(n grammar.Node) {
		if name := n.Text(); n.Is("value_name", "value_pattern") && name != "_" {
			at = r.define(r.parent, Definition{
				Name:      name,
				Kind:      Constant,
				Line:      n.Line(),
				EndLine:   b.EndLine(),
				Signature: ocamlSignature("let", b, b.Get("body")),
				Exported:  !strings.HasPrefix(name, "_"),
			})
			return
		}
		for c := range n.Children() {
			define(c)
		}
	}
	define(pattern)
	r.within(at, func() { r.binding(b) })
}

func (r *ocamlReader) classBinding(n, b grammar.Node, comments []grammar.Node) {
	name, body := b.Get("name"), b.Get("body")
	if name.Text() == "" {
		return
	}
	kind := Class
	if n.Is("class_type_definition") {
		kind = Interface
	}
	i := r.define(r.parent, Definition{
		Name:      name.Text(),
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   b.EndLine(),
		Signature: ocamlSignature("class", b, body),
		Doc:       ocamlDoc(n, comments),
		Exported:  true,
	})
	class := r.class
	r.class = r.file.Definitions[i].Qualified()
	r.inside(i, func() {
		for c := range b.Children() {
			switch {
			case c == name:
			case c.Is("parameter"):
				r.parameter(c)
			default:
				r.classBody(c)
			}
		}
	})
	r.class = class
}

// classBody reads an object's members, wherever in a class's expression they
// stand.
func (r *ocamlReader) classBody(n grammar.Node) {
	for c, comments := range commented(n, "comment") {
		switch c.Kind() {
		case "value_pattern": // object (self)
			r.bind(c.Text(), value{typ: r.class})
		case "inheritance_definition", "inheritance_specification":
			r.inherit(c)
		case "method_definition", "method_specification":
			r.classMember(c, c.Child("method_name"), Method, comments)
		case "instance_variable_definition", "instance_variable_specification":
			r.classMember(c, c.Child("instance_variable_name"), Field, comments)
		case "class_body_type", "object_expression", "class_function", "class_function_type", "let_class_expression":
			r.classBody(c)
		default:
			r.expression(c)
		}
	}
}

func (r *ocamlReader) inherit(n grammar.Node) {
	var tell func(grammar.Node)
	tell = func(n grammar.Node) {
		switch n.Kind() {
		case "class_path", "class_type_path":
			before, last := cutLast(ocamlPath(n))
			r.refer(Reference{From: r.from, Relation: Inherits, Name: last, Qualifier: before, Line: n.Line()})
		case "value_pattern":
			r.bind(n.Text(), value{})
		case "class_application":
			tell(n.Get("class"))
			for c := range n.Children() {
				if c.Field() == "argument" {
					r.expression(c)
				}
			}
		default:
			for c := range n.Children() {
				tell(c)
			}
		}
	}
	tell(n)
}

func (r *ocamlReader) classMember(n, name grammar.Node, kind Kind, comments []grammar.Node) {
	if !name.Ok() || r.parent < 0 {
		r.children(n)
		return
	}
	body := n.Get("body")
	i := r.define(r.parent, Definition{
		Name:      name.Text(),
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: strings.TrimRight(signature(n.Tree().Slice(n.Start(), min(headEnd(n, body), n.Start()+4*maxSignature))), " ="),
		Doc:       ocamlDoc(n, comments),
		Exported:  kind == Method && !n.Has("private"),
	})
	r.within(i, func() {
		r.push()
		for c := range n.Children() {
			if c.Is("parameter") {
				r.parameter(c)
			} else if c != name {
				r.expression(c)
			}
		}
		r.pop()
	})
}

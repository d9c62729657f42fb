package extract

import (
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// cCalled is a call in the text of a macro.
var cCalled = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\(`)

var cKeywords = names("if while for switch return sizeof defined alignof decltype typeof __typeof__ static_cast reinterpret_cast const_cast dynamic_cast catch __attribute__ asm do else case void int char")

// templateNames gives the parameters of a template, and of the templates in
// it.
func templateNames(whole grammar.Node) []string {
	var found []string
	for n := whole; n.Is("template_declaration"); n = n.Child("template_declaration") {
		for p := range n.Get("parameters").Children() {
			for c := range p.Children() {
				if c.Is("type_identifier", "identifier") {
					found = append(found, c.Text())
				}
			}
			if d := cDeclare(p.Get("declarator")); d.name.Ok() {
				found = append(found, d.name.Text())
			}
		}
	}
	return found
}

// signatureUses binds a function's parameters and tells the types that they
// and its result have.
func (r *cReader) signatureUses(n grammar.Node, d cDeclared) {
	r.types(n.Get("type"))
	r.parameters(d.function.Get("parameters"))
}

func (r *cReader) parameters(list grammar.Node) {
	for p := range list.Children() {
		if p.Is("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration") {
			r.types(p.Get("type"))
			if d := cDeclare(p.Get("declarator")); d.name.Ok() {
				v := value{typ: r.typeName(p.Get("type"))}
				if d.function.Ok() || p.Get("declarator").Is("array_declarator") {
					v = value{}
				}
				r.bind(d.name.Text(), v)
			}
			r.use(p.Get("default_value"))
		}
	}
}

// typeName is cTypeName for what is no template's parameter.
func (r *cReader) typeName(n grammar.Node) string {
	name := cTypeName(n)
	if first, _, _ := strings.Cut(name, "::"); r.local(first) {
		return ""
	}
	return name
}

// types tells the types that a type is made of.
func (r *cReader) types(n grammar.Node) {
	switch n.Kind() {
	case "":
		return
	case "type_identifier", "qualified_identifier", "template_type", "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		if n.Get("body").Ok() {
			return
		}
		if name := r.typeName(n); name != "" {
			scope, last := cutScope(name)
			r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: scope, Line: n.Line()})
		}
	}
	for c := range n.Children() {
		if !c.Is("type_identifier", "namespace_identifier", "identifier") || n.Is("type_descriptor", "template_argument_list") {
			r.types(c)
		}
	}
}

// locals reads the declaration of local variables.
func (r *cReader) locals(n grammar.Node) {
	typ := n.Get("type")
	r.types(typ)
	if typ.Get("body").Ok() {
		r.typeLike(typ, typ, r.from, "", "")
	}
	for c := range n.Children() {
		if c.Field() != "declarator" {
			continue
		}
		val := c.Get("value")
		if c.Is("init_declarator") {
			r.use(val)
		}
		d := cDeclare(c)
		if !d.name.Ok() {
			for b := range c.Children() { // auto [a, b] = f();
				if b.Is("identifier") {
					r.bind(b.Text(), value{})
				}
			}
			continue
		}
		if d.function.Ok() && !d.pointer && !r.cpp { // a declaration
			continue
		}
		v := value{typ: r.typeName(typ)}
		switch {
		case typ.Is("placeholder_type_specifier"):
			_, v, _ = r.valueOf(val)
		case val.Is("argument_list", "initializer_list") && v.typ != "":
			scope, last := cutScope(v.typ)
			r.refer(Reference{From: r.from, Relation: Calls, Name: last, Qualifier: scope, Line: c.Line()})
		}
		r.bind(d.name.Text(), v)
	}
}

// use reads the uses in a statement or expression.
func (r *cReader) use(n grammar.Node) {
	switch n.Kind() {
	case "", "comment", "string_literal", "number_literal", "char_literal", "primitive_type", "goto_statement", "break_statement",
		"preproc_def", "preproc_function_def", "preproc_include", "field_identifier", "statement_identifier":
	case "compound_statement", "for_statement", "if_statement", "while_statement", "switch_statement", "try_statement", "catch_clause":
		r.push()
		r.uses(n)
		r.pop()
	case "declaration":
		r.locals(n)
	case "for_range_loop":
		r.push()
		r.types(n.Get("type"))
		r.use(n.Get("right"))
		if d := cDeclare(n.Get("declarator")); d.name.Ok() {
			r.bind(d.name.Text(), value{typ: r.typeName(n.Get("type"))})
		}
		r.use(n.Get("body"))
		r.pop()
	case "parameter_list":
		r.parameters(n)
	case "lambda_expression":
		r.push()
		r.use(n.Get("captures"))
		r.parameters(n.Get("declarator").Get("parameters"))
		r.use(n.Get("body"))
		r.pop()
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		if n.Get("body").Ok() {
			r.typeLike(n, n, r.from, "", "")
			return
		}
		r.types(n)
	case "type_definition":
		r.typedef(n, r.from, "")
	case "alias_declaration":
		r.alias(n, n, r.from, "")
	case "function_definition":
		r.function(n, n, r.from, "")
	case "call_expression":
		r.invoke(n)
	case "new_expression":
		typ := n.Get("type")
		if name := r.typeName(typ); name != "" {
			scope, last := cutScope(name)
			r.refer(Reference{From: r.from, Relation: Calls, Name: last, Qualifier: scope, Line: typ.Line()})
		}
		r.use(n.Get("arguments"))
	case "identifier":
		if name := n.Text(); !r.local(name) {
			r.refer(Reference{From: r.from, Relation: References, Name: name, Line: n.Line()})
		}
	case "field_initializer":
		r.use(n.Child("argument_list", "initializer_list"))
	case "field_expression":
		r.use(n.Get("argument"))
	case "qualified_identifier":
		path := cPath(n)
		if len(path) > 1 && !r.local(path[0]) {
			r.refer(Reference{From: r.from, Relation: References, Name: path[len(path)-1], Qualifier: strings.Join(path[:len(path)-1], "::"), Line: n.Line()})
		}
	case "type_descriptor", "template_argument_list", "type_identifier":
		r.types(n)
	default:
		r.uses(n)
	}
}

func (r *cReader) uses(n grammar.Node) {
	for c := range n.Children() {
		r.use(c)
	}
}

// invoke reads a call.
func (r *cReader) invoke(n grammar.Node) {
	f := n.Get("function")
	switch f.Kind() {
	case "identifier":
		r.call(f, f.Text(), "", value{}, false)
	case "field_expression":
		object, name := f.Get("argument"), f.Get("field")
		text, v, local := r.valueOf(object)
		if path := cPath(name); len(path) > 0 {
			r.call(name, path[len(path)-1], text, v, local)
		}
		if !object.Is("identifier", "this") {
			r.use(object)
		}
	case "template_function":
		r.call(f, f.Get("name").Text(), "", value{}, false)
		r.use(f.Get("arguments"))
	case "qualified_identifier":
		if path := cPath(f); len(path) > 1 {
			r.call(f, path[len(path)-1], strings.Join(path[:len(path)-1], "::"), value{}, r.local(path[0]))
		} else if len(path) == 1 {
			r.call(f, path[0], "", value{}, false)
		}
		r.types(cLast(f).Get("arguments"))
	default:
		r.use(f)
	}
	r.use(n.Get("arguments"))
}

// valueOf says what the file tells of an object: how it is written, what it
// is, and whether it begins with a local name.
func (r *cReader) valueOf(n grammar.Node) (string, value, bool) {
	switch n.Kind() {
	case "identifier":
		v, _ := r.variable(n.Text())
		return n.Text(), v, r.local(n.Text())
	case "this":
		return "this", value{}, false
	case "parenthesized_expression", "pointer_expression":
		for c := range n.Children() {
			return r.valueOf(c)
		}
	case "field_expression":
		text, v, local := r.valueOf(n.Get("argument"))
		class := v.typ
		if text == "this" {
			class = r.class
		}
		if f, ok := r.fields[strings.ReplaceAll(class, "::", ".")][n.Get("field").Text()]; ok && class != "" {
			return short(n), f, local
		}
		return short(n), value{}, true
	case "call_expression":
		if f := n.Get("function"); f.Is("identifier", "qualified_identifier") && !r.local(f.Text()) {
			return short(n), value{via: strings.Join(cPath(f), "::")}, false
		}
	case "new_expression", "cast_expression":
		return short(n), value{typ: r.typeName(n.Get("type"))}, false
	}
	return short(n), value{}, true
}

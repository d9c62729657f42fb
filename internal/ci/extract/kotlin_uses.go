package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

func (r *kotlinReader) annotations(n grammar.Node) {
	for a := range n.Child("modifiers").Children() {
		if a.Is("annotation") {
			r.use(a)
		}
	}
}

// types tells the classes that a type is made of.
func (r *kotlinReader) types(n grammar.Node) {
	if n.Is("user_type") {
		name := kotlinType(n)
		scope, last := cutLast(name)
		if !r.local(firstName(name)) && !kotlinBuiltin[name] {
			r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: scope, Line: n.Line()})
		}
	}
	for c := range n.Children() {
		if !c.Is("type_identifier") {
			r.types(c)
		}
	}
}

func (r *kotlinReader) parameters(list grammar.Node) {
	for p := range list.Children() {
		if !p.Is("parameter") {
			r.use(p) // what it is by default
			continue
		}
		typ := kotlinParameterType(p)
		r.types(typ)
		r.bind(kotlinName(p.Child("simple_identifier")), value{typ: r.typeName(typ)})
	}
}

func (r *kotlinReader) typeName(n grammar.Node) string {
	name := kotlinType(n)
	if r.local(firstName(name)) {
		return ""
	}
	return name
}

// use reads the uses in a statement or expression.
func (r *kotlinReader) use(n grammar.Node) {
	switch n.Kind() {
	case "", "line_comment", "multiline_comment", "string_content", "integer_literal", "modifiers", "label", "type_modifiers":
	case "function_declaration":
		r.function(n, r.from, "")
	case "class_declaration", "object_declaration":
		r.typeLike(n, r.from, "")
	case "property_declaration":
		r.localProperty(n)
	case "object_literal":
		r.objectLiteral(n)
	case "lambda_literal", "anonymous_function", "control_structure_body", "catch_block", "for_statement", "when_entry", "when_expression":
		r.push()
		if n.Is("anonymous_function") {
			r.parameters(n.Child("function_value_parameters"))
		}
		if n.Is("lambda_literal") && !n.Has("lambda_parameters") {
			r.bind("it", value{})
		}
		r.uses(n)
		r.pop()
	case "variable_declaration":
		typ := kotlinParameterType(n)
		r.types(typ)
		r.bind(kotlinName(n.Child("simple_identifier")), value{typ: r.typeName(typ)})
	case "call_expression":
		r.invoke(n)
	case "user_type", "function_type", "nullable_type":
		r.types(n)
	case "constructor_invocation":
		r.types(n.Child("user_type"))
		r.use(n.Child("value_arguments"))
	case "navigation_expression":
		object, name := n.First(), kotlinMember(n)
		text, v, local := r.valueOf(object)
		r.refer(Reference{From: r.from, Relation: References, Name: kotlinName(name), Line: name.Line(),
			Qualifier: text, Type: v.typ, Via: v.via, Local: local && v == (value{})})
		r.use(object)
	case "simple_identifier":
		if name := kotlinName(n); !r.local(name) {
			r.refer(Reference{From: r.from, Relation: References, Name: name, Line: n.Line()})
		}
	case "value_argument":
		var last grammar.Node
		named := n.Has("=")
		for c := range n.Children() {
			last = c
		}
		if named {
			r.use(last)
			return
		}
		r.uses(n)
	default:
		r.uses(n)
	}
}

func (r *kotlinReader) uses(n grammar.Node) {
	for c := range n.Children() {
		r.use(c)
	}
}

// objectLiteral reads `object : T { … }`; its methods belong to the
// definition around it.
func (r *kotlinReader) objectLiteral(n grammar.Node) {
	for s := range n.Children() {
		if s.Is("delegation_specifier") {
			r.use(s)
		}
	}
	class := r.class
	r.class += ".{}"
	r.items(n.Child("class_body"), r.from)
	r.class = class
}

func (r *kotlinReader) localProperty(n grammar.Node) {
	val := kotlinValue(n)
	for c := range n.Children() {
		if !c.Is("variable_declaration", "multi_variable_declaration", "modifiers", "binding_pattern_kind") {
			r.use(c)
		}
	}
	if m := n.Child("multi_variable_declaration"); m.Ok() {
		r.uses(m)
		return
	}
	v := n.Child("variable_declaration")
	typ := kotlinParameterType(v)
	r.types(typ)
	known := value{typ: r.typeName(typ)}
	if !typ.Ok() {
		_, known, _ = r.valueOf(val)
	}
	r.bind(kotlinName(v.Child("simple_identifier")), known)
}

// kotlinMember is the name behind the last dot.
func kotlinMember(n grammar.Node) grammar.Node {
	return n.Child("navigation_suffix").Child("simple_identifier")
}

func (r *kotlinReader) invoke(n grammar.Node) {
	f := n.First()
	switch f.Kind() {
	case "simple_identifier":
		r.call(f, kotlinName(f), "", value{}, false)
	case "navigation_expression":
		object, name := f.First(), kotlinMember(f)
		text, v, local := r.valueOf(object)
		r.call(name, kotlinName(name), text, v, local)
		r.use(object)
	default:
		r.use(f)
	}
	for c := range n.Children() {
		if c != f {
			r.use(c)
		}
	}
}

// valueOf says what the file tells of an object: how it is written, what it
// is, and whether it begins with a local name.
func (r *kotlinReader) valueOf(n grammar.Node) (string, value, bool) {
	switch n.Kind() {
	case "simple_identifier":
		v, _ := r.variable(kotlinName(n))
		return kotlinName(n), v, r.local(kotlinName(n))
	case "this_expression":
		v, _ := r.lookup("this")
		return "this", v, false
	case "super_expression":
		return "super", value{}, false
	case "parenthesized_expression", "postfix_expression":
		for c := range n.Children() {
			return r.valueOf(c)
		}
	case "as_expression":
		return short(n), value{typ: r.typeName(lastChild(n))}, false
	case "navigation_expression":
		text, v, local := r.valueOf(n.First())
		class := v.typ
		if text == "this" && class == "" {
			class = r.class
		}
		if f, ok := r.fields[class][kotlinName(kotlinMember(n))]; ok && class != "" {
			return short(n), f, local
		}
		return short(n), value{}, local || v != (value{})
	case "call_expression":
		f := n.First()
		path := f.Text()
		if strings.ContainsAny(path, "(<[{ \n?") || len(path) > maxQualifier || r.local(firstName(path)) {
			break
		}
		if _, field := r.variable(firstName(path)); field {
			break
		}
		if _, last := cutLast(path); capital(last) {
			return short(n), value{typ: path}, false
		}
		if f.Is("simple_identifier", "navigation_expression") {
			return short(n), value{via: strings.TrimPrefix(path, "this.")}, false
		}
	}
	return short(n), value{}, true
}

// kotlinBuiltin holds the types that Kotlin gives every file.
var kotlinBuiltin = names(`Any Array Boolean BooleanArray Byte ByteArray Char CharArray CharSequence Collection Comparable
	Double DoubleArray Enum Error Exception Float FloatArray IllegalArgumentException IllegalStateException Int IntArray Iterable
	Iterator Lazy List Long LongArray Map MutableCollection MutableIterator MutableList MutableMap MutableSet Nothing Number Pair
	Result RuntimeException Sequence Set Short ShortArray String StringBuilder Throwable Triple UByte UInt ULong UShort Unit`)

package extract

import (
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

var rescueCSharp = rescue{
	regexp.MustCompile(`(?m)^[ \t]*(?:(?:public|protected|private|internal|static|sealed|abstract|partial|readonly|ref|unsafe|file)[ \t]+)*(class|interface|enum|struct|record|delegate)[ \t]+([A-Za-z_]\w*)`),
	map[string]Kind{"class": Class, "interface": Interface, "enum": Enum, "struct": Class, "record": Class, "delegate": Type},
}

func (r *csharpReader) generics(n grammar.Node) {
	for p := range n.Child("type_parameter_list").Children() {
		r.bind(p.Get("name").Text(), value{})
	}
}

// typeName is csharpType for what is no type parameter.
func (r *csharpReader) typeName(n grammar.Node) string {
	name := csharpType(n)
	if first, _, _ := strings.Cut(name, "."); r.local(first) {
		return ""
	}
	return name
}

// types tells the types that a type is made of.
func (r *csharpReader) types(n grammar.Node) {
	switch n.Kind() {
	case "":
		return
	case "identifier", "generic_name", "qualified_name":
		if name := r.typeName(n); name != "" {
			scope, last := cutLast(name)
			r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: scope, Line: n.Line()})
		}
		r.types(n.Child("type_argument_list"))
	default:
		for c := range n.Children() {
			r.types(c)
		}
	}
}

func (r *csharpReader) parameters(list grammar.Node) {
	for p := range list.Children() {
		switch {
		case p.Is("parameter"):
			r.types(p.Get("type"))
			r.bind(p.Get("name").Text(), value{typ: r.typeName(p.Get("type"))})
		case p.Is("identifier", "implicit_parameter"):
			r.bind(p.Text(), value{})
		}
	}
}

// use reads the uses in a statement or expression.
func (r *csharpReader) use(n grammar.Node) {
	switch n.Kind() {
	case "", "comment", "string_literal", "integer_literal", "predefined_type", "modifier", "implicit_type":
	case "block", "for_statement", "using_statement", "catch_clause", "switch_section", "switch_expression_arm":
		r.push()
		r.uses(n)
		r.pop()
	case "local_function_statement":
		r.method(n, r.from, "")
	case "class_declaration", "struct_declaration", "record_declaration":
		r.typeLike(n, r.from, "")
	case "variable_declaration":
		typ := n.Get("type")
		r.types(typ)
		for d := range n.Children() {
			if name := d.Get("name"); d.Is("variable_declarator") {
				r.useRest(d, name)
				v := value{typ: r.typeName(typ)}
				if typ.Is("implicit_type") || csharpSmart[typ.Text()] {
					_, v, _ = r.valueOf(lastChild(d))
				}
				r.bind(name.Text(), v)
			}
		}
	case "foreach_statement":
		r.push()
		r.types(n.Get("type"))
		r.use(n.Get("right"))
		if left := n.Get("left"); left.Is("identifier") {
			r.bind(left.Text(), value{typ: r.typeName(n.Get("type"))})
		}
		r.use(n.Get("body"))
		r.pop()
	case "declaration_pattern", "declaration_expression", "catch_declaration", "recursive_pattern":
		r.types(n.Get("type"))
		if name := n.Get("name"); name.Is("identifier") {
			r.bind(name.Text(), value{typ: r.typeName(n.Get("type"))})
		}
		for c := range n.Children() {
			if c.Field() == "" {
				r.use(c)
			}
		}
	case "lambda_expression", "anonymous_method_expression":
		r.push()
		if p := n.Get("parameters"); p.Is("parameter_list") {
			r.parameters(p)
		} else {
			r.bind(p.Text(), value{})
		}
		r.use(n.Get("body"))
		r.pop()
	case "invocation_expression":
		r.invoke(n)
	case "object_creation_expression":
		if name := r.typeName(n.Get("type")); name != "" {
			scope, last := cutLast(name)
			r.refer(Reference{From: r.from, Relation: Calls, Name: last, Qualifier: scope, Line: n.Line()})
		}
		r.types(n.Get("type").Child("type_argument_list"))
		r.use(n.Get("arguments"))
		r.use(n.Get("initializer"))
	case "attribute":
		if name := r.typeName(n.Get("name")); name != "" {
			scope, last := cutLast(name)
			r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: scope, Line: n.Line()})
		}
		r.use(n.Child("attribute_argument_list"))
	case "identifier":
		if name := n.Text(); !r.local(name) {
			r.refer(Reference{From: r.from, Relation: References, Name: name, Line: n.Line()})
		}
	case "member_access_expression":
		object, name := n.Get("expression"), n.Get("name")
		text, v, local := r.valueOf(object)
		r.refer(Reference{From: r.from, Relation: References, Name: csharpType(name), Line: name.Line(),
			Qualifier: text, Type: v.typ, Via: v.via, Local: local && v == (value{})})
		r.use(object)
	case "cast_expression", "as_expression", "is_expression", "typeof_expression":
		for c := range n.Children() {
			if c.Field() == "type" || c.Field() == "right" {
				r.types(c)
			} else {
				r.use(c)
			}
		}
	case "argument", "name_colon":
		for c := range n.Children() {
			if c.Field() != "name" {
				r.use(c)
			}
		}
	case "generic_name", "nullable_type", "array_type":
		r.types(n)
	default:
		r.uses(n)
	}
}

func (r *csharpReader) uses(n grammar.Node) {
	for c := range n.Children() {
		r.use(c)
	}
}

// useRest reads all children but the name.
func (r *csharpReader) useRest(n, name grammar.Node) {
	for c := range n.Children() {
		if c != name {
			r.use(c)
		}
	}
}

func lastChild(n grammar.Node) grammar.Node {
	var last grammar.Node
	for c := range n.Children() {
		last = c
	}
	return last
}

func (r *csharpReader) invoke(n grammar.Node) {
	f := n.Get("function")
	switch f.Kind() {
	case "identifier", "generic_name":
		r.call(f, csharpType(f), "", value{}, false)
		r.types(f.Child("type_argument_list"))
	case "member_access_expression":
		object, name := f.Get("expression"), f.Get("name")
		text, v, local := r.valueOf(object)
		r.call(name, csharpType(name), text, v, local)
		r.types(name.Child("type_argument_list"))
		r.object(object)
	case "conditional_access_expression":
		object, name := f.Get("condition"), f.Child("member_binding_expression").Get("name")
		text, v, local := r.valueOf(object)
		r.call(name, csharpType(name), text, v, local)
		r.object(object)
	default:
		r.use(f)
	}
	r.use(n.Get("arguments"))
}

// object reads what a method is called on.
func (r *csharpReader) object(n grammar.Node) {
	if n.Named() {
		r.use(n)
	}
}

// valueOf says what the file tells of an object: how it is written, what it
// is, and whether it begins with a local name.
func (r *csharpReader) valueOf(n grammar.Node) (string, value, bool) {
	switch n.Kind() {
	case "identifier":
		v, _ := r.variable(n.Text())
		return n.Text(), v, r.local(n.Text())
	case "this", "base", "this_expression", "base_expression":
		return n.Text(), value{}, false
	case "parenthesized_expression":
		for c := range n.Children() {
			return r.valueOf(c)
		}
	case "await_expression", "predefined_type":
		return short(n), value{}, true
	case "member_access_expression":
		text, v, local := r.valueOf(n.Get("expression"))
		class := v.typ
		if text == "this" {
			class = r.class
		}
		if f, ok := r.fields[class][n.Get("name").Text()]; ok && class != "" {
			return short(n), f, local
		}
		return short(n), value{}, local || v != (value{})
	case "invocation_expression":
		if f := n.Get("function"); f.Is("identifier", "member_access_expression") && !r.local(firstName(f.Text())) {
			if path := oneLine(clip(f.Text(), maxQualifier)); !strings.ContainsAny(path, "(<[ ") {
				if _, field := r.variable(firstName(path)); !field {
					return short(n), value{via: strings.TrimPrefix(path, "this.")}, false
				}
			}
		}
	case "object_creation_expression", "cast_expression", "as_expression":
		typ := n.Get("type")
		if n.Is("as_expression") {
			typ = n.Get("right")
		}
		return short(n), value{typ: r.typeName(typ)}, false
	}
	return short(n), value{}, true
}

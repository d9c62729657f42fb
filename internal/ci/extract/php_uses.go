package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// types tells the classes that a type is made of.
func (r *phpReader) types(n grammar.Node) {
	switch n.Kind() {
	case "":
	case "name", "qualified_name":
		r.classUse(n, References)
	default:
		for c := range n.Children() {
			r.types(c)
		}
	}
}

// classUse tells a use of a class.
func (r *phpReader) classUse(n grammar.Node, rel string) {
	switch n.Text() {
	case "self", "static", "parent":
		return
	}
	if n.Is("name", "qualified_name") {
		scope, last := cutNamespace(n.Text())
		r.refer(Reference{From: r.from, Relation: rel, Name: last, Qualifier: scope, Line: n.Line()})
	}
}

func (r *phpReader) parameters(list grammar.Node) {
	for p := range list.Children() {
		r.types(p.Get("type"))
		r.bind(p.Get("name").Text(), value{typ: phpType(p.Get("type"))})
		r.use(p.Get("default_value"))
		r.use(p.Get("attributes"))
	}
}

// use reads the uses in a statement or expression.
func (r *phpReader) use(n grammar.Node) {
	switch n.Kind() {
	case "", "comment", "string", "integer", "float", "variable_name", "primitive_type", "text", "text_interpolation", "php_tag", "name":
	case "function_definition":
		r.function(n, r.from, "")
	case "class_declaration":
		r.typeLike(n, r.from, "")
	case "anonymous_function_creation_expression", "arrow_function":
		r.push()
		r.parameters(n.Get("parameters"))
		r.types(n.Get("return_type"))
		r.use(n.Get("body"))
		r.pop()
	case "assignment_expression":
		left, right := n.Get("left"), n.Get("right")
		r.use(right)
		if left.Is("variable_name") {
			_, v, _ := r.valueOf(right)
			r.bind(left.Text(), v)
			return
		}
		r.use(left)
	case "catch_clause":
		r.types(n.Get("type"))
		if types := n.Get("type"); types.Ok() {
			r.bind(n.Get("name").Text(), value{typ: phpType(types.Child("named_type"))})
		}
		r.use(n.Get("body"))
	case "function_call_expression":
		f := n.Get("function")
		switch {
		case f.Is("name"):
			r.call(f, f.Text(), "", value{}, false)
		case f.Is("qualified_name"):
			scope, last := cutNamespace(f.Text())
			r.call(f, last, scope, value{}, false)
		default:
			r.use(f)
		}
		r.use(n.Get("arguments"))
	case "member_call_expression", "nullsafe_member_call_expression":
		object, name := n.Get("object"), n.Get("name")
		if name.Is("name") {
			text, v, local := r.valueOf(object)
			r.call(name, name.Text(), text, v, local)
		}
		r.use(object)
		r.use(n.Get("arguments"))
	case "scoped_call_expression":
		scope, name := n.Get("scope"), n.Get("name")
		if name.Is("name") {
			text, v, local := r.valueOf(scope)
			r.call(name, name.Text(), text, v, local)
		}
		r.classUse(scope, References)
		r.use(n.Get("arguments"))
	case "class_constant_access_expression", "scoped_property_access_expression":
		var scope, name grammar.Node
		for c := range n.Children() {
			if !scope.Ok() {
				scope = c
			} else {
				name = c
			}
		}
		if text, v, local := r.valueOf(scope); name.Text() != "class" {
			r.refer(Reference{From: r.from, Relation: References, Name: strings.TrimPrefix(name.Text(), "$"), Line: name.Line(),
				Qualifier: text, Type: v.typ, Via: v.via, Local: local && v == (value{})})
		}
		r.classUse(scope, References)
	case "object_creation_expression":
		if body := n.Child("declaration_list"); body.Ok() { // a class without a name
			class := r.class
			r.class += ".{}"
			r.items(body, r.from)
			r.class = class
			r.use(n.Child("arguments"))
			return
		}
		for c := range n.Children() {
			if c.Is("name", "qualified_name") {
				r.classUse(c, Calls)
			} else {
				r.use(c)
			}
		}
	case "attribute":
		for c := range n.Children() {
			if c.Is("name", "qualified_name") {
				r.classUse(c, References)
			} else {
				r.use(c)
			}
		}
	case "binary_expression":
		r.use(n.Get("left"))
		if right := n.Get("right"); right.Is("name", "qualified_name") { // instanceof
			r.classUse(right, References)
		} else {
			r.use(right)
		}
	case "require_expression", "require_once_expression", "include_expression", "include_once_expression":
		if path := phpPath(n.First().Next()); path != "" {
			r.bring(Import{Path: path, Line: n.Line()})
		}
	default:
		for c := range n.Children() {
			r.use(c)
		}
	}
}

// phpPath is the path of a file that is included, from the including file's
// folder: "lib/a.php" of __DIR__ . '/lib/a.php'; "" where it is computed.
func phpPath(n grammar.Node) string {
	switch n.Kind() {
	case "parenthesized_expression":
		for c := range n.Children() {
			return phpPath(c)
		}
	case "string", "encapsed_string":
		if text := n.Child("string_content"); text.Ok() && !text.Next().Named() {
			return text.Text()
		}
	case "binary_expression":
		if n.Get("left").Text() == "__DIR__" {
			if right := phpPath(n.Get("right")); right != "" {
				return "./" + strings.TrimPrefix(right, "/")
			}
		}
	}
	return ""
}

// valueOf says what the file tells of an object: how it is written, what it
// is, and whether it begins with a local name, as all of PHP's variables do.
func (r *phpReader) valueOf(n grammar.Node) (string, value, bool) {
	switch n.Kind() {
	case "variable_name":
		text := n.Text()
		v, _ := r.lookup(text)
		return text, v, text != "$this"
	case "name", "qualified_name", "relative_scope":
		return n.Text(), value{}, false
	case "parenthesized_expression":
		for c := range n.Children() {
			return r.valueOf(c)
		}
	case "member_access_expression", "nullsafe_member_access_expression":
		text, v, local := r.valueOf(n.Get("object"))
		class := v.typ
		if text == "$this" {
			class = r.class
		}
		if f, ok := r.fields[class][n.Get("name").Text()]; ok && class != "" {
			return short(n), f, local
		}
		return short(n), value{}, true
	case "object_creation_expression":
		for c := range n.Children() {
			if c.Is("name", "qualified_name") {
				return short(n), value{typ: c.Text()}, false
			}
		}
	case "function_call_expression":
		if f := n.Get("function"); f.Is("name", "qualified_name") {
			return short(n), value{via: f.Text()}, false
		}
	case "scoped_call_expression":
		if s := n.Get("scope"); s.Is("name", "qualified_name") && n.Get("name").Is("name") {
			return short(n), value{via: s.Text() + "::" + n.Get("name").Text()}, false
		}
	}
	return short(n), value{}, true
}

package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// expression reads the uses in a statement or expression.
func (r *javaReader) expression(n grammar.Node) {
	switch n.Kind() {
	case "", "line_comment", "block_comment", "string_literal", "character_literal", "decimal_integer_literal",
		"break_statement", "continue_statement", "this", "super", "modifiers":
	case "identifier":
		if name := n.Text(); !r.local(name) {
			r.use(References, n, "", value{})
		}
	case "block", "constructor_body", "for_statement", "switch_block_statement_group", "switch_rule", "try_statement", "class_body":
		r.push()
		r.children(n)
		r.pop()
	case "class_declaration", "record_declaration", "interface_declaration", "enum_declaration":
		r.learnClass(n, r.class)
		r.classLike(n, r.from, "")
	case "local_variable_declaration":
		r.localVariables(n)
	case "enhanced_for_statement":
		r.expression(n.Get("value"))
		r.push()
		r.typeUses(n.Get("type"))
		r.bind(n.Get("name").Text(), value{typ: r.typeName(n.Get("type"))})
		r.expression(n.Get("body"))
		r.pop()
	case "try_with_resources_statement":
		r.push()
		r.children(n)
		r.pop()
	case "resource":
		r.typeUses(n.Get("type"))
		r.expression(n.Get("value"))
		if name := n.Get("name"); name.Ok() {
			r.bind(name.Text(), r.declaredOr(n.Get("type"), n.Get("value")))
			return
		}
		if !n.Get("value").Ok() {
			r.children(n)
		}
	case "catch_clause":
		r.push()
		r.children(n)
		r.pop()
	case "catch_formal_parameter":
		types := n.Child("catch_type")
		r.typeUses(types)
		v := value{}
		if first := types.First(); !first.Next().Ok() {
			v.typ = r.typeName(first)
		}
		r.bind(n.Get("name").Text(), v)
	case "lambda_expression":
		r.lambda(n)
	case "instanceof_expression":
		r.expression(n.Get("left"))
		r.pattern(n.Get("right"))
		r.pattern(n.Get("pattern"))
		if name := n.Get("name"); name.Ok() {
			r.bind(name.Text(), value{typ: r.typeName(n.Get("right"))})
		}
	case "switch_expression", "switch_statement":
		r.choice(n)
	case "method_invocation":
		r.call(n)
	case "method_reference":
		r.methodReference(n)
	case "object_creation_expression":
		r.creation(n)
	case "explicit_constructor_invocation":
		if n.Get("constructor").Is("super") {
			r.use(Calls, n.Get("constructor"), "", value{})
		}
		r.expression(n.Get("arguments"))
	case "field_access":
		r.field(n)
	case "labeled_statement":
		for c := range n.Children() {
			if c != n.First() {
				r.expression(c)
			}
		}
	case "element_value_pair":
		r.expression(n.Get("value"))
	case "type_identifier", "scoped_type_identifier", "generic_type", "array_type", "type_arguments", "annotated_type",
		"class_literal", "annotation", "marker_annotation", "type_list":
		r.typeUses(n)
	default:
		r.children(n)
	}
}

func (r *javaReader) children(n grammar.Node) {
	for c := range n.Children() {
		r.expression(c)
	}
}

// localVariables reads the declaration of local variables.
func (r *javaReader) localVariables(n grammar.Node) {
	r.annotations(n)
	typ := n.Get("type")
	if typ.Text() != "var" {
		r.typeUses(typ)
	}
	for d := range n.Children() {
		if !d.Is("variable_declarator") {
			continue
		}
		r.expression(d.Get("value"))
		v := r.declaredOr(typ, d.Get("value"))
		v.typ = r.dimensioned(d, v.typ)
		r.bind(d.Get("name").Text(), v)
	}
}

// declaredOr is what a variable of that type holds; of `var`, what its value
// tells.
func (r *javaReader) declaredOr(typ, val grammar.Node) value {
	if typ.Text() == "var" {
		return r.typeOf(val)
	}
	return value{typ: r.typeName(typ)}
}

func (r *javaReader) lambda(n grammar.Node) {
	r.push()
	defer r.pop()
	params := n.Get("parameters")
	switch params.Kind() {
	case "identifier":
		r.bind(params.Text(), value{})
	case "inferred_parameters":
		for p := range params.Children() {
			r.bind(p.Text(), value{})
		}
	default:
		r.parameters(params)
	}
	r.expression(n.Get("body"))
}

// choice reads a switch, whose cases may be constants of the enum that it
// looks at.
func (r *javaReader) choice(n grammar.Node) {
	cond := n.Get("condition")
	r.expression(cond)
	v := r.typeOf(cond)
	for group := range n.Get("body").Children() {
		r.push()
		for c := range group.Children() {
			if !c.Is("switch_label") {
				r.expression(c)
				continue
			}
			for l := range c.Children() {
				switch {
				case !l.Is("identifier"):
					r.pattern(l)
				case v != (value{}):
					r.refer(Reference{From: r.from, Relation: References, Name: l.Text(), Type: v.typ, Via: v.via, Line: l.Line()})
				}
			}
		}
		r.pop()
	}
}

// pattern reads `T name`, `R(T name, var x)`, or a plain type.
func (r *javaReader) pattern(n grammar.Node) {
	switch n.Kind() {
	case "type_pattern", "record_pattern_component":
		var typ grammar.Node
		for c := range n.Children() {
			switch {
			case c.Is("identifier") && typ.Ok():
				r.bind(c.Text(), value{typ: r.typeName(typ)})
			case c.Is("record_pattern"):
				r.pattern(c)
			default:
				typ = c
				r.pattern(c)
			}
		}
	case "record_pattern", "record_pattern_body", "pattern", "guard":
		for c := range n.Children() {
			r.pattern(c)
		}
	case "identifier": // the record's name
		if !r.local(n.Text()) {
			r.typeUse(References, n)
		}
	default:
		r.expression(n)
	}
}

func (r *javaReader) field(n grammar.Node) {
	object, name := n.Get("object"), n.Get("field")
	if name.Is("identifier") && !object.Is("super") {
		v := r.typeOf(object)
		if v != (value{}) || !r.rooted(object) {
			r.refer(Reference{From: r.from, Relation: References, Name: name.Text(), Line: name.Line(), Qualifier: short(object), Type: v.typ, Via: v.via})
		}
	}
	if object.Is("identifier") {
		r.className(object)
		return
	}
	r.expression(object)
}

// annotations tells the annotations of a definition.
func (r *javaReader) annotations(n grammar.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case "modifiers":
			r.annotations(c)
		case "annotation", "marker_annotation":
			r.typeUses(c)
		}
	}
}

// typeUses reads the names in a type.
func (r *javaReader) typeUses(n grammar.Node) {
	switch n.Kind() {
	case "", "line_comment", "block_comment", "integral_type", "void_type", "boolean_type", "floating_point_type", "dimensions":
	case "type_identifier", "scoped_type_identifier":
		r.typeUse(References, n)
	case "annotation", "marker_annotation":
		r.typeUse(References, n.Get("name"))
		r.expression(n.Get("arguments"))
	default:
		for c := range n.Children() {
			r.typeUses(c)
		}
	}
}

// typeUse tells the use of a type by its name.
func (r *javaReader) typeUse(rel string, n grammar.Node) {
	text := strings.Join(strings.Fields(n.Text()), "")
	if i := strings.IndexByte(text, '<'); i >= 0 || text == "" {
		for c := range n.Children() {
			r.typeUses(c)
		}
		return
	}
	qual, name := cutLast(text)
	if qual == "" && (r.local(name) || javaLang[name] && !r.types[name]) {
		return
	}
	r.refer(Reference{From: r.from, Relation: rel, Name: name, Qualifier: qual, Line: n.Line()})
}

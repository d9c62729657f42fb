package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// scalaTargets lists the names that a pattern binds: lower-case identifiers,
// for the others are constants it compares with.
func scalaTargets(n grammar.Node) []grammar.Node {
	switch n.Kind() {
	case "identifier":
		return []grammar.Node{n}
	case "typed_pattern":
		return scalaTargets(n.Get("pattern"))
	case "capture_pattern":
		return append(scalaTargets(n.Get("name")), scalaTargets(n.Get("pattern"))...)
	case "tuple_pattern", "case_class_pattern", "alternative_pattern", "infix_pattern", "identifiers", "repeat_pattern", "given_pattern":
		var list []grammar.Node
		for c := range n.Children() {
			if c.Field() != "type" && !c.Is("type_identifier", "stable_type_identifier") && c.Field() != "operator" {
				list = append(list, scalaTargets(c)...)
			}
		}
		return list
	}
	return nil
}

func (r *scalaReader) parameters(params grammar.Node) {
	for p := range params.Children() {
		if !p.Is("parameter") {
			continue
		}
		r.typeUses(p.Get("type"))
		r.expression(p.Get("default_value"))
	}
	for p := range params.Children() {
		if p.Is("parameter") {
			r.bind(p.Get("name").Text(), value{typ: scalaType(p.Get("type"))})
		}
	}
}

func (r *scalaReader) typeParameters(n grammar.Node) {
	for p := range n.Children() {
		if p.Field() == "name" || p.Is("covariant_type_parameter", "contravariant_type_parameter") {
			name := p
			if inner := p.Get("name"); inner.Ok() {
				name = inner
			}
			r.bind(name.Text(), value{})
		}
	}
	for p := range n.Children() {
		switch p.Kind() {
		case "context_bound", "upper_bound", "lower_bound", "view_bound", "covariant_type_parameter", "contravariant_type_parameter":
			r.typeUses(p)
		}
	}
}

// bindLocals binds what a body binds anywhere: vals, patterns, enumerators
// and the parameters of function literals.
func (r *scalaReader) bindLocals(n grammar.Node) {
	switch n.Kind() {
	case "function_definition", "class_definition", "object_definition", "trait_definition", "template_body":
		return
	case "val_definition", "var_definition":
		v := value{typ: scalaType(n.Get("type"))}
		pattern := n.Get("pattern")
		if v.typ == "" && pattern.Is("identifier") {
			v = r.typeOf(n.Get("value"))
		}
		for _, t := range scalaTargets(pattern) {
			r.bind(t.Text(), v)
		}
	case "enumerator":
		if !n.Has("if") {
			for _, t := range lower(scalaTargets(n.First())) {
				r.bind(t.Text(), value{})
			}
		}
	case "case_clause":
		r.bindPattern(n.Get("pattern"))
	case "lambda_expression":
		for c := range n.Children() {
			switch {
			case c.Is("bindings"):
				for b := range c.Children() {
					r.bind(b.Get("name").Text(), value{typ: scalaType(b.Get("type"))})
				}
			case c.Is("identifier") && c.Field() != "body" && c.Next().Ok():
				r.bind(c.Text(), value{})
			}
		}
	}
	for c := range n.Children() {
		r.bindLocals(c)
	}
}

// bindPattern binds a case's names, with the type where the pattern says it.
func (r *scalaReader) bindPattern(p grammar.Node) {
	if p.Is("typed_pattern") && p.Get("pattern").Is("identifier") {
		r.bind(p.Get("pattern").Text(), value{typ: scalaType(p.Get("type"))})
		return
	}
	if p.Is("tuple_pattern", "case_class_pattern", "alternative_pattern") {
		for c := range p.Children() {
			r.bindPattern(c)
		}
		return
	}
	for _, t := range lower(scalaTargets(p)) {
		r.bind(t.Text(), value{})
	}
}

func lower(list []grammar.Node) []grammar.Node {
	var out []grammar.Node
	for _, n := range list {
		if !capital(n.Text()) {
			out = append(out, n)
		}
	}
	return out
}

// expression reads the uses in a statement or expression.
func (r *scalaReader) expression(n grammar.Node) {
	switch n.Kind() {
	case "", "comment", "block_comment", "string", "integer_literal", "floating_point_literal", "boolean_literal",
		"character_literal", "null_literal", "unit", "wildcard", "operator_identifier", "modifiers", "symbol_literal":
	case "identifier":
		r.name(n, References)
	case "type_identifier", "stable_type_identifier", "generic_type", "compound_type", "function_type", "tuple_type", "type_arguments", "annotation":
		r.typeUses(n)
	case "field_expression":
		r.field(n, References)
	case "call_expression":
		r.call(n)
	case "generic_function":
		r.expression(n.Get("function"))
		r.typeUses(n.Get("type_arguments"))
	case "instance_expression":
		r.instance(n)
	case "infix_expression":
		r.expression(n.Get("left"))
		if op := n.Get("operator"); op.Is("identifier") {
			r.use(Calls, op, short(n.Get("left")), r.typeOf(n.Get("left")))
		}
		r.expression(n.Get("right"))
	case "arguments":
		for a := range n.Children() {
			if a.Is("assignment_expression") && a.Get("left").Is("identifier") { // f(name = value)
				a = a.Get("right")
			}
			r.expression(a)
		}
	case "interpolated_string_expression":
		for c := range n.Children() {
			if c.Field() != "interpolator" || !scalaInterpolators[c.Text()] {
				r.expression(c)
			}
		}
	case "case_clause":
		r.pattern(n.Get("pattern"))
		for c := range n.Children() {
			if c.Field() != "pattern" {
				r.expression(c)
			}
		}
	case "typed_pattern", "case_class_pattern", "tuple_pattern", "capture_pattern", "alternative_pattern":
		r.pattern(n)
	case "block", "indented_block", "template_body":
		r.template(n, r.from)
	case "class_definition", "trait_definition", "object_definition", "enum_definition", "function_definition", "function_declaration",
		"import_declaration", "given_definition", "extension_definition":
		r.statement(n, r.from, nil)
	case "val_definition", "var_definition":
		r.typeUses(n.Get("type"))
		r.expression(n.Get("value"))
	case "lambda_expression":
		for c := range n.Children() {
			if c.Is("bindings") {
				for b := range c.Children() {
					r.typeUses(b.Get("type"))
				}
				continue
			}
			r.expression(c)
		}
	case "ascription_expression":
		for c := range n.Children() {
			if c == n.First() {
				r.expression(c)
			} else {
				r.typeUses(c)
			}
		}
	default:
		for c := range n.Children() {
			r.expression(c)
		}
	}
}

var scalaInterpolators = names("s f raw")

func (r *scalaReader) pattern(n grammar.Node) {
	switch n.Kind() {
	case "identifier":
		if capital(n.Text()) {
			r.name(n, References)
		}
	case "stable_identifier", "field_expression":
		if qual, last := cutLast(n.Text()); last != "" {
			r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: qual, Line: n.Line()})
		}
	case "type_identifier", "stable_type_identifier", "generic_type", "compound_type":
		r.typeUses(n)
	case "operator_identifier", "wildcard", "string", "integer_literal", "":
	default:
		for c := range n.Children() {
			r.pattern(c)
		}
	}
}

func (r *scalaReader) name(n grammar.Node, rel string) {
	name := n.Text()
	if r.local(name) || name == "this" || name == "super" || scalaPredef[name] && !r.types[name] {
		return
	}
	r.use(rel, n, "", value{})
}

func (r *scalaReader) call(n grammar.Node) {
	fn := n.Get("function")
	if fn.Is("generic_function") {
		r.typeUses(fn.Get("type_arguments"))
		fn = fn.Get("function")
	}
	switch fn.Kind() {
	case "identifier":
		r.name(fn, Calls)
	case "field_expression":
		r.field(fn, Calls)
	default:
		r.expression(fn)
	}
	for c := range n.Children() {
		if c.Field() != "function" {
			r.expression(c)
		}
	}
}

func (r *scalaReader) field(n grammar.Node, rel string) {
	object, name := n.Get("value"), n.Get("field")
	if name.Is("identifier") {
		v := r.typeOf(object)
		if rel == Calls || v.typ != "" || r.outside(object) {
			r.use(rel, name, short(object), v)
		}
	}
	if !object.Is("identifier") {
		r.expression(object)
	} else if capital(object.Text()) {
		r.name(object, References)
	}
}

// outside reports whether a chain of selections begins with a name that is
// not local.
func (r *scalaReader) outside(n grammar.Node) bool {
	for n.Is("field_expression") {
		n = n.Get("value")
	}
	return n.Is("identifier") && !r.local(n.Text())
}

// instance reads `new T(…)`, also with a body.
func (r *scalaReader) instance(n grammar.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case "type_identifier":
			if !scalaPredef[c.Text()] || r.types[c.Text()] {
				r.use(Calls, c, "", value{})
			}
		case "stable_type_identifier":
			qual, last := cutLast(c.Text())
			r.refer(Reference{From: r.from, Relation: Calls, Name: last, Qualifier: qual, Line: c.Line()})
		case "generic_type":
			r.ancestor(Calls, c)
		case "template_body":
			r.template(c, r.from)
		default:
			r.expression(c)
		}
	}
}

// typeUses reads the names in a type.
func (r *scalaReader) typeUses(n grammar.Node) {
	switch n.Kind() {
	case "", "wildcard", "comment", "block_comment", "operator_identifier":
	case "type_identifier":
		name := n.Text()
		if !r.local(name) && (!scalaPredef[name] || r.types[name]) {
			r.use(References, n, "", value{})
		}
	case "stable_type_identifier", "projected_type":
		if qual, last := cutLast(strings.Join(strings.Fields(n.Text()), "")); last != "" {
			r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: qual, Line: n.Line()})
		}
	case "arguments":
		r.expression(n)
	case "type_parameters":
		r.typeParameters(n)
	default:
		for c := range n.Children() {
			if c.Field() != "name" || c.Is("type_identifier") && n.Is("annotation") {
				r.typeUses(c)
			}
		}
	}
}

// scalaType is the class that a type means: "Foo" of Foo or Foo[A]; "" when
// it is not one class.
func scalaType(n grammar.Node) string {
	switch n.Kind() {
	case "type_identifier":
		if name := n.Text(); !scalaPredef[name] && len(name) > 1 { // F, A: type parameters by custom
			return name
		}
	case "stable_type_identifier":
		return strings.Join(strings.Fields(n.Text()), "")
	case "generic_type":
		return scalaType(n.Get("type"))
	case "annotated_type":
		return scalaType(n.First())
	}
	return ""
}

// scalaPredef holds the names that every Scala file knows.
var scalaPredef = names(`Any AnyRef AnyVal App Array ArrayBuffer BigDecimal BigInt Boolean Byte Char Class ClassCastException
	DelayedInit Double Either Error Exception Float IllegalArgumentException IllegalStateException IndexedSeq Int Integer
	Iterable IterableOnce Iterator LazyList Left List Long Map Matchable Nil None NoSuchElementException Nothing Null
	NullPointerException Numeric Object Option Ordering PartialFunction Predef Product Range Right RuntimeException Seq
	Serializable Set Short Singleton Some Stream String StringBuilder StringContext Symbol Throwable Tuple Tuple2 Unit
	UnsupportedOperationException ValueOf Vector assert assume classOf identity implicitly locally print printf println
	require summon throws true false null derived main inline override`)

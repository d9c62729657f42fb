package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// block reads the statements of a block, which may hold items too.
func (r *rustReader) block(n grammar.Node) {
	if !n.Ok() {
		return
	}
	r.push()
	r.items(n, r.from)
	r.pop()
}

func (r *rustReader) children(n grammar.Node) {
	for c := range n.Children() {
		r.expression(c)
	}
}

// shadow makes a name a local one; a later one hides an earlier one.
func (r *rustReader) shadow(name string, v value) {
	if len(r.scopes) > 0 && name != "" {
		r.scopes[len(r.scopes)-1][name] = v
	}
}

// expression reads the uses in a statement or expression.
func (r *rustReader) expression(n grammar.Node) {
	switch n.Kind() {
	case "", "line_comment", "block_comment", "string_literal", "raw_string_literal", "char_literal", "integer_literal",
		"float_literal", "boolean_literal", "self", "crate", "super", "lifetime", "label", "attribute_item", "mutable_specifier",
		"field_identifier", "shorthand_field_identifier", "metavariable":
	case "identifier":
		r.name(n, References)
	case "scoped_identifier":
		r.path(n, References)
	case "block", "unsafe_block", "async_block", "const_block", "try_block":
		if n.Is("block") {
			r.block(n)
			return
		}
		r.children(n)
	case "function_item", "struct_item", "enum_item", "trait_item", "impl_item", "mod_item", "use_declaration", "const_item",
		"static_item", "type_item", "macro_definition", "union_item", "extern_crate_declaration":
		r.item(rustItem{Node: n}, r.from)
	case "let_declaration":
		r.let(n)
	case "let_condition":
		r.expression(n.Get("value"))
		r.pattern(n.Get("pattern"), r.typeOf(n.Get("value")))
	case "if_expression", "while_expression", "let_chain", "loop_expression":
		if n.Is("let_chain") { // its names are those of the condition
			r.children(n)
			return
		}
		r.push()
		r.children(n)
		r.pop()
	case "for_expression":
		r.expression(n.Get("value"))
		r.push()
		r.pattern(n.Get("pattern"), value{})
		r.expression(n.Get("body"))
		r.pop()
	case "match_expression":
		v := r.typeOf(n.Get("value"))
		r.expression(n.Get("value"))
		for arm := range n.Get("body").Children() {
			r.push()
			p := arm.Get("pattern")
			r.pattern(p.First(), v)
			r.expression(p.Get("condition"))
			r.expression(arm.Get("value"))
			r.pop()
		}
	case "closure_expression":
		r.push()
		for p := range n.Get("parameters").Children() {
			if p.Is("parameter") {
				r.typeUses(p.Get("type"))
				r.pattern(p.Get("pattern"), value{typ: r.typeName(p.Get("type"))})
			} else {
				r.pattern(p, value{})
			}
		}
		r.typeUses(n.Get("return_type"))
		r.expression(n.Get("body"))
		r.pop()
	case "call_expression":
		r.call(n)
	case "generic_function":
		r.typeUses(n.Get("type_arguments"))
		r.expression(n.Get("function"))
	case "field_expression":
		r.field(n, References)
	case "struct_expression":
		r.typeUses(n.Get("name"))
		r.expression(n.Get("body"))
	case "field_initializer":
		r.expression(n.Get("value"))
	case "shorthand_field_initializer":
		r.expression(n.Child("identifier"))
	case "macro_invocation":
		r.macroCall(n)
	case "type_cast_expression":
		r.expression(n.Get("value"))
		r.typeUses(n.Get("type"))
	case "type_arguments", "type_identifier", "scoped_type_identifier", "generic_type":
		r.typeUses(n)
	default:
		r.children(n)
	}
}

func (r *rustReader) let(n grammar.Node) {
	typ, val := n.Get("type"), n.Get("value")
	r.typeUses(typ)
	r.expression(val)
	v := value{typ: r.typeName(typ)}
	if !typ.Ok() || strings.Contains(typ.Text(), "_") && v.typ == "" {
		v = r.typeOf(val)
	}
	r.expression(n.Get("alternative"))
	r.pattern(n.Get("pattern"), v)
}

// name tells a bare name, unless it is local or known everywhere.
func (r *rustReader) name(n grammar.Node, rel string) {
	name := rustName(n)
	if r.local(name) || rustPrelude[name] && !r.types[name] {
		return
	}
	r.refer(Reference{From: r.from, Relation: rel, Name: name, Line: n.Line()})
}

// path tells a::b::c.
func (r *rustReader) path(n grammar.Node, rel string) {
	r.tellPath(rustPath(n), n.Line(), rel)
	for p := n.Get("path"); p.Ok(); p = p.Get("path") {
		r.typeUses(p.Get("type_arguments"))
	}
}

func (r *rustReader) tellPath(path []string, line int, rel string) {
	last := len(path) - 1
	if last < 0 {
		return
	}
	ref := Reference{From: r.from, Relation: rel, Name: path[last], Line: line, Qualifier: strings.Join(path[:last], "::")}
	if last == 1 {
		switch v, local := r.lookup(path[0]); {
		case path[0] == "Self":
			ref.Type = r.class
			if r.class == "" {
				return
			}
		case local: // a type parameter
			if ref.Type = v.typ; v.typ == "" {
				return
			}
		}
	} else if last > 1 && path[0] == "Self" {
		return
	}
	r.refer(ref)
}

func (r *rustReader) call(n grammar.Node) {
	fn := n.Get("function")
	if fn.Is("generic_function") {
		r.typeUses(fn.Get("type_arguments"))
		fn = fn.Get("function")
	}
	switch fn.Kind() {
	case "identifier":
		r.name(fn, Calls)
	case "scoped_identifier":
		r.path(fn, Calls)
	case "field_expression":
		r.field(fn, Calls)
	default:
		r.expression(fn)
	}
	r.expression(n.Get("arguments"))
}

// field reads x.f, and x.f() when rel says so.
func (r *rustReader) field(n grammar.Node, rel string) {
	object, name := n.Get("value"), n.Get("field")
	if name.Is("field_identifier") {
		v := r.typeOf(object)
		local := v == (value{}) && r.rooted(object)
		if rel == Calls || v != (value{}) {
			r.refer(Reference{From: r.from, Relation: rel, Name: rustName(name), Line: name.Line(),
				Qualifier: short(object), Type: v.typ, Via: v.via, Local: local})
		}
	}
	r.expression(object)
}

// rooted reports whether an expression begins with a local name, or with
// something that has none.
func (r *rustReader) rooted(n grammar.Node) bool {
	for {
		switch n.Kind() {
		case "identifier":
			return r.local(n.Text())
		case "field_expression":
			n = n.Get("value")
		case "call_expression":
			n = n.Get("function")
		case "try_expression", "await_expression", "parenthesized_expression":
			n = n.First()
			if !n.Named() {
				n = n.Next()
			}
		case "scoped_identifier":
			return false
		default:
			return true
		}
	}
}

// pattern binds the names of a pattern that looks at v, and tells what it
// compares with.
func (r *rustReader) pattern(p grammar.Node, v value) {
	switch p.Kind() {
	case "":
	case "identifier":
		if name := rustName(p); capital(name) {
			r.name(p, References)
		} else {
			r.shadow(name, v)
		}
	case "mut_pattern", "ref_pattern", "reference_pattern":
		for c := range p.Children() {
			r.pattern(c, v)
		}
	case "captured_pattern":
		first := p.First()
		r.shadow(rustName(first), v)
		for c := range p.Children() {
			if c != first {
				r.pattern(c, v)
			}
		}
	case "tuple_struct_pattern":
		r.variantPattern(p, v)
	case "struct_pattern":
		typ := p.Get("type")
		r.typeUses(typ)
		fields := r.fields[r.pathType(rustPath(typ))]
		for f := range p.Children() {
			if !f.Is("field_pattern") {
				continue
			}
			name := rustName(f.Get("name"))
			if inner := f.Get("pattern"); inner.Ok() {
				r.pattern(inner, fields[name])
			} else {
				r.shadow(name, fields[name])
			}
		}
	case "scoped_identifier":
		r.path(p, References)
	case "or_pattern":
		for c := range p.Children() {
			r.pattern(c, v)
		}
	case "tuple_pattern", "slice_pattern", "match_pattern", "remaining_field_pattern":
		for c := range p.Children() {
			r.pattern(c, value{})
		}
	default:
		r.expression(p)
	}
}

// variantPattern reads Some(x) and E::B(x, y).
func (r *rustReader) variantPattern(p grammar.Node, v value) {
	typ := p.Get("type")
	path := rustPath(typ)
	inner := func(int) value { return value{} }
	switch name := strings.Join(path, "::"); {
	case name == "Some" || name == "Ok":
		inner = func(int) value { return unwrapped(v) }
	default:
		fields := r.fields[r.pathType(path)]
		inner = func(i int) value { return fields[digits(i)] }
		if typ.Is("identifier") {
			r.name(typ, References)
		} else {
			r.path(typ, References)
		}
	}
	at := 0
	for c := range p.Children() {
		if c == typ {
			continue
		}
		r.pattern(c, inner(at))
		at++
	}
}

// pathType is a path as a type of this file, Self being the one around.
func (r *rustReader) pathType(path []string) string {
	if len(path) > 0 && path[0] == "Self" {
		path = append([]string{r.class}, path[1:]...)
	}
	if n := len(path); n > 2 {
		path = path[n-2:]
	}
	return strings.Join(path, "::")
}

// typeUses reads the names in a type.
func (r *rustReader) typeUses(n grammar.Node) {
	switch n.Kind() {
	case "", "line_comment", "block_comment", "primitive_type", "lifetime", "self", "metavariable":
	case "identifier", "type_identifier":
		name := rustName(n)
		if name != "Self" {
			r.name(n, References)
		} else if r.class != "" && n.Is("type_identifier") {
			return
		}
	case "scoped_type_identifier", "scoped_identifier":
		r.path(n, References)
	case "type_binding":
		r.typeUses(n.Get("type"))
	case "block":
		r.expression(n)
	case "array_type":
		r.typeUses(n.Get("element"))
		r.expression(n.Get("length"))
	default:
		for c := range n.Children() {
			r.typeUses(c)
		}
	}
}

// boundUses tells the traits that an item's type parameters are bound to.
func (r *rustReader) boundUses(n grammar.Node) {
	for p := range n.Get("type_parameters").Children() {
		r.typeUses(p.Get("bounds"))
		r.typeUses(p.Get("default_type"))
	}
	for p := range n.Child("where_clause").Children() {
		if left := p.Get("left"); !left.Is("type_identifier") || !r.local(left.Text()) {
			r.typeUses(left)
		}
		r.typeUses(p.Get("bounds"))
	}
}

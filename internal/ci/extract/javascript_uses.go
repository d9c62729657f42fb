package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// scriptTargets lists the names that a pattern binds.
func scriptTargets(n grammar.Node) []grammar.Node {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		return []grammar.Node{n}
	case "pair_pattern":
		return scriptTargets(n.Get("value"))
	case "assignment_pattern", "object_assignment_pattern":
		return scriptTargets(n.Get("left"))
	case "object_pattern", "array_pattern", "rest_pattern":
		var list []grammar.Node
		for c := range n.Children() {
			list = append(list, scriptTargets(c)...)
		}
		return list
	}
	return nil
}

// patternUses reads the defaults inside a pattern.
func (r *scriptReader) patternUses(n grammar.Node) {
	switch n.Kind() {
	case "assignment_pattern", "object_assignment_pattern":
		r.patternUses(n.Get("left"))
		r.expression(n.Get("right"))
	case "object_pattern", "array_pattern", "rest_pattern", "pair_pattern":
		for c := range n.Children() {
			r.patternUses(c)
		}
	}
}

// parameters binds a function's parameters and reads their types and
// defaults.
func (r *scriptReader) parameters(params grammar.Node) {
	for p := range params.Children() {
		pattern, v := p, value{}
		if p.Is("required_parameter", "optional_parameter") {
			pattern = p.Get("pattern")
			v.typ = scriptType(p.Get("type"))
			r.typeUses(p.Get("type"))
			r.expression(p.Get("value"))
			for d := range p.Children() {
				if d.Is("decorator") {
					r.expression(d)
				}
			}
		}
		r.patternUses(pattern)
		plain := pattern.Is("identifier")
		for _, t := range scriptTargets(pattern) {
			if plain {
				r.bind(t.Text(), v)
			} else {
				r.bind(t.Text(), value{})
			}
		}
	}
}

func (r *scriptReader) typeParameters(n grammar.Node) {
	for p := range n.Children() {
		r.bind(p.Get("name").Text(), value{})
	}
	for p := range n.Children() {
		r.typeUses(p.Get("constraint"))
		r.typeUses(p.Get("value"))
	}
}

// bindDeclared binds the variables that a function declares anywhere in its
// body, apart from those that hold a function: they are definitions.
func (r *scriptReader) bindDeclared(n grammar.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case "function_declaration", "generator_function_declaration", "class_declaration", "arrow_function",
			"function_expression", "generator_function", "function", "class", "method_definition":
			continue
		case "variable_declarator":
			name, val := c.Get("name"), c.Get("value")
			if name.Is("identifier") {
				if !wrappedFunction(val).Ok() && requirePath(val) == "" {
					v := value{typ: scriptType(c.Get("type"))}
					if v.typ == "" {
						v = r.typeOf(val)
					}
					r.bind(name.Text(), v)
				}
			} else if requirePath(val) == "" {
				for _, t := range scriptTargets(name) {
					r.bind(t.Text(), r.destructured(t, val))
				}
			}
		case "for_in_statement":
			for _, t := range scriptTargets(c.Get("left")) {
				r.bind(t.Text(), value{})
			}
		case "catch_clause":
			for _, t := range scriptTargets(c.Get("parameter")) {
				r.bind(t.Text(), value{})
			}
		}
		r.bindDeclared(c)
	}
}

// expression reads the uses in a statement or expression.
func (r *scriptReader) expression(n grammar.Node) {
	switch n.Kind() {
	case "", "comment", "string", "number", "regex", "jsx_text", "property_identifier", "statement_identifier", "this", "super",
		"private_property_identifier", "accessibility_modifier", "import", "undefined", "null", "true", "false":
	case "identifier", "shorthand_property_identifier":
		r.name(n, References)
	case "type_identifier":
		r.name(n, References)
	case "member_expression":
		r.memberExpression(n, References)
	case "call_expression":
		if path := requirePath(n); path != "" {
			r.bring(Import{Path: path, Line: n.Line()})
			return
		}
		r.callee(n)
		r.typeUses(n.Get("type_arguments"))
		r.expression(n.Get("arguments"))
	case "new_expression":
		r.created(n)
		r.typeUses(n.Get("type_arguments"))
		r.expression(n.Get("arguments"))
	case "arrow_function", "method_definition":
		r.functionInside(n)
	case "function_expression", "generator_function", "function":
		if n.Get("name").Ok() {
			r.function(n, r.from, "", false, "")
			return
		}
		r.functionInside(n)
	case "class":
		r.anonymousClass(n)
	case "function_declaration", "generator_function_declaration", "class_declaration", "lexical_declaration",
		"variable_declaration", "interface_declaration", "type_alias_declaration", "enum_declaration", "export_statement", "import_statement":
		r.statement(n, n, r.from, nil, false)
	case "statement_block":
		r.block(n, r.from, false)
	case "pair":
		if n.Get("key").Is("computed_property_name") {
			r.expression(n.Get("key"))
		}
		r.expression(n.Get("value"))
	case "jsx_opening_element", "jsx_self_closing_element":
		r.component(n)
	case "jsx_closing_element", "jsx_namespace_name":
	case "type_annotation", "type_arguments", "type_parameters":
		r.typeUses(n)
	default:
		for c := range n.Children() {
			r.expression(c)
		}
	}
}

func (r *scriptReader) anonymousClass(n grammar.Node) {
	if name := n.Get("name").Text(); name != "" {
		r.classDeclaration(n, r.from, "", false, name)
		return
	}
	r.push()
	defer r.pop()
	r.heritage(n.Child("class_heritage"))
	for m := range n.Get("body").Children() {
		r.expression(m)
	}
}

func (r *scriptReader) name(n grammar.Node, rel string) {
	name := n.Text()
	if v, local := r.lookup(name); local {
		if owner, of := strings.CutSuffix(v.via, "."+name); of && rel == Calls { // const { name } = owner
			r.use(rel, n, "", value{via: owner})
		}
		return
	}
	if scriptGlobals[name] && !r.types[name] {
		return
	}
	r.use(rel, n, "", value{})
}

func (r *scriptReader) callee(call grammar.Node) {
	fn := call.Get("function")
	for fn.Is("parenthesized_expression", "non_null_expression", "instantiation_expression") {
		fn = fn.First()
		if !fn.Named() {
			fn = fn.Next()
		}
	}
	switch fn.Kind() {
	case "identifier":
		r.name(fn, Calls)
	case "member_expression":
		r.memberExpression(fn, Calls)
	case "super":
		r.use(Calls, fn, "", value{})
	default:
		r.expression(fn)
	}
}

func (r *scriptReader) created(n grammar.Node) {
	switch c := n.Get("constructor"); c.Kind() {
	case "identifier":
		r.name(c, Calls)
	case "member_expression":
		r.memberExpression(c, Calls)
	default:
		r.expression(c)
	}
}

func (r *scriptReader) memberExpression(n grammar.Node, rel string) {
	object, property := n.Get("object"), n.Get("property")
	if object.Is("identifier") && scriptGlobals[object.Text()] && !r.local(object.Text()) {
		return
	}
	v, qualifier := r.typeOf(object), short(object)
	if v.via == qualifier { // says nothing more
		v = value{}
	}
	if rel == Calls || v.typ != "" || r.outside(object) {
		r.use(rel, property, qualifier, v)
	}
	if !object.Is("identifier") {
		r.expression(object)
	}
}

// outside reports whether a chain of members begins with a name that is not
// local.
func (r *scriptReader) outside(n grammar.Node) bool {
	for n.Is("member_expression") {
		n = n.Get("object")
	}
	return n.Is("identifier") && !r.local(n.Text())
}

// component tells of the component that a JSX element uses, and reads its
// attributes.
func (r *scriptReader) component(n grammar.Node) {
	name := n.Get("name")
	switch {
	case name.Is("identifier") && capital(name.Text()):
		r.name(name, References)
	case name.Is("member_expression", "nested_identifier"):
		object, property := name.Get("object"), name.Get("property")
		if property.Ok() {
			r.use(References, property, short(object), value{})
		} else if qual, last := cutLast(name.Text()); last != "" {
			r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: qual, Line: name.Line()})
		}
	}
	for a := range n.Children() {
		if a != name {
			r.expression(a)
		}
	}
}

// scriptGlobals holds names that the language or its usual hosts give every
// file, and types of the standard declarations.
var scriptGlobals = names(strings.Join([]string{
	`Array ArrayBuffer AsyncIterable AsyncIterator Atomics Awaited BigInt BigInt64Array Boolean Buffer DataView Date Error
	EvalError Exclude Extract Float32Array Float64Array Function Generator Infinity Int16Array Int32Array Int8Array Intl
	InstanceType Iterable Iterator IterableIterator JSON Map Math NaN NonNullable Number Object Omit Parameters Partial Pick
	Promise PromiseLike Proxy RangeError Readonly ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp
	Required ReturnType Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array
	WeakMap WeakRef WeakSet`,
	`arguments clearInterval clearTimeout console decodeURI decodeURIComponent document encodeURI encodeURIComponent eval
	exports global globalThis isFinite isNaN module navigator parseFloat parseInt process queueMicrotask require setImmediate
	setInterval setTimeout structuredClone undefined window any unknown never __dirname __filename`,
}, " "))

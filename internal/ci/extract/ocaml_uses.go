package extract

import "github.com/marola-dev/marola-routing/internal/ci/extract/grammar"

// ocamlPredeclared holds the values and types that every file knows.
var ocamlPredeclared = names(`abs array at_exit bool bytes char close_in close_out compare decr exit exn failwith
	float float_of_int flush fst ignore incr input_line int int32 int64 int_of_float int_of_string invalid_arg
	lazy_t list max min nativeint not open_in open_out option output_string prerr_endline prerr_string
	print_char print_endline print_int print_newline print_string raise raise_notrace read_line ref
	result snd sqrt string string_of_bool string_of_float string_of_int succ pred truncate unit
	Some None Ok Error Not_found Failure Invalid_argument Exit End_of_file Assert_failure`)

func (r *ocamlReader) children(n grammar.Node) {
	for c := range n.Children() {
		r.expression(c)
	}
}

// valueUse tells a use of a value, constructor or type by its path.
func (r *ocamlReader) valueUse(rel string, n grammar.Node) {
	var last, path grammar.Node
	for c := range n.Children() {
		if c.Is("module_path", "extended_module_path") {
			path = c
		} else {
			last = c
		}
	}
	if !path.Ok() && (ocamlPredeclared[last.Text()] || r.local(last.Text())) {
		return
	}
	if last.Is("parenthesized_operator") {
		return
	}
	r.use(rel, last, ocamlPath(path), value{})
}

// called tells the call of what a function position holds.
func (r *ocamlReader) called(n grammar.Node) {
	if n.Is("value_path") {
		r.valueUse(Calls, n)
		return
	}
	r.expression(n)
}

func (r *ocamlReader) expression(n grammar.Node) {
	switch n.Kind() {
	case "value_path", "constructor_path", "type_constructor_path":
		r.valueUse(References, n)
	case "application_expression":
		r.called(n.Get("function"))
		for c := range n.Children() {
			if c.Field() != "function" {
				r.expression(c)
			}
		}
	case "infix_expression":
		r.infix(n)
	case "method_invocation":
		object, name := n.First(), n.Child("method_name")
		r.use(Calls, name, short(object), r.objectType(object))
		r.expression(object)
	case "new_expression":
		before, last := cutLast(ocamlPath(n.Child("class_path")))
		r.refer(Reference{From: r.from, Relation: Calls, Name: last, Qualifier: before, Line: n.Line()})
	case "let_expression", "let_open_expression":
		r.push()
		r.children(n)
		r.pop()
	case "value_definition":
		r.localValues(n)
	case "open_module":
		r.opened(n, false)
	case "fun_expression":
		r.push()
		for c := range n.Children() {
			if c.Is("parameter") {
				r.parameter(c)
			} else {
				r.expression(c)
			}
		}
		r.pop()
	case "match_case":
		r.push()
		pattern := n.Get("pattern")
		r.pattern(pattern)
		for c := range n.Children() {
			if c != pattern {
				r.expression(c)
			}
		}
		r.pop()
	case "for_expression":
		r.push()
		r.bind(n.Get("name").Text(), value{})
		r.children(n)
		r.pop()
	case "structure", "signature": // of a module inside an expression
		r.inside(r.from, func() { r.members(n) })
	case "object_expression":
		r.push()
		parent := r.parent
		r.parent = r.from
		r.classBody(n)
		r.parent = parent
		r.pop()
	case "comment", "string", "quoted_string", "attribute", "item_attribute", "floating_attribute":
	default:
		r.children(n)
	}
}

func (r *ocamlReader) objectType(n grammar.Node) value {
	v, _ := r.lookup(n.Text())
	return v
}

// infix reads an operation: `x |> f` and `f @@ x` call f.
func (r *ocamlReader) infix(n grammar.Node) {
	left, right := n.Get("left"), n.Get("right")
	switch n.Get("operator").Text() {
	case "|>", ">>=", ">|=":
		r.expression(left)
		r.called(right)
	case "@@":
		r.called(left)
		r.expression(right)
	default:
		r.expression(left)
		r.expression(right)
	}
}

// localValues binds what a let inside an expression binds.
func (r *ocamlReader) localValues(n grammar.Node) {
	for b := range n.Children() {
		if b.Is("let_binding") {
			r.pattern(b.Get("pattern"))
			r.binding(b)
		}
	}
}

// pattern binds the names of a pattern and tells the constructors in it.
func (r *ocamlReader) pattern(n grammar.Node) {
	switch n.Kind() {
	case "value_name", "value_pattern":
		r.bind(n.Text(), value{})
	case "constructor_path", "type_constructor_path":
		r.valueUse(References, n)
	case "field_path":
	default:
		for c := range n.Children() {
			r.pattern(c)
		}
	}
}

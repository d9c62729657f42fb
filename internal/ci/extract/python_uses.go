package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// parameters binds a function's parameters and, if asked, reads their
// annotations and defaults. It returns the first one's name, the object of
// a method.
func (r *pythonReader) parameters(params grammar.Node, method, uses bool) (self string) {
	first := true
	for p := range params.Children() {
		name := p
		v := value{}
		switch p.Kind() {
		case "comment", "keyword_separator", "positional_separator":
			continue
		case "typed_parameter":
			name = p.First()
			v.typ = pythonType(p.Get("type"))
		case "typed_default_parameter", "default_parameter":
			name = p.Get("name")
			v.typ = pythonType(p.Get("type"))
		}
		if name.Is("list_splat_pattern", "dictionary_splat_pattern") {
			name, v = name.Child("identifier"), value{}
		}
		if uses {
			r.annotation(p.Get("type"))
			if d := p.Get("value"); d.Ok() {
				r.expression(d)
			}
		}
		if first && method && name.Is("identifier") {
			self = name.Text()
			v.typ = r.class
		}
		first = false
		for _, t := range pythonTargets(name) {
			r.bind(t.Text(), v)
		}
	}
	return self
}

// bindTargets binds every name that a body sets anywhere: Python's local
// names are local to the whole function. At module level, assigned names are
// definitions, so that only the names of loops, with and except are bound.
func (r *pythonReader) bindTargets(n grammar.Node, module bool) {
	for c := range n.Children() {
		switch c.Kind() {
		case "function_definition", "class_definition", "decorated_definition", "lambda",
			"import_statement", "import_from_statement", "global_statement", "nonlocal_statement":
			continue // definitions and imports stay names that can be found
		case "assignment":
			if !module || r.nested(c) {
				v := value{typ: pythonType(c.Get("type"))}
				targets := pythonTargets(c.Get("left"))
				if v.typ == "" && c.Get("left").Is("identifier") {
					v = r.typeOf(c.Get("right"))
				}
				for _, t := range targets {
					if !r.global(t) {
						r.bind(t.Text(), v)
					}
				}
			}
		case "named_expression":
			r.bind(c.Get("name").Text(), r.typeOf(c.Get("value")))
		case "for_statement", "for_in_clause":
			for _, t := range pythonTargets(c.Get("left")) {
				r.bind(t.Text(), value{})
			}
		case "as_pattern":
			v := value{}
			for e := range c.Children() {
				if e.Field() != "alias" {
					v = r.typeOf(e)
				}
				break
			}
			if c.Parent().Is("except_clause") {
				v = value{}
			}
			for t := range c.Get("alias").Children() {
				for _, id := range pythonTargets(t) {
					r.bind(id.Text(), v)
				}
			}
		case "case_pattern":
			for t := range c.Children() {
				if t.Is("dotted_name") && !strings.Contains(t.Text(), ".") {
					r.bind(t.Text(), value{})
				}
			}
		}
		r.bindTargets(c, module)
	}
}

// global reports whether the function around n says `global name`.
func (r *pythonReader) global(n grammar.Node) bool {
	fn := n
	for fn.Ok() && !fn.Is("function_definition", "module") {
		fn = fn.Parent()
	}
	if fn != r.globalsOf {
		r.globalsOf, r.globals = fn, make(map[string]bool)
		for s := range fn.Get("body").Children() {
			if s.Is("global_statement", "nonlocal_statement") {
				for id := range s.Children() {
					r.globals[id.Text()] = true
				}
			}
		}
	}
	return r.globals[n.Text()]
}

// expression reads the uses in a statement or expression.
func (r *pythonReader) expression(n grammar.Node) {
	switch n.Kind() {
	case "", "comment", "string_start", "string_content", "string_end", "integer", "float", "none", "true", "false",
		"global_statement", "nonlocal_statement", "pass_statement", "break_statement", "continue_statement", "escape_sequence":
	case "identifier":
		r.name(n, References)
	case "attribute":
		r.attribute(n, References)
	case "call":
		r.call(n)
	case "keyword_argument":
		r.expression(n.Get("value"))
	case "lambda":
		r.push()
		r.parameters(n.Get("parameters"), false, true)
		r.expression(n.Get("body"))
		r.pop()
	case "assignment":
		r.annotation(n.Get("type"))
		r.expression(n.Get("left"))
		r.expression(n.Get("right"))
	case "type":
		r.annotation(n)
	case "function_definition", "class_definition", "decorated_definition",
		"import_statement", "import_from_statement", "future_import_statement":
		r.statement(n, r.from, nil)
	case "block":
		r.block(n, r.from)
	case "if_statement", "try_statement", "with_statement", "for_statement", "while_statement":
		r.compound(n, r.from)
	default:
		for c := range n.Children() {
			r.expression(c)
		}
	}
}

func (r *pythonReader) name(n grammar.Node, rel string) {
	name := n.Text()
	if r.local(name) || name == "_" || name == "__name__" || pythonBuiltins[name] && !r.types[name] && r.results[name] == "" {
		return
	}
	r.use(rel, n, "", value{})
}

func (r *pythonReader) call(n grammar.Node) {
	fn := n.Get("function")
	switch fn.Kind() {
	case "identifier":
		r.name(fn, Calls)
	case "attribute":
		r.attribute(fn, Calls)
	default:
		r.expression(fn)
	}
	r.expression(n.Get("arguments"))
}

func (r *pythonReader) attribute(n grammar.Node, rel string) {
	object := n.Get("object")
	v := r.typeOf(object)
	outside := object.Is("identifier") && !r.local(object.Text()) || object.Is("attribute") && r.outside(object)
	if rel == Calls || outside || v.typ != "" {
		r.use(rel, n.Get("attribute"), short(object), v)
	}
	if !object.Is("identifier") {
		r.expression(object)
	}
}

// outside reports whether an attribute chain begins with a name that is not
// local: pkg.mod.
func (r *pythonReader) outside(n grammar.Node) bool {
	for n.Is("attribute") {
		n = n.Get("object")
	}
	return n.Is("identifier") && !r.local(n.Text())
}

// typeOf says what this file tells about an expression's type.
func (r *pythonReader) typeOf(n grammar.Node) value {
	switch n.Kind() {
	case "identifier":
		v, _ := r.lookup(n.Text())
		return v
	case "parenthesized_expression", "await":
		for c := range n.Children() {
			return r.typeOf(c)
		}
	case "as_pattern":
		for c := range n.Children() {
			return r.typeOf(c)
		}
	case "attribute":
		if v := r.typeOf(n.Get("object")); v.typ != "" {
			return r.fields[v.typ][n.Get("attribute").Text()]
		}
	case "call":
		return r.resultOf(n.Get("function"))
	}
	return value{}
}

func (r *pythonReader) resultOf(fn grammar.Node) value {
	switch fn.Kind() {
	case "identifier":
		name := fn.Text()
		switch {
		case name == "super" && !r.local(name):
			return value{typ: r.bases[r.class]}
		case name == "cls" && r.inMethod == "cls":
			return value{typ: r.class}
		case r.local(name):
			return value{}
		case r.types[name]:
			return value{typ: name}
		case pythonBuiltins[name]:
			return value{}
		}
		if res, ok := r.results[name]; ok {
			return value{typ: res}
		}
		if capital(name) {
			return value{typ: name}
		}
		return value{via: name}
	case "attribute":
		name := fn.Get("attribute").Text()
		object := fn.Get("object")
		if v := r.typeOf(object); v.typ != "" {
			if res, ok := r.results[v.typ+"."+name]; ok {
				return value{typ: res}
			}
			return value{via: short(fn)}
		}
		if object.Is("identifier") && r.types[object.Text()] {
			if res, ok := r.results[object.Text()+"."+name]; ok {
				return value{typ: res}
			}
		}
		if capital(name) && !shouting(name) && r.outside(fn) {
			return value{typ: short(fn)}
		}
		return value{via: short(fn)}
	}
	return value{}
}

// annotation reads the types that an annotation names, in quotes or not.
func (r *pythonReader) annotation(n grammar.Node) {
	switch n.Kind() {
	case "":
	case "string":
		for name := range strings.FieldsFuncSeq(pythonString(n), func(c rune) bool {
			return c != '_' && c != '.' && !(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z') && c < 0x80
		}) {
			qual, last := cutLast(name)
			if last != "" && !(qual == "" && pythonBuiltins[last]) {
				r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: qual, Line: n.Line()})
			}
		}
	case "identifier":
		r.name(n, References)
	case "attribute":
		r.attribute(n, References)
	case "member_type": // typing.Any, as some versions of the grammar see it
		r.expression(n)
	default:
		for c := range n.Children() {
			r.annotation(c)
		}
	}
}

// pythonType is the class that an annotation means: "Foo" of Foo, "Foo",
// Optional[Foo], Foo | None; "" when it is not one class.
func pythonType(n grammar.Node) string {
	if !n.Ok() {
		return ""
	}
	t := strings.TrimSpace(n.Text())
	t = strings.Trim(t, `"'`)
	for {
		inner, ok := strings.CutSuffix(t, "]")
		if !ok {
			break
		}
		head, arg, _ := strings.Cut(inner, "[")
		_, last := cutLast(head)
		switch last {
		case "Optional", "Final", "ClassVar", "Annotated", "Type", "type", "Awaitable":
			if last == "Annotated" {
				arg, _, _ = strings.Cut(arg, ",")
			}
			t = strings.Trim(strings.TrimSpace(arg), `"'`)
			continue
		}
		t = head
		break
	}
	var parts []string
	for p := range strings.SplitSeq(t, "|") {
		if p = strings.TrimSpace(p); p != "None" {
			parts = append(parts, p)
		}
	}
	if len(parts) != 1 || pythonBuiltins[parts[0]] || parts[0] == "Any" {
		return ""
	}
	for _, c := range parts[0] {
		if c != '_' && c != '.' && !(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z') && c < 0x80 {
			return ""
		}
	}
	return parts[0]
}

// pythonBuiltins holds the names that Python gives every module.
var pythonBuiltins = names(`ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
	BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
	ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup False
	FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
	IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
	ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
	PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError
	RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError
	True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
	UserWarning ValueError Warning ZeroDivisionError __build_class__ __debug__ __doc__ __file__ __import__ __loader__
	__package__ __spec__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile
	complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr
	globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min
	next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str
	sum super tuple type vars zip`)

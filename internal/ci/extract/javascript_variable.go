package extract

import (
	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// declarator reads one `name = value` of const, let or var.
func (r *scriptReader) declarator(d, declaration grammar.Node, parent int, doc string, exported bool) {
	name, val := d.Get("name"), d.Get("value")
	if r.requires(name, val, d.Line()) {
		return
	}
	fn := wrappedFunction(val)
	if r.inFunction(parent) && !(fn.Ok() && name.Is("identifier")) {
		r.typeUses(d.Get("type"))
		r.patternUses(name)
		r.expression(val)
		return
	}
	if !name.Is("identifier") {
		first := -1
		for _, id := range scriptTargets(name) {
			if r.nested(d) {
				r.bind(id.Text(), value{})
				continue
			}
			i := r.define(parent, Definition{
				Name:      id.Text(),
				Kind:      Variable,
				Line:      id.Line(),
				EndLine:   d.EndLine(),
				Signature: signature(clip(d.Text(), 2*maxSignature)),
				Doc:       doc,
				Exported:  r.exported(id.Text(), parent, exported),
			})
			if first < 0 {
				first = i
			}
		}
		r.within(max(first, r.from), func() { r.expression(val) })
		return
	}
	if !fn.Ok() && r.nested(d) { // a loop's or block's own variable
		r.bind(name.Text(), r.typeOf(val))
		r.expression(val)
		return
	}
	def := Definition{
		Name:     name.Text(),
		Kind:     Variable,
		Line:     name.Line(),
		EndLine:  d.EndLine(),
		Doc:      doc,
		Exported: r.exported(name.Text(), parent, exported),
	}
	keyword := declaration.First().Text()
	sig := d.Text()
	switch {
	case fn.Ok():
		def.Kind = Function
		def.Result = scriptType(fn.Get("return_type"))
		sig = r.head(d, fn)
	case val.Is("class"):
		r.classDeclaration(val, parent, doc, exported, name.Text())
		return
	case val.Is("object"):
		def.Kind = Constant
		sig = d.Tree().Slice(d.Start(), val.Start()) + "{…}"
	case keyword == "const":
		def.Kind = Constant
	}
	def.Signature = signature(keyword + " " + clip(sig, 2*maxSignature))
	i := r.define(parent, def)
	r.within(i, func() {
		r.typeUses(d.Get("type"))
		r.valueOf(val, i)
	})
}

// nested reports whether a module's variable stands in a loop or block,
// where it is a step and no definition.
func (r *scriptReader) nested(n grammar.Node) bool {
	for p := n.Parent(); p.Ok(); p = p.Parent() {
		switch p.Kind() {
		case "for_statement", "for_in_statement", "while_statement", "do_statement", "if_statement", "try_statement", "switch_statement":
			return true
		case "function_declaration", "class_body", "internal_module", "module", "program":
			return false
		}
	}
	return false
}

// wrappers names calls that give back the function they are given.
var wrappers = names(`memo forwardRef observer debounce throttle memoize useCallback once cache`)

// wrappedFunction is the function that a value is, in a call of a wrapper or
// not.
func wrappedFunction(val grammar.Node) grammar.Node {
	switch val.Kind() {
	case "arrow_function", "function_expression", "generator_function", "function":
		return val
	case "parenthesized_expression", "as_expression", "satisfies_expression":
		return wrappedFunction(val.First())
	case "call_expression":
		_, last := cutLast(val.Get("function").Text())
		if wrappers[last] {
			for a := range val.Get("arguments").Children() {
				return wrappedFunction(a)
			}
		}
	}
	return grammar.Node{}
}

// valueOf reads what is assigned to definition i: a function's inside, an
// object's members, or an expression.
func (r *scriptReader) valueOf(val grammar.Node, i int) {
	switch {
	case val.Is("arrow_function", "function_expression", "generator_function", "function"):
		r.functionInside(val)
	case val.Is("object"):
		r.objectMembers(val, i)
	case val.Is("as_expression", "satisfies_expression", "parenthesized_expression"):
		r.valueOf(val.First(), i)
		for c := val.First().Next(); c.Ok(); c = c.Next() {
			r.typeUses(c)
		}
	case val.Is("call_expression") && objectArgument(val).Ok() && !r.inFunction(i):
		r.callee(val)
		for a := range val.Get("arguments").Children() {
			r.valueOf(a, i)
		}
	case wrappedFunction(val).Ok():
		r.callee(val)
		for a := range val.Get("arguments").Children() {
			r.valueOf(a, i)
		}
	default:
		r.expression(val)
	}
}

func objectArgument(call grammar.Node) grammar.Node { return call.Get("arguments").Child("object") }

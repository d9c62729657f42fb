package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// cTestMacros define a test, of a suite when they have two arguments.
var cTestMacros = names("TEST TEST_F TEST_P TYPED_TEST TYPED_TEST_P BOOST_AUTO_TEST_CASE BOOST_FIXTURE_TEST_CASE START_TEST")

// cTestCases define a test that a string names.
var cTestCases = names("TEST_CASE SCENARIO TEST_CASE_METHOD TEMPLATE_TEST_CASE")

// viaMacro reads `NAME(a) { … }` and `NAME(a, b) { … }`, which a macro makes
// a function of: it has the last argument's name, and belongs to the first.
func (r *cReader) viaMacro(n grammar.Node, parent int, doc string) bool {
	typ, declarator := n.Get("type"), n.Get("declarator")
	var macro grammar.Node
	var args []string
	switch {
	case typ.Is("macro_type_specifier") && declarator.Text() == "":
		macro = typ.Get("name")
		for c := range typ.Children() {
			for t := c; t.Ok() && t != macro; t = t.First() {
				if t.Is("type_identifier") {
					args = append(args, t.Text())
				}
			}
		}
	case typ.Is("type_identifier") && declarator.Is("parenthesized_declarator"):
		macro = typ
		for c := range declarator.Children() {
			if c.Is("identifier") {
				args = append(args, c.Text())
			}
		}
	case !typ.Ok() && declarator.Get("declarator").Is("identifier"):
		macro = declarator.Get("declarator")
		for p := range declarator.Get("parameters").Children() {
			if t := p.Get("type"); t.Is("type_identifier") && !p.Get("declarator").Ok() {
				args = append(args, t.Text())
			}
		}
	}
	if len(args) == 0 || !shouting(macro.Text()) {
		return false
	}
	end := declarator.End()
	if macro.Parent() == typ {
		end = typ.End()
	}
	def := Definition{Name: args[0], Kind: Function, Line: macro.Line(), EndLine: n.EndLine(), Doc: doc,
		Signature: signature(headText(n, end)), Exported: r.visible(n, parent), Test: cTestMacros[macro.Text()]}
	if len(args) > 1 {
		def.Name = args[1]
		parent, def.Container = r.owner(parent, args[:1])
	}
	i := r.define(parent, def)
	r.later(i, n, func() { r.use(n.Get("body")) })
	return true
}

// testCase reads `TEST_CASE("what it does") { … }`, a call and a block to the
// grammar.
func (r *cReader) testCase(n grammar.Node, parent int, doc string) {
	call, body := n.Child("call_expression"), n.Next()
	if !cTestCases[call.Get("function").Text()] || !body.Is("compound_statement") {
		return
	}
	for a := range call.Get("arguments").Children() {
		if !a.Is("string_literal") {
			continue
		}
		i := r.define(parent, Definition{Name: oneLine(strings.Trim(a.Text(), `"`)), Kind: Function, Line: call.Line(), EndLine: body.EndLine(),
			Signature: signature(call.Text()), Doc: doc, Test: true})
		r.later(i, n, func() { r.use(body) })
		return
	}
}

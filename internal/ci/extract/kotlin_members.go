package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

var kotlinTests = names("Test ParameterizedTest RepeatedTest TestFactory")

func (r *kotlinReader) function(n grammar.Node, parent int, doc string) {
	name, body := n.Child("simple_identifier"), n.Child("function_body", "statements")
	d := Definition{Name: kotlinName(name), Kind: Function, Line: name.Line(), EndLine: n.EndLine(), Doc: doc, Exported: r.exported(n, parent)}
	if n.Is("secondary_constructor") {
		d.Name, d.Line = "constructor", n.Line()
	}
	if d.Name == "" {
		return
	}
	if parent >= 0 && !r.callable(parent) {
		d.Kind = Method
	}
	end := headEnd(n, body)
	if call := n.Child("constructor_delegation_call"); call.Ok() {
		end = call.Start()
	}
	d.Signature = signature(strings.TrimRight(kotlinHeadText(n, end), " :"))
	d.Entry = d.Name == "main" && parent < 0
	for a := range n.Child("modifiers").Children() {
		if typ := a.Child("user_type", "constructor_invocation"); a.Is("annotation") && typ.Ok() {
			if typ.Is("constructor_invocation") {
				typ = typ.Child("user_type")
			}
			if _, last := cutLast(kotlinType(typ)); kotlinTests[last] {
				d.Test = true
			}
		}
	}
	var receiver, result grammar.Node
	list := n.Child("function_value_parameters")
	for c := range n.Children() {
		if c.Is("user_type", "nullable_type", "parenthesized_type") {
			if c.Start() < list.Start() {
				receiver = c
			} else {
				result = c
			}
		}
	}
	d.Result = kotlinType(result)
	i := r.define(parent, d)
	outer := len(r.generic)
	r.generic = append(r.generic, kotlinGenerics(n)...)
	r.later(i, func() {
		if typ := kotlinType(receiver); typ != "" && !r.local(typ) {
			r.bind("this", value{typ: typ})
		}
		r.annotations(n)
		r.types(receiver)
		r.parameters(list)
		r.types(result)
		r.use(n.Child("constructor_delegation_call"))
		r.use(body)
	})
	r.generic = r.generic[:outer]
}

func (r *kotlinReader) callable(i int) bool {
	k := r.file.Definitions[i].Kind
	return k == Function || k == Method
}

func (r *kotlinReader) property(n grammar.Node, parent int, doc string) {
	kind := Variable
	switch {
	case kotlinModifier(n, "const"):
		kind = Constant
	case parent >= 0:
		kind = Field
	}
	vars := []grammar.Node{n.Child("variable_declaration")}
	if m := n.Child("multi_variable_declaration"); m.Ok() {
		vars = vars[:0]
		for v := range m.Children() {
			vars = append(vars, v)
		}
	}
	end := n.End()
	if c := n.Child("getter", "setter", "property_delegate"); c.Ok() {
		end = c.Start()
	}
	val := kotlinValue(n)
	if val.Ok() && (val.End()-val.Start() > maxSignature || val.Is("object_literal", "lambda_literal", "when_expression", "if_expression")) {
		end = val.Start()
	}
	for _, v := range vars {
		name := v.Child("simple_identifier")
		if !name.Ok() {
			continue
		}
		typ := kotlinParameterType(v)
		known := value{typ: kotlinType(typ)}
		if !typ.Ok() && val.Is("call_expression") {
			if callee := val.First(); callee.Is("simple_identifier") && capital(callee.Text()) {
				known.typ = callee.Text()
			}
		}
		r.setField(r.class, kotlinName(name), known)
		i := r.define(parent, Definition{Name: kotlinName(name), Kind: kind, Line: name.Line(), EndLine: n.EndLine(), Doc: doc,
			Signature: signature(kotlinHeadText(n, end)), Exported: r.exported(n, parent), Result: known.typ})
		r.later(i, func() {
			r.annotations(n)
			r.types(typ)
			for c := range n.Children() {
				if !c.Is("modifiers", "variable_declaration", "multi_variable_declaration", "binding_pattern_kind", "user_type") {
					r.use(c)
				}
			}
		})
	}
}

// kotlinValue is what a property is set to.
func kotlinValue(n grammar.Node) grammar.Node {
	eq := n.Child("=")
	if !eq.Ok() {
		return grammar.Node{}
	}
	return eq.Next()
}

// kotlinParameterType is the type behind a name's colon.
func kotlinParameterType(p grammar.Node) grammar.Node {
	return p.Child("user_type", "nullable_type", "function_type", "parenthesized_type")
}

// kotlinType is the class that a type means, as written without arguments;
// "" of what is none.
func kotlinType(n grammar.Node) string {
	switch n.Kind() {
	case "user_type":
		var parts []string
		for c := range n.Children() {
			if c.Is("type_identifier") {
				parts = append(parts, c.Text())
			}
		}
		return strings.Join(parts, ".")
	case "nullable_type", "parenthesized_type":
		for c := range n.Children() {
			return kotlinType(c)
		}
	}
	return ""
}

package extract

import "github.com/marola-dev/marola-routing/internal/ci/extract/grammar"

// attribute reads `@name value`, or a use of @name.
func (r *elixirReader) attribute(n grammar.Node, comments []grammar.Node) {
	operand := n.Get("operand")
	if operand.Is("identifier") {
		if name := operand.Text(); !elixirSettings[name] {
			r.use(References, operand, "", value{})
		}
		return
	}
	target, first := operand.Get("target"), elixirFirst(operand)
	name := target.Text()
	switch name {
	case "doc", "typedoc", "shortdoc":
		r.doc = elixirText(first)
	case "moduledoc":
		if r.parent >= 0 {
			if text := elixirText(first); text != "" {
				r.file.Definitions[r.parent].Doc = text
			}
		}
	case "spec":
		head, _, _ := elixirSigned(first)
		r.spec = elixirSpec{head, signature(clip(first.Text(), 4*maxSignature))}
	case "type", "typep", "opaque":
		r.declared(n, first, Type, name != "typep", comments)
	case "callback", "macrocallback":
		r.declared(n, first, Method, true, comments)
	case "behaviour", "behavior":
		if first.Is("alias") {
			r.moduleUse(Implements, first)
		}
	default:
		if r.parent >= 0 && !r.inside && !elixirSettings[name] && target.Is("identifier") && first.Ok() {
			r.constant(n, target, comments)
		}
		r.expression(first, nil)
	}
}

// elixirText is the first sentence of a string.
func elixirText(n grammar.Node) string {
	if !n.Is("string", "sigil") {
		return ""
	}
	return firstSentence(n.Child("quoted_content").Text())
}

// elixirSigned takes `name(args) :: result when …` apart.
func elixirSigned(n grammar.Node) (name string, head, right grammar.Node) {
	if n.Is("binary_operator") && n.Get("operator").Is("when") {
		n = n.Get("left")
	}
	if !n.Is("binary_operator") || !n.Get("operator").Is("::") {
		return "", grammar.Node{}, grammar.Node{}
	}
	head = n.Get("left")
	name, _ = elixirHead(head)
	return name, head, n.Get("right")
}

// declared defines a type or a callback.
func (r *elixirReader) declared(n, first grammar.Node, kind Kind, exported bool, comments []grammar.Node) {
	name, head, right := elixirSigned(first)
	if name == "" {
		return
	}
	d := Definition{
		Name:      name,
		Kind:      kind,
		Line:      head.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(clip(n.Text(), 4*maxSignature)),
		Doc:       r.above(n, comments),
		Exported:  exported,
	}
	i := r.define(r.parent, d)
	r.within(i, func() { r.expression(right, nil) })
}

func (r *elixirReader) constant(n, name grammar.Node, comments []grammar.Node) {
	if _, ok := r.find(r.parent, name.Text()); ok {
		return
	}
	doc := r.doc
	r.doc = "" // it is that of the next function
	d := Definition{
		Name:      name.Text(),
		Kind:      Constant,
		Line:      n.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(clip(n.Text(), 2*maxSignature)),
		Doc:       r.above(n, comments),
	}
	r.doc = doc
	r.define(r.parent, d)
}

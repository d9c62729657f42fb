package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

func (r *scriptReader) interfaceDeclaration(n grammar.Node, parent int, doc string, exported bool) {
	name, body := n.Get("name"), n.Get("body")
	i := r.define(parent, Definition{
		Name:      name.Text(),
		Kind:      Interface,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Tree().Slice(n.Start(), body.Start())),
		Doc:       doc,
		Exported:  r.exported(name.Text(), parent, exported),
	})
	r.within(i, func() {
		r.push()
		r.typeParameters(n.Get("type_parameters"))
		for e := range n.Child("extends_type_clause", "extends_clause").Children() {
			r.ancestor(Inherits, e)
		}
		r.typeMembers(body, i)
		r.pop()
	})
}

// typeMembers defines the members of an interface or object type.
func (r *scriptReader) typeMembers(body grammar.Node, owner int) {
	var comments []grammar.Node
	for m := range body.Children() {
		switch m.Kind() {
		case "comment":
			comments = append(comments, m)
			continue
		case "method_signature":
			r.method(m, owner, scriptDoc(m, comments))
		case "property_signature":
			if name := propertyName(m.Get("name")); name != "" {
				i := r.define(owner, Definition{
					Name:      name,
					Kind:      Field,
					Line:      m.Get("name").Line(),
					EndLine:   m.EndLine(),
					Signature: signature(clip(m.Text(), 2*maxSignature)),
					Doc:       scriptDoc(m, comments),
					Exported:  r.exported(name, owner, true),
				})
				r.within(i, func() { r.typeUses(m.Get("type")) })
			}
		default:
			r.typeUses(m)
		}
		comments = nil
	}
}

func (r *scriptReader) typeAlias(n grammar.Node, parent int, doc string, exported bool) {
	name, val := n.Get("name"), n.Get("value")
	sig := n.Text()
	if val.Is("object_type") {
		sig = n.Tree().Slice(n.Start(), val.Start()) + "{…}"
	}
	i := r.define(parent, Definition{
		Name:      name.Text(),
		Kind:      Type,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(clip(strings.TrimSuffix(sig, ";"), 2*maxSignature)),
		Doc:       doc,
		Exported:  r.exported(name.Text(), parent, exported),
	})
	r.within(i, func() {
		r.push()
		r.typeParameters(n.Get("type_parameters"))
		if val.Is("object_type") {
			r.typeMembers(val, i)
		} else {
			r.typeUses(val)
		}
		r.pop()
	})
}

func (r *scriptReader) enumDeclaration(n grammar.Node, parent int, doc string, exported bool) {
	name := n.Get("name")
	i := r.define(parent, Definition{
		Name:      name.Text(),
		Kind:      Enum,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(span(n, name)),
		Doc:       doc,
		Exported:  r.exported(name.Text(), parent, exported),
	})
	var comments []grammar.Node
	for m := range n.Get("body").Children() {
		if m.Is("comment") {
			comments = append(comments, m)
			continue
		}
		key := m
		if m.Is("enum_assignment") {
			key = m.Get("name")
			r.within(i, func() { r.expression(m.Get("value")) })
		}
		if k := propertyName(key); k != "" {
			r.define(i, Definition{
				Name: k, Kind: EnumCase, Line: key.Line(), EndLine: m.EndLine(),
				Signature: signature(clip(m.Text(), 2*maxSignature)), Doc: scriptDoc(m, comments),
				Exported: r.exported(k, i, true),
			})
		}
		comments = nil
	}
}

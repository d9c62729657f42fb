package extract

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

func (r *pythonReader) function(n grammar.Node, parent int, comments, decorators []grammar.Node) {
	nameNode := n.Get("name")
	name := nameNode.Text()
	if name == "" {
		return
	}
	decor := decoratorNames(decorators)
	end := n.Get("return_type")
	if !end.Ok() {
		end = n.Get("parameters")
	}
	doc := firstSentence(pythonDocstring(n.Get("body")))
	if doc == "" {
		at := n
		if len(decorators) > 0 {
			at = decorators[0]
		}
		doc = firstSentence(commentsAbove(at, comments))
	}
	inClass := parent >= 0 && !r.callable(parent)
	d := Definition{
		Name:      name,
		Kind:      Function,
		Line:      nameNode.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(span(n, end)),
		Doc:       doc,
		Exported:  r.exported(name, parent),
		Result:    r.results[name],
	}
	if inClass {
		d.Kind = Method
		d.Result = r.results[r.class+"."+name]
		if slices.ContainsFunc(decor, func(s string) bool { return s == "property" || strings.HasSuffix(s, "cached_property") }) {
			d.Kind = Field
		}
	}
	if parent < 0 || inClass {
		d.Test = strings.HasPrefix(name, "test_") || inClass && strings.HasPrefix(name, "test")
	}
	overload := slices.Contains(decor, "overload")
	accessor := slices.ContainsFunc(decor, func(s string) bool { return s == "setter" || s == "deleter" || s == "getter" })
	if accessor { // @size.setter names the property itself
		decorators = nil
	}
	i := r.again(parent, name, d, overload, accessor)
	r.within(i, func() { r.functionInside(n, i, inClass && !slices.Contains(decor, "staticmethod"), decorators) })
}

// again defines d, or joins it with the definition of the same name that it
// completes: an overload's implementation, a property's setter.
func (r *pythonReader) again(parent int, name string, d Definition, overload, accessor bool) int {
	old, ok := r.find(parent, name)
	switch {
	case ok && accessor:
		return old
	case ok && r.stubs[old]:
		if !overload {
			delete(r.stubs, old)
			r.replace(old, d)
		}
		return old
	}
	i := r.define(parent, d)
	if overload {
		r.stubs[i] = true
	}
	return i
}

func (r *pythonReader) functionInside(n grammar.Node, i int, method bool, decorators []grammar.Node) {
	outer := r.inMethod
	defer func() { r.inMethod = outer }()
	r.decoratorUses(decorators)
	r.annotation(n.Get("return_type"))
	r.push()
	defer r.pop()
	self := r.parameters(n.Get("parameters"), method, true)
	if method {
		r.inMethod = self
	}
	body := n.Get("body")
	r.bindTargets(body, false)
	if method && self != "" {
		r.selfFields(body, self)
	}
	r.block(body, i)
}

// selfFields defines what a method first stores in its object.
func (r *pythonReader) selfFields(body grammar.Node, self string) {
	owner := r.file.Definitions[r.from].Parent
	r.eachAssignment(body, func(a grammar.Node) {
		left := a.Get("left")
		if !left.Is("attribute") || left.Get("object").Text() != self {
			return
		}
		name := left.Get("attribute")
		if _, ok := r.find(owner, name.Text()); ok {
			return
		}
		sig := left.Text()
		if t := a.Get("type"); t.Ok() {
			sig += ": " + t.Text()
		}
		if v := a.Get("right"); v.Ok() {
			sig += " = " + clip(v.Text(), maxSignature)
		}
		r.define(owner, Definition{
			Name:      name.Text(),
			Kind:      Field,
			Line:      name.Line(),
			EndLine:   a.EndLine(),
			Signature: signature(sig),
			Exported:  r.exported(name.Text(), owner),
		})
	})
}

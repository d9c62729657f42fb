package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// objectMembers defines the members of an object literal that a constant of a
// module is, or an export, or the argument of the call that gives it: its
// functions, wherever in it they stand, and the keys of the literal itself.
// The keys of what is nested in it are words: such literals repeat them in
// every entry.
func (r *scriptReader) objectMembers(object grammar.Node, owner int) {
	class := r.class
	if r.class = r.file.Definitions[owner].Qualified(); r.whole >= 0 {
		r.class = "" // it is the component, whatever part of it the literal is
	}
	defer func() { r.class = class }()
	var comments []grammar.Node
	keys := r.keyed(object, owner)
	for p := range object.Children() {
		switch p.Kind() {
		case "comment":
			comments = append(comments, p)
			continue
		case "pair", "method_definition":
			r.member(p, owner, r.file.Definitions[owner].Exported, keys, comments)
		default:
			r.expression(p)
		}
		comments = nil
	}
}

// maxKeys is how many keys a literal may have that are definitions. One with
// more is a table.
const maxKeys = 100

// keyed reports whether the plain keys of a literal are definitions.
func (r *scriptReader) keyed(object grammar.Node, owner int) bool {
	d := r.file.Definitions[owner]
	if r.inFunction(owner) || d.Parent >= 0 && d.Kind == Field && r.file.Definitions[d.Parent].Kind != Component {
		return false
	}
	n := 0
	for range object.Children() {
		n++
	}
	return n <= maxKeys
}

// keyName reports whether a key can be asked for by its name.
func keyName(name string) bool {
	return name != "" && len(name) <= 80 && !strings.ContainsAny(name, " \t/")
}

func (r *scriptReader) member(p grammar.Node, owner int, exported, keys bool, comments []grammar.Node) {
	if p.Is("method_definition") {
		name := propertyName(p.Get("name"))
		if name == "" {
			r.functionInside(p)
			return
		}
		r.defineMember(p, p, p.Get("name"), name, owner, exported, comments)
		return
	}
	key, val := p.Get("key"), p.Get("value")
	name := propertyName(key)
	fn := wrappedFunction(val)
	switch {
	case name != "" && fn.Ok():
		r.defineMember(p, fn, key, name, owner, exported, comments)
	case name != "" && val.Is("object") && owner >= 0 && (keys && keyName(name) || hasFunctions(val)):
		i := r.define(owner, Definition{
			Name: name, Kind: Field, Line: key.Line(), EndLine: p.EndLine(),
			Signature: signature(name + ": {…}"), Doc: scriptDoc(p, comments), Exported: exported,
		})
		r.within(i, func() { r.objectMembers(val, i) })
	case keys && owner >= 0 && keyName(name):
		i := r.define(owner, Definition{
			Name: name, Kind: Field, Line: key.Line(), EndLine: p.EndLine(),
			Signature: signature(clip(p.Text(), maxSignature)), Doc: scriptDoc(p, comments), Exported: exported,
		})
		r.within(i, func() { r.expression(val) })
	default:
		r.expression(key)
		r.expression(val)
	}
}

func hasFunctions(object grammar.Node) bool {
	for p := range object.Children() {
		if p.Is("method_definition") || wrappedFunction(p.Get("value")).Ok() {
			return true
		}
	}
	return false
}

func (r *scriptReader) defineMember(p, fn, key grammar.Node, name string, owner int, exported bool, comments []grammar.Node) {
	d := Definition{
		Name:      name,
		Kind:      Method,
		Line:      key.Line(),
		EndLine:   p.EndLine(),
		Signature: signature(r.head(p, fn)),
		Doc:       scriptDoc(p, comments),
		Exported:  exported,
		Result:    scriptType(fn.Get("return_type")),
	}
	if owner < 0 {
		d.Kind = Function
	}
	i := r.define(owner, d)
	r.within(i, func() {
		if fn == p {
			r.functionInside(p)
			return
		}
		r.valueOf(p.Get("value"), i)
	})
}

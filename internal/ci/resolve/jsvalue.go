package resolve

import (
	"cmp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// resolve finds what a name of TypeScript or JavaScript means.
func (s *jsFamily) resolve(u int, r *extract.Reference) found {
	from := Ref{u, r.From}
	var m, owner jsMeaning
	if r.Qualifier == "" && r.Type == "" && r.Via == "" {
		m = s.scoped(u, from, r.Name, maxSteps)
	} else {
		owner = s.owner(u, from, r)
		m = s.attribute(owner, r.Name, maxSteps)
		if m.kind == jsDef && owner.confidence == Inferred {
			m.proof = owner.proof
		}
	}
	if m.kind == jsModule && r.Relation == extract.Calls { // const run = require("./run")
		m = s.export(m.unit, "default", maxSteps)
	}
	if m.kind == jsDef {
		if r.Relation == extract.Calls {
			m.ref = s.valued(m.ref)
		}
		return one(m.ref, m.proof)
	}
	if m.kind == jsUnknown && r.Relation == extract.References && r.Qualifier == "" {
		if c, ok := s.components[componentKey{s.w.units[u].Repo, s.w.file(u).Lang, r.Name}]; ok && c.Unit >= 0 {
			return one(c, likely("component-name", 0.7))
		}
	}
	return found{settled: owner.kind != jsUnknown}
}

// owner is what stands before the dot of a reference.
func (s *jsFamily) owner(u int, from Ref, r *extract.Reference) jsMeaning {
	switch {
	case r.Qualifier == "super":
	case r.Type != "":
		m := s.typed(u, from, r.Type, maxSteps)
		m.kind = max(m.kind, jsForeign) // a type, though none of ours
		return m
	case r.Local && !s.w.isParameter(from, cmp.Or(r.Via, r.Qualifier)):
		return jsMeaning{} // of a variable of the function
	case r.Via != "":
		m := s.name(u, from, r.Via, maxSteps)
		if m.kind == jsInstance && strings.Contains(r.Via, "(") {
			m.proof = likely("result-type", 0.9)
		}
		return m
	}
	return s.name(u, from, r.Qualifier, maxSteps)
}

// scoped is what a bare name means inside a definition.
func (s *jsFamily) scoped(u int, from Ref, name string, steps int) jsMeaning {
	if name == "super" {
		if m := s.super(from); m.kind == jsSuper {
			return s.parentClass(m)
		}
		return jsMeaning{}
	}
	for r := range s.w.enclosing(from) {
		d := s.w.def(r)
		if isType(d.Kind) {
			continue
		}
		if d.Kind == extract.Component {
			if m := s.ofTemplate(r, name); r == from && m.kind == jsDef {
				return m
			}
			continue
		}
		if d.Kind != extract.Variable && d.Kind != extract.Constant && !strings.HasSuffix(d.Signature, "{…}") { // an object's members need their object
			if inner := s.w.members(r, name); len(inner) > 0 {
				return jsMeaning{kind: jsDef, ref: inner[0], proof: certain("same-file")}
			}
		}
		if typ, ok := annotation(d.Signature, name); ok && isCallable(d.Kind) {
			return s.typed(u, Ref{u, s.w.parent(r)}, typ, steps-1)
		}
	}
	return s.global(u, name, steps-1)
}

func (s *jsFamily) super(from Ref) jsMeaning {
	if class, ok := s.this(from); ok {
		return jsMeaning{kind: jsSuper, ref: class, proof: certain("receiver-type")}
	}
	return jsMeaning{}
}

// parentClass is the class that the class of super extends.
func (s *jsFamily) parentClass(m jsMeaning) jsMeaning {
	for _, up := range s.heritage.of(m.ref) {
		if k := s.w.def(up).Kind; k != extract.Interface && k != extract.Type {
			return jsMeaning{kind: jsDef, ref: up, proof: m.proof}
		}
	}
	return jsMeaning{}
}

// this is the class or object whose member a definition is or stands in.
func (s *jsFamily) this(from Ref) (Ref, bool) {
	for r := range s.w.enclosing(from) {
		if isType(s.w.def(r).Kind) {
			return r, true
		}
		p := Ref{r.Unit, s.w.parent(r)}
		if p.Def < 0 {
			break
		}
		switch s.w.def(p).Kind {
		case extract.Variable, extract.Constant, extract.Component:
			return p, true
		}
	}
	return Ref{}, false
}

// typed is a value of the type that an annotation names.
func (s *jsFamily) typed(u int, from Ref, typ string, steps int) jsMeaning {
	typ = jsTypeName(typ)
	if typ == "" {
		return jsMeaning{}
	}
	m, _ := s.named(u, from, typ, steps-1)
	if m.kind == jsInstance && typ == "this" {
		return m
	}
	if m.kind != jsDef {
		return jsMeaning{}
	}
	if m.ref = s.typeNamed(m.ref); !isType(s.w.def(m.ref).Kind) {
		return jsMeaning{}
	}
	if d := s.w.def(m.ref); d.Kind == extract.Type { // type A = B
		if _, to, ok := strings.Cut(d.Signature, " = "); ok {
			at := Ref{m.ref.Unit, s.w.parent(m.ref)}
			if t := s.typed(m.ref.Unit, at, strings.TrimSuffix(to, ";"), steps-1); t.kind == jsInstance {
				return t
			}
		}
	}
	m.kind = jsInstance
	return m
}

// jsTypeName takes null, undefined and type arguments off a type; it is ""
// when what remains is no single name.
func jsTypeName(typ string) string {
	single := ""
	for part := range strings.SplitSeq(strings.TrimSpace(typ), "|") {
		part = strings.TrimSpace(part)
		if part == "null" || part == "undefined" || part == "" {
			continue
		}
		if single != "" {
			return ""
		}
		single = part
	}
	for _, wrapper := range []string{"Promise<", "Readonly<", "Partial<", "Required<"} {
		if inner, ok := strings.CutPrefix(single, wrapper); ok {
			single = strings.TrimSuffix(inner, ">")
		}
	}
	single = strings.TrimPrefix(single, "readonly ")
	if i := strings.IndexByte(single, '<'); i > 0 && strings.HasSuffix(single, ">") {
		single = single[:i]
	}
	return single
}

// name is what a chain of names, calls and indices gives inside a
// definition.
func (s *jsFamily) name(u int, from Ref, text string, steps int) jsMeaning {
	m, last := s.named(u, from, text, steps)
	return s.applied(m, last, steps-1)
}

// named is what the last name of a chain stands for, and how it is used.
func (s *jsFamily) named(u int, from Ref, text string, steps int) (jsMeaning, step) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "await "), "new ")
	links, ok := chain(text)
	if !ok || steps <= 0 {
		return jsMeaning{}, step{}
	}
	m := s.root(u, from, links[0], steps-1)
	if m.kind == jsUnknown && jsBuiltin[links[0].name] {
		return jsMeaning{kind: jsForeign}, step{}
	}
	for i, l := range links[1:] {
		of := s.applied(m, links[i], steps-1)
		m = s.attribute(of, l.name, steps-1)
		if l.call && !l.index && of.kind == jsInstance && m.kind == jsDef && s.resultType(m.ref) == "this" {
			m, links[i+1] = of, step{name: l.name} // the same value again
		}
	}
	return m, links[len(links)-1]
}

func (s *jsFamily) root(u int, from Ref, l step, steps int) jsMeaning {
	switch {
	case l.name == "this" && !l.call && !l.index:
		if class, ok := s.this(from); ok {
			return jsMeaning{kind: jsInstance, ref: class, proof: certain("receiver-type")}
		}
		return jsMeaning{}
	case l.name == "super":
		return s.super(from)
	}
	return s.scoped(u, from, l.name, steps)
}

// attribute is what a name means behind a dot.
func (s *jsFamily) attribute(of jsMeaning, name string, steps int) jsMeaning {
	if steps <= 0 {
		return jsMeaning{}
	}
	switch of.kind {
	case jsForeign:
		return of
	case jsModule:
		m := s.export(of.unit, name, steps-1)
		if m.kind == jsUnknown && name != "default" {
			if whole := s.export(of.unit, "default", steps-1); whole.kind == jsDef {
				return s.attribute(whole, name, steps-1)
			}
		}
		if m.kind == jsDef && m.confidence == Extracted {
			m.proof = of.proof
		}
		return m
	case jsDef, jsInstance, jsSuper:
		if own := s.heritage.member(of.ref, name, of.kind == jsSuper); len(own) > 0 {
			return jsMeaning{kind: jsDef, ref: own[0], proof: certain("receiver-type")}
		}
		if s.w.def(of.ref).Kind == extract.Component {
			return s.ofTemplate(of.ref, name)
		}
		return s.merged(of, name, steps-1)
	}
	return jsMeaning{}
}

// applied is what a thing gives when it is called, or read as a value.
func (s *jsFamily) applied(m jsMeaning, l step, steps int) jsMeaning {
	if l.index && m.kind != jsForeign {
		return jsMeaning{}
	}
	if m.kind != jsDef {
		if l.call && m.kind != jsForeign {
			return jsMeaning{}
		}
		return m
	}
	d := s.w.def(m.ref)
	at := Ref{m.ref.Unit, s.w.parent(m.ref)}
	switch {
	case isType(d.Kind) && l.call: // new Class()
		m.kind = jsInstance
		return m
	case isType(d.Kind) || d.Kind == extract.Namespace:
		return m
	case isCallable(d.Kind) && l.call:
		return s.typed(m.ref.Unit, at, s.resultType(m.ref), steps-1)
	case isCallable(d.Kind):
		return m
	}
	if l.call {
		return s.calledValue(m, at, steps)
	}
	if typ := declaredType(d.Signature, d.Name); typ != "" {
		if t := s.typed(m.ref.Unit, at, typ, steps-1); t.kind != jsUnknown {
			return t
		}
	}
	if v, last := s.initial(m.ref, at, steps); v.kind != jsUnknown {
		if v = s.applied(v, last, steps-2); v.kind == jsInstance {
			return v
		}
	}
	return m // an object: its members are its own
}

// calledValue is what a variable or field that holds a function gives when it
// is called.
func (s *jsFamily) calledValue(m jsMeaning, at Ref, steps int) jsMeaning {
	if typ := s.resultType(m.ref); typ != "" {
		return s.typed(m.ref.Unit, at, typ, steps-1)
	}
	held, last := s.initial(m.ref, at, steps)
	if held.kind != jsDef || held.ref == m.ref || last.call || last.index {
		return jsMeaning{}
	}
	return s.applied(held, step{call: true}, steps-2)
}

// initial is the value that a variable is made with, where it is a chain of
// names and calls: what its last name stands for, and how it is used.
func (s *jsFamily) initial(r, at Ref, steps int) (jsMeaning, step) {
	d := s.w.def(r)
	if d.Kind != extract.Constant && d.Kind != extract.Variable && d.Kind != extract.Field {
		return jsMeaning{}, step{}
	}
	before, value, ok := strings.Cut(d.Signature, " = ")
	if !ok || !strings.HasSuffix(before, d.Name) || d.Kind == extract.Variable && !strings.HasPrefix(value, "new ") {
		return jsMeaning{}, step{}
	}
	return s.named(r.Unit, at, strings.TrimSuffix(value, ";"), steps-2)
}

// resultType is the type that a function, or a field of a function's type, is
// written to give; "" when it is not written.
func (s *jsFamily) resultType(r Ref) string {
	d := s.w.def(r)
	if !isCallable(d.Kind) {
		typ := declaredType(d.Signature, d.Name)
		if i := strings.LastIndex(typ, "=>"); i >= 0 {
			return strings.TrimSpace(typ[i+2:])
		}
		return ""
	}
	if d.Result != "" {
		return d.Result
	}
	if i := strings.LastIndexByte(d.Signature, ')'); i >= 0 {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(d.Signature[i+1:]), ":"); ok {
			return untilTop(strings.TrimSpace(rest))
		}
	}
	return ""
}

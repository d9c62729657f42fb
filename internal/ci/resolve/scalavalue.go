package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// resolve finds what a Scala name means.
func (s *scalaFamily) resolve(u int, r *extract.Reference) found {
	from := Ref{u, r.From}
	if from.Def >= 0 && (r.Relation == extract.Inherits || r.Relation == extract.Implements) { // no member is known there
		from.Def = s.w.parent(from)
	}
	var m, owner scalaMeaning
	if r.Qualifier == "" && r.Type == "" && r.Via == "" {
		m = s.scoped(u, from, r.Name, r.Line, maxSteps)
	} else {
		owner = s.owner(u, from, r)
		m = s.attribute(owner, r.Name, u, maxSteps)
		if m.kind == scalaDef && owner.confidence == Inferred {
			m.proof = owner.proof
		}
	}
	if m.kind == scalaDef {
		refs := s.fitting(m.refs)
		if r.Relation == extract.Calls && s.w.def(refs[0]).Kind == extract.Type { // an alias cannot be called, its twin value can
			refs = []Ref{s.valued(m.refs)}
		}
		return among(u, nearest(s.w, refs, r.Line), m.proof)
	}
	if r.Qualifier != "" && owner.kind != scalaPackage && owner.kind != scalaDef {
		if got := s.added(u, from, s.typeName(r, owner), r.Name, r.Line); len(got.refs) > 0 {
			return got
		}
	}
	return found{settled: owner.kind != scalaUnknown}
}

// typeName is the name of the type of what stands before a reference's dot,
// or "" where it is not known.
func (s *scalaFamily) typeName(r *extract.Reference, owner scalaMeaning) string {
	if owner.kind == scalaInstance {
		return s.w.def(owner.refs[0]).Name
	}
	return r.Type
}

// owner is what stands before the dot of a reference.
func (s *scalaFamily) owner(u int, from Ref, r *extract.Reference) scalaMeaning {
	switch {
	case r.Qualifier == "super":
	case r.Type != "":
		m := s.typed(u, from, r.Type, r.Line, maxSteps)
		m.kind = max(m.kind, scalaForeign) // a type, though none of ours
		return m
	case r.Local && !s.w.isParameter(from, cmp.Or(r.Via, r.Qualifier)):
		return scalaMeaning{} // of a variable of the function
	case r.Via != "":
		m := s.name(u, from, r.Via+"()", r.Line, maxSteps)
		if m.kind == scalaInstance {
			m.proof = likely("result-type", 0.9)
		}
		return m
	}
	return s.name(u, from, r.Qualifier, r.Line, maxSteps)
}

// fitting chooses between a class and its companion object: a type is
// mentioned, extended and built; an object is used as a value.
func (s *scalaFamily) fitting(refs []Ref) []Ref {
	if len(refs) < 2 {
		return refs
	}
	var classes, rest []Ref
	for _, r := range refs {
		if k := s.w.def(r).Kind; isType(k) && k != extract.Object {
			classes = append(classes, r)
		} else {
			rest = append(rest, r)
		}
	}
	if len(classes) > 0 {
		return classes
	}
	return rest
}

// nearest chooses among values of one name in one file the last one above a
// line: they stand in blocks of their own. Methods may well share a name.
func nearest(w *workspace, refs []Ref, line int) []Ref {
	best := -1
	for i, r := range refs {
		d := w.def(r)
		if isCallable(d.Kind) || isType(d.Kind) || r.Unit != refs[0].Unit {
			return refs
		}
		if d.Line <= line && (best < 0 || d.Line >= w.def(refs[best]).Line) {
			best = i
		}
	}
	if best < 0 {
		return refs
	}
	return refs[best : best+1]
}

// valued chooses the term among a class and its companion.
func (s *scalaFamily) valued(refs []Ref) Ref {
	for _, r := range refs {
		if k := s.w.def(r).Kind; k == extract.Object || k == extract.Enum || !isType(k) {
			return r
		}
	}
	return refs[0]
}

// scoped is what a bare name means inside a definition: a parameter, a
// definition around it, a member of a class around it, inherited ones
// included, or a name of the file.
func (s *scalaFamily) scoped(u int, from Ref, name string, line, steps int) scalaMeaning {
	if steps <= 0 {
		return scalaMeaning{}
	}
	for r := range s.w.enclosing(from) {
		d := s.w.def(r)
		if inner := s.w.members(r, name); len(inner) > 0 {
			return scalaMeaning{kind: scalaDef, refs: inner, proof: certain("same-file")}
		}
		if typ, ok := annotation(d.Signature, name); ok {
			m := s.typed(u, Ref{u, s.w.parent(r)}, typ, line, steps-1)
			m.kind = max(m.kind, scalaForeign)
			return m
		}
		if isType(d.Kind) {
			if refs := s.heritage.member(r, name, true); len(refs) > 0 {
				return scalaMeaning{kind: scalaDef, refs: refs, proof: certain("inherited-member")}
			}
		}
		if d.Kind == extract.Object { // a package object sees its package
			if a, ok := s.address(r); ok && s.packages[a] {
				if refs := s.at(u, dotted(a, name)); len(refs) > 0 {
					return scalaMeaning{kind: scalaDef, refs: refs, proof: certain("same-package")}
				}
			}
		}
	}
	return s.global(u, name, line, steps-1)
}

// typed is a value of the class that a type names.
func (s *scalaFamily) typed(u int, from Ref, typ string, line, steps int) scalaMeaning {
	typ = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(typ), "=>")), ".type")
	if i := strings.IndexByte(typ, '['); i > 0 {
		if !strings.HasSuffix(typ, "]") {
			return scalaMeaning{}
		}
		typ = typ[:i]
	}
	if steps <= 0 || typ == "" || strings.ContainsAny(typ, " &|(") {
		return scalaMeaning{}
	}
	m := s.name(u, from, typ, line, steps-1)
	if m.kind != scalaDef {
		return scalaMeaning{}
	}
	refs := s.fitting(m.refs)
	d := s.w.def(refs[0])
	if !isType(d.Kind) {
		return scalaMeaning{}
	}
	if d.Kind == extract.Type { // type A = B
		if _, to, ok := strings.Cut(d.Signature, " = "); ok {
			if m := s.typed(refs[0].Unit, Ref{refs[0].Unit, s.w.parent(refs[0])}, to, d.Line, steps-1); m.kind == scalaInstance {
				return m
			}
		}
	}
	return scalaMeaning{kind: scalaInstance, refs: s.twins(refs, refs[0]), proof: m.proof}
}

// twins are the definitions among refs of the kind and name of one of them:
// what each platform or version of the language has of its own.
func (s *scalaFamily) twins(refs []Ref, of Ref) []Ref {
	var out []Ref
	for _, r := range refs {
		if s.w.def(r).Kind == s.w.def(of).Kind && (r == of || r.Unit != of.Unit) {
			out = append(out, r)
		}
	}
	return out
}

// name is what a chain of names, calls and indices means inside a
// definition.
func (s *scalaFamily) name(u int, from Ref, text string, line, steps int) scalaMeaning {
	links, ok := chain(strings.TrimPrefix(text, "new "))
	if !ok || steps <= 0 {
		return scalaMeaning{}
	}
	if links[0].name == "_root_" && len(links) > 1 {
		links = links[1:]
	}
	m := s.root(u, from, links[0], line, steps)
	for _, l := range links[1:] {
		m = s.applied(s.attribute(m, l.name, u, steps-1), l, steps-1)
	}
	return m
}

func (s *scalaFamily) root(u int, from Ref, l step, line, steps int) scalaMeaning {
	if l.name == "this" || l.name == "super" {
		class, ok := s.w.holder(from)
		switch {
		case !ok:
			return scalaMeaning{}
		case l.name == "super":
			return scalaMeaning{kind: scalaSuper, refs: []Ref{class}, proof: certain("receiver-type")}
		}
		return scalaMeaning{kind: scalaInstance, refs: []Ref{class}, proof: certain("receiver-type")}
	}
	return s.applied(s.scoped(u, from, l.name, line, steps-1), l, steps-1)
}

// attribute is what a name means behind a dot.
func (s *scalaFamily) attribute(of scalaMeaning, name string, u, steps int) scalaMeaning {
	if steps <= 0 {
		return scalaMeaning{}
	}
	switch of.kind {
	case scalaForeign:
		return of
	case scalaPackage:
		a := dotted(of.path, name)
		if s.packages[a] {
			return scalaMeaning{kind: scalaPackage, path: a, proof: of.proof}
		}
		if refs := s.at(u, a); len(refs) > 0 {
			return scalaMeaning{kind: scalaDef, refs: refs, proof: of.proof}
		}
	case scalaDef, scalaInstance, scalaSuper:
		owners := of.refs
		if of.kind == scalaDef {
			owners = s.twins(of.refs, s.valued(of.refs))
		}
		var refs []Ref
		for _, r := range owners[:min(len(owners), maxTwins)] {
			if isType(s.w.def(r).Kind) {
				refs = append(refs, s.heritage.member(r, name, of.kind == scalaSuper)...)
			}
		}
		slices.SortFunc(refs, byPlace)
		if refs = slices.Compact(refs); len(refs) > 0 {
			return scalaMeaning{kind: scalaDef, refs: refs, proof: certain("receiver-type")}
		}
	}
	return scalaMeaning{}
}

// applied is what a thing gives when it is called, or read as a value.
func (s *scalaFamily) applied(m scalaMeaning, l step, steps int) scalaMeaning {
	if m.kind != scalaDef {
		if l.call && m.kind != scalaForeign {
			return scalaMeaning{}
		}
		return m
	}
	if l.call {
		for _, r := range m.refs {
			if k := s.w.def(r).Kind; k == extract.Class || k == extract.EnumCase {
				return scalaMeaning{kind: scalaInstance, refs: []Ref{r}, proof: m.proof}
			}
		}
	}
	r := s.valued(m.refs)
	d := s.w.def(r)
	if isType(d.Kind) {
		if l.call {
			return scalaMeaning{}
		}
		return m
	}
	at := Ref{r.Unit, s.w.parent(r)}
	typ := d.Result
	if typ == "" {
		typ = scalaResult(d)
	}
	if typ != "" {
		v := s.typed(r.Unit, at, typ, maxLine, steps-1)
		v.proof = certain("receiver-type")
		return v
	}
	if _, value, ok := strings.Cut(d.Signature, " = "); ok && steps > 1 { // val client = new Client(…)
		if v := s.name(r.Unit, at, value, maxLine, steps-2); v.kind == scalaInstance {
			v.proof = likely("result-type", 0.9)
			return v
		}
	}
	return scalaMeaning{}
}

// scalaResult reads the declared type of a def or val from its signature.
func scalaResult(d *extract.Definition) string {
	if !isCallable(d.Kind) {
		return declaredType(d.Signature, d.Name)
	}
	i := strings.Index(d.Signature, d.Name)
	if i < 0 {
		return ""
	}
	rest := d.Signature[i+len(d.Name):]
	for rest != "" && (rest[0] == '(' || rest[0] == '[') {
		var ok bool
		if rest, ok = skipBrackets(rest); !ok {
			return ""
		}
	}
	typ, ok := strings.CutPrefix(strings.TrimSpace(rest), ":")
	if !ok {
		return ""
	}
	return untilTop(strings.TrimSpace(typ))
}

func byPlace(a, b Ref) int { return cmp.Or(cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Def, b.Def)) }

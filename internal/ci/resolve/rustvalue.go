package resolve

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

func (r *rustFamily) imports(u int) []link {
	m := r.of[u]
	var out []link
	add := func(to Ref, line int, p proof) {
		if to.Unit != u {
			out = append(out, link{Ref{u, -1}, Ref{to.Unit, -1}, extract.ImportsRel, line, p})
		}
	}
	for i, im := range r.w.file(u).Imports {
		in := m
		if s, nested := r.declared[rustImport{u, i}]; nested {
			if inner, known := r.inner[Ref{u, s}]; known {
				in = inner
			}
		}
		if isModule(im) {
			name := strings.TrimPrefix(importedAs(im), "self::")
			if child, ok := r.modules[in].children[name]; ok && r.modules[child].at.Def < 0 {
				add(r.modules[child].at, im.Line, certain("rust-module"))
			}
		}
	}
	for scope, use := range r.scopesOf(u) {
		in := r.moduleOf(scope)
		for _, i := range use {
			im := r.w.file(u).Imports[i]
			got := r.path(in, im.Path, asType, maxSteps)
			if im.Name != "" && im.Name != "*" {
				for _, role := range [...]rustRole{asAny, asValue, asMacro} {
					if inner := r.child(got, im.Name, role, maxSteps); inner.kind == rustDef || inner.kind == rustMod {
						got = inner
						break
					}
				}
			}
			p := certain("rust-import")
			switch {
			case got.kind == rustMod:
				add(r.modules[got.module].at, im.Line, p)
			case got.kind == rustDef && len(got.refs) > 0:
				add(got.refs[0], im.Line, p)
			}
		}
	}
	return append(out, r.adopted[u]...)
}

// scopesOf yields the places of a file that import something, with what.
func (r *rustFamily) scopesOf(u int) func(func(Ref, []int) bool) {
	return func(yield func(Ref, []int) bool) {
		for d := -1; d < len(r.w.file(u).Definitions); d++ {
			use := r.scopes[Ref{u, d}]
			if use == nil {
				continue
			}
			list := append([]int(nil), use.wild...)
			for _, named := range use.named {
				list = append(list, named...)
			}
			if !yield(Ref{u, d}, list) {
				return
			}
		}
	}
}

// resolve finds what a Rust name means.
func (r *rustFamily) resolve(u int, ref *extract.Reference) found {
	from := Ref{u, ref.From}
	if r.of[u] < 0 {
		return found{}
	}
	if name, ok := strings.CutSuffix(ref.Name, "!"); ok {
		return r.macro(from, ref.Qualifier, name)
	}
	role := asAny
	switch ref.Relation {
	case extract.Inherits, extract.Implements:
		role = asType
	case extract.Calls:
		role = asValue
	}
	switch {
	case role == asType || ref.Type == "" && ref.Via == "" && ref.Qualifier == "":
		return r.plain(u, r.scopedPath(from, rustJoin(ref.Qualifier, ref.Name), role, maxSteps))
	case ref.Type != "":
		m := r.ofType(from, ref.Type, maxSteps)
		m.kind = max(m.kind, rustForeign) // a type, though none of ours
		return r.dotted(u, m, ref)
	case ref.Via != "":
		m := r.value(from, ref.Via, maxSteps)
		if m.kind == rustValue {
			m.proof = likely("result-type", 0.9)
		}
		return r.dotted(u, m, ref)
	case ref.Local:
		return found{} // of a variable of the function
	case strings.ContainsAny(ref.Qualifier, ".(?…"):
		return r.dotted(u, r.value(from, ref.Qualifier, maxSteps), ref)
	}
	owner := r.scopedPath(from, ref.Qualifier, asType, maxSteps)
	if owner.kind == rustUnknown { // a constant's method
		if m := r.root(from, ref.Qualifier, false, maxSteps); m.kind == rustValue {
			return r.dotted(u, m, ref)
		}
	}
	if owner.kind == rustDef {
		return r.dotted(u, rustMeaning{kind: rustValue, refs: owner.refs[:1], proof: owner.proof}, ref)
	}
	return r.plain(u, r.child(owner, ref.Name, role, maxSteps))
}

// plain is what a path leads to.
func (r *rustFamily) plain(u int, m rustMeaning) found {
	switch m.kind {
	case rustDef:
		return among(u, m.refs, m.proof)
	case rustMod:
		if at := r.modules[m.module].at; at.Unit != u || at.Def >= 0 {
			return one(at, m.proof)
		}
	}
	return found{settled: true}
}

// dotted is the member of a value, or of a type.
func (r *rustFamily) dotted(u int, m rustMeaning, ref *extract.Reference) found {
	if m.kind != rustValue || m.wrapped {
		return found{settled: m.kind != rustUnknown}
	}
	refs := r.suited(r.member(m.refs[0], ref.Name, true, maxSteps), ref)
	if len(refs) == 0 {
		return found{settled: true}
	}
	p := certain("receiver-type")
	if m.confidence == Inferred {
		p = m.proof
	}
	return among(u, refs, p)
}

// suited keeps the members that a use can mean: what is called, or else a
// field before all others, unless it is behind "::".
func (r *rustFamily) suited(members []Ref, ref *extract.Reference) []Ref {
	var called, fields, rest []Ref
	for _, at := range members {
		switch k := r.w.def(at).Kind; {
		case k == extract.Field:
			fields = append(fields, at)
		case isCallable(k) || k == extract.EnumCase && ref.Relation == extract.Calls:
			called = append(called, at)
		default:
			rest = append(rest, at)
		}
	}
	switch {
	case ref.Relation == extract.Calls:
		return called
	case len(fields) > 0 && ref.Qualifier != "Self":
		return fields
	case len(rest) > 0:
		return rest
	}
	return called
}

// macro finds a macro: of the modules around, as far as the text goes, or
// imported, or exported by the crate.
func (r *rustFamily) macro(from Ref, qualifier, name string) found {
	if qualifier != "" {
		return r.plain(from.Unit, r.scopedPath(from, rustJoin(qualifier, name), asMacro, maxSteps))
	}
	m := r.moduleOf(from)
	got := r.scoped(from, name, asMacro, maxSteps)
	for up := r.modules[m].parent; up >= 0 && got.kind == rustUnknown; up = r.modules[up].parent {
		got = r.lookup(up, name, asMacro, maxSteps)
	}
	if refs := r.macros[r.modules[m].crate][name]; got.kind == rustUnknown && len(refs) == 1 {
		got = rustMeaning{kind: rustDef, refs: refs, proof: likely("rust-module", 0.9)}
	}
	return r.plain(from.Unit, got)
}

package resolve

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// adopt reads what a file says of types that stand elsewhere: their members
// and their traits.
func (r *rustFamily) adopt(u int) {
	f := r.w.file(u)
	for i, d := range f.Definitions {
		at := Ref{u, i}
		around, ok := r.around[at]
		if !ok {
			continue
		}
		t, ok := r.typed(around, d.Container, maxSteps)
		if !ok {
			continue
		}
		if r.members[t] == nil {
			r.members[t] = make(map[string][]Ref)
		}
		r.members[t][d.Name] = append(r.members[t][d.Name], at)
		r.w.distant[at] = true
		r.adopted[t.Unit] = append(r.adopted[t.Unit], link{t, at, extract.Contains, r.w.def(t).Line, certain("rust-module")})
	}
	for _, ref := range f.References {
		if ref.Relation != extract.Implements && ref.Relation != extract.Inherits || ref.From >= len(f.Definitions) {
			continue
		}
		from := Ref{u, ref.From}
		t, ok := from, ref.From >= 0
		if ref.Type != "" {
			t, ok = r.typed(from, ref.Type, maxSteps)
		}
		if ok && t.Def >= 0 {
			r.stated[t] = append(r.stated[t], rustTrait{from, rustJoin(ref.Qualifier, ref.Name)})
		}
	}
}

// rustJoin is a path of Rust.
func rustJoin(qualifier, name string) string {
	if qualifier == "" {
		return name
	}
	return qualifier + "::" + name
}

// typed is the type or trait that a name means as seen from a definition,
// behind its aliases.
func (r *rustFamily) typed(from Ref, typ string, steps int) (Ref, bool) {
	got := r.typeMeaning(from, typ, steps)
	if got.kind != rustDef {
		return Ref{}, false
	}
	return got.refs[0], true
}

func (r *rustFamily) typeMeaning(from Ref, typ string, steps int) rustMeaning {
	if typ == "" || steps <= 0 {
		return rustMeaning{}
	}
	got := r.scopedPath(from, typ, asType, steps-1)
	if got.kind != rustDef || len(got.refs) == 0 {
		return rustMeaning{kind: got.kind}
	}
	at := got.refs[0]
	switch d := r.w.def(at); {
	case d.Kind == extract.EnumCase:
		return rustMeaning{}
	case d.Kind == extract.Type && d.Result != "":
		to := r.typeMeaning(Ref{at.Unit, r.w.parent(at)}, d.Result, steps-1)
		if to.kind == rustDef {
			return to
		}
		return rustMeaning{kind: rustForeign}
	case !isType(d.Kind):
		return rustMeaning{}
	}
	got.refs = got.refs[:1]
	return got
}

// traitsOf gives the traits that a type has, or a trait extends. While they
// are being looked up there are none.
func (r *rustFamily) traitsOf(t Ref) []Ref {
	if list, known := r.traits[t]; known {
		return list
	}
	r.traits[t] = nil
	var list []Ref
	for _, s := range r.stated[t] {
		if trait, ok := r.typed(s.from, s.path, maxSteps); ok && trait != t {
			list = append(list, trait)
		}
	}
	r.traits[t] = list
	return list
}

// member finds the definitions of a name in a type: its own, or else those of
// its traits. A value's fields count when asked for.
func (r *rustFamily) member(t Ref, name string, fields bool, steps int) []Ref {
	if d := r.w.def(t); d.Kind == extract.Type && d.Result != "" && steps > 0 {
		if to, ok := r.typed(Ref{t.Unit, r.w.parent(t)}, d.Result, steps-1); ok && to != t {
			return r.member(to, name, fields, steps-1)
		}
	}
	return r.search(t, name, fields, make(map[Ref]bool))
}

func (r *rustFamily) search(t Ref, name string, fields bool, seen map[Ref]bool) []Ref {
	if seen[t] || !isType(r.w.def(t).Kind) {
		return nil
	}
	seen[t] = true
	var own []Ref
	for _, list := range [...][]Ref{r.w.members(t, name), r.members[t][name]} {
		for _, at := range list {
			if fields || r.w.def(at).Kind != extract.Field {
				own = append(own, at)
			}
		}
	}
	if len(own) > 0 {
		return own
	}
	for _, up := range r.traitsOf(t) {
		if got := r.search(up, name, fields, seen); len(got) > 0 {
			return got
		}
	}
	return nil
}

// value is what an expression gives, as package extract writes it: a path,
// or a type in the place of a value of it, then calls "()", fields and
// methods ".name", and "?".
func (r *rustFamily) value(from Ref, text string, steps int) rustMeaning {
	if steps <= 0 {
		return rustMeaning{}
	}
	root, rest := cutRoot(text)
	m := r.root(from, root, strings.HasPrefix(rest, "()"), steps-1)
	rest = strings.TrimPrefix(rest, "()")
	for links := 0; rest != "" && links < maxSteps; links++ {
		if m.kind != rustValue {
			return rustMeaning{kind: min(m.kind, rustForeign)}
		}
		if tail, ok := strings.CutPrefix(rest, "?"); ok {
			m.wrapped, rest = false, tail
			continue
		}
		if rest[0] != '.' {
			return rustMeaning{}
		}
		var name string
		name, rest = cutName(rest[1:])
		called := strings.HasPrefix(rest, "()")
		rest = strings.TrimPrefix(rest, "()")
		m = r.step(m, name, called, steps-1)
	}
	if m.kind != rustValue || m.wrapped {
		return rustMeaning{kind: min(m.kind, rustForeign)}
	}
	return m
}

// cutRoot cuts the path off an expression, the brackets of Option<…> with it.
func cutRoot(text string) (root, rest string) {
	for i := 0; i < len(text); i++ {
		if c := text[i]; !isNameByte(c) && c != ':' && c != '<' && c != '>' {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

func cutName(text string) (name, rest string) {
	for i := 0; i < len(text); i++ {
		if !isNameByte(text[i]) {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

func (r *rustFamily) root(from Ref, path string, called bool, steps int) rustMeaning {
	if called {
		got := r.scopedPath(from, path, asValue, steps)
		if got.kind == rustDef {
			return r.held(got.refs, steps)
		}
		if typ, ok := cutMaker(path); ok { // derived
			return r.ofType(from, typ, steps)
		}
		return rustMeaning{kind: min(got.kind, rustForeign)}
	}
	if v := r.ofType(from, path, steps); v.kind != rustUnknown {
		return v
	}
	got := r.scopedPath(from, path, asValue, steps)
	if got.kind != rustDef {
		return rustMeaning{kind: min(got.kind, rustForeign)}
	}
	return r.held(got.refs, steps)
}

// cutMaker cuts off the functions of the standard traits that give the type
// itself.
func cutMaker(path string) (typ string, ok bool) {
	for _, maker := range [...]string{"::default", "::from"} {
		if typ, ok = strings.CutSuffix(path, maker); ok {
			return typ, true
		}
	}
	return "", false
}

// ofType is a value of a type as package extract names it.
func (r *rustFamily) ofType(from Ref, typ string, steps int) rustMeaning {
	base, inner, wrapped := strings.Cut(typ, "<")
	if wrapped {
		typ = strings.TrimSuffix(inner, ">")
		if base != "Option" && !r.wraps(from, base, steps) {
			typ, wrapped = base, false
		}
	}
	got := r.typeMeaning(from, typ, steps)
	if got.kind != rustDef {
		return rustMeaning{kind: min(got.kind, rustForeign)}
	}
	return rustMeaning{kind: rustValue, refs: got.refs, wrapped: wrapped, proof: got.proof}
}

// wraps reports whether a name is an alias of Option or Result.
func (r *rustFamily) wraps(from Ref, name string, steps int) bool {
	got := r.scopedPath(from, name, asType, steps-1)
	if got.kind != rustDef {
		return got.kind != rustMod // of elsewhere: by custom
	}
	d := r.w.def(got.refs[0])
	base, _, _ := strings.Cut(d.Result, "<")
	return d.Kind == extract.Type && (strings.HasSuffix(base, "Result") || base == "Option")
}

// held is a value of what a function returns, a field holds or a type is
// built as; of twins that differ nothing is known.
func (r *rustFamily) held(refs []Ref, steps int) rustMeaning {
	var m rustMeaning
	for i, at := range refs {
		d := r.w.def(at)
		var v rustMeaning
		switch {
		case d.Kind == extract.Class:
			v = rustMeaning{kind: rustValue, refs: []Ref{at}}
		case d.Result != "":
			v = r.ofType(Ref{at.Unit, r.w.parent(at)}, d.Result, steps-1)
			if around, ok := r.around[at]; ok {
				v = r.ofType(around, d.Result, steps-1)
			}
			v.kind = max(v.kind, rustForeign)
		}
		if i > 0 && (v.kind != m.kind || v.wrapped != m.wrapped || v.kind == rustValue && v.refs[0] != m.refs[0]) {
			return rustMeaning{}
		}
		m = v
	}
	if m.kind == rustValue {
		m.proof = certain("receiver-type")
	}
	return m
}

var (
	rustUnwraps = wordSet("unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked")
	rustKeeps   = wordSet("ok ok_or ok_or_else map_err as_ref as_mut as_deref as_deref_mut cloned copied take with_context context or or_else filter inspect")
	// rustSelf holds methods that give the same, where a type has none of
	// its own.
	rustSelf = wordSet("clone to_owned as_ref as_mut borrow borrow_mut deref lock read write")
)

// step is what a field or method of a value gives.
func (r *rustFamily) step(m rustMeaning, name string, called bool, steps int) rustMeaning {
	if m.wrapped {
		switch {
		case called && rustUnwraps[name]:
			m.wrapped = false
			return m
		case called && rustKeeps[name]:
			return m
		}
		return rustMeaning{kind: rustForeign}
	}
	var refs []Ref
	for _, at := range r.member(m.refs[0], name, true, steps) {
		if isCallable(r.w.def(at).Kind) == called {
			refs = append(refs, at)
		}
	}
	switch {
	case len(refs) > 0:
		return r.held(refs, steps)
	case called && rustSelf[name]:
		return m
	}
	return rustMeaning{kind: rustForeign}
}

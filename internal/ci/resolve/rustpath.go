package resolve

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A rustMeaning is what a path or an expression stands for; the zero value is
// not known.
type rustMeaning struct {
	kind    rustKind
	module  int
	refs    []Ref // of a definition its twins; of a value its type
	wrapped bool  // an Option or Result of the value
	proof
}

type rustKind uint8

const (
	rustUnknown rustKind = iota
	rustForeign          // from outside the workspace
	rustMod              // module
	rustDef              // refs
	rustValue            // a value of type refs[0]
)

// A rustRole is what a name is used as: types, values and macros are told
// apart by where they stand.
type rustRole uint8

const (
	asAny   rustRole = iota // a type, or else a value
	asType                  // also a module
	asValue                 // also what builds a value
	asMacro
)

func (r *rustFamily) plays(at Ref, role rustRole) bool {
	d := r.w.def(at)
	switch d.Kind {
	case extract.Function:
		return (role == asMacro) == strings.HasPrefix(d.Signature, "macro_rules!") && role != asType
	case extract.Class, extract.EnumCase:
		return role != asMacro
	case extract.Enum, extract.Trait, extract.Type:
		return role == asType || role == asAny
	case extract.Constant, extract.Variable:
		return role == asValue || role == asAny
	}
	return false
}

// fits keeps the definitions that a role allows.
func (r *rustFamily) fits(refs []Ref, role rustRole) []Ref {
	var out []Ref
	for _, at := range refs {
		if r.plays(at, role) {
			out = append(out, at)
		}
	}
	if role != asAny || len(out) < 2 {
		return out
	}
	if types := r.fits(out, asType); len(types) > 0 {
		return types
	}
	return out
}

// moduleOf is the module that a definition or file stands in.
func (r *rustFamily) moduleOf(at Ref) int {
	for d := range r.w.enclosing(at) {
		if m, ok := r.inner[d]; ok {
			return m
		}
		if around, ok := r.around[d]; ok {
			if m, ok := r.inner[around]; ok {
				return m
			}
		}
	}
	return r.of[at.Unit]
}

// scoped is what a bare name means inside a definition.
func (r *rustFamily) scoped(from Ref, name string, role rustRole, steps int) rustMeaning {
	if steps <= 0 {
		return rustMeaning{}
	}
	m := r.moduleOf(from)
	for d := range r.w.enclosing(from) {
		if !isCallable(r.w.def(d).Kind) {
			continue
		}
		if refs := r.fits(r.w.members(d, name), role); len(refs) > 0 {
			return rustMeaning{kind: rustDef, refs: refs, proof: certain("same-file")}
		}
		if use := r.scopes[d]; use != nil {
			if got := r.used(from.Unit, m, use, name, role, steps-1); got.kind != rustUnknown {
				return got
			}
		}
	}
	return r.lookup(m, name, role, steps-1)
}

// A rustName is what lookup looks for.
type rustName struct {
	module int
	name   string
	role   rustRole
}

// lookup is what a name means in a module. Modules that import everything of
// each other would be looked into over and over, so that no module is asked
// for a name twice while one answer is being found. That a name was not found
// is kept only when all were asked.
func (r *rustFamily) lookup(m int, name string, role rustRole, steps int) rustMeaning {
	key := rustName{m, name, role}
	if got, known := r.known[key]; known {
		return got
	}
	if r.asked[key] || steps <= 0 || m < 0 {
		return rustMeaning{}
	}
	outermost := len(r.asked) == 0
	r.asked[key] = true
	got := r.find(m, name, role, steps)
	if outermost {
		clear(r.asked)
	}
	if outermost || got.kind == rustDef || got.kind == rustMod {
		r.known[key] = got
	}
	return got
}

func (r *rustFamily) find(m int, name string, role rustRole, steps int) rustMeaning {
	mod := &r.modules[m]
	var refs []Ref
	if mod.at.Def < 0 {
		refs = r.w.top(mod.at.Unit, name)
	} else {
		refs = r.w.members(mod.at, name)
	}
	if refs = r.fits(refs, role); len(refs) > 0 {
		return rustMeaning{kind: rustDef, refs: refs, proof: certain("same-file")}
	}
	if child, ok := mod.children[name]; ok && (role == asAny || role == asType) {
		return rustMeaning{kind: rustMod, module: child, proof: certain("rust-module")}
	}
	if use := r.scopes[mod.at]; use != nil {
		return r.used(mod.at.Unit, m, use, name, role, steps-1)
	}
	return rustMeaning{}
}

// used is what the imports of one place make of a name.
func (r *rustFamily) used(u, m int, use *rustUse, name string, role rustRole, steps int) rustMeaning {
	foreign := false
	for _, i := range use.named[name] {
		got := r.imported(u, m, i, role, steps)
		switch got.kind {
		case rustDef, rustMod:
			return got
		case rustForeign:
			foreign = true
		}
	}
	if foreign {
		return rustMeaning{kind: rustForeign}
	}
	for _, i := range use.wild {
		key := rustImport{u, i}
		if steps <= 0 || r.active[key] {
			continue
		}
		r.active[key] = true
		got := r.child(r.path(m, r.w.file(u).Imports[i].Path, asType, steps-1), name, role, steps-1)
		delete(r.active, key)
		if got.kind == rustDef || got.kind == rustMod {
			if got.resolver == "same-file" {
				got.proof = certain("rust-import")
			}
			return got
		}
	}
	return rustMeaning{}
}

// imported is what one import brings.
func (r *rustFamily) imported(u, m, i int, role rustRole, steps int) rustMeaning {
	key := rustImport{u, i}
	if steps <= 0 || r.active[key] {
		return rustMeaning{}
	}
	r.active[key] = true
	defer delete(r.active, key)
	im := r.w.file(u).Imports[i]
	var got rustMeaning
	if im.Name == "" {
		got = r.path(m, im.Path, role, steps-1)
	} else {
		got = r.child(r.path(m, im.Path, asType, steps-1), im.Name, role, steps-1)
	}
	if got.kind == rustDef && got.resolver == "same-file" {
		got.proof = certain("rust-import")
	}
	return got
}

// path is what a::b::c means in a module.
func (r *rustFamily) path(m int, text string, role rustRole, steps int) rustMeaning {
	first, rest, nested := strings.Cut(text, "::")
	firstRole := role
	if nested {
		firstRole = asType
	}
	got := r.first(m, first, firstRole, steps, func(role rustRole) rustMeaning { return r.lookup(m, first, role, steps-1) })
	return r.below(got, rest, role, steps)
}

// scopedPath is path as seen from inside a definition.
func (r *rustFamily) scopedPath(from Ref, text string, role rustRole, steps int) rustMeaning {
	first, rest, nested := strings.Cut(text, "::")
	firstRole := role
	if nested {
		firstRole = asType
	}
	m := r.moduleOf(from)
	got := r.first(m, first, firstRole, steps, func(role rustRole) rustMeaning { return r.scoped(from, first, role, steps-1) })
	return r.below(got, rest, role, steps)
}

// first is what the first name of a path means.
func (r *rustFamily) first(m int, name string, role rustRole, steps int, find func(rustRole) rustMeaning) rustMeaning {
	if m < 0 || steps <= 0 {
		return rustMeaning{}
	}
	switch name {
	case "crate":
		return rustMeaning{kind: rustMod, module: r.crates[r.modules[m].crate].root, proof: certain("rust-module")}
	case "self":
		return rustMeaning{kind: rustMod, module: m, proof: certain("rust-module")}
	case "super":
		if up := r.modules[m].parent; up >= 0 {
			return rustMeaning{kind: rustMod, module: up, proof: certain("rust-module")}
		}
		return rustMeaning{}
	}
	if got := find(role); got.kind != rustUnknown {
		return got
	}
	if role == asAny || role == asType {
		return r.outside(m, name)
	}
	return rustMeaning{}
}

// below walks down from a thing by the names of a path.
func (r *rustFamily) below(got rustMeaning, path string, role rustRole, steps int) rustMeaning {
	for path != "" && got.kind != rustUnknown && got.kind != rustForeign {
		var name string
		name, path, _ = strings.Cut(path, "::")
		if name == "super" && got.kind == rustMod {
			if got.module = r.modules[got.module].parent; got.module < 0 {
				return rustMeaning{}
			}
			continue
		}
		next := asType
		if path == "" {
			next = role
		}
		got = r.child(got, name, next, steps-1)
	}
	return got
}

// child is what a name means behind "::".
func (r *rustFamily) child(of rustMeaning, name string, role rustRole, steps int) rustMeaning {
	switch of.kind {
	case rustForeign:
		return of
	case rustMod:
		if role == asMacro {
			crate := r.modules[of.module].crate
			if refs := r.macros[crate][name]; len(refs) > 0 && of.module == r.crates[crate].root {
				return rustMeaning{kind: rustDef, refs: refs, proof: certain("rust-import")}
			}
		}
		got := r.lookup(of.module, name, role, steps-1)
		if got.kind == rustDef && got.resolver == "same-file" {
			got.proof = certain("rust-import")
		}
		return got
	case rustDef:
		if refs := r.member(of.refs[0], name, false, steps); len(refs) > 0 {
			return rustMeaning{kind: rustDef, refs: refs, proof: certain("receiver-type")}
		}
	}
	return rustMeaning{}
}

// outside is the library of another crate that a name means in a crate.
func (r *rustFamily) outside(m int, name string) rustMeaning {
	c := r.crates[r.modules[m].crate]
	if c.pkg == nil {
		return rustMeaning{}
	}
	if lib, ok := r.libs[c.pkg.dir]; ok && name == c.pkg.lib {
		return r.library(lib)
	}
	need, ok := c.pkg.needs[name]
	switch {
	case !ok:
		return rustMeaning{}
	case need.inside:
		if lib, ok := r.libs[need.dir]; ok {
			return r.library(lib)
		}
		return rustMeaning{kind: rustForeign}
	}
	// By version: the package of the workspace that has the name, of the
	// same repository first.
	var own, others []int
	for _, dir := range r.named[need.name] {
		lib, ok := r.libs[dir]
		switch {
		case !ok:
		case r.w.repoAt(dir) == r.w.repoAt(c.pkg.dir):
			own = append(own, lib)
		default:
			others = append(others, lib)
		}
	}
	if len(own) == 0 {
		own = others
	}
	if len(own) == 1 {
		return r.library(own[0])
	}
	return rustMeaning{kind: rustForeign}
}

func (r *rustFamily) library(crate int) rustMeaning {
	return rustMeaning{kind: rustMod, module: r.crates[crate].root, proof: certain("cargo-package")}
}

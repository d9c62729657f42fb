package resolve

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// resolve finds what a reference means. What is not found stays without an
// edge: nothing is guessed from a name alone.
func (t *tier2Family) resolve(u int, r *extract.Reference) found {
	from := Ref{u, r.From}
	got := t.meaning(from, r)
	if len(got.refs) == 0 {
		return found{settled: true}
	}
	got = t.linked(from, got)
	return among(u, got.refs, got.proof)
}

func (t *tier2Family) meaning(from Ref, r *extract.Reference) found {
	l := t.lang(from.Unit)
	want := wanted(r.Relation)
	switch {
	case r.Relation == extract.Inherits || r.Relation == extract.Implements:
		return t.typed(Ref{from.Unit, t.parentOf(from)}, qualified(r.Qualifier, r.Name))
	case r.Type != "":
		return t.onValue(from, r.Type, r.Name, want)
	case r.Via != "":
		return t.onResult(from, r.Via, r.Name, want)
	case r.Local:
		return found{}
	case r.Qualifier == "":
		return t.bare(from, r.Name, want)
	case isWord(l.self, r.Qualifier), isWord(l.super, r.Qualifier):
		holder, ok := t.holder(from)
		if !ok {
			return found{}
		}
		return t.member(from.Unit, holder, r.Name, isWord(l.super, r.Qualifier), want)
	}
	if l.through != nil {
		if alias, before, ok := l.through(r.Qualifier); ok {
			return t.brought(from.Unit, alias, before+r.Name, want)
		}
	}
	name, ok := l.plain(r.Qualifier)
	if !ok {
		return found{}
	}
	if got := t.bare(from, name+"."+r.Name, want); len(got.refs) > 0 {
		return got
	}
	if got := t.onValue(from, r.Qualifier, r.Name, want); len(got.refs) > 0 {
		return got
	}
	if held := t.bare(from, name, aValue).refs; len(held) == 1 && t.w.def(held[0]).Result != "" {
		return t.onValue(held[0], t.w.def(held[0]).Result, r.Name, want)
	}
	return found{}
}

// brought finds an address in the file that the import of that alias brings.
func (t *tier2Family) brought(u int, alias, address string, want wants) found {
	for _, im := range t.w.file(u).Imports {
		if im.Alias != alias {
			continue
		}
		if to, _, ok := t.files.find(u, im.Path); ok && t.lang(to) != nil {
			return found{refs: t.keep(t.at(to, address), want), proof: certain("import")}
		}
	}
	return found{}
}

// isWord reports whether w is one of the words of a list.
func isWord(list, w string) bool {
	for list != "" {
		var word string
		if word, list, _ = strings.Cut(list, " "); word == w {
			return true
		}
	}
	return false
}

// A wants says which definitions a place can mean.
type wants func(*extract.Definition) bool

// wanted tells what a relation can lead to.
func wanted(relation string) wants {
	switch relation {
	case extract.Calls:
		return func(d *extract.Definition) bool {
			return isCallable(d.Kind) || isType(d.Kind) || d.Kind == extract.EnumCase || isRun(d.Kind)
		}
	case extract.Inherits, extract.Implements:
		return aType
	}
	return func(d *extract.Definition) bool { return d.Kind != extract.Namespace && !isConstructor(d) }
}

func aType(d *extract.Definition) bool { return isType(d.Kind) }

func aCallable(d *extract.Definition) bool { return isCallable(d.Kind) }

func aValue(d *extract.Definition) bool {
	return d.Kind == extract.Field || d.Kind == extract.Variable || d.Kind == extract.Constant
}

// isConstructor reports whether a method has its class's name, which then
// means the class.
func isConstructor(d *extract.Definition) bool {
	_, class := cutPath(d.Container)
	return d.Kind == extract.Method && class == d.Name
}

// isRun reports kinds that are no functions and still run when they are named.
func isRun(k extract.Kind) bool {
	return k == extract.Mixin || k == extract.Target || k == extract.Recipe
}

func (t *tier2Family) parentOf(r Ref) int {
	if r.Def < 0 {
		return -1
	}
	return t.w.parent(r)
}

// holder is the address of the innermost type that a definition stands in,
// in this file or another.
func (t *tier2Family) holder(from Ref) (string, bool) {
	if h, ok := t.w.holder(from); ok {
		return t.address(h), true
	}
	for r := range t.w.enclosing(from) {
		if in := t.w.def(r).Container; in != "" && t.w.parent(r) < 0 {
			address := dotted(t.module(from.Unit), in)
			return address, len(t.keep(t.at(from.Unit, address), aType)) > 0
		}
	}
	return "", false
}

// onValue finds a member of a value of some type.
func (t *tier2Family) onValue(from Ref, typ, name string, want wants) found {
	class := t.typed(from, typ)
	if len(class.refs) > 0 {
		if got := t.member(class.refs[0].Unit, t.address(class.refs[0]), name, false, want); len(got.refs) > 0 {
			if got.resolver != "inherited-member" {
				got.proof = certain("receiver-type")
			}
			return got
		}
	}
	l := t.lang(from.Unit)
	if l.extends == nil {
		return found{}
	}
	got := t.bare(from, name, aCallable)
	got.refs = slices.DeleteFunc(slices.Clone(got.refs), func(r Ref) bool { return l.extends(t.w.def(r)) != typ })
	return got
}

// onResult finds a member of what a call gives.
func (t *tier2Family) onResult(from Ref, call, name string, want wants) found {
	call, ok := t.lang(from.Unit).plain(call)
	if !ok {
		return found{}
	}
	callee := t.bare(from, call, aCallable)
	if len(callee.refs) != 1 {
		return found{}
	}
	c := callee.refs[0]
	result := t.w.def(c).Result
	if result == "" || result == call {
		return found{}
	}
	return t.onValue(c, result, name, want)
}

// typed finds the type that a written name means: several when it is written
// in parts.
func (t *tier2Family) typed(from Ref, name string) found {
	name, ok := t.lang(from.Unit).plain(name)
	if !ok {
		return found{}
	}
	got := t.bare(from, name, aType)
	for range maxSteps { // what an alias stands for is not followed
		if len(got.refs) != 1 || t.w.def(got.refs[0]).Kind != extract.Type || t.w.def(got.refs[0]).Result == "" {
			break
		}
		alias := got.refs[0]
		target, ok := t.lang(alias.Unit).plain(t.w.def(alias).Result)
		if !ok {
			break
		}
		next := t.bare(Ref{alias.Unit, t.w.parent(alias)}, target, aType)
		if len(next.refs) == 0 || next.refs[0] == alias {
			break
		}
		got = next
	}
	return got
}

// bare finds what a name, maybe with dots, means at a place: the innermost
// that has it of the definitions around, the imports, the package, what is
// imported as a whole, and what has no package.
func (t *tier2Family) bare(from Ref, name string, want wants) found {
	u, l := from.Unit, t.lang(from.Unit)
	if rest, whole := strings.CutPrefix(name, "."); whole {
		return found{refs: t.keep(t.at(u, rest), want), proof: certain("full-name")}
	}
	module := t.module(u)
	simple := !strings.Contains(name, ".")
	for scope := t.address(from); len(scope) > len(module); scope, _ = cutPath(scope) {
		if simple {
			if got := t.member(u, scope, name, false, want); len(got.refs) > 0 {
				return got
			}
		} else if refs := t.keep(t.at(u, dotted(scope, name)), want); len(refs) > 0 {
			return found{refs: refs, proof: t.origin(u, refs)}
		}
	}
	if refs := t.keep(t.top(u, module, name), want); len(refs) > 0 {
		return found{refs: refs, proof: certain("same-file")}
	}
	first, rest, _ := strings.Cut(name, ".")
	bound := t.named[u][l.key(first)]
	for _, i := range bound {
		im := t.w.file(u).Imports[i]
		if target, ok := l.plain(im.Path); ok {
			if refs := t.keep(t.at(u, dotted(dotted(target, im.Name), rest)), want); len(refs) > 0 {
				return found{refs: refs, proof: certain("import")}
			}
		}
	}
	if len(bound) > 0 {
		return found{} // it is of elsewhere
	}
	for scope := module; scope != ""; scope, _ = cutPath(scope) {
		if refs := t.keep(t.at(u, dotted(scope, name)), want); len(refs) > 0 {
			return found{refs: refs, proof: t.origin(u, refs)}
		}
		if !l.outer {
			break
		}
	}
	if refs := t.starred(u, name, want); len(refs) > 0 {
		return found{refs: refs, proof: certain("import")}
	}
	if refs := t.keep(t.at(u, name), want); module == "" || l.outer {
		return found{refs: refs, proof: t.origin(u, refs)}
	} else if l.global != nil {
		return found{refs: t.keep(refs, l.global), proof: certain("global")}
	}
	return found{}
}

// top gives what the file itself has of the name in its package.
func (t *tier2Family) top(u int, module, name string) []Ref {
	refs := t.at(u, dotted(module, name))
	if len(refs) > 0 && refs[0].Unit == u {
		return refs
	}
	return nil
}

// starred finds a name in what is imported as a whole; two such imports that
// both have it leave it unknown.
func (t *tier2Family) starred(u int, name string, want wants) []Ref {
	var got []Ref
	for _, i := range t.wild[u] {
		target, ok := t.lang(u).plain(t.w.file(u).Imports[i].Path)
		if !ok {
			continue
		}
		refs := t.keep(t.at(u, dotted(target, name)), want)
		if len(refs) == 0 {
			continue
		}
		if got != nil && !slices.Equal(got, refs) {
			return nil
		}
		got = refs
	}
	return got
}

// maxHeritage bounds how many classes a member is looked for in.
const maxHeritage = 200

// member finds a name in the type, namespace or function at an address, or
// in what the type extends. above leaves the type itself out.
func (t *tier2Family) member(u int, address, name string, above bool, want wants) found {
	seen := make(map[string]bool)
	var look func(u int, address string, above bool) found
	look = func(u int, address string, above bool) found {
		if seen[address] || len(seen) > maxHeritage {
			return found{}
		}
		seen[address] = true
		if !above {
			if refs := t.keep(t.at(u, address+"."+name), want); len(refs) > 0 {
				return found{refs: refs, proof: t.origin(u, refs)}
			}
			if c := t.lang(u).companion; c != "" {
				if refs := t.keep(t.at(u, address+"."+c+"."+name), want); len(refs) > 0 {
					return found{refs: refs, proof: t.origin(u, refs)}
				}
			}
		}
		for _, part := range t.keep(t.at(u, address), aType) {
			for _, up := range t.heritage.of(part) {
				if got := look(up.Unit, t.address(up), false); len(got.refs) > 0 {
					got.proof = certain("inherited-member")
					return got
				}
			}
		}
		return found{}
	}
	return look(u, address, above)
}

// origin says how a file knows these definitions.
func (t *tier2Family) origin(u int, refs []Ref) proof {
	switch {
	case len(refs) == 0:
		return proof{}
	case refs[0].Unit == u:
		return certain("same-file")
	case t.lang(u).include:
		return certain("include")
	case t.lang(u).folder && t.w.dir(u) == t.w.dir(refs[0].Unit):
		return certain("same-folder")
	}
	return certain("same-package")
}

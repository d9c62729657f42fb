package resolve

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A javaFamily resolves Java, where a class's address is its package and the
// classes around it, whatever file it stands in.
type javaFamily struct {
	w         *workspace
	addresses map[string][]Ref // "a.b.Outer.Inner" → types
	packages  map[string]bool  // every package and its outer ones
	named     []map[string][]int
	wild      [][]int
	heritage  heritage
	names     map[string]bool     // of all types, without what they stand in
	params    map[Ref][]javaParam // of the methods asked for so far; nil where the signature was cut
}

// A javaMeaning is what stands before a dot; the zero value is not known.
type javaMeaning struct {
	kind javaKind
	path string // of a package; the name of a foreign type, as seen from at
	at   Ref    // the class
	proof
}

type javaKind uint8

const (
	javaUnknown  javaKind = iota
	javaForeign           // from outside the workspace
	javaPackage           // path
	javaType              // the class itself
	javaInstance          // a value of the class
	javaSuper             // super in the class
)

func newJavaFamily(w *workspace) *javaFamily {
	j := &javaFamily{
		w:         w,
		addresses: make(map[string][]Ref),
		packages:  make(map[string]bool),
		names:     make(map[string]bool),
		params:    make(map[Ref][]javaParam),
		named:     make([]map[string][]int, len(w.units)),
		wild:      make([][]int, len(w.units)),
	}
	j.heritage = newHeritage(w, j.speaks, func(class Ref, b *extract.Reference) (Ref, bool) {
		m := j.typed(Ref{class.Unit, w.parent(class)}, qualified(b.Qualifier, b.Name), maxSteps)
		return m.at, m.kind == javaType
	})
	for u := range w.units {
		if j.speaks(w.file(u).Lang) {
			j.read(u)
		}
	}
	return j
}

func (j *javaFamily) speaks(lang string) bool { return lang == "java" }

func (j *javaFamily) read(u int) {
	f := j.w.file(u)
	for p := f.Module; p != ""; p, _ = cutPath(p) {
		j.packages[p] = true
	}
	for i, d := range f.Definitions {
		if !isType(d.Kind) {
			continue
		}
		j.names[d.Name] = true
		if a, ok := j.address(Ref{u, i}); ok {
			j.addresses[a] = append(j.addresses[a], Ref{u, i})
		}
	}
	j.named[u] = make(map[string][]int)
	for i, im := range f.Imports {
		if im.Name == "*" {
			j.wild[u] = append(j.wild[u], i)
			continue
		}
		_, name := cutPath(javaTarget(im))
		j.named[u][name] = append(j.named[u][name], i)
	}
}

// javaTarget is the whole name that an import brings.
func javaTarget(im extract.Import) string { return dotted(javaClass(im), im.Name) }

// javaClass is the class or package that an import takes something from.
func javaClass(im extract.Import) string { return strings.TrimPrefix(im.Path, "static ") }

// address is where a class can be reached from everywhere; a class inside a
// method has none.
func (j *javaFamily) address(r Ref) (string, bool) {
	name := j.w.def(r).Name
	for p := j.w.parent(r); p >= 0; p = j.w.parent(Ref{r.Unit, p}) {
		d := j.w.def(Ref{r.Unit, p})
		if !isType(d.Kind) {
			return "", false
		}
		name = d.Name + "." + name
	}
	return dotted(j.w.file(r.Unit).Module, name), true
}

func (j *javaFamily) imports(u int) []link {
	var out []link
	for _, im := range j.w.file(u).Imports {
		m := j.path(u, javaTarget(im))
		if m.kind != javaType { // a static member, or all members
			m = j.path(u, javaClass(im))
		}
		if m.kind == javaType {
			out = append(out, link{Ref{u, -1}, Ref{m.at.Unit, -1}, extract.ImportsRel, im.Line, m.proof})
		}
	}
	return out
}

// at gives the class at an address, as seen from a file: of its own
// repository first, and of several the one that stands nearest, for a module
// and its tests may each have one.
func (j *javaFamily) at(u int, address string) (Ref, bool) {
	all := j.addresses[address]
	if len(all) == 0 {
		return Ref{}, false
	}
	own := slices.DeleteFunc(slices.Clone(all), func(r Ref) bool { return j.w.units[r.Unit].Repo != j.w.units[u].Repo })
	if len(own) == 0 {
		if own = all; slices.ContainsFunc(all, func(r Ref) bool { return j.w.units[r.Unit].Repo != j.w.units[all[0].Unit].Repo }) {
			return Ref{}, false
		}
	}
	best, most, twin := own[0], -1, false
	for _, r := range own {
		switch n := sharedFolders(j.w.units[u].Path, j.w.units[r.Unit].Path); {
		case n > most:
			best, most, twin = r, n, false
		case n == most:
			twin = true
		}
	}
	return best, !twin
}

// sharedFolders counts the folders that two paths begin with alike.
func sharedFolders(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// path finds what a full name means: a class, one inside it, or a package.
func (j *javaFamily) path(u int, p string) javaMeaning {
	if j.packages[p] {
		return javaMeaning{kind: javaPackage, path: p, proof: certain("java-import")}
	}
	if r, ok := j.at(u, p); ok {
		return javaMeaning{kind: javaType, at: r, proof: certain("java-import")}
	}
	return javaMeaning{}
}

// global is the class that a bare name means at the top level of a file.
func (j *javaFamily) global(u int, name string) javaMeaning {
	for _, r := range j.w.top(u, name) {
		if isType(j.w.def(r).Kind) {
			return javaMeaning{kind: javaType, at: r, proof: certain("same-file")}
		}
	}
	for _, i := range j.named[u][name] {
		im := j.w.file(u).Imports[i]
		if m := j.path(u, javaTarget(im)); m.kind == javaType {
			return m
		}
	}
	if slices.ContainsFunc(j.named[u][name], func(i int) bool { return j.path(u, javaClass(j.w.file(u).Imports[i])).kind != javaType }) {
		return javaMeaning{kind: javaForeign}
	}
	if r, ok := j.at(u, dotted(j.w.file(u).Module, name)); ok {
		return javaMeaning{kind: javaType, at: r, proof: certain("same-package")}
	}
	for _, i := range j.wild[u] {
		im := j.w.file(u).Imports[i]
		if m := j.path(u, dotted(javaClass(im), name)); m.kind == javaType {
			return m
		}
	}
	return javaMeaning{}
}

// typed is the class that a type's name means as seen from a definition:
// "Line", "Outer.Inner", "a.b.Line".
func (j *javaFamily) typed(from Ref, typ string, steps int) javaMeaning {
	if steps <= 0 || typ == "" {
		return javaMeaning{}
	}
	first, rest, _ := strings.Cut(typ, ".")
	m := j.scopedType(from, first)
	if m.kind == javaUnknown && rest != "" { // a full name
		for prefix := typ; prefix != ""; prefix, _ = cutPath(prefix) {
			if m = j.path(from.Unit, prefix); m.kind == javaType {
				rest = strings.TrimPrefix(strings.TrimPrefix(typ, prefix), ".")
				break
			}
		}
	}
	for rest != "" && m.kind == javaType {
		first, rest, _ = strings.Cut(rest, ".")
		inner := j.heritage.among(m.at, first, false, j.isClass)
		if len(inner) != 1 {
			return javaMeaning{kind: javaForeign}
		}
		m.at = inner[0]
	}
	if m.kind != javaType {
		m = javaMeaning{kind: m.kind}
	}
	return m
}

func (j *javaFamily) isClass(r Ref) bool { return isType(j.w.def(r).Kind) }

// scopedType is the class that a bare name means inside a definition.
func (j *javaFamily) scopedType(from Ref, name string) javaMeaning {
	for r := range j.w.enclosing(from) {
		d := j.w.def(r)
		if isType(d.Kind) && d.Name == name {
			return javaMeaning{kind: javaType, at: r, proof: certain("same-file")}
		}
		for _, inner := range j.w.members(r, name) {
			if j.isClass(inner) {
				return javaMeaning{kind: javaType, at: inner, proof: certain("same-file")}
			}
		}
		if isType(d.Kind) {
			if up := j.heritage.among(r, name, true, j.isClass); len(up) > 0 {
				return javaMeaning{kind: javaType, at: up[0], proof: certain("inherited-member")}
			}
		}
	}
	return j.global(from.Unit, name)
}

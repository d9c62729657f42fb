package resolve

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A scalaFamily resolves Scala, where a name's address is its package and
// the objects around it, whatever file it stands in.
type scalaFamily struct {
	w         *workspace
	addresses map[string][]Ref // "a.b.Outer.name" → definitions
	packages  map[string]bool  // every package and its outer ones
	named     []map[string][]int
	wild      [][]int
	heritage  heritage

	extensions map[string][]Ref // name → methods added to types
	plain      map[string]bool  // names of the other methods and values
	values     map[unitImport]valueImport
}

// A scalaMeaning is what a name stands for; the zero value is not known.
type scalaMeaning struct {
	kind scalaKind
	path string // of a package
	refs []Ref  // a class and its companion, overloads, or one definition
	proof
}

type scalaKind uint8

const (
	scalaUnknown  scalaKind = iota
	scalaForeign            // imported from outside the workspace
	scalaPackage            // path
	scalaDef                // refs
	scalaInstance           // a value of class refs[0]
	scalaSuper              // super in class refs[0]
)

func newScalaFamily(w *workspace) *scalaFamily {
	s := &scalaFamily{
		w:         w,
		addresses: make(map[string][]Ref),
		packages:  make(map[string]bool),
		named:     make([]map[string][]int, len(w.units)),
		wild:      make([][]int, len(w.units)),

		extensions: make(map[string][]Ref),
		plain:      make(map[string]bool),
		values:     make(map[unitImport]valueImport),
	}
	s.heritage = newHeritage(w, s.speaks, func(class Ref, b *extract.Reference) (Ref, bool) {
		m := s.typed(class.Unit, Ref{class.Unit, w.parent(class)}, qualified(b.Qualifier, b.Name), b.Line, maxSteps)
		if m.kind != scalaInstance {
			return Ref{}, false
		}
		return m.refs[0], true
	})
	for u := range w.units {
		if s.speaks(w.file(u).Lang) {
			s.read(u)
		}
	}
	return s
}

func (s *scalaFamily) speaks(lang string) bool { return lang == "scala" }

func (s *scalaFamily) read(u int) {
	f := s.w.file(u)
	for p := f.Module; p != ""; p, _ = cutPath(p) {
		s.packages[p] = true
	}
	for i, d := range f.Definitions {
		if a, ok := s.address(Ref{u, i}); ok {
			s.addresses[a] = append(s.addresses[a], Ref{u, i})
		}
		if _, ok := s.receiverOf(Ref{u, i}); ok {
			s.extensions[d.Name] = append(s.extensions[d.Name], Ref{u, i})
		} else if !isType(d.Kind) {
			s.plain[d.Name] = true
		}
	}
	s.named[u] = make(map[string][]int)
	for i, im := range f.Imports {
		if isWild(im) {
			s.wild[u] = append(s.wild[u], i)
			continue
		}
		_, name := cutPath(scalaTarget(im))
		if im.Alias != "" {
			name = im.Alias
		}
		s.named[u][name] = append(s.named[u][name], i)
	}
}

// address is where a definition can be reached from everywhere: its package
// and the objects around it. What stands in a class has none. A package
// object's members are its package's.
func (s *scalaFamily) address(r Ref) (string, bool) {
	name := s.w.def(r).Name
	if s.isPackageObject(r) {
		return "", false
	}
	for p := s.w.parent(r); p >= 0; p = s.w.parent(Ref{r.Unit, p}) {
		d := s.w.def(Ref{r.Unit, p})
		switch d.Kind {
		case extract.Object, extract.Namespace, extract.Enum:
			if d.Name != "package" {
				name = d.Name + "." + name
			}
		default:
			return "", false
		}
	}
	return dotted(s.w.file(r.Unit).Module, name), true
}

func (s *scalaFamily) isPackageObject(r Ref) bool {
	d := s.w.def(r)
	return d.Kind == extract.Object && d.Name == "package"
}

func dotted(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}

// cutPath cuts "a.b.C" into "a.b" and "C".
func cutPath(p string) (before, last string) {
	if i := strings.LastIndexByte(p, '.'); i >= 0 {
		return p[:i], p[i+1:]
	}
	return "", p
}

func isWild(im extract.Import) bool {
	switch im.Name {
	case "*", "_", "given":
		return true
	}
	return im.Name == "" && (strings.HasSuffix(im.Path, "._") || strings.HasSuffix(im.Path, ".*"))
}

// scalaTarget is the whole path that an import names.
func scalaTarget(im extract.Import) string {
	p := strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(im.Path, "._"), ".*"), "_root_.")
	if im.Name == "" || isWild(im) {
		return p
	}
	return dotted(p, im.Name)
}

func (s *scalaFamily) imports(u int) []link {
	var out []link
	for _, im := range s.w.file(u).Imports {
		m := s.path(u, scalaTarget(im), im.Line, maxSteps)
		refs, p := m.refs, m.proof
		switch m.kind {
		case scalaPackage: // its package object stands for it
			refs = s.at(u, m.path)
		case scalaDef:
		default:
			continue
		}
		p.resolver = "scala-import"
		for _, r := range refs {
			out = append(out, link{Ref{u, -1}, Ref{r.Unit, -1}, extract.ImportsRel, im.Line, p})
		}
	}
	return out
}

// at gives what stands at an address, as seen from a file: in its own
// repository first, in another only when no third one has the same.
func (s *scalaFamily) at(u int, address string) []Ref {
	all := s.addresses[address]
	var own, others []Ref
	repos := 0
	for i, r := range all {
		switch {
		case s.w.units[r.Unit].Repo == s.w.units[u].Repo:
			own = append(own, r)
		default:
			if repos == 0 || s.w.units[all[i].Unit].Repo != s.w.units[others[0].Unit].Repo {
				repos++
			}
			others = append(others, r)
		}
	}
	if len(own) > 0 || repos != 1 {
		return own
	}
	return others
}

// path finds what an import's path means: from the root, else below the
// packages around the file, else below a name that the file knows.
func (s *scalaFamily) path(u int, p string, line, steps int) scalaMeaning {
	if steps <= 0 {
		return scalaMeaning{}
	}
	for prefix, rest := p, ""; prefix != ""; {
		if m := s.rooted(u, prefix); m.kind != scalaUnknown {
			return s.below(m, rest, u, steps)
		}
		var last string
		prefix, last = cutPath(prefix)
		rest = dotted(last, rest)
	}
	first, rest, nested := strings.Cut(p, ".")
	if !nested {
		return scalaMeaning{}
	}
	for _, i := range slices.Backward(s.named[u][first]) {
		if im := s.w.file(u).Imports[i]; im.Line <= line && scalaTarget(im) != p {
			return s.below(s.path(u, scalaTarget(im), im.Line-1, steps-1), rest, u, steps)
		}
	}
	return scalaMeaning{}
}

// rooted finds what stands at a path from the root or from a package around
// the file. A package comes before an object of its name, whose members are
// the package's own.
func (s *scalaFamily) rooted(u int, p string) scalaMeaning {
	for outer := s.w.file(u).Module; ; outer, _ = cutPath(outer) {
		a := dotted(outer, p)
		if s.packages[a] {
			return scalaMeaning{kind: scalaPackage, path: a, proof: certain("scala-import")}
		}
		if refs := s.at(u, a); len(refs) > 0 {
			return scalaMeaning{kind: scalaDef, refs: refs, proof: certain("scala-import")}
		}
		if outer == "" {
			return scalaMeaning{}
		}
	}
}

// below walks down from a thing by the names of a path.
func (s *scalaFamily) below(m scalaMeaning, p string, u, steps int) scalaMeaning {
	for p != "" && m.kind != scalaUnknown {
		var name string
		name, p, _ = strings.Cut(p, ".")
		m = s.attribute(s.applied(m, step{}, steps-1), name, u, steps-1)
	}
	return m
}

// global is what a name means at the top level of a file, as seen from a
// line of it.
func (s *scalaFamily) global(u int, name string, line, steps int) scalaMeaning {
	if steps <= 0 {
		return scalaMeaning{}
	}
	module := s.w.file(u).Module
	here := s.at(u, dotted(module, name))
	if slices.ContainsFunc(here, func(r Ref) bool { return r.Unit == u }) {
		own := slices.DeleteFunc(slices.Clone(here), func(r Ref) bool { return r.Unit != u })
		return scalaMeaning{kind: scalaDef, refs: own, proof: certain("same-file")}
	}
	if m, bound := s.importedName(u, name, line, steps); bound {
		return m
	}
	for _, i := range s.wild[u] {
		im := s.w.file(u).Imports[i]
		if im.Line > line {
			continue
		}
		m := s.below(s.path(u, scalaTarget(im), im.Line-1, steps-1), name, u, steps)
		if m.kind == scalaDef || m.kind == scalaPackage {
			m.resolver = "scala-import"
			return m
		}
	}
	if m := s.brought(u, name, line, steps-1); m.kind == scalaDef {
		m.resolver = "scala-import"
		return m
	}
	if len(here) > 0 {
		return scalaMeaning{kind: scalaDef, refs: here, proof: certain("same-package")}
	}
	for outer, _ := cutPath(module); outer != ""; outer, _ = cutPath(outer) {
		if refs := s.at(u, dotted(outer, name)); len(refs) > 0 {
			return scalaMeaning{kind: scalaDef, refs: refs, proof: likely("outer-package", 0.9)}
		}
	}
	if s.packages[name] {
		return scalaMeaning{kind: scalaPackage, path: name, proof: certain("scala-import")}
	}
	return scalaMeaning{}
}

// importedName is what the nearest import above a line binds a name to.
func (s *scalaFamily) importedName(u int, name string, line, steps int) (m scalaMeaning, bound bool) {
	imports := s.named[u][name]
	for k := len(imports) - 1; k >= 0; k-- {
		im := s.w.file(u).Imports[imports[k]]
		if im.Line > line {
			continue
		}
		m = s.path(u, scalaTarget(im), im.Line-1, steps-1)
		if m.kind == scalaUnknown {
			m.kind = scalaForeign
		}
		return m, true
	}
	return scalaMeaning{}, false
}

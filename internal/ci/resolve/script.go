package resolve

import (
	"cmp"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A jsFamily resolves TypeScript and JavaScript, which share their modules.
type jsFamily struct {
	w        *workspace
	modules  *jsModules
	imported []map[string][]int // unit → local name → imports that bind it
	exports  [][]int            // unit → imports that export something again
	stars    *starGraph         // exports of all that another file exports
	heritage heritage
	bound    map[jsBinding]*jsMeaning

	components map[componentKey]Ref
}

type jsBinding struct {
	unit int
	name string // "" and index for an import
	imp  int
}

// A jsMeaning is what a name stands for; the zero value is not known or not
// of the workspace.
type jsMeaning struct {
	kind jsKind
	unit int // of a module
	ref  Ref
	proof
}

type jsKind uint8

const (
	jsUnknown jsKind = iota
	jsForeign        // bound by an import of something outside the workspace
	jsModule
	jsDef      // ref: a class, function, variable …
	jsInstance // a value of class or interface ref
	jsSuper    // super in class ref
)

func newScriptFamily(w *workspace) *jsFamily {
	s := &jsFamily{
		w: w, modules: newJSModules(w),
		imported: make([]map[string][]int, len(w.units)),
		exports:  make([][]int, len(w.units)),
		bound:    make(map[jsBinding]*jsMeaning),

		components: newComponents(w),
	}
	s.heritage = newHeritage(w, s.speaks, func(class Ref, b *extract.Reference) (Ref, bool) {
		m, _ := s.named(class.Unit, Ref{class.Unit, w.parent(class)}, qualified(b.Qualifier, b.Name), maxSteps)
		if m.kind != jsDef {
			return Ref{}, false
		}
		return s.typeNamed(m.ref), true
	})
	stars := make([][]star, len(w.units))
	for u := range w.units {
		f := w.file(u)
		if !s.speaks(f.Lang) {
			continue
		}
		s.imported[u] = make(map[string][]int)
		for i, im := range f.Imports {
			if im.Export {
				s.exports[u] = append(s.exports[u], i)
				if im.Alias != "" || im.Path == "" || im.Name != "*" && im.Name != "" { // one name
					continue
				}
				if to, pr, ok := s.modules.find(u, im.Path); ok && to != u {
					stars[u] = append(stars[u], star{to, pr})
				}
			} else if name := jsLocalName(im); name != "" {
				s.imported[u][name] = append(s.imported[u][name], i)
			}
		}
	}
	s.stars = newStarGraph(stars, s.binds)
	return s
}

// binds tells the names that a file exports by itself, and those it has and
// may export in a way that is not seen.
func (s *jsFamily) binds(u int, tell func(name string)) {
	for name := range s.w.tables[u].top {
		tell(name)
	}
	for name := range s.imported[u] {
		tell(name)
	}
	for _, i := range s.exports[u] {
		im := s.w.file(u).Imports[i]
		if name := cmp.Or(im.Alias, im.Name); name != "*" && name != "" {
			tell(name)
		}
	}
}

func (s *jsFamily) speaks(lang string) bool {
	switch lang {
	case "typescript", "javascript", "vue", "svelte":
		return true
	}
	return false
}

// jsLocalName is the name that an import binds, "" for one that only runs
// the module.
func jsLocalName(im extract.Import) string {
	if im.Alias != "" {
		return im.Alias
	}
	if im.Name == "*" || im.Name == "default" {
		return ""
	}
	return im.Name
}

func (s *jsFamily) imports(u int) []link {
	var out []link
	for _, im := range s.w.file(u).Imports {
		if im.Path == "" {
			continue
		}
		if to, p, ok := s.modules.find(u, im.Path); ok {
			out = append(out, link{Ref{u, -1}, Ref{to, -1}, extract.ImportsRel, im.Line, p})
		}
	}
	return out
}

// global is what a name means at the top level of a file.
func (s *jsFamily) global(u int, name string, steps int) jsMeaning {
	if steps <= 0 || !s.speaks(s.w.file(u).Lang) {
		return jsMeaning{}
	}
	if own := s.w.top(u, name); len(own) > 0 {
		if len(s.imported[u][name]) > 0 && !isType(s.w.def(own[0]).Kind) {
			return jsMeaning{} // one of the two is of some inner function only
		}
		return jsMeaning{kind: jsDef, ref: own[0], proof: certain("same-file")}
	}
	for _, i := range s.imported[u][name] {
		if m := s.importMeaning(u, i, steps-1); m.kind != jsUnknown {
			return m
		}
	}
	return jsMeaning{}
}

// importMeaning is what import i of a file binds.
func (s *jsFamily) importMeaning(u, i, steps int) jsMeaning {
	key := jsBinding{unit: u, imp: i}
	if m, seen := s.bound[key]; seen {
		return *m
	}
	m := &jsMeaning{}
	s.bound[key] = m
	im := s.w.file(u).Imports[i]
	to, p, ok := s.modules.find(u, im.Path)
	switch {
	case !ok:
		*m = jsMeaning{kind: jsForeign}
	case im.Name == "" || im.Name == "*":
		*m = jsMeaning{kind: jsModule, unit: to, proof: p}
	default:
		if *m = s.export(to, im.Name, steps-1); m.kind == jsUnknown {
			*m = jsMeaning{kind: jsForeign}
			if im.Name == "default" { // a module without one stands for itself
				*m = jsMeaning{kind: jsModule, unit: to, proof: likely("default-export", 0.9)}
			}
		} else if m.kind == jsDef && m.confidence == Extracted {
			m.proof = p
		}
	}
	return *m
}

// export is what a module gives under a name.
func (s *jsFamily) export(u int, name string, steps int) jsMeaning {
	if steps <= 0 || !s.speaks(s.w.file(u).Lang) {
		return jsMeaning{}
	}
	key := jsBinding{unit: u, name: name, imp: -1}
	if m, seen := s.bound[key]; seen {
		return *m
	}
	m := &jsMeaning{}
	s.bound[key] = m
	*m = s.findExport(u, name, steps)
	return *m
}

func (s *jsFamily) findExport(u int, name string, steps int) jsMeaning {
	f := s.w.file(u)
	for _, i := range s.exports[u] {
		im := f.Imports[i]
		as := im.Alias
		if as == "" {
			as = im.Name
		}
		if as != name || as == "*" {
			continue
		}
		if im.Path == "" { // export { a as b }, export default a
			return s.global(u, im.Name, steps-1)
		}
		return s.importMeaning(u, i, steps-1)
	}
	own := s.w.top(u, name)
	for _, r := range own {
		if s.w.def(r).Exported {
			return jsMeaning{kind: jsDef, ref: r, proof: certain("same-file")}
		}
	}
	if name == "default" {
		if m := s.defaultExport(u); m.kind != jsUnknown {
			return m
		}
	}
	if name == "default" {
		return s.wholeDefault(u, steps)
	}
	for _, t := range s.stars.toward(u, name) {
		if m := s.export(t.to, name, steps-1); m.kind != jsUnknown && m.kind != jsForeign {
			return m
		}
	}
	// Exported by module.exports = { name }, or imported and exported again:
	// who asks would not compile if it were not.
	return s.global(u, name, steps-1)
}

// wholeDefault is the default export of the file that stands for this one,
// as in module.exports = require("./x"). A star does not carry it.
func (s *jsFamily) wholeDefault(u, steps int) jsMeaning {
	for _, i := range s.exports[u] {
		im := s.w.file(u).Imports[i]
		if im.Name != "" || im.Alias != "" || im.Path == "" {
			continue
		}
		if to, _, ok := s.modules.find(u, im.Path); ok && to != u {
			if m := s.export(to, "default", steps-1); m.kind != jsUnknown && m.kind != jsForeign {
				return m
			}
		}
	}
	return jsMeaning{}
}

// defaultExport guesses what a file exports by default when it does not say
// so by name: its only exported definition that is named like the file.
func (s *jsFamily) defaultExport(u int) jsMeaning {
	base := path.Base(s.w.units[u].Path)
	stem, _, _ := strings.Cut(base, ".")
	if stem == "index" {
		stem = path.Base(s.w.dir(u))
	}
	like := -1
	for i, d := range s.w.file(u).Definitions {
		if s.w.parent(Ref{u, i}) < 0 && folded(d.Name) == folded(stem) {
			if like >= 0 {
				return jsMeaning{}
			}
			like = i
		}
	}
	if like < 0 {
		return jsMeaning{}
	}
	return jsMeaning{kind: jsDef, ref: Ref{u, like}, proof: likely("default-export", 0.8)}
}

func folded(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s))
}

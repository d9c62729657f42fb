package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A pyFamily resolves Python.
type pyFamily struct {
	w        *workspace
	modules  *pyModules
	imported []map[string][]int // unit → local name → imports that bind it at the file's top level
	inner    map[pyInner][]int  // the imports that bind a name inside a function
	stars    *starGraph         // imports of everything
	heritage heritage
	orders   map[Ref][]Ref            // class → what a lookup goes through
	bound    map[pyBinding]*pyMeaning // imports looked up so far
	starred  map[pyName]*pyMeaning    // names looked up behind stars so far
}

// A pyBinding is one import of one file.
type pyBinding struct{ unit, index int }

// A pyInner is a name inside a function.
type pyInner struct {
	function Ref
	name     string
}

type pyName struct {
	unit int
	name string
}

// A pyMeaning is what a name stands for. The zero value is a thing that is
// not known or not of the workspace.
type pyMeaning struct {
	kind   pyKind
	module pyModule
	ref    Ref
	proof
}

type pyKind uint8

const (
	pyUnknown  pyKind = iota
	pyForeign         // bound by an import of something outside the workspace
	pyAModule         // module
	pyADef            // ref: a class, function or variable
	pyInstance        // a value of class ref
	pySuper           // super() in class ref
)

func newPythonFamily(w *workspace) *pyFamily {
	p := &pyFamily{
		w:        w,
		imported: make([]map[string][]int, len(w.units)),
		inner:    make(map[pyInner][]int),
		orders:   make(map[Ref][]Ref),
		bound:    make(map[pyBinding]*pyMeaning),
		starred:  make(map[pyName]*pyMeaning),
	}
	p.heritage = newHeritage(w, p.speaks, func(class Ref, b *extract.Reference) (Ref, bool) {
		m := p.name(class.Unit, Ref{class.Unit, w.parent(class)}, qualified(b.Qualifier, b.Name), b.Line, maxSteps)
		return m.ref, m.kind == pyADef
	})
	p.modules = newPyModules(w, p.speaks)
	stars := make([][]star, len(w.units))
	for u := range w.units {
		f := w.file(u)
		if !p.speaks(f.Lang) {
			continue
		}
		p.imported[u] = make(map[string][]int)
		for i, im := range f.Imports {
			if im.Name == "*" {
				if mod, pr, ok := p.modules.find(u, im.Path); ok && mod.unit >= 0 && mod.unit != u {
					stars[u] = append(stars[u], star{mod.unit, pr})
				}
				continue
			}
			name := pyLocalName(im)
			if fn, ok := w.functionAround(u, im.Line); ok {
				k := pyInner{fn, name}
				p.inner[k] = append(p.inner[k], i)
				continue
			}
			p.imported[u][name] = append(p.imported[u][name], i)
		}
	}
	p.stars = newStarGraph(stars, p.binds)
	return p
}

// functionAround is the innermost function that a line stands in.
func (w *workspace) functionAround(u, line int) (Ref, bool) {
	defs := w.file(u).Definitions
	after, _ := slices.BinarySearchFunc(defs, line+1, func(d extract.Definition, l int) int { return cmp.Compare(d.Line, l) })
	for i := after - 1; i >= max(0, after-maxAround); i-- {
		d := &defs[i]
		if isCallable(d.Kind) && d.EndLine >= line {
			return Ref{u, i}, true
		}
		if w.parent(Ref{u, i}) < 0 {
			break // what stands before it ends before it
		}
	}
	return Ref{}, false
}

// maxAround bounds how many definitions above a line are looked through.
const maxAround = 4096

// binds tells the names that a file binds to something of the workspace, as
// far as its own text says.
func (p *pyFamily) binds(u int, tell func(name string)) {
	for name := range p.w.tables[u].top {
		tell(name)
	}
	for name, list := range p.imported[u] {
		for _, i := range list {
			if _, _, ok := p.modules.find(u, p.w.file(u).Imports[i].Path); ok {
				tell(name)
			}
		}
	}
}

func (p *pyFamily) speaks(lang string) bool { return lang == "python" }

// pyLocalName is the name that an import binds.
func pyLocalName(im extract.Import) string {
	switch {
	case im.Alias != "":
		return im.Alias
	case im.Name != "":
		return im.Name
	}
	name, _, _ := strings.Cut(im.Path, ".") // import a.b binds a
	return name
}

func (p *pyFamily) imports(u int) []link {
	var out []link
	for _, im := range p.w.file(u).Imports {
		mod, pr, ok := p.modules.find(u, im.Path)
		if !ok {
			continue
		}
		if im.Name != "" && im.Name != "*" {
			if sub, ok := p.modules.at(mod.place + "/" + im.Name); ok && sub.unit >= 0 && !p.defines(mod.unit, im.Name) {
				mod = sub
			}
		}
		if mod.unit >= 0 {
			out = append(out, link{Ref{u, -1}, Ref{mod.unit, -1}, extract.ImportsRel, im.Line, pr})
		}
	}
	return out
}

func (p *pyFamily) defines(u int, name string) bool {
	return u >= 0 && (len(p.w.top(u, name)) > 0 || len(p.imported[u][name]) > 0)
}

// importMeaning is what import i of a file binds.
func (p *pyFamily) importMeaning(u, i, steps int) pyMeaning {
	key := pyBinding{u, i}
	if m, seen := p.bound[key]; seen {
		return *m // of a circle: unknown
	}
	m := &pyMeaning{}
	p.bound[key] = m
	*m = p.readImport(u, p.w.file(u).Imports[i], steps)
	return *m
}

func (p *pyFamily) readImport(u int, im extract.Import, steps int) pyMeaning {
	path := im.Path
	if im.Name == "" && im.Alias == "" {
		path, _, _ = strings.Cut(path, ".")
	}
	mod, pr, ok := p.modules.find(u, path)
	if !ok {
		return pyMeaning{kind: pyForeign}
	}
	m := pyMeaning{kind: pyAModule, module: mod, proof: pr}
	if im.Name == "" {
		return m
	}
	m = p.attribute(m, im.Name, steps-1)
	if m.kind == pyUnknown {
		return pyMeaning{kind: pyForeign}
	}
	return m
}

// global is what a name means at the top level of a file, as seen from a
// line: the binding last written before it, else the last of all.
func (p *pyFamily) global(u int, name string, line, steps int) pyMeaning {
	if steps <= 0 {
		return pyMeaning{}
	}
	best, bestLine := -1, 0
	def := -1
	nearer := func(l int) bool {
		if bestLine == 0 {
			return true
		}
		if (l <= line) != (bestLine <= line) {
			return l <= line
		}
		return l >= bestLine
	}
	for _, r := range p.w.top(u, name) {
		if l := p.w.def(r).Line; nearer(l) {
			def, bestLine = r.Def, l
		}
	}
	for _, i := range p.imported[u][name] {
		if l := p.w.file(u).Imports[i].Line; nearer(l) {
			best, def, bestLine = i, -1, l
		}
	}
	switch {
	case def >= 0:
		return pyMeaning{kind: pyADef, ref: Ref{u, def}, proof: certain("same-file")}
	case best >= 0:
		return p.importMeaning(u, best, steps-1)
	case strings.HasPrefix(name, "_"):
		return pyMeaning{}
	}
	return p.star(u, name, steps)
}

// star is what a name means that a file imports with all others of a module:
// the nearest one, the first of the file's stars where several are as near.
func (p *pyFamily) star(u int, name string, steps int) pyMeaning {
	key := pyName{u, name}
	if m, seen := p.starred[key]; seen {
		return *m // of a circle: unknown
	}
	toward := p.stars.toward(u, name)
	if len(toward) == 0 {
		return pyMeaning{}
	}
	m := &pyMeaning{}
	p.starred[key] = m
	for _, s := range toward {
		if found := p.global(s.to, name, maxLine, steps-1); found.kind == pyADef || found.kind == pyAModule {
			*m = found
			m.proof = s.proof
			break
		}
	}
	return *m
}

// maxLine stands for "seen from the outside, when the file has run".
const maxLine = 1 << 30

// attribute is what a name means behind a dot.
func (p *pyFamily) attribute(of pyMeaning, name string, steps int) pyMeaning {
	if steps <= 0 {
		return pyMeaning{}
	}
	switch of.kind {
	case pyForeign:
		return of
	case pyAModule:
		if of.module.unit >= 0 {
			if m := p.global(of.module.unit, name, maxLine, steps-1); m.kind != pyUnknown {
				if m.kind == pyADef {
					m.proof = of.proof
				}
				return m
			}
		}
		if of.module.unit >= 0 && !strings.HasSuffix(p.w.units[of.module.unit].Path, "/__init__.py") {
			return pyMeaning{}
		}
		if sub, ok := p.modules.at(of.module.place + "/" + name); ok {
			return pyMeaning{kind: pyAModule, module: sub, proof: of.proof}
		}
	case pyADef, pyInstance, pySuper:
		if own := p.inherited(of.ref, name, of.kind == pySuper); len(own) > 0 {
			return pyMeaning{kind: pyADef, ref: own[len(own)-1], proof: certain("receiver-type")}
		}
	}
	return pyMeaning{}
}

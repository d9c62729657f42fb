package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A rustFamily resolves Rust, where a name's address is its crate and the
// modules around it.
type rustFamily struct {
	w        *workspace
	packages map[string]*cargoPackage // by folder
	named    map[string][]string      // a package's name → its folders
	crates   []rustCrate
	libs     map[string]int // folder of a package → its library
	modules  []rustModule
	of       []int              // unit → module of the file, or -1
	inner    map[Ref]int        // inline module → module
	scopes   map[Ref]*rustUse   // file, inline module or function → what is imported there
	around   map[Ref]Ref        // member of a type elsewhere → inline module or file around it
	declared map[rustImport]int // mod x; → inline module around it
	active   map[rustImport]bool
	known    map[rustName]rustMeaning
	asked    map[rustName]bool
	members  map[Ref]map[string][]Ref // type → its members that stand elsewhere
	traits   map[Ref][]Ref            // type or trait → its traits, once known
	stated   map[Ref][]rustTrait
	adopted  map[int][]link
	macros   []map[string][]Ref // crate → its macros
}

// A rustCrate is one target of a package.
type rustCrate struct {
	pkg  *cargoPackage // nil: of no package
	root int           // module
}

type rustModule struct {
	at       Ref // a file, or an inline module
	parent   int // -1: a crate's root
	crate    int
	children map[string]int
}

// A rustUse holds what is imported in one place, by index of the import.
type rustUse struct {
	named map[string][]int
	wild  []int
}

type rustImport struct{ unit, at int }

// A rustTrait is a trait that a type names.
type rustTrait struct {
	from Ref
	path string
}

func newRustFamily(w *workspace) *rustFamily {
	r := &rustFamily{
		w:        w,
		packages: readCargo(w.manifests),
		named:    make(map[string][]string),
		libs:     make(map[string]int),
		of:       make([]int, len(w.units)),
		inner:    make(map[Ref]int),
		scopes:   make(map[Ref]*rustUse),
		around:   make(map[Ref]Ref),
		declared: make(map[rustImport]int),
		active:   make(map[rustImport]bool),
		known:    make(map[rustName]rustMeaning),
		asked:    make(map[rustName]bool),
		members:  make(map[Ref]map[string][]Ref),
		traits:   make(map[Ref][]Ref),
		stated:   make(map[Ref][]rustTrait),
		adopted:  make(map[int][]link),
	}
	for dir, p := range r.packages {
		if p.name != "" {
			r.named[p.name] = append(r.named[p.name], dir)
		}
	}
	for _, dirs := range r.named {
		slices.Sort(dirs)
	}
	for u := range w.units {
		r.of[u] = -1
		if r.speaks(w.file(u).Lang) {
			r.place(u)
		}
	}
	r.plant()
	for u := range w.units {
		if r.of[u] >= 0 {
			r.adopt(u)
		}
	}
	clear(r.traits) // looked up while not all were stated
	clear(r.known)
	return r
}

func (r *rustFamily) speaks(lang string) bool { return lang == "rust" }

// place finds where in a file each import counts, and where the members of
// types elsewhere stand.
func (r *rustFamily) place(u int) {
	f := r.w.file(u)
	var open []int // inline modules and functions around the line
	next := 0
	at := func(line int) {
		for ; next < len(f.Definitions) && f.Definitions[next].Line <= line; next++ {
			if k := f.Definitions[next].Kind; k == extract.Namespace || isCallable(k) {
				open = append(open, next)
			}
		}
		open = slices.DeleteFunc(open, func(d int) bool { return f.Definitions[d].EndLine < line })
	}
	for i, im := range f.Imports {
		at(im.Line)
		scope := Ref{u, -1}
		if len(open) > 0 {
			scope.Def = open[len(open)-1]
		}
		if isModule(im) {
			for _, o := range open {
				if f.Definitions[o].Kind == extract.Namespace {
					r.declared[rustImport{u, i}] = o
				}
			}
			continue
		}
		use := r.scopes[scope]
		if use == nil {
			use = &rustUse{named: make(map[string][]int)}
			r.scopes[scope] = use
		}
		if im.Name == "*" {
			use.wild = append(use.wild, i)
			continue
		}
		use.named[importedAs(im)] = append(use.named[importedAs(im)], i)
	}
	open, next = nil, 0
	for i, d := range f.Definitions {
		if d.Container == "" || r.w.parent(Ref{u, i}) >= 0 {
			continue
		}
		at(d.Line)
		r.around[Ref{u, i}] = Ref{u, -1}
		for _, o := range open {
			if f.Definitions[o].Kind == extract.Namespace {
				r.around[Ref{u, i}] = Ref{u, o}
			}
		}
	}
}

// isModule tells `mod x;` from what is imported.
func isModule(im extract.Import) bool {
	return im.Name == "" && (strings.HasPrefix(im.Path, "self::") || strings.HasSuffix(im.Path, ".rs"))
}

// importedAs is the name that an import binds.
func importedAs(im extract.Import) string {
	switch {
	case im.Alias != "":
		return im.Alias
	case im.Name != "":
		return im.Name
	}
	return im.Path
}

// plant grows the tree of modules from the root file of every crate. A file
// that no tree reaches is a crate of its own.
func (r *rustFamily) plant() {
	dirs := make([]string, 0, len(r.packages))
	for dir := range r.packages {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		p := r.packages[dir]
		lib := p.libPath
		if lib == "" {
			lib = "src/lib.rs"
		}
		if at, ok := join(dir, lib); ok && p.name != "" {
			if u, ok := r.fresh(at); ok {
				r.libs[dir] = len(r.crates)
				r.grow(p, u)
			}
		}
	}
	for _, dir := range dirs {
		p := r.packages[dir]
		for _, root := range append([]string{"src/main.rs", "build.rs"}, p.roots...) {
			if at, ok := join(dir, root); ok {
				if u, ok := r.fresh(at); ok {
					r.grow(p, u)
				}
			}
		}
	}
	var rest []int
	for u, unit := range r.w.units {
		if r.of[u] >= 0 || !r.speaks(r.w.file(u).Lang) {
			continue
		}
		if p := r.packageOf(unit.Path); p != nil && isTarget(strings.TrimPrefix(unit.Path, p.dir+"/")) {
			r.grow(p, u)
			continue
		}
		rest = append(rest, u)
	}
	for _, likely := range [...]bool{true, false} {
		for _, u := range rest {
			base := path.Base(r.w.units[u].Path)
			if r.of[u] < 0 && (!likely || base == "lib.rs" || base == "main.rs") {
				r.grow(r.packageOf(r.w.units[u].Path), u)
			}
		}
	}
}

// isTarget reports a file that cargo builds by its place alone.
func isTarget(p string) bool {
	parts := strings.Split(p, "/")
	if len(parts) > 1 && parts[0] == "src" && parts[1] == "bin" {
		parts = parts[1:]
	}
	switch parts[0] {
	case "bin", "tests", "examples", "benches":
		return len(parts) == 2 || len(parts) == 3 && parts[2] == "main.rs"
	}
	return false
}

// packageOf is the package whose folder a path is in.
func (r *rustFamily) packageOf(p string) *cargoPackage {
	for dir := folder(p); ; dir = folder(dir) {
		if pkg := r.packages[dir]; pkg != nil && pkg.name != "" {
			return pkg
		}
		if dir == "" {
			return nil
		}
	}
}

// fresh finds the Rust file at a path that is in no crate yet.
func (r *rustFamily) fresh(at string) (int, bool) {
	u, ok := r.w.at[at]
	return u, ok && r.speaks(r.w.file(u).Lang) && r.of[u] < 0
}

func (r *rustFamily) grow(p *cargoPackage, u int) {
	crate := len(r.crates)
	r.crates = append(r.crates, rustCrate{pkg: p, root: len(r.modules)})
	r.macros = append(r.macros, make(map[string][]Ref))
	r.file(u, -1, crate, r.w.dir(u))
}

// file makes a module of a file, whose own modules stand in the folder.
func (r *rustFamily) file(u, parent, crate int, dir string) int {
	m := r.module(Ref{u, -1}, parent, crate)
	r.of[u] = m
	f := r.w.file(u)
	dirs := map[int]string{-1: dir} // inline module → folder of its files
	for i, d := range f.Definitions {
		if d.Kind == extract.Function && strings.HasPrefix(d.Signature, "macro_rules!") {
			r.macros[crate][d.Name] = append(r.macros[crate][d.Name], Ref{u, i})
		}
		if d.Kind != extract.Namespace {
			continue
		}
		up, outer := m, r.w.parent(Ref{u, i})
		if outer >= 0 {
			known, ok := r.inner[Ref{u, outer}]
			if !ok {
				continue
			}
			up = known
		}
		in := r.module(Ref{u, i}, up, crate)
		r.inner[Ref{u, i}] = in
		r.modules[up].children[d.Name] = in
		dirs[i] = path.Join(dirs[outer], d.Name)
	}
	for i, im := range f.Imports {
		if !isModule(im) {
			continue
		}
		at, scope := m, -1
		if s, nested := r.declared[rustImport{u, i}]; nested {
			if in, known := r.inner[Ref{u, s}]; known {
				at, scope = in, s
			}
		}
		name := importedAs(im)
		to, below, ok := r.locate(u, im, dirs[scope])
		if !ok {
			continue
		}
		name = strings.TrimPrefix(name, "self::")
		if _, twin := r.modules[at].children[name]; !twin {
			child := r.file(to, at, crate, below)
			r.modules[at].children[name] = child
		}
	}
	return m
}

func (r *rustFamily) module(at Ref, parent, crate int) int {
	r.modules = append(r.modules, rustModule{at: at, parent: parent, crate: crate, children: make(map[string]int)})
	return len(r.modules) - 1
}

// locate finds the file of `mod x;`, and the folder of that one's modules.
func (r *rustFamily) locate(u int, im extract.Import, dir string) (to int, below string, ok bool) {
	if strings.HasSuffix(im.Path, ".rs") {
		if at, inside := join(r.w.dir(u), im.Path); inside {
			if to, ok = r.fresh(at); ok {
				return to, folder(at), true
			}
		}
		return 0, "", false
	}
	name := strings.TrimPrefix(im.Path, "self::")
	for _, file := range [...]string{name + ".rs", name + "/mod.rs"} {
		if at, inside := join(dir, file); inside {
			if to, ok = r.fresh(at); ok {
				below, _ = join(dir, name)
				return to, below, true
			}
		}
	}
	return 0, "", false
}

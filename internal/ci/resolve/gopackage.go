package resolve

import (
	"go/ast"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A goPackage is the Go files of one folder with one package name.
type goPackage struct {
	dir     string
	name    string
	units   []int
	top     map[string][]Ref
	members map[goMember][]Ref // methods and fields, of a type's name
	embeds  map[string][]goType
}

type goMember struct{ typ, name string }

type goFamily struct {
	w        *workspace
	mods     []goModule
	owners   map[string]int          // folder → its module, or -1
	packages map[string][]*goPackage // folder → packages by name: foo, foo_test, main
	of       []*goPackage            // unit → its package, nil for other languages
	scopes   []map[string]goImport   // unit → local name → what it imports
	dots     [][]*goPackage          // unit → packages imported with a dot
	parsed   map[string]ast.Expr     // an expression as written → its tree, nil when it has none
	declared map[Ref]*goDecl
	adopted  map[int][]link // unit → its types' methods in other files
}

// A goImport is what a package name means in one file: a package of the
// workspace, or nil for one of elsewhere.
type goImport struct{ pkg *goPackage }

func newGoFamily(w *workspace) *goFamily {
	g := &goFamily{
		w:        w,
		mods:     readGoModules(w.manifests),
		owners:   make(map[string]int),
		packages: make(map[string][]*goPackage),
		of:       make([]*goPackage, len(w.units)),
		scopes:   make([]map[string]goImport, len(w.units)),
		dots:     make([][]*goPackage, len(w.units)),
		parsed:   make(map[string]ast.Expr),
		declared: make(map[Ref]*goDecl),
		adopted:  make(map[int][]link),
	}
	for u := range w.units {
		if g.speaks(w.file(u).Lang) {
			g.place(u)
		}
	}
	for u := range w.units {
		if g.of[u] != nil {
			g.scope(u)
			g.adopt(u)
		}
	}
	return g
}

func (g *goFamily) speaks(lang string) bool { return lang == "go" }

// place puts a file's definitions into its package.
func (g *goFamily) place(u int) {
	f, dir := g.w.file(u), g.w.dir(u)
	p := g.pkg(dir, f.Module)
	if p == nil {
		p = &goPackage{
			dir: dir, name: f.Module,
			top:     make(map[string][]Ref),
			members: make(map[goMember][]Ref),
			embeds:  make(map[string][]goType),
		}
		g.packages[dir] = append(g.packages[dir], p)
		g.owners[dir] = owner(g.mods, dir)
	}
	g.of[u] = p
	p.units = append(p.units, u)
	for i, d := range f.Definitions {
		r := Ref{u, i}
		switch {
		case d.Container != "":
			k := goMember{d.Container, d.Name}
			p.members[k] = append(p.members[k], r)
		case g.w.parent(r) < 0 && d.Name != "_" && d.Name != "init":
			p.top[d.Name] = append(p.top[d.Name], r)
		}
	}
	for _, r := range f.References {
		if r.Relation == extract.Embeds && r.From >= 0 && r.From < len(f.Definitions) {
			expr := g.parse(qualified(r.Qualifier, r.Name))
			if expr != nil {
				t := f.Definitions[r.From].Name
				p.embeds[t] = append(p.embeds[t], goType{u, expr})
			}
		}
	}
}

func qualified(qualifier, name string) string {
	if qualifier == "" {
		return name
	}
	return qualifier + "." + name
}

// pkg finds a package of a folder by name.
func (g *goFamily) pkg(dir, name string) *goPackage {
	for _, p := range g.packages[dir] {
		if p.name == name {
			return p
		}
	}
	return nil
}

// importable is the package that an import of the folder gives: not the
// test package beside it, not a program that only `go run` builds.
func (g *goFamily) importable(dir string) *goPackage {
	var best *goPackage
	for _, p := range g.packages[dir] {
		if strings.HasSuffix(p.name, "_test") || !g.hasSource(p) {
			continue
		}
		if best == nil || best.name == "main" || (p.name != "main" && p.name == path.Base(dir)) {
			best = p
		}
	}
	return best
}

func (g *goFamily) hasSource(p *goPackage) bool {
	for _, u := range p.units {
		if !g.isTest(u) {
			return true
		}
	}
	return false
}

func (g *goFamily) isTest(u int) bool { return strings.HasSuffix(g.w.units[u].Path, "_test.go") }

// locate gives the folder that an import path means in a file: through a
// replacement of the file's module, the module itself, or the one module of
// the workspace with that path.
func (g *goFamily) locate(u int, importPath string) (string, bool) {
	own := g.owners[g.w.dir(u)]
	best, dir, ok := "", "", false
	if own >= 0 {
		for module, to := range g.mods[own].replaced {
			if rest, is := below(importPath, module); is && len(module) > len(best) {
				if d, inside := join(to, rest); inside {
					best, dir, ok = module, d, true
				}
			}
		}
		if rest, is := below(importPath, g.mods[own].path); is && len(g.mods[own].path) > len(best) {
			best, ok = g.mods[own].path, true
			dir, _ = join(g.mods[own].dir, rest)
		}
	}
	var places []string
	for i, m := range g.mods {
		rest, is := below(importPath, m.path)
		if !is || len(m.path) < len(best) || (len(m.path) == len(best) && (ok || i == own)) {
			continue
		}
		if len(m.path) > len(best) {
			best, places, ok = m.path, nil, false
		}
		d, _ := join(m.dir, rest)
		if g.ownedBy(d, i) {
			places = append(places, d)
		}
	}
	if ok {
		return dir, true
	}
	if len(places) == 1 {
		return places[0], true
	}
	return "", false
}

// ownedBy reports whether a folder belongs to module i and not to one nested
// in it.
func (g *goFamily) ownedBy(dir string, i int) bool {
	o, known := g.owners[dir]
	return known && o == i
}

// scope reads a file's imports.
func (g *goFamily) scope(u int) {
	names := make(map[string]goImport)
	for _, im := range g.w.file(u).Imports {
		var p *goPackage
		if dir, ok := g.locate(u, im.Path); ok {
			p = g.importable(dir)
		}
		switch {
		case im.Alias == "_":
		case im.Name == "*":
			if p != nil {
				g.dots[u] = append(g.dots[u], p)
			}
		case im.Alias != "":
			names[im.Alias] = goImport{p}
		case p != nil:
			names[p.name] = goImport{p}
		default:
			for _, n := range guessPackageNames(im.Path) {
				names[n] = goImport{}
			}
		}
	}
	g.scopes[u] = names
}

// guessPackageNames lists the names by which a package of elsewhere may be
// known in a file: the last part of its path, or the part before a version.
func guessPackageNames(importPath string) []string {
	base := path.Base(importPath)
	if isVersion(base) {
		base = path.Base(path.Dir(importPath))
	}
	if stem, v, ok := strings.Cut(base, "."); ok && isVersion(v) {
		base = stem // gopkg.in/yaml.v3
	}
	names := []string{base}
	if s := strings.TrimPrefix(base, "go-"); s != base {
		names = append(names, s)
	}
	if s := strings.TrimSuffix(base, "-go"); s != base {
		names = append(names, s)
	}
	if i := strings.LastIndexByte(base, '-'); i >= 0 {
		names = append(names, base[i+1:], strings.ReplaceAll(base, "-", ""))
	}
	return names
}

func isVersion(s string) bool {
	if len(s) < 2 || s[0] != 'v' {
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}

// face is the file that stands for a package: doc.go, the file named like
// it, else the first that is no test.
func (g *goFamily) face(p *goPackage) int {
	first := -1
	for _, name := range []string{"doc.go", p.name + ".go", path.Base(p.dir) + ".go"} {
		for _, u := range p.units {
			if path.Base(g.w.units[u].Path) == name {
				return u
			}
			if first < 0 && !g.isTest(u) {
				first = u
			}
		}
	}
	return first
}

// visible drops what stands in a test file, when the asker does not.
func (g *goFamily) visible(u int, candidates []Ref) []Ref {
	if g.isTest(u) {
		return candidates
	}
	var out []Ref
	for i, c := range candidates {
		switch test := g.isTest(c.Unit); {
		case test && out == nil:
			out = append(make([]Ref, 0, len(candidates)), candidates[:i]...)
		case !test && out != nil:
			out = append(out, c)
		}
	}
	if out == nil {
		return candidates
	}
	return out
}

// imports links a file with the packages it imports, and its types with
// their methods in other files of the package.
func (g *goFamily) imports(u int) []link {
	var out []link
	f := g.w.file(u)
	for _, im := range f.Imports {
		if dir, ok := g.locate(u, im.Path); ok {
			if p := g.importable(dir); p != nil && p != g.of[u] {
				out = append(out, link{Ref{u, -1}, Ref{g.face(p), -1}, extract.ImportsRel, im.Line, certain("go-import")})
			}
		}
	}
	return append(out, g.adopted[u]...)
}

// adopt links the types of a file with their methods elsewhere in the
// package. A method whose type is unknown stays with its own file.
func (g *goFamily) adopt(u int) {
	for i, d := range g.w.file(u).Definitions {
		r := Ref{u, i}
		if d.Kind != extract.Method || d.Container == "" || g.w.parent(r) >= 0 {
			continue
		}
		for _, t := range g.visible(u, g.of[u].top[d.Container]) {
			if isType(g.w.def(t).Kind) {
				g.w.distant[r] = true
				g.adopted[t.Unit] = append(g.adopted[t.Unit],
					link{t, r, extract.Contains, g.w.def(t).Line, certain("go-package")})
			}
		}
	}
}

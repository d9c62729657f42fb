package resolve

import (
	"path"
	"slices"
	"strings"
)

// A pyModule is a module or package of the workspace.
type pyModule struct {
	place string // its path without ending: "src/pkg/mod"
	unit  int    // its file (a package's is __init__.py), -1 for a folder without one
}

// A pyEntry is a module under the name that one source root gives it.
type pyEntry struct {
	pyModule
	repo   string
	root   string
	source bool // the root is one that tools put on the path: a repository, a project, its src
}

// A pyModules table finds modules by their dotted names.
type pyModules struct {
	w       *workspace
	named   map[string][]pyEntry
	bases   map[string]string   // folder → the nearest folder above its packages
	folders map[string]bool     // folders that hold Python files, at any depth
	owners  map[string][]string // top package → repositories that have it
}

func newPyModules(w *workspace, speaks func(string) bool) *pyModules {
	m := &pyModules{
		w: w, named: make(map[string][]pyEntry), bases: make(map[string]string),
		folders: make(map[string]bool), owners: make(map[string][]string),
	}
	projects := m.projects()
	for u, unit := range w.units {
		if !speaks(w.file(u).Lang) {
			continue
		}
		for d := w.dir(u); d != "" && !m.folders[d]; d = folder(d) {
			m.folders[d] = true
		}
		sources := sourceRoots(w.dir(u), unit.Root, projects)
		base := m.base(w.dir(u))
		m.enter(u, base, slices.Contains(sources, base))
		for _, root := range sources {
			if root != base {
				m.enter(u, root, true)
			}
		}
	}
	return m
}

// projects lists the folders with a Python project's manifest.
func (m *pyModules) projects() map[string]bool {
	dirs := make(map[string]bool)
	for name := range m.w.manifests {
		switch path.Base(name) {
		case "pyproject.toml", "setup.cfg", "setup.py":
			dirs[folder(name)] = true
		}
	}
	for name := range m.w.at {
		if path.Base(name) == "setup.py" {
			dirs[folder(name)] = true
		}
	}
	return dirs
}

// sourceRoots lists the folders above dir from which its project's modules
// are imported.
func sourceRoots(dir, repo string, projects map[string]bool) []string {
	tops := []string{repo}
	for d := dir; d != repo && d != ""; d = folder(d) {
		if projects[d] {
			tops = append(tops, d)
			break
		}
	}
	var roots []string
	for _, top := range tops {
		src, _ := join(top, "src")
		if within(dir, src) {
			roots = append(roots, src)
		}
		if within(dir, top) {
			roots = append(roots, top)
		}
	}
	return roots
}

// base is the nearest folder, dir or above, that is not a package: where
// Python looks for the modules of a program that starts below it.
func (m *pyModules) base(dir string) string {
	if b, known := m.bases[dir]; known {
		return b
	}
	b := dir
	if dir != "" && m.isPackage(dir) {
		b = m.base(folder(dir))
	}
	m.bases[dir] = b
	return b
}

func (m *pyModules) isPackage(dir string) bool {
	_, py := m.w.at[dir+"/__init__.py"]
	_, pyi := m.w.at[dir+"/__init__.pyi"]
	return py || pyi
}

func (m *pyModules) enter(u int, root string, source bool) {
	p := m.w.units[u].Path
	place := strings.TrimSuffix(strings.TrimSuffix(p, path.Ext(p)), "/__init__")
	rel := strings.TrimPrefix(strings.TrimPrefix(place, root), "/")
	if rel == "" || strings.ContainsAny(rel, ".- ") {
		return
	}
	name := strings.ReplaceAll(rel, "/", ".")
	m.named[name] = append(m.named[name], pyEntry{pyModule{place, u}, m.w.units[u].Repo, root, source})
	top, _, nested := strings.Cut(name, ".")
	if folderTop, _ := join(root, top); (nested || path.Base(p) == "__init__.py") && m.isPackage(folderTop) {
		if repo := m.w.units[u].Repo; !slices.Contains(m.owners[top], repo) {
			m.owners[top] = append(m.owners[top], repo)
		}
	}
}

// absolute finds the module that `import name` means in a file.
func (m *pyModules) absolute(u int, name string) (pyModule, proof, bool) {
	top, _, _ := strings.Cut(name, ".")
	if pythonStdlib[top] {
		return pyModule{}, proof{}, false
	}
	unit := m.w.units[u]
	base := m.base(m.w.dir(u))
	var best *pyEntry
	rank, tie := 0, false
	for i := range m.named[name] {
		e := &m.named[name][i]
		r := m.rank(e, unit, base, top)
		switch {
		case r == 0 || best != nil && e.unit == best.unit && r <= rank:
		case best == nil || r > rank || r == rank && strings.HasSuffix(m.w.units[best.unit].Path, ".pyi"):
			best, rank, tie = e, r, false
		case r == rank && e.unit != best.unit && !strings.HasSuffix(m.w.units[e.unit].Path, ".pyi"):
			tie = true
		}
	}
	if best == nil || tie {
		return m.namespace(u, name)
	}
	p := certain("python-import")
	if !best.source && best.root != base {
		p = likely("python-import", 0.9)
	}
	return best.pyModule, p, true
}

// rank says how near an entry is to a file, 0 when an import there cannot
// mean it.
func (m *pyModules) rank(e *pyEntry, unit Unit, base, top string) int {
	dir := folder(unit.Path)
	switch {
	case e.repo != unit.Repo:
		if owners := m.owners[top]; len(owners) == 1 && owners[0] == e.repo {
			return 1
		}
		return 0
	case e.root == base:
		return 1000
	case !e.source && e.unit >= 0 && !m.isPackage(joined(e.root, top)):
		return 0 // a script's neighbour is on no path but the script's
	case e.source:
		return 500 + len(shared(dir, e.root))
	}
	return 10 + len(shared(dir, e.root))
}

func joined(a, b string) string {
	p, _ := join(a, b)
	return p
}

// shared is the path of the deepest folder that holds both.
func shared(a, b string) string {
	for !within(b, a) {
		a = folder(a)
	}
	return a
}

// namespace finds a package without a file of its own.
func (m *pyModules) namespace(u int, name string) (pyModule, proof, bool) {
	rel := strings.ReplaceAll(name, ".", "/")
	roots := []string{m.base(m.w.dir(u)), m.w.units[u].Root}
	for _, root := range roots {
		if place, ok := join(root, rel); ok && m.folders[place] && !m.isPackage(place) {
			return pyModule{place, -1}, certain("python-import"), true
		}
	}
	return pyModule{}, proof{}, false
}

// relative finds the module that `from ..name import` means in a file.
func (m *pyModules) relative(u int, name string) (pyModule, bool) {
	rest := strings.TrimLeft(name, ".")
	place := m.w.dir(u)
	for range len(name) - len(rest) - 1 {
		if place == m.w.units[u].Root {
			return pyModule{}, false
		}
		place = folder(place)
	}
	if rest == "" {
		return m.at(place)
	}
	return m.at(joined(place, strings.ReplaceAll(rest, ".", "/")))
}

// at is the module at a path without ending.
func (m *pyModules) at(place string) (pyModule, bool) {
	for _, end := range []string{"/__init__.py", ".py", "/__init__.pyi", ".pyi"} {
		if u, ok := m.w.at[strings.TrimPrefix(place+end, "/")]; ok {
			return pyModule{place, u}, true
		}
	}
	return pyModule{place, -1}, m.folders[place]
}

// find is absolute or relative, as the name asks.
func (m *pyModules) find(u int, name string) (pyModule, proof, bool) {
	if strings.HasPrefix(name, ".") {
		mod, ok := m.relative(u, name)
		return mod, certain("python-import"), ok
	}
	return m.absolute(u, name)
}

package resolve

import (
	"path"
	"slices"
	"strings"
)

// A jsModules table finds files by the paths that imports write.
type jsModules struct {
	w        *workspace
	configs  map[string]jsConfig // folder → its configuration
	packages map[string][]int    // name → packages
	all      []jsPackage
	nearest  map[string]int // folder → the package that holds it, or -1
}

func newJSModules(w *workspace) *jsModules {
	m := &jsModules{w: w, configs: make(map[string]jsConfig), packages: make(map[string][]int), nearest: make(map[string]int)}
	for _, base := range []string{"jsconfig.json", "tsconfig.json"} {
		for _, name := range sortedNames(w.manifests, base) {
			m.configs[folder(name)] = readJSConfig(w.manifests, name, 0)
		}
	}
	for _, name := range sortedNames(w.manifests, "package.json") {
		p := readJSPackage(name, w.manifests[name])
		m.nearest[p.dir] = len(m.all)
		if p.name != "" {
			m.packages[p.name] = append(m.packages[p.name], len(m.all))
		}
		m.all = append(m.all, p)
	}
	return m
}

// holding is the package whose folder holds dir most closely, or -1.
func (m *jsModules) holding(dir string) int {
	if p, known := m.nearest[dir]; known {
		return p
	}
	p := -1
	if dir != "" {
		p = m.holding(folder(dir))
	}
	m.nearest[dir] = p
	return p
}

// jsEndings are what an import may leave out, in the order in which they count.
var jsEndings = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".vue", ".svelte"}

// compiled gives the sources that an import of a compiled file may mean.
var compiled = map[string][]string{
	".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
}

// file finds the file at a path that may lack its ending or be a folder.
func (m *jsModules) file(p string) (int, bool) {
	if u, ok := m.w.at[p]; ok {
		return u, true
	}
	for _, end := range jsEndings {
		if u, ok := m.w.at[p+end]; ok {
			return u, true
		}
	}
	ext := path.Ext(p)
	for _, end := range compiled[ext] {
		if u, ok := m.w.at[strings.TrimSuffix(p, ext)+end]; ok {
			return u, true
		}
	}
	for _, end := range jsEndings {
		if u, ok := m.w.at[joined(p, "index"+end)]; ok {
			return u, true
		}
	}
	return 0, false
}

// fileOrPackage is file, or what the manifest of a folder says that it means.
func (m *jsModules) fileOrPackage(p string) (int, bool) {
	if i, ok := m.nearest[p]; ok && i >= 0 && m.all[i].dir == p {
		if f, ok := m.exported(m.all[i], "."); ok {
			return f, true
		}
	}
	return m.file(p)
}

// find gives the file that an import path means in a unit.
func (m *jsModules) find(u int, name string) (int, proof, bool) {
	dir := m.w.dir(u)
	if name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		p, ok := join(dir, name)
		if !ok || !within(p, m.w.units[u].Root) {
			return 0, proof{}, false
		}
		f, ok := m.fileOrPackage(p)
		return f, certain("relative-import"), ok
	}
	if f, ok := m.mapped(dir, name); ok {
		return f, certain("config-path"), true
	}
	own := m.holding(dir)
	if strings.HasPrefix(name, "#") && own >= 0 {
		f, ok := m.pattern(m.all[own], m.all[own].imports, name)
		return f, certain("package-import"), ok
	}
	return m.ofPackage(u, own, name)
}

// mapped follows the nearest configuration's paths and base folder.
func (m *jsModules) mapped(dir, name string) (int, bool) {
	for d := dir; ; d = folder(d) {
		if c, ok := m.configs[d]; ok {
			for _, p := range c.paths {
				star, ok := p.match(name)
				if !ok {
					continue
				}
				for _, t := range p.targets {
					if f, ok := m.file(strings.Replace(t, "*", star, 1)); ok {
						return f, true
					}
				}
				break
			}
			if c.based {
				if p, ok := join(c.baseURL, name); ok {
					if f, ok := m.file(p); ok {
						return f, true
					}
				}
			}
			return 0, false
		}
		if d == "" {
			return 0, false
		}
	}
}

func (m *jsModules) pattern(p jsPackage, patterns []jsPattern, name string) (int, bool) {
	for _, e := range patterns {
		star, ok := e.match(name)
		if !ok {
			continue
		}
		for _, t := range e.targets {
			if f, ok := m.inside(p.dir, strings.Replace(t, "*", star, 1)); ok {
				return f, true
			}
		}
		return 0, false
	}
	return 0, false
}

func (m *jsModules) inside(dir, rel string) (int, bool) {
	p, ok := join(dir, rel)
	if !ok || !within(p, dir) {
		return 0, false
	}
	return m.file(p)
}

// ofPackage finds a file of a package of the workspace: one of the same
// repository, else the only one of that name.
func (m *jsModules) ofPackage(u, own int, name string) (int, proof, bool) {
	pkg, rest := name, "."
	parts := strings.SplitN(name, "/", 3)
	n := 1
	if strings.HasPrefix(name, "@") {
		n = 2
	}
	if len(parts) > n {
		pkg = strings.Join(parts[:n], "/")
		rest = "./" + strings.Join(parts[n:], "/")
	}
	var near []int
	for _, i := range m.packages[pkg] {
		if m.w.repoAt(m.all[i].dir) == m.w.units[u].Repo {
			near = append(near, i)
		}
	}
	if len(near) == 0 {
		near = m.packages[pkg]
	}
	if slices.Contains(near, own) {
		near = []int{own}
	}
	if len(near) != 1 {
		return 0, proof{}, false
	}
	f, ok := m.exported(m.all[near[0]], rest)
	return f, certain("package-name"), ok
}

// exported finds what "." or "./sub" of a package means. What a manifest
// names may be built from sources that have the same name under src.
func (m *jsModules) exported(p jsPackage, rest string) (int, bool) {
	if rest != "." {
		if f, ok := m.pattern(p, p.exports, rest); ok {
			return f, true
		}
		for _, at := range []string{"", "src"} {
			if f, ok := m.inside(p.dir, path.Join(at, rest)); ok {
				return f, true
			}
		}
		return 0, false
	}
	for _, e := range p.entries {
		if f, ok := m.inside(p.dir, e); ok {
			return f, true
		}
	}
	for _, at := range []string{"src/index", "index", "lib/index", "src/main"} {
		if f, ok := m.inside(p.dir, at); ok {
			return f, true
		}
	}
	return 0, false
}

package resolve

import (
	"path"
	"regexp"
	"strings"
)

// A cargoPackage is what a Cargo.toml says that names depend on.
type cargoPackage struct {
	dir     string
	name    string // "" of a workspace's own manifest
	lib     string // name of the library as code writes it
	libPath string // from dir, "" where the usual place counts
	roots   []string
	needs   map[string]cargoNeed // name as code writes it → dependency
	shared  map[string]cargoNeed // what members may take from a workspace, by key
}

// A cargoNeed is a dependency: a folder, or the name of a package.
type cargoNeed struct {
	dir    string
	inside bool // dir holds
	name   string
}

var (
	tomlHeader = regexp.MustCompile(`^\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}$`)
	tomlPair   = regexp.MustCompile(`^([A-Za-z0-9_.-]+|"[^"]*")\s*=\s*(.*)$`)
	tomlInline = regexp.MustCompile(`([A-Za-z0-9_-]+)\s*=\s*("[^"]*"|'[^']*'|true)`)
)

// readCargo reads every Cargo.toml, by folder. It knows the part of TOML that
// such files are written in; what it does not know counts as absent.
func readCargo(manifests Manifests) map[string]*cargoPackage {
	out := make(map[string]*cargoPackage)
	for name, data := range manifests {
		if path.Base(name) == "Cargo.toml" && len(data) <= maxManifest {
			out[folder(name)] = parseCargo(folder(name), string(data))
		}
	}
	for _, p := range out {
		p.inherit(out)
	}
	return out
}

// codeName is a package's name as code writes it.
func codeName(s string) string { return strings.ReplaceAll(s, "-", "_") }

func parseCargo(dir, text string) *cargoPackage {
	p := &cargoPackage{dir: dir, needs: make(map[string]cargoNeed), shared: make(map[string]cargoNeed)}
	section := ""
	depth := 0 // of brackets that go on over lines
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(tomlCode(line))
		if depth > 0 {
			depth += strings.Count(line, "[") - strings.Count(line, "]")
			continue
		}
		if m := tomlHeader.FindStringSubmatch(line); m != nil {
			section = m[1]
			continue
		}
		m := tomlPair.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		key, val := strings.Trim(m[1], `"`), m[2]
		if strings.HasPrefix(val, "[") {
			depth = max(0, strings.Count(val, "[")-strings.Count(val, "]"))
			continue
		}
		p.pair(section, key, val)
	}
	if p.lib == "" {
		p.lib = codeName(p.name)
	}
	return p
}

// tomlCode cuts a comment off a line.
func tomlCode(line string) string {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return line[:i]
		}
	}
	return line
}

func tomlText(val string) string {
	if len(val) >= 2 && (val[0] == '"' || val[0] == '\'') {
		if end := strings.IndexByte(val[1:], val[0]); end >= 0 {
			return val[1 : 1+end]
		}
	}
	return ""
}

func (p *cargoPackage) pair(section, key, val string) {
	switch section {
	case "package", "project":
		if key == "name" {
			p.name = tomlText(val)
		}
		return
	case "lib":
		switch key {
		case "name":
			p.lib = codeName(tomlText(val))
		case "path":
			p.libPath = tomlText(val)
		}
		return
	case "bin", "test", "example", "bench":
		if key == "path" {
			p.roots = append(p.roots, tomlText(val))
		}
		return
	}
	// [dependencies] and the like, also of a target, also a table for each.
	name, kind, found := "", "", false
	for _, k := range [...]string{"dependencies", "dev-dependencies", "build-dependencies"} {
		before, after, ok := cutSection(section, k)
		if ok {
			kind, name, found = before, after, true
			break
		}
	}
	if !found {
		return
	}
	needs := p.needs
	if kind == "workspace" {
		needs = p.shared
	} else if kind != "" && !strings.HasPrefix(kind, "target.") {
		return
	}
	attribute := ""
	if name == "" {
		name, attribute, _ = strings.Cut(key, ".")
	} else {
		attribute = key
	}
	n, known := needs[codeName(name)]
	if !known {
		n.name = name
	}
	if attribute != "" {
		n.set(p.dir, attribute, val)
	} else if strings.HasPrefix(val, "{") {
		for _, m := range tomlInline.FindAllStringSubmatch(val, -1) {
			n.set(p.dir, m[1], m[2])
		}
	}
	needs[codeName(name)] = n
}

// cutSection cuts "target.x.dependencies.foo" around the word.
func cutSection(section, word string) (before, after string, ok bool) {
	switch {
	case section == word:
		return "", "", true
	case strings.HasSuffix(section, "."+word):
		return strings.TrimSuffix(section, "."+word), "", true
	case strings.HasPrefix(section, word+"."):
		return "", strings.Trim(section[len(word)+1:], `"`), true
	}
	if i := strings.Index(section, "."+word+"."); i >= 0 {
		return section[:i], strings.Trim(section[i+len(word)+2:], `"`), true
	}
	return "", "", false
}

func (n *cargoNeed) set(dir, attribute, val string) {
	switch attribute {
	case "path":
		n.dir, n.inside = join(dir, tomlText(val))
	case "package":
		n.name = tomlText(val)
	case "workspace":
		n.dir, n.inside = "", false
	}
}

// inherit takes over what the workspace around says of a dependency.
func (p *cargoPackage) inherit(all map[string]*cargoPackage) {
	for dir := p.dir; ; dir = folder(dir) {
		if ws := all[dir]; ws != nil && len(ws.shared) > 0 {
			for key, n := range p.needs {
				if s, ok := ws.shared[key]; ok && !n.inside {
					p.needs[key] = s
				}
			}
			return
		}
		if dir == "" {
			return
		}
	}
}

package resolve

import (
	"encoding/json"
	"slices"
	"strings"
)

// A jsConfig is what a tsconfig.json or jsconfig.json says about names.
type jsConfig struct {
	baseURL string // folder, valid when based
	based   bool
	paths   []jsPattern
}

// A jsPattern maps import paths with at most one star to others.
type jsPattern struct {
	pattern string
	targets []string
}

// match gives what the star stands for.
func (p jsPattern) match(name string) (star string, ok bool) {
	before, after, starred := strings.Cut(p.pattern, "*")
	if !starred {
		return "", name == p.pattern
	}
	if len(name) < len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
		return "", false
	}
	return name[len(before) : len(name)-len(after)], true
}

// closest orders patterns so that the most exact one comes first.
func closest(patterns []jsPattern) {
	slices.SortFunc(patterns, func(a, b jsPattern) int {
		pa, _, sa := strings.Cut(a.pattern, "*")
		pb, _, sb := strings.Cut(b.pattern, "*")
		switch {
		case sa != sb && sb:
			return -1
		case sa != sb:
			return 1
		case len(pa) != len(pb):
			return len(pb) - len(pa)
		}
		return strings.Compare(a.pattern, b.pattern)
	})
}

// maxExtends bounds how many configurations extend each other.
const maxExtends = 8

// readJSConfig reads a configuration and what it extends by a relative path.
func readJSConfig(manifests Manifests, name string, depth int) jsConfig {
	raw := manifests[name]
	if depth > maxExtends || len(raw) == 0 || len(raw) > maxManifest {
		return jsConfig{}
	}
	o := readObject(plainJSON(raw))
	var c jsConfig
	parents := o.list("extends")
	if one := o.text("extends"); one != "" {
		parents = []string{one}
	}
	for _, parent := range parents {
		if !strings.HasPrefix(parent, ".") {
			continue // a package of elsewhere
		}
		p, ok := join(folder(name), parent)
		if !ok {
			continue
		}
		if manifests[p] == nil {
			p += ".json"
		}
		up := readJSConfig(manifests, p, depth+1)
		if up.based {
			c.baseURL, c.based = up.baseURL, true
		}
		if up.paths != nil {
			c.paths = up.paths
		}
	}
	options := o.object("compilerOptions")
	if base := options.text("baseUrl"); base != "" {
		c.baseURL, c.based = join(folder(name), base)
	}
	from := folder(name)
	if c.based {
		from = c.baseURL
	}
	if paths := options.object("paths"); paths != nil {
		c.paths = nil
		for pattern := range paths {
			var targets []string
			for _, t := range paths.list(pattern) {
				if t, ok := join(from, t); ok {
					targets = append(targets, t)
				}
			}
			c.paths = append(c.paths, jsPattern{pattern, targets})
		}
		closest(c.paths)
	}
	return c
}

// A jsPackage is one package.json.
type jsPackage struct {
	dir     string
	name    string
	entries []string    // what the package itself means, best first
	exports []jsPattern // "./sub" → files
	imports []jsPattern // "#sub" → files
}

func readJSPackage(name string, raw []byte) jsPackage {
	o := readObject(raw)
	p := jsPackage{dir: folder(name), name: o.text("name")}
	for _, key := range []string{"source", "module", "main", "types", "typings"} {
		if e := o.text(key); e != "" {
			p.entries = append(p.entries, e)
		}
	}
	p.imports = conditional(o["imports"])
	p.exports = conditional(o["exports"])
	if root := conditions(o["exports"], 0); len(root) > 0 {
		p.entries = append(root, p.entries...)
	}
	for _, e := range p.exports {
		if e.pattern == "." {
			p.entries = append(slices.Clone(e.targets), p.entries...)
		}
	}
	return p
}

// conditional reads the patterns of "exports" or "imports".
func conditional(raw json.RawMessage) []jsPattern {
	var out []jsPattern
	for key, value := range readObject(raw) {
		if strings.HasPrefix(key, ".") || strings.HasPrefix(key, "#") {
			out = append(out, jsPattern{key, conditions(value, 0)})
		}
	}
	closest(out)
	return out
}

// conditions lists the files that a target may mean, sources first.
func conditions(raw json.RawMessage, depth int) []string {
	if depth > 4 || len(raw) == 0 {
		return nil
	}
	var file string
	if json.Unmarshal(raw, &file) == nil {
		return []string{file}
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		var out []string
		for _, r := range list {
			out = append(out, conditions(r, depth+1)...)
		}
		return out
	}
	o := readObject(raw)
	var out []string
	for _, key := range []string{"source", "development", "import", "module", "default", "node", "require", "types", "browser"} {
		out = append(out, conditions(o[key], depth+1)...)
	}
	return out
}

package resolve

import (
	"path"
	"slices"
	"strings"
)

// A goModule is one go.mod: a folder, the import path it stands for, and the
// modules that it replaces by folders of the workspace.
type goModule struct {
	dir      string
	path     string
	replaced map[string]string // module path → folder in the workspace
}

// readGoModules reads every go.mod, in the order of their folders.
func readGoModules(manifests Manifests) []goModule {
	var mods []goModule
	for _, name := range sortedNames(manifests, "go.mod") {
		if m := parseGoMod(folder(name), string(manifests[name])); m.path != "" {
			mods = append(mods, m)
		}
	}
	return mods
}

// parseGoMod reads the module line and the replacements by local folders;
// the path is "" when there is no module line.
func parseGoMod(dir, text string) goModule {
	m := goModule{dir: dir, replaced: make(map[string]string)}
	block := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case block != "" && words[0] == ")":
			block = ""
		case block != "":
			m.directive(block, words)
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		default:
			m.directive(words[0], words[1:])
		}
	}
	return m
}

func (m *goModule) directive(verb string, args []string) {
	switch verb {
	case "module":
		if len(args) == 1 && m.path == "" {
			m.path = unquote(args[0])
		}
	case "replace":
		arrow := slices.Index(args, "=>")
		if arrow < 1 || arrow+1 >= len(args) {
			return
		}
		target := unquote(args[arrow+1])
		if !strings.HasPrefix(target, "./") && !strings.HasPrefix(target, "../") {
			return
		}
		if dir, ok := join(m.dir, target); ok {
			m.replaced[unquote(args[0])] = dir
		}
	}
}

func unquote(s string) string { return strings.Trim(s, "\"`") }

// owner is the module whose folder holds dir most closely, or -1.
func owner(mods []goModule, dir string) int {
	best := -1
	for i, m := range mods {
		if within(dir, m.dir) && (best < 0 || len(m.dir) > len(mods[best].dir)) {
			best = i
		}
	}
	return best
}

// within reports whether dir is root or a folder below it.
func within(dir, root string) bool {
	return root == "" || dir == root || strings.HasPrefix(dir, root+"/")
}

// below gives the rest of an import path behind its module's path.
func below(importPath, module string) (string, bool) {
	if importPath == module {
		return "", true
	}
	rest, ok := strings.CutPrefix(importPath, module+"/")
	return rest, ok
}

// sortedNames lists the manifests whose file name is base, in order.
func sortedNames(manifests Manifests, base string) []string {
	var names []string
	for name, b := range manifests {
		if path.Base(name) == base && len(b) <= maxManifest {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// maxManifest bounds, in bytes, what is read of one manifest. The largest
// lock-free manifests of real repositories are a tenth of it.
const maxManifest = 1 << 20

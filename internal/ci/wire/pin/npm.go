package pin

import (
	"regexp"
	"strings"
)

// readPackageJSON reads package.json: what the package is called, what it
// depends on, and the tools that it wants.
func readPackageJSON(f *file) {
	d, _ := parseJSON(f.data)
	name := d.get("name")
	f.add(Fact{Role: Declares, Kind: NPM, Name: name.str(), Version: d.get("version").str(), Line: name.at()})
	for _, key := range []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "resolutions", "overrides"} {
		for _, e := range d.get(key).entries() {
			f.npmDependency(e)
		}
	}
	for _, e := range d.get("pnpm", "overrides").entries() {
		f.npmDependency(e)
	}
	for _, e := range d.get("engines").entries() {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: e.key, Version: e.node.str(), Line: e.line, Note: "engines"})
	}
	for _, e := range d.get("volta").entries() {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: e.key, Version: e.node.str(), Line: e.line, Note: "volta"})
	}
	if m := d.get("packageManager"); m.str() != "" {
		tool, version, _ := strings.Cut(m.text, "@")
		version, _, _ = strings.Cut(version, "+")
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: tool, Version: version, Line: m.line, Note: "packageManager"})
	}
	if r := d.get("renovate"); r.kindOf() == table {
		f.renovate(r)
	}
}

// hubShort is owner/repo or owner/repo#ref, which npm takes from GitHub.
var hubShort = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9_.-]+(#\S+)?$`)

func (f *file) npmDependency(e entry) {
	want := e.node.str()
	switch {
	case want == "":
		return
	case strings.HasPrefix(want, "git") || strings.HasPrefix(want, "bitbucket:") || strings.Contains(want, "://"):
		if f.repository(Pins, want, "", e.line, "npm package "+e.key) {
			return
		}
	case hubShort.MatchString(want):
		f.repository(Pins, "github:"+want, "", e.line, "npm package "+e.key)
		return
	}
	name, role := e.key, Pins
	if alias, ok := strings.CutPrefix(want, "npm:"); ok {
		name, want = alias, ""
		if at := strings.LastIndexByte(alias, '@'); at > 0 {
			name, want = alias[:at], alias[at+1:]
		}
		if want == "" {
			role = Reads // at whichever version is newest
		}
	}
	if strings.HasPrefix(want, "workspace:") || strings.HasPrefix(want, "link:") || strings.HasPrefix(want, "file:") || strings.HasPrefix(want, "portal:") {
		role = Reads // a folder, at no version
	}
	f.add(Fact{Role: role, Kind: NPM, Name: name, Version: want, Line: e.line})
}

// readPackageLock reads package-lock.json of every version.
func readPackageLock(f *file) {
	d, _ := parseJSON(f.data)
	for _, e := range d.get("packages").entries() {
		i := strings.LastIndex(e.key, "node_modules/")
		if i < 0 || e.node.get("link").str() == "true" {
			continue
		}
		f.npmLocked(e.key[i+len("node_modules/"):], e.node, e.line)
	}
	if d.get("packages") == nil {
		f.npmTree(d.get("dependencies"), 0)
	}
}

func (f *file) npmTree(n *node, depth int) {
	if depth > maxDepth {
		return
	}
	for _, e := range n.entries() {
		f.npmLocked(e.key, e.node, e.line)
		f.npmTree(e.node.get("dependencies"), depth+1)
	}
}

func (f *file) npmLocked(name string, n *node, line int) {
	resolved := n.get("resolved")
	if strings.HasPrefix(resolved.str(), "git") && f.repository(Pins, resolved.text, "", resolved.line, "npm package "+name) {
		return
	}
	v := n.get("version")
	f.add(Fact{Role: Pins, Kind: NPM, Name: firstOf(n.get("name").str(), name), Version: v.str(), Line: firstLine(v.at(), line), Indirect: true})
}

// readYarnLock reads yarn.lock of either generation: entries of a header with
// what was asked for, and indented keys.
func readYarnLock(f *file) {
	name, head := "", 0
	f.each(func(n int, text string) {
		if text != "" && text[0] != ' ' && text[0] != '#' {
			name, head = "", n
			first, _, _ := strings.Cut(strings.Trim(text, `":`), ",")
			first = strings.Trim(strings.TrimSpace(first), `"`)
			if at := strings.IndexByte(first[min(1, len(first)):], '@'); at >= 0 && !strings.HasPrefix(first, "__") {
				name = first[:at+1]
			}
			return
		}
		if name == "" {
			return
		}
		key, value, _ := strings.Cut(strings.TrimSpace(text), " ")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.TrimSuffix(key, ":") {
		case "version":
			if !strings.Contains(value, "use.local") {
				f.add(Fact{Role: Pins, Kind: NPM, Name: name, Version: value, Line: n, Evidence: f.line(head) + " version " + value, Indirect: true})
			}
		case "resolved", "resolution":
			_, url, found := strings.Cut(value, name+"@")
			if !found {
				url = value
			}
			if strings.Contains(url, ".git#") || strings.HasPrefix(url, "git") {
				f.repository(Pins, url, "", n, "npm package "+name)
			} else if strings.HasPrefix(url, "https://codeload.") {
				f.addresses(url, n)
			}
		}
	})
}

// pnpmPackage is a package of pnpm-lock.yaml: /name@1.0.0, 'name@1.0.0(peer)'
// or, long ago, /name/1.0.0.
var pnpmPackage = regexp.MustCompile(`^  ['"]?/?((?:@[^/@'"]+/)?[^/@'"(]+)[@/]([^'"():]+)(?:\([^'"]*)?['"]?:\s*$`)

// readPnpmLock reads the packages of pnpm-lock.yaml. Line by line: such files
// are long and always written by the tool.
func readPnpmLock(f *file) {
	section := ""
	f.each(func(n int, text string) {
		if text != "" && text[0] != ' ' {
			section = strings.TrimSuffix(text, ":")
			return
		}
		if section != "packages" || len(text) > maxReference {
			return
		}
		if m := pnpmPackage.FindStringSubmatch(text); m != nil {
			f.add(Fact{Role: Pins, Kind: NPM, Name: m[1], Version: m[2], Line: n, Indirect: true})
		}
	})
}

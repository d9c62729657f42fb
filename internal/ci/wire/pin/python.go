package pin

import (
	"regexp"
	"strings"
)

// requirement is the name and the rest of a requirement as Python's tools
// write one.
var requirement = regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$`)

// pythonName is a package's name as the index compares it.
func pythonName(s string) string {
	return strings.ToLower(pythonSeparators.ReplaceAllString(strings.TrimSpace(s), "-"))
}

var pythonSeparators = regexp.MustCompile(`[-_.]+`)

// requirement notes one requirement, wherever it is written.
func (f *file) requirement(text string, line int) {
	text, _, _ = strings.Cut(text, " #")
	text, _, _ = strings.Cut(text, " --hash")
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "\\"))
	if strings.HasPrefix(text, "git+") {
		f.repository(Pins, dropEgg(text), "", line, "Python package")
		return
	}
	m := requirement.FindStringSubmatch(text)
	if m == nil {
		return
	}
	rest, _, _ := strings.Cut(m[2], ";")
	rest = strings.TrimSpace(rest)
	if url, ok := strings.CutPrefix(rest, "@"); ok {
		url = strings.TrimSpace(url)
		if strings.HasPrefix(url, "git+") && f.repository(Pins, dropEgg(url), "", line, "Python package "+m[1]) {
			return
		}
		f.addresses(url, line)
		return
	}
	f.add(Fact{Role: Pins, Kind: Python, Name: pythonName(m[1]), Version: strings.TrimPrefix(rest, "=="), Line: line})
}

// dropEgg takes the fragment off that tells pip the package's name.
func dropEgg(url string) string {
	if i := strings.Index(url, "#"); i >= 0 {
		return url[:i]
	}
	return url
}

// readRequirements reads a requirements file of pip.
func readRequirements(f *file) {
	f.each(func(n int, text string) {
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			return
		}
		for _, flag := range []string{"-e ", "--editable ", "--editable="} {
			text = strings.TrimSpace(strings.TrimPrefix(text, flag))
		}
		if !strings.HasPrefix(text, "-") {
			f.requirement(text, n)
		}
	})
}

// readPyproject reads pyproject.toml, as the standard has it and as Poetry
// and uv do.
func readPyproject(f *file) {
	d := parseTOML(f.data)
	project, poetry := d.get("project"), d.get("tool", "poetry")
	name := firstNode(project.get("name"), poetry.get("name"))
	f.add(Fact{Role: Declares, Kind: Python, Name: pythonName(name.str()), Version: firstOf(project.get("version").str(), poetry.get("version").str()), Line: name.at()})
	if v := project.get("requires-python"); v.str() != "" {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: "python", Version: v.text, Line: v.line, Note: "requires-python"})
	}
	lists := []*node{project.get("dependencies"), d.get("build-system", "requires"), d.get("tool", "uv", "dev-dependencies")}
	for _, group := range []*node{project.get("optional-dependencies"), d.get("dependency-groups")} {
		for _, e := range group.entries() {
			lists = append(lists, e.node)
		}
	}
	for _, l := range lists {
		for _, i := range l.items() {
			f.requirement(i.str(), i.line)
		}
	}
	tables := []*node{poetry.get("dependencies"), poetry.get("dev-dependencies")}
	for _, e := range poetry.get("group").entries() {
		tables = append(tables, e.node.get("dependencies"))
	}
	for _, t := range tables {
		for _, e := range t.entries() {
			f.pythonEntry(e)
		}
	}
	for _, e := range d.get("tool", "uv", "sources").entries() {
		f.pythonSource(e)
	}
}

// pythonSource notes where a package comes from in place of the index. It
// reports whether it comes from somewhere else.
func (f *file) pythonSource(e entry) bool {
	n := e.node
	if git := n.get("git"); git.str() != "" {
		ref := firstOf(n.get("rev").str(), n.get("tag").str(), n.get("ref").str(), n.get("branch").str())
		f.repository(Pins, git.text, ref, git.line, "Python package "+e.key)
		return true
	}
	if path := n.get("path").str(); path != "" || n.get("workspace").str() == "true" {
		f.add(Fact{Role: Reads, Kind: Python, Name: pythonName(e.key), Line: e.line, Note: strings.TrimSpace("the folder " + path)})
		return true
	}
	return false
}

func (f *file) pythonEntry(e entry) {
	version := firstOf(e.node.str(), e.node.get("version").str())
	if e.key == "python" {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: "python", Version: version, Line: e.line})
		return
	}
	if !f.pythonSource(e) {
		f.add(Fact{Role: Pins, Kind: Python, Name: pythonName(e.key), Version: strings.TrimPrefix(version, "=="), Line: e.line})
	}
}

// readPythonLock reads poetry.lock and uv.lock, which agree on what matters
// here.
func readPythonLock(f *file) {
	for _, p := range parseTOML(f.data).get("package").items() {
		name, source := p.get("name"), p.get("source")
		git := source.get("git")
		switch {
		case git.str() != "":
			f.repository(Pins, git.text, "", git.line, "Python package "+name.str())
		case source.get("type").str() == "git":
			f.repository(Pins, source.get("url").str(), firstOf(source.get("resolved_reference").str(), source.get("reference").str()), source.get("url").at(), "Python package "+name.str())
		case source.get("editable") != nil || source.get("virtual") != nil || source.get("directory") != nil || source.get("type").str() == "directory":
		default:
			f.add(Fact{Role: Pins, Kind: Python, Name: pythonName(name.str()), Version: p.get("version").str(), Line: name.at(), Indirect: true})
		}
	}
}

// readPipfileLock reads Pipfile.lock.
func readPipfileLock(f *file) {
	d, _ := parseJSON(f.data)
	if v := d.get("_meta", "requires", "python_version"); v.str() != "" {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: "python", Version: v.text, Line: v.line})
	}
	for _, group := range []string{"default", "develop"} {
		for _, e := range d.get(group).entries() {
			if !f.pythonSource(e) {
				f.add(Fact{Role: Pins, Kind: Python, Name: pythonName(e.key), Version: strings.TrimPrefix(e.node.get("version").str(), "=="), Line: e.line, Indirect: true})
			}
		}
	}
}

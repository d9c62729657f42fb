package pin

import (
	"strings"
)

// readCargoToml reads Cargo.toml: the crate and what it depends on.
func readCargoToml(f *file) {
	d := parseTOML(f.data)
	p := d.get("package")
	f.add(Fact{Role: Declares, Kind: Crate, Name: p.get("name").str(), Version: p.get("version").str(), Line: p.get("name").at()})
	if v := firstNode(p.get("rust-version"), d.get("workspace", "package", "rust-version")); v.str() != "" {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: "rust", Version: v.text, Line: v.line, Note: "rust-version"})
	}
	tables := []*node{d, d.get("workspace")}
	for _, e := range d.get("target").entries() {
		tables = append(tables, e.node)
	}
	for _, t := range tables {
		for _, key := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
			for _, e := range t.get(key).entries() {
				f.crate(e)
			}
		}
	}
	for _, e := range d.get("patch").entries() {
		for _, e := range e.node.entries() {
			f.crate(e)
		}
	}
}

func firstNode(nodes ...*node) *node {
	for _, n := range nodes {
		if n != nil {
			return n
		}
	}
	return nil
}

func (f *file) crate(e entry) {
	n := e.node
	name := firstOf(n.get("package").str(), e.key)
	if git := n.get("git"); git.str() != "" {
		ref := firstOf(n.get("rev").str(), n.get("tag").str(), n.get("branch").str())
		f.repository(Pins, git.text, ref, git.line, "crate "+name)
		return
	}
	version := firstOf(n.str(), n.get("version").str())
	role, note := Pins, ""
	if path := n.get("path").str(); path != "" {
		role, note = Reads, "the folder "+path
	} else if n.get("workspace").str() == "true" {
		role, note = Reads, "as the workspace says"
	}
	f.add(Fact{Role: role, Kind: Crate, Name: name, Version: version, Line: e.line, Note: note})
}

// readCargoLock reads the crates that Cargo.lock fixes. One without a source
// is of the workspace itself.
func readCargoLock(f *file) {
	for _, p := range parseTOML(f.data).get("package").items() {
		source := p.get("source")
		if source == nil {
			continue
		}
		name := p.get("name")
		if strings.HasPrefix(source.str(), "git+") {
			f.repository(Pins, source.text, "", source.line, "crate "+name.str())
			continue
		}
		f.add(Fact{Role: Pins, Kind: Crate, Name: name.str(), Version: p.get("version").str(), Line: name.at(), Indirect: true})
	}
}

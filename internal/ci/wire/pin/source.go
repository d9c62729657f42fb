package pin

import (
	"strings"
)

// code calls do for every line that is not a comment. What is a comment is
// told by how a line begins, and by /* … */ around whole lines.
func (f *file) code(do func(n int, text string)) {
	inside := false
	hash := f.hashComments()
	f.each(func(n int, text string) {
		trimmed := strings.TrimSpace(text)
		switch {
		case inside:
			if _, after, ok := strings.Cut(trimmed, "*/"); ok {
				inside = false
				if after = strings.TrimSpace(after); after != "" {
					do(n, after)
				}
			}
		case strings.HasPrefix(trimmed, "/*"):
			inside = !strings.Contains(trimmed, "*/")
		case trimmed == "" || strings.HasPrefix(trimmed, "//") || hash && trimmed[0] == '#' || strings.HasPrefix(trimmed, "--") && !hash || strings.HasPrefix(trimmed, "* "):
		default:
			do(n, text)
		}
	})
}

// hashComments reports a language in which # begins a comment.
func (f *file) hashComments() bool {
	switch extension(f.base) {
	case "go", "scala", "sbt", "java", "kt", "kts", "groovy", "gradle", "js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx", "c", "cc", "cpp", "h", "cs", "swift", "dart":
		return false
	}
	return true
}

// readSource reads what a program fetches by an address in its text.
func readSource(f *file) {
	if !sources[extension(f.base)] || extension(f.base) == "mk" {
		f.each(f.variableLine)
	}
	if !strings.Contains(string(f.data), "://") {
		return
	}
	f.code(f.codeLine)
	if !sources[extension(f.base)] {
		return
	}
	for i := range f.facts { // the text may be one of a help page
		if f.facts[i].Kind != Toolchain {
			f.facts[i].Certainty = likely
		}
	}
}

// likely is the certainty of an address that a text of a program holds.
const likely = 80

func (f *file) codeLine(n int, text string) {
	f.addresses(text, n)
	f.clones(text, n)
}

// readJsonnet reads the images that texts of a Jsonnet file name.
func readJsonnet(f *file) {
	f.code(func(n int, text string) {
		for _, m := range quotedText.FindAllStringSubmatch(text, 20) {
			s := firstOf(m[1], m[2])
			if img, ok := parseImage(s); ok && img.version != "" && strings.Contains(img.name, "/") && strings.Contains(img.version, ".") {
				f.image(Reads, s, n, "")
			}
		}
		f.addresses(text, n)
	})
}

// extension is what follows the last dot of a base name, in lower case.
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}

// readJenkinsfile reads the images that a pipeline of Jenkins runs in.
func readJenkinsfile(f *file) {
	f.code(func(n int, text string) {
		for _, m := range jenkinsImage.FindAllStringSubmatch(text, 5) {
			f.image(Reads, firstOf(m[1], m[2]), n, "Jenkins")
		}
		for _, m := range jenkinsLibrary.FindAllStringSubmatch(text, 5) {
			name, version, _ := strings.Cut(m[1], "@")
			f.add(Fact{Role: Reads, Kind: "shared library", Name: name, Version: version, Line: n, Note: "Jenkins"})
		}
		f.addresses(text, n)
	})
}

// readCircle reads the images and orbs of a pipeline of CircleCI.
func readCircle(f *file) {
	readManifest(f)
	docs, _ := f.documents()
	for _, d := range docs {
		for _, e := range d.get("orbs").entries() {
			if name, version, ok := strings.Cut(e.node.str(), "@"); ok {
				f.add(Fact{Role: Pins, Kind: Orb, Name: name, Version: version, Line: e.line})
			}
		}
	}
}

// readGitLab reads the images, services and included files of a pipeline of
// GitLab.
func readGitLab(f *file) {
	readManifest(f)
	docs, _ := f.documents()
	for _, d := range docs {
		for _, i := range append(d.get("include").items(), d.get("include")) {
			if p := i.get("project"); p.str() != "" {
				f.repository(Reads, "https://gitlab.com/"+p.text, i.get("ref").str(), p.line, "included pipeline")
			}
		}
		d.walk(func(n *node) {
			for _, s := range n.get("services").items() {
				f.image(Reads, s.str(), s.line, "service")
			}
		})
	}
}

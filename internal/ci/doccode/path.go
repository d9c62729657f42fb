package doccode

import (
	"path"
	"regexp"
	"strings"
)

var lineMark = regexp.MustCompile(`(:\d+(-\d+)?|:L?\d+(:\d+)?)$`)

// cleanPath is what a document writes for a path, without what says where in
// the file.
func cleanPath(p string) string {
	p, _, _ = strings.Cut(p, "#")
	p, _, _ = strings.Cut(p, "?")
	return lineMark.ReplaceAllString(p, "")
}

// common are base names that every project has, so that a document which
// says one without a folder rarely means a certain file.
var common = set("index main app setup config settings package tsconfig example test tests mod lib init __init__ __main__ makefile dockerfile build utils types server client styles style script release ci publish deploy lint docs")

// usual are folders that every project has.
var usual = set("src lib test tests doc docs bin build dist out public static assets scripts config node_modules vendor target")

// meant are the files or the folder that a path in a document means: one, or
// several that are all as near.
func (w *world) meant(d *document, m mention) []string {
	raw := cleanPath(m.path)
	top, rooted := strings.CutPrefix(raw, "/")
	bare := strings.TrimPrefix(strings.TrimSuffix(raw, "/"), "./")
	base := path.Base(bare)
	root := w.repos[d.repo].Path
	link := m.how == "link"
	if bare == "" || base == "." || base == ".." || rooted && !link {
		return nil
	}
	places := []string{path.Join(path.Dir(d.path), bare), path.Join(root, bare), bare}
	if rooted {
		places = []string{path.Join(root, top)}
	}
	folder := strings.HasSuffix(raw, "/") && !usual[strings.ToLower(base)]
	single := !strings.Contains(bare, "/") && !folder
	if single && !link {
		return w.single(d, base)
	}
	if strings.HasPrefix(bare, ".github/") && !link && (base == "workflows" || common[strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))]) {
		return nil // what a reader is told to make
	}
	for _, p := range places {
		if w.paths[p] {
			return []string{p}
		}
		if w.paths[p+"/"] && (link || folder || strings.Contains(p, "/")) {
			return []string{p + "/"}
		}
	}
	if link || strings.HasPrefix(raw, "../") || single {
		return nil
	}
	// The end of a path, as people write it inside one project.
	var found []string
	for _, f := range w.files[base] {
		if f.repo == d.repo && strings.HasSuffix(f.path, "/"+bare) {
			found = append(found, f.path)
		}
	}
	if len(found) > 1 {
		return nearest(d, found)
	}
	return found
}

// single finds a file by its base name alone: one of source that nothing
// else in the repository is called like.
func (w *world) single(d *document, base string) []string {
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(stem, ".config") || path.Ext(base) == "" || len(stem) < 4 || common[strings.ToLower(stem)] {
		return nil
	}
	var found []string
	for _, f := range w.files[base] {
		if f.repo == d.repo && f.code && !aside(f.path) {
			found = append(found, f.path)
		}
	}
	if len(found) > 1 {
		return nearest(d, found)
	}
	return found
}

// nearest keeps the only one of several that lies below the document's own
// folder, or all.
func nearest(d *document, found []string) []string {
	home := home(d.path)
	if home == "" {
		return found
	}
	var near []string
	for _, f := range found {
		if strings.HasPrefix(f, home+"/") {
			near = append(near, f)
		}
	}
	if len(near) == 1 {
		return near
	}
	return found
}

// home is the folder that a document is about: its own, or the one around a
// folder for documents; "" where that is the top.
func home(doc string) string {
	dir := path.Dir(doc)
	for dir != "." {
		switch strings.ToLower(path.Base(dir)) {
		case "docs", "doc", "documentation", "guides", "guide", "adr", "decisions", "content", "pages":
			dir = path.Dir(dir)
			continue
		}
		return dir
	}
	return ""
}

var asides = set("example examples sample samples demo demos docs doc documentation website site playground tutorial tutorials fixtures vendor third_party scripts benchmark benchmarks bench")

// aside reports a path in a folder whose code only shows or serves the rest.
func aside(p string) bool {
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		if asides[strings.ToLower(part)] {
			return true
		}
	}
	return false
}

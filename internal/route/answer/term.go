package answer

import (
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// maxTerm is the longest name that is looked up, in bytes.
const maxTerm = 4096

// A term is a parsed name.
type term struct {
	whole     string // as given, without ~N
	file      string // path or its end, or ""
	container string // qualified name of the container, dots between
	name      string // last segment
	base      string // base name, when the whole may be a path
	line      int    // of path:line; 0 without
	nth       int    // which of several with one id: 1 without ~N; 0 when the term is no id
}

func parseTerm(s string) term {
	s = strings.TrimSpace(s[:min(len(s), maxTerm)])
	nth := 1
	if i := strings.LastIndexByte(s, '~'); i > 0 && strings.Contains(s, "#") {
		if n := atoi(s[i+1:]); n > 1 {
			nth, s = n, s[:i]
		}
	}
	t := term{whole: s}
	rest := s
	if file, name, ok := strings.Cut(rest, "#"); ok && file != "" && name != "" {
		t.file, t.nth, rest = file, nth, name
	} else if i := strings.LastIndexByte(rest, ':'); i > 0 && rest[i-1] != ':' && i+1 < len(rest) {
		if t.line = atoi(rest[i+1:]); t.line > 0 {
			t.whole, t.base = rest[:i], path.Base(rest[:i])
			return t
		}
		t.file, rest = rest[:i], rest[i+1:]
	} else {
		t.base = path.Base(rest)
	}
	rest = strings.TrimSuffix(strings.TrimPrefix(rest, "."), "()")
	rest = strings.ReplaceAll(rest, "::", ".")
	if i := strings.LastIndexAny(rest, "./"); i >= 0 && i+1 < len(rest) {
		t.container, t.name = rest[:i], rest[i+1:]
	} else {
		t.name = rest
	}
	return t
}

func atoi(s string) int {
	n := 0
	for _, r := range s {
		if r < '0' || r > '9' || n > 1e6 {
			return 0
		}
		n = n*10 + int(r-'0')
	}
	return n
}

// Grades of how well a definition fits a term. A better one adds to a worse.
const (
	gradeFolded    = 2  // the name, in another case
	gradeName      = 4  // the name as written
	gradeFileEnd   = 2  // the end of the file's path
	gradeFile      = 4  // the file's whole path
	gradeAround    = 1  // the end of the container's name, or the folder or file as such
	gradeContainer = 2  // the container's whole name
	gradePathEnd   = 6  // of a file: the end of its path
	gradePath      = 9  // of a file: its whole path
	gradeID        = 20 // the definition's id
)

// grade says how well a definition, or a file (−1), fits: 0 is not at all.
func (t term) grade(rec *index.Record, def int) (int, error) {
	switch {
	case def >= rec.Len():
		return 0, nil
	case def >= 0:
		d, err := rec.Def(def)
		return t.gradeDef(rec.Path, d), err
	case t.base == "":
		return 0, nil
	case rec.Path == t.whole:
		return gradePath, nil
	case strings.HasSuffix("/"+rec.Path, "/"+t.whole):
		return gradePathEnd, nil
	}
	return 0, nil
}

func (t term) gradeDef(file string, d index.Def) int {
	if t.nth > 0 && t.whole == file+"#"+d.Qualified() {
		return gradeID
	}
	around, whole := t.around(file, d)
	g := gradeFolded
	if d.Name == t.name {
		g = gradeName
	}
	switch {
	case t.file == "":
	case file == t.file:
		g += gradeFile
	case strings.HasSuffix(file, "/"+t.file):
		g += gradeFileEnd
	default:
		return 0
	}
	switch {
	case t.container == "":
	case whole:
		g += gradeContainer
	case around:
		g += gradeAround
	default:
		return 0
	}
	if t.nth > 0 && t.container == "" && d.Container == "" {
		g += gradeAround // an id without container names what stands at the top
	}
	return g
}

// around reports whether a definition stands in what the term names as its
// container, and whether that is the whole name of the container.
func (t term) around(file string, d index.Def) (around, whole bool) {
	c := strings.TrimPrefix(t.container, "*")
	if d.Container != "" {
		return strings.HasSuffix(c, "."+d.Container) || strings.HasSuffix(d.Container, "."+c), d.Container == c
	}
	last := c[strings.LastIndexAny(c, "./")+1:]
	base := path.Base(file)
	return path.Base(path.Dir(file)) == last || strings.TrimSuffix(base, path.Ext(base)) == last, false // package.Name, module.name
}

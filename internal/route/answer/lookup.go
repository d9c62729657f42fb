package answer

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A Lookup is what a name given by a person or an agent means.
type Lookup struct {
	Term    string
	Found   []Node // one: the name is clear; several: it is ambiguous
	More    int    // meanings that are not among Found
	Nearest []Node // names like it, when none was found
	refs    []ref  // of Found
}

const (
	maxMeanings   = 400 // definitions of one name that are looked at
	maxCandidates = 50  // meanings of one name that are listed
)

// A meaning is a definition that a term may mean.
type meaning struct {
	ref
	rec   *index.Record
	grade int
}

// Lookup finds the definitions that a term means. A term is a name, a
// qualified name (Server.Serve, mod::f), file:name, a path, path:line as
// answers print it, or a node's id (path#Qualified, with ~2, ~3 … for those of
// the same name that follow).
func (e *Engine) Lookup(name string) (*Lookup, error) {
	t := parseTerm(name)
	list, err := e.meanings(t)
	if err != nil {
		return nil, err
	}
	l := &Lookup{Term: name}
	switch oneFile := len(list) > 0 && list[0].file == list[len(list)-1].file; {
	case oneFile && t.nth > len(list):
		list = nil
	case oneFile && t.nth > 0:
		list = list[t.nth-1 : t.nth]
	}
	for i, m := range list {
		if i == maxCandidates {
			l.More = len(list) - i
			break
		}
		n, err := node(m.rec, m.ref)
		if err != nil {
			return nil, err
		}
		l.Found, l.refs = append(l.Found, n), append(l.refs, m.ref)
	}
	if len(l.Found) == 0 {
		l.Nearest, err = e.nearest(t.name)
	}
	return l, err
}

// meanings lists the definitions that fit a term best, in the order of files:
// a name in its own case beats one that differs.
func (e *Engine) meanings(t term) ([]meaning, error) {
	keys := []string{index.ExactKey(lexicon.Fold(t.name))}
	if t.base != "" {
		keys = append(keys, index.ExactKey(lexicon.Fold(t.base)))
	}
	postings, err := e.index.Terms(keys)
	if err != nil {
		return nil, err
	}
	seen := map[ref]bool{}
	var list []meaning
	var files []int
	for i := range keys {
		n := 0
		e.index.Exact(postings[i].Exact, func(f, d int) {
			if r := (ref{f, d}); n < maxMeanings && !seen[r] {
				n++
				seen[r] = true
				list = append(list, meaning{ref: r})
				files = append(files, f)
			}
		})
	}
	e.index.Prefetch(files)
	best := 1
	for i := range list {
		m := &list[i]
		if m.rec, err = e.index.File(m.file); err == nil {
			m.grade, err = t.grade(m.rec, m.def)
		}
		if err != nil {
			return nil, err
		}
		best = max(best, m.grade)
	}
	list = slices.DeleteFunc(list, func(m meaning) bool { return m.grade < best })
	slices.SortFunc(list, func(a, b meaning) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.def, b.def)) })
	for i := range list {
		if t.line > 0 {
			if list[i].def, err = at(list[i].rec, t.line); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// at is the innermost definition around a line, or −1.
func at(rec *index.Record, line int) (int, error) {
	defs, err := rec.Defs()
	best := -1
	for i, d := range defs {
		if d.Line <= line && line <= d.End && (best < 0 || d.End-d.Line <= defs[best].End-defs[best].Line) {
			best = i
		}
	}
	return best, err
}

const (
	maxNearest = 5  // names like an unknown one that are listed
	maxWords   = 16 // words of an unknown name that count
)

// nearest lists definitions whose names share words with name.
func (e *Engine) nearest(name string) ([]Node, error) {
	words := lexicon.NameWords(name)
	words = words[:min(len(words), maxWords)]
	ranked, _, err := e.rank(lexicon.Question{Shape: lexicon.Phrase, Terms: words}, 10*maxNearest)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int { return cmp.Compare(b.name, a.name) })
	var out []Node
	for _, c := range ranked {
		if len(out) == maxNearest {
			break
		}
		if c.bestDef < 0 {
			continue
		}
		rec, err := e.index.File(int(c.file))
		if err != nil {
			return nil, err
		}
		n, err := node(rec, ref{int(c.file), int(c.bestDef)})
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

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

// id is the id of a definition: its path and qualified name, and a number
// where others of that name stand before it.
func id(rec *index.Record, def int) (string, error) {
	defs, err := rec.Defs()
	if err != nil {
		return "", err
	}
	name, nth := defs[def].Qualified(), 1
	for _, d := range defs[:def] {
		if d.Qualified() == name {
			nth++
		}
	}
	s := rec.Path + "#" + name
	if nth > 1 {
		s += fmt.Sprintf("~%d", nth)
	}
	return plaintext.Line(s, maxPath), nil
}

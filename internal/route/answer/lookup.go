package answer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// A Lookup is what a name given by a person or an agent means.
type Lookup struct {
	Found   []Node // one: the name is clear; several: it is ambiguous
	Nearest []Node // names like it, when none was found
	refs    []ref
	Term    string
}

// maxMeanings bounds how many definitions of one name are looked at.
const maxMeanings = 400

// maxCandidates bounds how many meanings of one name are listed.
const maxCandidates = 50

// Lookup finds the definitions that a term means. A term is a name, a
// qualified name (Server.Serve, mod::f), file:name, a path, or a node's id
// (path#Qualified).
func (e *Engine) Lookup(term string) (*Lookup, error) {
	t := parseTerm(term)
	l := &Lookup{Term: term}
	keys := []string{index.ExactKey(lexicon.Fold(t.name))}
	if t.base != "" {
		keys = append(keys, index.ExactKey(lexicon.Fold(t.base)))
	}
	postings, err := e.index.Terms(keys)
	if err != nil {
		return nil, err
	}
	type match struct {
		ref
		node  Node
		grade int
	}
	var matches []match
	for i := range keys {
		var refs []ref
		e.index.Exact(postings[i].Exact, func(f, d int) {
			if len(refs) < maxMeanings {
				refs = append(refs, ref{f, d})
			}
		})
		files := make([]int, len(refs))
		for j, r := range refs {
			files[j] = r.file
		}
		e.index.Prefetch(files)
		for _, r := range refs {
			rec, err := e.index.File(r.file)
			if err != nil {
				return nil, err
			}
			g, err := t.grade(rec, r.def)
			if err != nil {
				return nil, err
			}
			if g == 0 || slices.ContainsFunc(matches, func(m match) bool { return m.ref == r }) {
				continue
			}
			n, err := node(rec, r)
			if err != nil {
				return nil, err
			}
			matches = append(matches, match{r, n, g})
		}
	}
	// Of several grades only the best counts: a name in its own case beats
	// one that differs.
	slices.SortStableFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.grade, a.grade), cmp.Compare(a.file, b.file), cmp.Compare(a.def, b.def))
	})
	for i, m := range matches {
		if m.grade < matches[0].grade || i == maxCandidates {
			break
		}
		l.Found = append(l.Found, m.node)
		l.refs = append(l.refs, m.ref)
	}
	if t.nth > 0 && t.nth <= len(l.Found) {
		l.Found, l.refs = l.Found[t.nth-1:t.nth], l.refs[t.nth-1:t.nth]
	}
	if len(l.Found) == 0 {
		l.Nearest, err = e.nearest(t.name)
	}
	return l, err
}

// maxNearest is how many names like an unknown one are listed.
const maxNearest = 5

// nearest lists definitions whose names share words with name.
func (e *Engine) nearest(name string) ([]Node, error) {
	words := lexicon.NameWords(name)
	ranked, _, err := e.rank(lexicon.Question{Shape: lexicon.Phrase, Terms: words}, 10*maxNearest)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int { return cmp.Compare(b.name, a.name) })
	var out []Node
	for _, c := range ranked {
		if len(out) == maxNearest || c.bestDef < 0 {
			break
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

// A term is a parsed name.
type term struct {
	whole     string // as given
	file      string // path or its end, or ""
	container string // qualified name of the container, dots between
	name      string // last segment
	base      string // base name, when the whole may be a path
	nth       int    // of an id that ends in ~N; 0 without
}

func parseTerm(s string) term {
	s = strings.TrimSpace(s)
	t := term{whole: s}
	rest := s
	if i := strings.LastIndexByte(rest, '~'); i > 0 {
		if n := atoi(rest[i+1:]); n > 1 {
			t.nth, rest = n, rest[:i]
		}
	}
	if file, name, ok := strings.Cut(rest, "#"); ok && file != "" {
		t.file, rest = file, name
	} else if i := strings.LastIndexByte(rest, ':'); i > 0 && rest[i-1] != ':' && i+1 < len(rest) {
		t.file, rest = rest[:i], rest[i+1:]
	} else {
		t.base = path.Base(rest)
	}
	rest = strings.TrimSuffix(strings.TrimPrefix(rest, "."), "()")
	rest = strings.ReplaceAll(rest, "::", ".")
	if i := strings.LastIndexAny(rest, "./#"); i >= 0 && i+1 < len(rest) {
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

// grade says how well a definition fits: 0 not at all, more is better.
func (t term) grade(rec *index.Record, def int) (int, error) {
	if def < 0 || def >= rec.Len() {
		return t.gradeFile(rec, def), nil
	}
	d, err := rec.Def(def)
	if err != nil {
		return 0, err
	}
	return t.gradeDef(rec, d), nil
}

func (t term) gradeFile(rec *index.Record, def int) int {
	switch {
	case def >= 0 || t.base == "":
		return 0
	case rec.Path == t.whole:
		return 9
	case path.Base(rec.Path) == t.whole || strings.HasSuffix(rec.Path, "/"+t.whole):
		return 6
	}
	return 0
}

func (t term) gradeDef(rec *index.Record, d index.Def) int {
	g := 2
	if d.Name == t.name {
		g = 4
	}
	switch {
	case t.file == "":
	case rec.Path == t.file:
		g += 4
	case strings.HasSuffix(rec.Path, "/"+t.file), path.Base(rec.Path) == t.file:
		g += 2
	default:
		return 0
	}
	if t.container != "" {
		c := strings.TrimPrefix(t.container, "*")
		last := c[strings.LastIndexAny(c, "./")+1:]
		switch {
		case d.Container == c:
			g += 2
		case strings.HasSuffix(c, "."+d.Container) && d.Container != "", strings.HasSuffix(d.Container, "."+c):
			g++
		case d.Container == "" && (path.Base(path.Dir(rec.Path)) == last || strings.TrimSuffix(path.Base(rec.Path), path.Ext(rec.Path)) == last):
			g++ // package.Name, module.name
		default:
			return 0
		}
	} else if t.file != "" && strings.Contains(t.whole, "#") && d.Container == "" {
		g++ // an id without container names a top-level definition
	}
	return g
}

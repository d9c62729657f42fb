package answer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A Lookup is what a name given by a person or an agent means.
type Lookup struct {
	Term    string
	Found   []Node // one: the name is clear; several: it is ambiguous
	More    int    // meanings that are not among Found
	Unread  int    // definitions of the name that were not looked at: nobody knows which of them are meanings
	Nearest []Node // names like it, when none was found
	refs    []ref  // of Found
	alone   bool   // they are meant without what they hold
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
	refs, unread, err := e.called(t)
	if err != nil {
		return nil, err
	}
	list, err := e.meanings(t, refs)
	if err != nil {
		return nil, err
	}
	l := &Lookup{Term: name, Unread: unread}
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

// meanings keeps those definitions that fit a term best, in the order of
// files: a name in its own case beats one that differs.
func (e *Engine) meanings(t term, refs []ref) ([]meaning, error) {
	var list []meaning
	var files []int
	for _, r := range refs {
		list = append(list, meaning{ref: r})
		files = append(files, r.file)
	}
	e.index.Prefetch(files)
	best := 1
	var err error
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
	order.By(list, func(a, b meaning) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.def, b.def)) })
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
	ranked, _, err := e.rank(lexicon.Question{Shape: lexicon.Phrase, Terms: words}, Narrow{}, 10*maxNearest)
	if err != nil {
		return nil, err
	}
	order.Stable(ranked, func(a, b candidate) int { return cmp.Compare(b.name, a.name) })
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

package answer

import (
	"cmp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// An Impact is what a change of some definitions reaches, as far as the index
// tells: a lower bound.
type Impact struct {
	Changed []Node       `json:"changed"`           // at most maxChanged
	Depth   int          `json:"depth"`             // how many steps were followed
	Reached []Reached    `json:"-"`                 // by repository and file, the nearest of them first
	Wiring  []wiring.Row `json:"-"`                 // what the changed files and their repositories are wired to, safe to print
	More    int          `json:"-"`                 // changed definitions that are not among Changed
	Bounded bool         `json:"bounded,omitempty"` // the search ended at its bound
	Notes   []string     `json:"notes,omitempty"`   // what else is to be known, one line each
}

// A Reached definition uses one that changes, or one that is reached.
type Reached struct {
	Node
	Repo      string `json:"repo"`
	Relation  string `json:"relation"`     // how it uses Of
	Of        string `json:"of"`           // label of what it uses
	At        int    `json:"at,omitempty"` // line where it says so; 0 when unknown
	Steps     int    `json:"steps"`        // from 1
	Certainty int    `json:"certainty"`    // 1 to 100: of the least sure step
	Test      bool   `json:"test,omitempty"`
	of        ref
}

// Reach says how far an impact goes.
type Reach struct {
	Depth int  // steps, at least 1
	Alone bool // only uses of the definitions themselves, not of what they hold, and no wiring
	Tests bool // only tests
}

// Bounds of an impact.
const (
	maxChanged = 50    // changed definitions that are listed
	maxStarts  = 4_000 // definitions that are started from
	maxReached = 5_000 // definitions that are reached
)

// Impact follows the uses of everything that the lookups found backwards.
func (e *Engine) Impact(found []*Lookup, how Reach) (*Impact, error) {
	x := &Impact{Changed: []Node{}, Depth: how.Depth}
	w := &walker{e: e, best: map[ref]*Reached{}}
	var terms []string
	for _, l := range found {
		terms = append(terms, l.Term)
		for i, r := range l.refs {
			if len(x.Changed) < maxChanged {
				x.Changed = append(x.Changed, l.Found[i])
			} else {
				x.More++
			}
			if err := w.start(r, how.Alone || l.alone); err != nil {
				return nil, err
			}
		}
	}
	for step := 1; step <= how.Depth && len(w.front) > 0; step++ {
		if err := w.step(step); err != nil {
			return nil, err
		}
	}
	x.Bounded = w.bounded
	var err error
	if x.Reached, err = w.list(how.Tests); err != nil || how.Alone || how.Tests {
		return x, err
	}
	x.Wiring, err = e.wiredTo(terms, w.files, w.repos)
	return x, err
}

// A walker follows uses backwards, a step at a time.
type walker struct {
	e       *Engine
	best    map[ref]*Reached // nil for a start
	front   []ref
	reached []*Reached // in the order in which they are found
	files   []string   // paths of the starts
	repos   []string   // short names of their repositories, as the index has them
	bounded bool
}

// start begins at a definition and, unless it is looked at alone, at what it
// holds: who uses a member uses the whole.
func (w *walker) start(r ref, alone bool) error {
	if _, seen := w.best[r]; seen {
		return nil
	}
	if len(w.best) == maxStarts {
		w.bounded = true
		return nil
	}
	w.best[r] = nil
	w.front = append(w.front, r)
	rec, err := w.e.index.File(r.file)
	if err != nil {
		return err
	}
	if n := len(w.files); n == 0 || w.files[n-1] != rec.Path {
		w.files, w.repos = append(w.files, rec.Path), append(w.repos, w.e.repoName(rec))
	}
	if alone {
		return nil
	}
	held, err := w.members(rec, r)
	for _, m := range held {
		if err == nil {
			err = w.start(m, false)
		}
	}
	return err
}

// members are what a definition, or a file, holds: in its file, and elsewhere
// where the language lets a type be written in several.
func (w *walker) members(rec *index.Record, r ref) (list []ref, err error) {
	away, err := rec.OutOf(r.def)
	for _, x := range away {
		if x.Relation == "contains" {
			list = append(list, ref{x.File, x.Other})
		}
	}
	defs, defsErr := rec.Defs()
	if err != nil || defsErr != nil {
		return nil, cmp.Or(err, defsErr)
	}
	inside := ""
	if r.def >= 0 && r.def < len(defs) {
		inside = defs[r.def].Qualified()
	}
	for i, d := range defs {
		if d.Container == inside && i != r.def {
			list = append(list, ref{r.file, i})
		}
	}
	return list, nil
}

// step finds what uses the front and makes it the next front.
func (w *walker) step(n int) error {
	front := w.front
	w.front = nil
	var files []int
	for _, r := range front {
		files = append(files, r.file)
	}
	w.e.index.Prefetch(files)
	for _, r := range front {
		rec, err := w.e.index.File(r.file)
		if err != nil {
			return err
		}
		in, err := rec.InTo(r.def)
		if err != nil {
			return err
		}
		sure := 100
		if at := w.best[r]; at != nil {
			sure = at.Certainty
		}
		for _, x := range in {
			from := ref{x.File, x.Other}
			known, seen := w.best[from]
			switch sure := min(sure, x.Certainty); {
			case x.Relation == "contains":
			case seen && (known == nil || known.Steps < n || known.Certainty >= sure):
			case seen:
				known.Certainty, known.Relation, known.of = sure, x.Relation, r
			case len(w.reached) == maxReached:
				w.bounded = true
			default:
				found := &Reached{Steps: n, Certainty: sure, Relation: x.Relation, of: r}
				found.ref = from
				w.best[from] = found
				w.reached = append(w.reached, found)
				w.front = append(w.front, from)
			}
		}
	}
	return nil
}

// list describes what was reached and sorts it: repositories and the files in
// them by what is nearest in them, tests behind others that are as near.
func (w *walker) list(testsOnly bool) ([]Reached, error) {
	var files []int
	for _, r := range w.reached {
		files = append(files, r.ref.file)
	}
	w.e.index.Prefetch(files)
	out := []Reached{}
	first := map[string]int{}
	for _, r := range w.reached {
		if err := w.describe(r); err != nil {
			return nil, err
		}
		if testsOnly && !r.Test {
			continue
		}
		out = append(out, *r)
		for _, group := range []string{r.Repo + "\x00", r.Repo + "\x00" + r.Path} {
			rank := 2*r.Steps + btoi(r.Test)
			if at, ok := first[group]; !ok || rank < at {
				first[group] = rank
			}
		}
	}
	order.Stable(out, func(a, b Reached) int {
		return cmp.Or(first[a.Repo+"\x00"]-first[b.Repo+"\x00"], strings.Compare(a.Repo, b.Repo),
			first[a.Repo+"\x00"+a.Path]-first[b.Repo+"\x00"+b.Path], strings.Compare(a.Path, b.Path),
			a.Steps-b.Steps, a.Line-b.Line, b.Certainty-a.Certainty)
	})
	return out, nil
}

// describe fills in what an answer shows.
func (w *walker) describe(r *Reached) error {
	rec, err := w.e.index.File(r.ref.file)
	if err != nil {
		return err
	}
	if r.Node, err = node(rec, r.ref); err != nil {
		return err
	}
	r.Test = w.e.index.Header.ClassOf(r.ref.file) == index.Test
	if r.ref.def >= 0 {
		d, err := rec.Def(r.ref.def)
		if err != nil {
			return err
		}
		r.Test = r.Test || d.Test
	}
	stated, err := rec.OutOf(r.ref.def) // the line stands where the relation is written
	if err != nil {
		return err
	}
	for _, x := range stated {
		if x.File == r.of.file && x.Other == r.of.def && x.Relation == r.Relation {
			r.At = x.Line
			break
		}
	}
	other, err := w.e.index.File(r.of.file)
	if err != nil {
		return err
	}
	of, err := node(other, r.of)
	r.Repo, r.Relation, r.Of = w.e.repo(rec), plaintext.Line(r.Relation, maxWord), of.Label
	return err
}

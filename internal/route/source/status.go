package source

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A Status is all there is to say about the sources of a checkout.
type Status struct {
	Source   *Info              `json:"source"`             // what a question is answered from; null when nothing is there
	Problem  string             `json:"problem,omitempty"`  // why nothing answers
	Places   []Candidate        `json:"places"`             // where was looked, in order
	Umbrella *UmbrellaStatus    `json:"umbrella"`           // null when nothing names it
	Settings []string           `json:"settings,omitempty"` // what is wrong with the committed file, each a sentence for people
	Repos    []RepositoryStatus `json:"repositories"`       // umbrella first, then its submodules
	Bench    *BenchStatus       `json:"bench,omitempty"`
	Large    *Large             `json:"large,omitempty"` // the large files of what answers; left out when it has none

	line string
}

// A Candidate is one place where a source may be.
type Candidate struct {
	Number  int    `json:"number"` // 1 to 3 by kind; 4 to 6 in the umbrella around this checkout
	Kind    Kind   `json:"kind"`
	Where   string `json:"where"` // a directory or a ref
	Answers bool   `json:"answers"`
	Note    string `json:"note"` // what is there, or why it does not answer
}

// UmbrellaStatus is where route fetch goes.
type UmbrellaStatus struct {
	URL    string `json:"url"` // without credentials
	From   string `json:"from"`
	Branch string `json:"branch"`
}

// A RepositoryStatus compares one repository of the source with this
// checkout.
type RepositoryStatus struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	Recorded string `json:"recorded"`
	Head     string `json:"head,omitempty"` // "" when it is not checked out here
}

// BenchStatus is how well the source answered when it was built.
type BenchStatus struct {
	Questions int     `json:"questions"`
	First     int     `json:"first"`
	MRR       float64 `json:"mrr"`
}

// Inspect looks at every place. It fails only as [Open] does for other
// reasons than that nothing is there; a bundle that is refused is in the
// status and in the error.
func Inspect(ctx context.Context, o Options) (Status, error) {
	st := Status{Places: []Candidate{}, Repos: []RepositoryStatus{}}
	now := Now(o.Env)
	place, _ := gitstore.Locate(o.Dir)
	s, err := Open(ctx, o)
	if err == nil {
		defer s.Close()
		info := s.Info(now)
		st.Source, st.line = &info, s.Line(now)
		st.compare(s, place)
		st.Large = s.Large()
	} else {
		st.Problem = plaintext.Line(err.Error(), 300)
		if errors.Is(err, ErrNone) {
			st.line = NoneLine(err)
		}
	}
	if err != nil && !errors.Is(err, ErrNone) && !unusable(err) {
		return st, err
	}
	st.Settings = settingNotes(place)
	if o.Bundle == "" {
		st.look(ctx, o, place, s)
		st.findUmbrella(ctx, o, place)
	}
	if errors.Is(err, ErrNone) {
		err = nil
	}
	return st, err
}

// unusable reports whether there was something, and it must not be used.
func unusable(err error) bool {
	setting := (*SettingError)(nil)
	return asRefused(err) || errors.As(err, &setting)
}

func asRefused(err error) bool {
	r := (*bundle.Refused)(nil)
	return errors.As(err, &r)
}

// compare fills in what the source records about repositories and bench.
func (st *Status) compare(s *Source, place gitstore.Place) {
	b := s.Build
	if b.Head == "" {
		return
	}
	whole := s.Checkout.Relation != Unknown && !s.Checkout.submodule
	if s.around {
		if outer, ok := place.Superproject(); ok {
			whole, place = true, outer
		}
	}
	one := RepositoryStatus{Name: plaintext.Line(b.Repo, 100), Path: ".", Recorded: b.Head}
	if s.around {
		one.Head, _ = place.Head()
	} else if whole {
		one.Head = s.Checkout.Head
	}
	st.Repos = append(st.Repos, one)
	paths := map[string]bool{}
	for _, path := range place.Modules() {
		paths[path] = true
	}
	for _, m := range b.Submodules {
		one := RepositoryStatus{Name: plaintext.Line(m.Name, 100), Path: plaintext.Line(m.Path, 200), Recorded: m.Head}
		switch {
		case whole && paths[m.Path]:
			one.Head, _ = submoduleHead(place, m.Path)
		case s.Checkout.submodule && s.Checkout.Repo == m.Name:
			one.Head = s.Checkout.Head
		}
		st.Repos = append(st.Repos, one)
	}
	if b.Bench != nil {
		st.Bench = &BenchStatus{b.Bench.Questions, b.Bench.First, b.Bench.MRR}
	}
}

// Lines is the status for people: facts, one a line.
func (st Status) Lines() []string {
	first := st.line
	if first == "" {
		first = st.Problem
	}
	lines := []string{first}
	for _, c := range st.Places {
		whose, mark := "", ""
		if c.Number > ownPlaces {
			whose = "the umbrella's "
		}
		if c.Answers {
			mark = " (answers)"
		}
		lines = append(lines, fmt.Sprintf("place %d: %s%s %s: %s%s", c.Number, whose, c.Kind, plaintext.Line(filepath.ToSlash(c.Where), 300), c.Note, mark))
	}
	if u := st.Umbrella; u != nil {
		lines = append(lines, fmt.Sprintf("umbrella: %s, branch %s (from %s)", u.URL, u.Branch, u.From))
	} else if len(st.Places) > 0 {
		lines = append(lines, "umbrella: nothing names it; --umbrella, MAROLA_UMBRELLA, git config marola.umbrella or "+SettingsFile+" can")
	}
	lines = append(lines, st.Settings...)
	for _, r := range st.Repos {
		line := fmt.Sprintf("repository: %s (%s) built from %s", r.Name, r.Path, short(r.Recorded))
		switch r.Head {
		case "":
			line += ", not checked out here"
		case r.Recorded:
			line += ", the same here"
		default:
			line += ", here at " + short(r.Head)
		}
		lines = append(lines, line)
	}
	if b := st.Bench; b != nil && b.Questions > 0 {
		lines = append(lines, fmt.Sprintf("bench: %d of %d right first", b.First, b.Questions))
	}
	if st.Large != nil {
		lines = append(lines, "large files: "+st.Large.String())
	}
	return lines
}

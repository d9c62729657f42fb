// Package wiring is wiring.json: which repository makes, pins, reads,
// triggers and deploys what. Every fact names the file and line that states
// it.
package wiring

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// Wiring is wiring.json. Lists are sorted, so that the same workspace gives
// the same bytes.
type Wiring struct {
	Schema     int        `json:"schema"`
	Artifacts  []Artifact `json:"artifacts"`
	Dispatches []Dispatch `json:"dispatches"`
	Calls      []Call     `json:"calls"`
	Deploys    []Deploy   `json:"deploys"`
}

// An Artifact is something that one repository makes and others use: an
// image, a release asset, a branch, a package, a repository as submodule.
type Artifact struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`
	Published []Place `json:"published,omitempty"`
	Pinned    []Place `json:"pinned,omitempty"`
	Read      []Place `json:"read,omitempty"`
}

// A Dispatch is a repository_dispatch event type.
type Dispatch struct {
	Type  string  `json:"type"`
	Sent  []Place `json:"sent,omitempty"`
	Heard []Place `json:"heard,omitempty"`
}

// A Call is the use of a reusable workflow or action.
type Call struct {
	Target string  `json:"target"`
	From   []Place `json:"from"`
}

// A Deploy is a site that a workflow puts online.
type Deploy struct {
	Site string  `json:"site"`
	By   []Place `json:"by"`
}

// A Place is where a fact stands.
type Place struct {
	Repo      string `json:"repo"`
	File      string `json:"file"` // from the workspace's root, slashes
	Line      int    `json:"line"`
	Version   string `json:"version,omitempty"`   // the tag, digest or commit pinned
	Note      string `json:"note,omitempty"`      // when and how
	Evidence  string `json:"evidence,omitempty"`  // the text that states it
	Certainty int    `json:"certainty,omitempty"` // 1 to 100; 0 means 100
}

// A Row is one fact group as an answer shows it.
type Row struct {
	Name   string  `json:"name"`
	Kind   string  `json:"kind"`
	Groups []Group `json:"groups"`
	match  int
}

// A Group is the places that share a role: "published by", "pinned in" …
type Group struct {
	Role   string  `json:"role"`
	Places []Place `json:"places"`
}

// Rows returns every fact of w as rows, in a fixed order.
func (w *Wiring) Rows() []Row {
	var rows []Row
	for _, a := range w.Artifacts {
		rows = append(rows, row(a.Name, a.Kind, Group{"published by", a.Published}, Group{"pinned in", a.Pinned}, Group{"read by", a.Read}))
	}
	for _, d := range w.Dispatches {
		rows = append(rows, row(d.Type, "dispatch", Group{"sent by", d.Sent}, Group{"heard by", d.Heard}))
	}
	for _, c := range w.Calls {
		rows = append(rows, row(c.Target, "workflow", Group{"called by", c.From}))
	}
	for _, d := range w.Deploys {
		rows = append(rows, row(d.Site, "site", Group{"deployed by", d.By}))
	}
	return rows
}

func row(name, kind string, groups ...Group) Row {
	r := Row{Name: name, Kind: kind}
	for _, g := range groups {
		if len(g.Places) > 0 {
			r.Groups = append(r.Groups, g)
		}
	}
	return r
}

// Match returns the rows that hold a term, best first: in the name before in
// a place, whole before in part. Case and separators do not count.
func (w *Wiring) Match(term string) []Row {
	words := lexicon.NameWords(term)
	folded := lexicon.Fold(strings.TrimSpace(term))
	var out []Row
	for _, r := range w.Rows() {
		name := lexicon.Fold(r.Name)
		switch {
		case folded == "" && len(words) == 0:
		case name == folded || strings.HasSuffix(name, "/"+folded):
			r.match = 4
		case strings.Contains(name, folded):
			r.match = 3
		case len(words) > 0 && covers(lexicon.NameWords(r.Name), words):
			r.match = 2
		case len(words) > 0 && r.placesCover(words):
			r.match = 1
		}
		if r.match > 0 {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Row) int { return b.match - a.match })
	return out
}

func (r Row) placesCover(words []string) bool {
	for _, g := range r.Groups {
		for _, p := range g.Places {
			if covers(lexicon.NameWords(p.Repo+" "+p.File), words) {
				return true
			}
		}
	}
	return false
}

func covers(have, want []string) bool {
	for _, w := range want {
		if !slices.Contains(have, w) {
			return false
		}
	}
	return true
}

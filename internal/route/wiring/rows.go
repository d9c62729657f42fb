package wiring

import (
	"cmp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

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
	for _, b := range w.Bumps {
		rows = append(rows, row(b.File, "pin", Group{"a change starts", b.Starts}, Group{"moved by", b.Moved}))
	}
	for _, c := range w.Calls {
		rows = append(rows, row(c.Target, cmp.Or(c.Kind, CallWorkflow), Group{"called by", c.From}))
	}
	for _, d := range w.Deploys {
		rows = append(rows, row(d.Site, "site", Group{"deployed by", d.By}))
	}
	for _, t := range w.Triggers {
		rows = append(rows, row(strings.TrimSpace(t.Event+" "+t.Filter), "trigger", Group{"starts", t.Starts}))
	}
	for _, c := range w.Contracts {
		rows = append(rows, row(c.Name, "contract", Group{"same in", c.Copies}, Group{"stated in", c.Declared}))
	}
	for _, u := range w.Unresolved {
		rows = append(rows, row(u.Name, "unresolved "+u.Kind, Group{u.Why, u.At}))
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

package wiring

import (
	"cmp"
	"strings"
)

// A Row is one fact group as an answer shows it.
type Row struct {
	Name   string  `json:"name"`
	Kind   string  `json:"kind"`
	Groups []Group `json:"groups"`
}

// A Group is the places that share a role: "published by", "pinned in" …
type Group struct {
	Role   string  `json:"role"`
	Places []Place `json:"places"`
}

// Kinds of rows that are no kinds of artifacts. PinFile is a file whose
// change starts something.
const (
	PinFile        = "pin"
	triggerKind    = "trigger"
	unresolvedKind = "unresolved " // and the kind of what cannot be followed
)

// PinnedIn is the role of places that name an artifact at one version.
const PinnedIn = "pinned in"

// Rows returns every fact of w as rows, in a fixed order.
func (w *Wiring) Rows() []Row {
	var rows []Row
	for _, a := range w.Artifacts {
		rows = append(rows, row(a.Name, a.Kind, Group{"published by", a.Published}, Group{PinnedIn, a.Pinned}, Group{"read by", a.Read}))
	}
	for _, d := range w.Dispatches {
		rows = append(rows, row(d.Type, "dispatch", Group{"sent by", d.Sent}, Group{"heard by", d.Heard}))
	}
	for _, b := range w.Bumps {
		rows = append(rows, row(b.File, PinFile, Group{"a change starts", b.Starts}, Group{"moved by", b.Moved}))
	}
	for _, c := range w.Calls {
		rows = append(rows, row(c.Target, cmp.Or(c.Kind, CallWorkflow), Group{"called by", c.From}))
	}
	for _, d := range w.Deploys {
		rows = append(rows, row(d.Site, "site", Group{"deployed by", d.By}))
	}
	for _, t := range w.Triggers {
		rows = append(rows, row(strings.TrimSpace(t.Event+" "+t.Filter), triggerKind, Group{"starts", t.Starts}))
	}
	for _, c := range w.Contracts {
		copies := "same in"
		if c.Differs {
			copies = "stated to be the same, and differs in"
		}
		rows = append(rows, row(c.Name, "contract", Group{copies, c.Copies}, Group{"stated in", c.Declared}))
	}
	for _, u := range w.Unresolved {
		rows = append(rows, row(u.Name, unresolvedKind+u.Kind, Group{u.Why, u.At}))
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

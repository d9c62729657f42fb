package wiring

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	ok := Place{Repo: "app", File: "app/a.yml", Line: 1}
	with := func(change func(*Place)) *Wiring {
		p := ok
		change(&p)
		return &Wiring{Artifacts: []Artifact{{Name: "a", Kind: Image, Read: []Place{ok, p}}}}
	}
	long := strings.Repeat("x", MaxName+1)
	for _, tt := range []struct {
		name, says string
		w          *Wiring
	}{
		{"empty", "", &Wiring{}},
		{"the example", "", marola()},
		{"a newer schema", "newer than 1", &Wiring{Schema: 2}},
		{"a path that leaves the workspace", "no file of a workspace", with(func(p *Place) { p.File = "../a" })},
		{"a path with a control character", "no file of a workspace", with(func(p *Place) { p.File = "a\x1b[2J" })},
		{"no path", "no file of a workspace", with(func(p *Place) { p.File = "" })},
		{"a line below zero", "out of range", with(func(p *Place) { p.Line = -1 })},
		{"a certainty above a hundred", "out of range", with(func(p *Place) { p.Certainty = 101 })},
		{"long evidence", "more than 240", with(func(p *Place) { p.Evidence = long })},
		{"a long version", "more than 300", with(func(p *Place) { p.Version = long })},
		{"a long name", "more than 300", &Wiring{Calls: []Call{{Target: long}}}},
		{"a bump of no file", "no file of a workspace", &Wiring{Bumps: []Bump{{Repo: "app", File: "/etc/passwd"}}}},
		{"too many places", "more than 1000", &Wiring{Deploys: []Deploy{{Site: "x", By: make([]Place, MaxPlaces+1)}}}},
		{"too many entries", "triggers has 20001 entries", &Wiring{Triggers: make([]Trigger, MaxRows+1)}},
		{"too many together", "more than 40000", &Wiring{Contracts: many(MaxAll/MaxPlaces+1, ok)}},
	} {
		err := tt.w.Check()
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.says)
		}
	}
}

func many(n int, p Place) []Contract {
	places := make([]Place, MaxPlaces)
	for i := range places {
		places[i] = p
	}
	out := make([]Contract, n)
	for i := range out {
		out[i].Copies = places
	}
	return out
}

package wiring

import (
	"fmt"
	"slices"
	"testing"
)

// marola is the wiring of MIP-0084's example.
func marola() *Wiring {
	return &Wiring{
		Artifacts: []Artifact{
			{Name: "ghcr.io/marola-dev/marola-app", Kind: "image",
				Published: []Place{{Repo: "marola-app", File: "marola-app/.github/workflows/docker.yml", Line: 40}},
				Pinned:    []Place{{Repo: "marola-site", File: "marola-site/marola-image", Line: 1, Version: "v1.2.3"}},
				Read:      []Place{{Repo: "marola-site", File: "marola-site/scripts/board-schema.sh", Line: 12}}},
			{Name: "marola-corpus", Kind: "submodule", Pinned: []Place{{Repo: "marola", File: ".gitmodules", Line: 9}}},
			{Name: "board-schema.json", Kind: "release asset", Published: []Place{{Repo: "marola-app", File: "marola-app/release.yml", Line: 3}}},
			{Name: "unused", Kind: "image"},
		},
		Dispatches: []Dispatch{{Type: "pointer-sync", Sent: []Place{{Repo: "marola-app", File: "marola-app/notify.yml", Line: 7}}, Heard: []Place{{Repo: "marola", File: "ci.yml", Line: 2}}}},
		Calls:      []Call{{Target: "marola-dev/devkit/.github/workflows/skills.yml", From: []Place{{Repo: "marola-site", File: "marola-site/skills.yml", Line: 5}}}},
		Deploys:    []Deploy{{Site: "docs.marola.dev", By: []Place{{Repo: "marola", File: "pages.yml", Line: 30}}}},
	}
}

func names(rows []Row) (out []string) {
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

func TestRows(t *testing.T) {
	var got []string
	for _, r := range marola().Rows() {
		line := r.Name + " (" + r.Kind + ")"
		for _, g := range r.Groups {
			line += " " + g.Role
			for _, p := range g.Places {
				line += fmt.Sprintf(" %s:%d", p.File, p.Line)
			}
		}
		got = append(got, line)
	}
	want := []string{
		"ghcr.io/marola-dev/marola-app (image) published by marola-app/.github/workflows/docker.yml:40 pinned in marola-site/marola-image:1 read by marola-site/scripts/board-schema.sh:12",
		"marola-corpus (submodule) pinned in .gitmodules:9",
		"board-schema.json (release asset) published by marola-app/release.yml:3",
		"unused (image)",
		"pointer-sync (dispatch) sent by marola-app/notify.yml:7 heard by ci.yml:2",
		"marola-dev/devkit/.github/workflows/skills.yml (workflow) called by marola-site/skills.yml:5",
		"docs.marola.dev (site) deployed by pages.yml:30",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestMatch(t *testing.T) {
	const app, corpus, schema, sync, skills, docs = "ghcr.io/marola-dev/marola-app", "marola-corpus", "board-schema.json", "pointer-sync", "marola-dev/devkit/.github/workflows/skills.yml", "docs.marola.dev"
	for _, tt := range []struct {
		name, term string
		want       []string
	}{
		{"the whole name", app, []string{app}},
		{"the last segment before a part", "marola-app", []string{app, schema, sync}},
		{"case does not count", "Marola-App", []string{app, schema, sync}},
		{"separators do not count", "pointer_sync", []string{sync}},
		{"a part of the name", "schema.json", []string{schema}},
		{"words of the name in any order", "sync pointer", []string{sync}},
		{"in the name before in a place", "skills", []string{skills}},
		{"a name that a place has", "marola-image", []string{app}},
		{"a file that states it", "board schema", []string{schema, app}},
		{"a path", "marola-site/scripts/board-schema.sh", []string{app}},
		{"nothing of the kind", "zebra", nil},
		{"one word of two", "schema zebra", nil},
		{"an empty term", "", nil},
		{"a term of signs", "- _ $", nil},
		{"a dispatch", "pointer-sync", []string{sync}},
		{"a site", "docs.marola.dev", []string{docs}},
		{"a submodule", "corpus", []string{corpus}},
	} {
		if got := names(marola().Match(tt.term)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q matches %q, want %q", tt.name, tt.term, got, tt.want)
		}
	}
}

func TestMatchOfNothing(t *testing.T) {
	if rows := (&Wiring{}).Match("x"); len(rows) != 0 {
		t.Errorf("got %+v", rows)
	}
	empty := &Wiring{Artifacts: []Artifact{{}}, Calls: []Call{{}}}
	if rows := empty.Match("x"); len(rows) != 0 {
		t.Errorf("got %+v", rows)
	}
}

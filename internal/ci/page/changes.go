package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/graph"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// maxChanges bounds each list of what changed; the rest is counted.
const maxChanges = 2000

// Changes are what a bundle has that an earlier one had not, and the reverse.
type Changes struct {
	From    string       `json:"from"` // the umbrella's commit of the earlier bundle
	Time    string       `json:"time"` // of that commit
	Repos   []RepoChange `json:"repos"`
	Files   []FileChange `json:"files"`  // by path
	Wiring  []RowChange  `json:"wiring"` // by kind and name
	LeftOut int          `json:"left_out"`
}

// A RepoChange is a repository that was added, removed or moved.
type RepoChange struct {
	Name string `json:"name"`
	From string `json:"from"` // "" for one that is new
	To   string `json:"to"`   // "" for one that is gone
}

// A FileChange is a file whose definitions are not the same.
type FileChange struct {
	File    string   `json:"file"`
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	What    string   `json:"what"` // "new", "gone" or "changed"
}

// A RowChange is a row of the wiring that was added, removed or changed.
type RowChange struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	What string `json:"what"`
}

// compare is nil without an earlier bundle.
func compare(ctx context.Context, build bundle.Build, g *graph.Graph, rows []wiring.Row, before bundle.Files) (*Changes, error) {
	if before == nil {
		return nil, nil
	}
	old, err := bundle.Open(before)
	if err != nil {
		return nil, err
	}
	raw, err := old.Read(bundle.BuildName)
	if err != nil {
		return nil, err
	}
	was, err := bundle.ParseBuild(raw)
	if err != nil {
		return nil, err
	}
	oldGraph, err := readGraph(ctx, old)
	if err != nil {
		return nil, err
	}
	c := &Changes{From: was.Head, Time: was.CommitTime, Repos: repoChanges(was, build), Files: fileChanges(oldGraph, g)}
	oldRows, err := wiringRows(old)
	if err != nil {
		return nil, err
	}
	if c.Wiring, err = wiringChanges(oldRows, rows); err != nil {
		return nil, err
	}
	if n := len(c.Files); n > maxChanges {
		c.LeftOut, c.Files = n-maxChanges, c.Files[:maxChanges]
	}
	if n := len(c.Wiring); n > maxChanges {
		c.LeftOut, c.Wiring = c.LeftOut+n-maxChanges, c.Wiring[:maxChanges]
	}
	return c, nil
}

func repoChanges(was, is bundle.Build) []RepoChange {
	heads := func(b bundle.Build) map[string]string {
		m := map[string]string{b.Repo: b.Head}
		for _, s := range b.Submodules {
			m[s.Path] = s.Head
		}
		return m
	}
	a, b := heads(was), heads(is)
	out := []RepoChange{}
	for name := range union(a, b) {
		if a[name] != b[name] {
			out = append(out, RepoChange{name, a[name], b[name]})
		}
	}
	slices.SortFunc(out, func(a, b RepoChange) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// fileChanges compares what files define, whatever their lines.
func fileChanges(was, is *graph.Graph) []FileChange {
	defs := func(g *graph.Graph) map[string]map[string]int {
		m := map[string]map[string]int{}
		for _, n := range g.Nodes {
			if n.File == "" || n.FileType != "code" {
				continue
			}
			if m[n.File] == nil {
				m[n.File] = map[string]int{}
			}
			if n.Kind != "file" {
				m[n.File][n.Label]++
			}
		}
		return m
	}
	a, b := defs(was), defs(is)
	out := []FileChange{}
	for file := range union(a, b) {
		f := FileChange{File: file, Added: more(b[file], a[file]), Removed: more(a[file], b[file]), What: "changed"}
		switch {
		case a[file] == nil:
			f.What = "new"
		case b[file] == nil:
			f.What = "gone"
		case len(f.Added)+len(f.Removed) == 0:
			continue
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b FileChange) int { return strings.Compare(a.File, b.File) })
	return out
}

// maxNames bounds what one file lists.
const maxNames = 20

// more are the names that a has more often than b, sorted.
func more(a, b map[string]int) []string {
	out := []string{}
	for name, n := range a {
		if n > b[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	if n := len(out) - maxNames; n > 0 {
		out = append(out[:maxNames], fmt.Sprintf("… and %d more", n))
	}
	return out
}

// wiringRows is the wiring, safe to show.
func wiringRows(b *bundle.Bundle) ([]wiring.Row, error) {
	e, err := answer.Open(b)
	if err != nil {
		return nil, err
	}
	return e.WiringRows()
}

func wiringChanges(old, rows []wiring.Row) ([]RowChange, error) {
	was, err := rowTexts(old)
	if err != nil {
		return nil, err
	}
	is, err := rowTexts(rows)
	if err != nil {
		return nil, err
	}
	out := []RowChange{}
	for at := range union(was, is) {
		what := "changed"
		switch {
		case was[at] == is[at]:
			continue
		case was[at] == "":
			what = "new"
		case is[at] == "":
			what = "gone"
		}
		out = append(out, RowChange{at[0], at[1], what})
	}
	slices.SortFunc(out, func(a, b RowChange) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	return out, nil
}

// rowTexts are all that the wiring says of each kind and name.
func rowTexts(rows []wiring.Row) (map[[2]string]string, error) {
	m := map[[2]string]string{}
	for _, r := range rows {
		text, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		m[[2]string{r.Kind, r.Name}] += string(text)
	}
	return m, nil
}

// union are the keys of both.
func union[K comparable, V any](a, b map[K]V) map[K]bool {
	out := make(map[K]bool, len(a)+len(b))
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

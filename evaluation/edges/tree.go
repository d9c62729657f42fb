package main

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/marola-dev/marola-routing/evaluation/checkout"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
)

// A tree is one workspace, read and resolved.
type tree struct {
	head  string
	units []resolve.Unit
	at    map[string]int // path → unit
	calls []resolve.Call // in order of path and line
}

func readTree(ctx context.Context, dir string) (*tree, error) {
	c, err := checkout.Read(ctx, dir)
	if err != nil {
		return nil, err
	}
	return resolveTree(ctx, c.Head, c.Units, c.Manifests)
}

func resolveTree(ctx context.Context, head string, units []resolve.Unit, manifests resolve.Manifests) (*tree, error) {
	t := &tree{head: head, units: units, at: make(map[string]int)}
	for i, u := range units {
		t.at[u.Path] = i
	}
	_, _, err := resolve.Trace(ctx, units, manifests, func(c resolve.Call) { t.calls = append(t.calls, c) })
	return t, err
}

// speaks reports whether a unit is written in a language; TypeScript and
// JavaScript are one, and "" is any.
func (t *tree) speaks(unit int, lang string) bool {
	own := t.units[unit].File.Lang
	if lang == "typescript" && own == "javascript" {
		return true
	}
	return lang == "" || own == lang
}

// An edge is a definition that calls another: the first such call.
type edge struct {
	resolve.Call
	to resolve.Ref
	record
}

// A record is an edge as it is written down. Lines count from 1, paths start
// at the workspace's root.
type record struct {
	Lang       string  `json:"lang"`
	File       string  `json:"file"`
	Line       int     `json:"line"`
	Name       string  `json:"name"`
	From       string  `json:"from,omitempty"` // qualified name of the caller, "" for the file
	TargetFile string  `json:"target_file"`
	TargetLine int     `json:"target_line"`
	Target     string  `json:"target"` // qualified name
	Resolver   string  `json:"resolver"`
	Confidence string  `json:"confidence"`
	Score      float64 `json:"score"`
}

// edges are the resolved call edges of a language, in order of file, line,
// name and target.
func (t *tree) edges(lang string) []edge {
	type pair struct{ from, to resolve.Ref }
	seen := make(map[pair]bool)
	var out []edge
	for _, c := range t.calls {
		if !t.speaks(c.From.Unit, lang) {
			continue
		}
		for _, to := range c.To {
			if p := (pair{c.From, to}); !seen[p] && c.From != to {
				seen[p] = true
				out = append(out, edge{c, to, t.record(c, to)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.TargetFile, b.TargetFile), cmp.Compare(a.TargetLine, b.TargetLine))
	})
	return out
}

func (t *tree) record(c resolve.Call, to resolve.Ref) record {
	u := t.units[c.From.Unit]
	return record{Lang: u.File.Lang, File: u.Path, Line: c.Reference.Line, Name: c.Reference.Name, From: t.label(c.From),
		TargetFile: t.units[to.Unit].Path, TargetLine: t.line(to), Target: t.label(to),
		Resolver: c.Resolver, Confidence: c.Confidence, Score: c.Score}
}

func (t *tree) definition(r resolve.Ref) *extract.Definition {
	return &t.units[r.Unit].File.Definitions[r.Def]
}

func (t *tree) label(r resolve.Ref) string {
	if r.Def < 0 {
		return ""
	}
	return t.definition(r).Qualified()
}

func (t *tree) line(r resolve.Ref) int {
	if r.Def < 0 {
		return 1
	}
	return t.definition(r).Line
}

// A callRecord is a call as it is written down, with what it may mean.
type callRecord struct {
	Lang      string  `json:"lang"`
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Name      string  `json:"name"`
	Qualifier string  `json:"qualifier,omitempty"`
	From      string  `json:"from,omitempty"`
	FromLine  int     `json:"from_line"` // 1 for the file
	Targets   []place `json:"targets"`
}

// A place is a line of a file.
type place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func (t *tree) callRecords(lang string) []callRecord {
	var out []callRecord
	for _, c := range t.calls {
		if !t.speaks(c.From.Unit, lang) {
			continue
		}
		u := t.units[c.From.Unit]
		r := callRecord{Lang: u.File.Lang, File: u.Path, Line: c.Reference.Line, Name: c.Reference.Name,
			Qualifier: c.Reference.Qualifier, From: t.label(c.From), FromLine: t.line(c.From), Targets: []place{}}
		for _, to := range c.To {
			r.Targets = append(r.Targets, place{t.units[to.Unit].Path, t.line(to)})
		}
		out = append(out, r)
	}
	return out
}

func records(edges []edge) []record {
	out := make([]record, len(edges))
	for i, e := range edges {
		out[i] = e.record
	}
	return out
}

// draw takes n of the edges by chance, or all where n is 0, and keeps their
// order. The same edges and seed give the same draw.
func draw(edges []edge, n int, seed uint64) []edge {
	if n <= 0 || n >= len(edges) {
		return edges
	}
	picked := rand.New(rand.NewPCG(seed, 0)).Perm(len(edges))[:n]
	slices.Sort(picked)
	out := make([]edge, n)
	for i, p := range picked {
		out[i] = edges[p]
	}
	return out
}

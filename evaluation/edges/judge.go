package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
)

// A judging compares the edges of one language with what the independent
// source says, over several trees.
type judging struct {
	lang         string
	n            int // edges in the sample, spread evenly over the trees
	seed         uint64
	out, details string // folders, or ""
}

// The verdicts on an edge.
const (
	right   = "right"
	wrong   = "wrong"
	unknown = "unknown"
)

// A verdict is an edge of the sample with what is thought of it.
type verdict struct {
	Repository string `json:"repository"`
	record
	Verdict string `json:"verdict"`
	Beside  bool   `json:"beside,omitempty"` // not the target, but AMBIGUOUS beside it
	Reason  string `json:"reason,omitempty"`
}

// Counts of verdicts; Precision is right / (right + wrong).
type counts struct {
	Edges     int     `json:"edges"`
	Right     int     `json:"right"`
	Beside    int     `json:"beside,omitempty"` // those of Right that are right only because another edge of the same call is: all are marked AMBIGUOUS
	Wrong     int     `json:"wrong"`
	Unknown   int     `json:"unknown"`
	Precision float64 `json:"precision"`
}

func (c *counts) add(v verdict) {
	c.Edges++
	if v.Beside {
		c.Beside++
	}
	switch v.Verdict {
	case right:
		c.Right++
	case wrong:
		c.Wrong++
	default:
		c.Unknown++
	}
	c.Precision = share(c.Right, c.Right+c.Wrong)
}

// Recall counts the independent source's calls whose target is a definition
// of the workspace.
type recall struct {
	Calls    int     `json:"calls"`
	Resolved int     `json:"resolved"`
	Recall   float64 `json:"recall"`
	LeftOut  int     `json:"left_out"` // calls from or to files that a build leaves out; not among Calls
}

type repository struct {
	Name     string `json:"name"`
	Commit   string `json:"commit"`
	AllEdges counts `json:"all_edges"`
	Recall   recall `json:"recall"`
}

type summary struct {
	Lang         string       `json:"lang"`
	Seed         uint64       `json:"seed"`
	Sample       counts       `json:"sample"`
	AllEdges     counts       `json:"all_edges"`
	Recall       recall       `json:"recall"`
	Repositories []repository `json:"repositories"`
}

// share rounds to four digits.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(1e4*float64(part)/float64(whole)) / 1e4
}

func (j judging) run(ctx context.Context, trees []string, out io.Writer) error {
	if j.lang == "" || len(trees) == 0 {
		return fmt.Errorf("judge needs -lang and trees\n%s", usage)
	}
	s := summary{Lang: j.lang, Seed: j.seed}
	var sample, all []verdict
	var missed []missing
	for i, arg := range trees {
		parts := strings.Split(arg, "=")
		if len(parts) != 3 {
			return fmt.Errorf("%q is not NAME=DIR=LIST", arg)
		}
		t, err := readTree(ctx, parts[1])
		if err != nil {
			return err
		}
		w, err := openWitness(parts[2])
		if err != nil {
			return err
		}
		r := repository{Name: parts[0], Commit: t.head}
		edges := slices.DeleteFunc(t.edges(j.lang), func(e edge) bool { return !w.files[e.File] })
		for _, e := range edges {
			v := t.judge(r.Name, e, w)
			all = append(all, v)
			r.AllEdges.add(v)
			s.AllEdges.add(v)
		}
		n := j.n*(i+1)/len(trees) - j.n*i/len(trees)
		for _, e := range draw(edges, n, j.seed) {
			v := t.judge(r.Name, e, w)
			sample = append(sample, v)
			s.Sample.add(v)
		}
		var m []missing
		r.Recall, m = t.recall(r.Name, j.lang, w)
		missed = append(missed, m...)
		s.Recall.Calls += r.Recall.Calls
		s.Recall.Resolved += r.Recall.Resolved
		s.Recall.LeftOut += r.Recall.LeftOut
		s.Repositories = append(s.Repositories, r)
	}
	s.Recall.Recall = share(s.Recall.Resolved, s.Recall.Calls)
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if j.out != "" {
		if err := os.WriteFile(filepath.Join(j.out, "summary.json"), append(text, '\n'), 0o644); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(j.out, "sample.jsonl"), sample); err != nil {
			return err
		}
	}
	if j.details != "" {
		if err := writeFile(filepath.Join(j.details, "all.jsonl"), all); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(j.details, "missed.jsonl"), missed); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%s\n", text)
	return err
}

func openWitness(name string) (*witness, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w, err := readWitness(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

func writeFile[T any](name string, values []T) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := writeLines(f, values); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// judge compares one edge with the facts on its call. An edge of several
// that are marked AMBIGUOUS is right when one of them is.
func (t *tree) judge(repo string, e edge, w *witness) verdict {
	v := verdict{Repository: repo, record: e.record, Verdict: unknown, Reason: "the independent source tells of no such call"}
	facts := w.about(e.File, e.Line, e.Name)
	if len(facts) == 0 {
		return v
	}
	targets := []resolve.Ref{e.to}
	if e.Call.Confidence == resolve.Ambiguous {
		targets = e.To
	}
	for _, f := range facts {
		for _, to := range targets {
			if t.is(to, f) {
				v.Verdict, v.Reason = right, ""
				v.Beside = to != e.to && !slices.ContainsFunc(facts, func(f witnessed) bool { return t.is(e.to, f) })
				return v
			}
		}
	}
	v.Verdict, v.Reason = wrong, "leads out of the workspace"
	if f := facts[0]; f.TargetFile != "" {
		v.Reason = fmt.Sprintf("leads to %s:%d", f.TargetFile, f.TargetLine)
	}
	return v
}

// A missing call is a fact without an edge.
type missing struct {
	Repository string `json:"repository"`
	witnessed
	From string `json:"from,omitempty"`
}

// recall counts the facts that have an edge. References that differ in
// their line only are told once, so what counts is that the definition around
// the call has an edge to the target.
func (t *tree) recall(repo, lang string, w *witness) (recall, []missing) {
	var r recall
	var missed []missing
	targets := make(map[resolve.Ref][]resolve.Ref) // caller → callees
	for _, c := range t.calls {
		targets[c.From] = append(targets[c.From], c.To...)
	}
	starts := t.starts()
	for _, f := range w.facts {
		if f.Dynamic || f.TargetFile == "" {
			continue
		}
		u, known := t.at[f.File]
		target, targetKnown := t.at[f.TargetFile]
		if !known || !targetKnown || t.units[target].File.Lang == "" {
			r.LeftOut++
			continue
		}
		if !t.speaks(u, lang) {
			continue
		}
		r.Calls++
		if t.resolved(u, f, targets, starts) {
			r.Resolved++
		} else {
			from := resolve.Ref{Unit: u, Def: -1}
			if d, ok := t.defAt(u, f.Line); ok {
				from = d
			}
			missed = append(missed, missing{repo, f, t.label(from)})
		}
	}
	r.Recall = share(r.Resolved, r.Calls)
	return r, missed
}

// starts gives, for each definition, the line where its uses begin: its own,
// or above that the first of its decorators and annotations.
func (t *tree) starts() map[resolve.Ref]int {
	starts := make(map[resolve.Ref]int)
	for u, unit := range t.units {
		for i, d := range unit.File.Definitions {
			starts[resolve.Ref{Unit: u, Def: i}] = d.Line
		}
		for _, r := range unit.File.References {
			at := resolve.Ref{Unit: u, Def: r.From}
			if first, ok := starts[at]; ok && r.Line < first {
				starts[at] = r.Line
			}
		}
	}
	return starts
}

// resolved reports whether a definition around the call, with no function
// between them, has an edge to the target. A definition that calls itself
// needs none.
func (t *tree) resolved(u int, f witnessed, targets map[resolve.Ref][]resolve.Ref, starts map[resolve.Ref]int) bool {
	around := []resolve.Ref{{Unit: u, Def: -1}}
	innermost := -1 // first line of the innermost function
	defs := t.units[u].File.Definitions
	for i, d := range defs {
		r := resolve.Ref{Unit: u, Def: i}
		if starts[r] > f.Line || f.Line > d.EndLine {
			continue
		}
		around = append(around, r)
		if d.Kind == extract.Function || d.Kind == extract.Method {
			innermost = max(innermost, d.Line)
		}
	}
	for _, r := range around {
		if innermost >= 0 && (r.Def < 0 || defs[r.Def].Line < innermost) {
			continue
		}
		if r.Def >= 0 && t.is(r, f) {
			return true
		}
		for _, to := range targets[r] {
			if t.is(to, f) {
				return true
			}
		}
	}
	return false
}

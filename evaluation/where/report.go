package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// A result is a question and where its first right file stood, from 0, or −1.
type result struct {
	question
	rank int
}

// A report collects what was measured and prints it.
type report struct {
	out     io.Writer
	results []result
	modules []measured
}

// tally counts results: right first, right among five, and the mean of 1/place.
type tally struct {
	n, first, five int
	reciprocal     float64
}

func (t *tally) add(rank int) {
	t.n++
	switch {
	case rank < 0:
		return
	case rank == 0:
		t.first++
	}
	if rank < 5 {
		t.five++
	}
	t.reciprocal += 1 / float64(rank+1)
}

func (t tally) String() string {
	n := float64(max(1, t.n))
	return fmt.Sprintf("%d\t%.1f\t%.1f\t%.3f", t.n, 100*float64(t.first)/n, 100*float64(t.five)/n, t.reciprocal/n)
}

// quality prints a row for each kind and module.
func (r *report) quality(misses bool) {
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "questions\tasked\tright first %\tin five %\tMRR\t")
	row := func(name string, is func(result) bool) {
		var t tally
		for _, res := range r.results {
			if is(res) {
				t.add(res.rank)
			}
		}
		fmt.Fprintf(w, "%s\t%v\t\n", name, t)
	}
	for _, k := range kinds {
		row(k, func(res result) bool { return res.Kind == k })
	}
	for _, m := range r.modules {
		row(m.name, func(res result) bool { return res.Module == m.name })
	}
	row("all", func(result) bool { return true })
	w.Flush()
	if !misses {
		return
	}
	for _, res := range r.results {
		if res.rank != 0 {
			at := "not among ten"
			if res.rank > 0 {
				at = fmt.Sprint("at place ", res.rank+1)
			}
			fmt.Fprintf(r.out, "%s: %s %q: %v is %s\n", res.Module, res.Kind, res.Text, res.Right, at)
		}
	}
}

// cost prints what each module's bundle and questions cost.
func (r *report) cost() {
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nmodule\tfiles\tbuild\tbundle kB\tpacked kB\tquery\tgit grep, its words\tgit grep, one word\trg, its words\t")
	for _, m := range r.modules {
		fmt.Fprintf(w, "%s\t%d\t%v\t%d\t%d\t%s\t%s\t%s\t%s\t\n", m.name, m.files, m.build.Round(10*time.Millisecond), m.raw/1000, m.packed/1000,
			median(m.query), median(m.words), median(m.one), median(m.ripgrep))
	}
	w.Flush()
}

// median prints the median of durations in milliseconds, or "-" of none.
func median(list []time.Duration) string {
	if len(list) == 0 {
		return "-"
	}
	sorted := slices.Sorted(slices.Values(list))
	return fmt.Sprintf("%.1f ms", float64(sorted[len(sorted)/2].Microseconds())/1000)
}

// Wiring prints what the wiring of a checkout states, one fact a line, to be
// judged by reading; and lines that look like wiring, found by a search that
// knows nothing of the readers, to see which of them the facts lack.
//
//	go run ./evaluation/wiring -seed 1 -n 100 DIR
//	go run ./evaluation/wiring -lines -seed 1 -n 100 DIR
//	go run ./evaluation/wiring -count evaluation/wiring/*.jsonl
//
// README.md has the figures, and tells how a line was judged.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/evaluation/checkout"
	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, problems io.Writer) int {
	fs := flag.NewFlagSet("wiring", flag.ContinueOnError)
	fs.SetOutput(problems)
	var (
		lines = fs.Bool("lines", false, "print lines that look like wiring, rather than facts")
		count = fs.Bool("count", false, "count the verdicts of the files named, rather than read a checkout")
		n     = fs.Int("n", 0, "print `N` of them, drawn by chance; 0 means all")
		seed  = fs.Uint64("seed", 1, "the `NUMBER` chance begins with: the same draws the same")
	)
	if err := fs.Parse(args); err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case *count:
		err = counts(fs.Args(), out)
	case fs.NArg() != 1:
		err = errors.New("name one checkout")
	default:
		err = sample(ctx, fs.Arg(0), *lines, *seed, *n, out)
	}
	if err != nil {
		fmt.Fprintln(problems, "wiring:", err)
		return 1
	}
	return 0
}

// A fact is one place of one row of the wiring.
type fact struct {
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Says      string `json:"says"` // its role: published by, pinned in, read by …; why, where it is unresolved
	File      string `json:"file"`
	Line      int    `json:"line"`
	Version   string `json:"version,omitempty"`
	Via       string `json:"via,omitempty"`
	When      string `json:"when,omitempty"`
	Note      string `json:"note,omitempty"`
	Certainty int    `json:"certainty,omitempty"`
	Evidence  string `json:"evidence,omitempty"`
}

// sample prints facts or lines of the checkout at dir.
func sample(ctx context.Context, dir string, lines bool, seed uint64, n int, out io.Writer) error {
	space, err := checkout.Open(ctx, dir)
	if err != nil {
		return err
	}
	wires, err := assemble.Wiring(ctx, space, nil)
	if err != nil {
		return err
	}
	facts := factsOf(wires)
	if !lines {
		return write(out, draw(facts, seed, n))
	}
	found, err := candidates(ctx, space, facts)
	if err != nil {
		return err
	}
	return write(out, draw(found, seed, n))
}

// factsOf are all facts, by file and line.
func factsOf(w *wiring.Wiring) []fact {
	var all []fact
	for _, r := range w.Rows() {
		for _, g := range r.Groups {
			for _, p := range g.Places {
				all = append(all, fact{r.Kind, r.Name, g.Role, p.File, p.Line, p.Version, p.Via, p.When, p.Note, p.Certainty, p.Evidence})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b fact) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return all
}

// draw takes n of the list by chance, in the list's order; all where n is 0.
func draw[T any](list []T, seed uint64, n int) []T {
	if n <= 0 || n >= len(list) {
		return list
	}
	picked := rand.New(rand.NewPCG(seed, seed)).Perm(len(list))[:n]
	slices.Sort(picked)
	out := make([]T, n)
	for i, at := range picked {
		out[i] = list[at]
	}
	return out
}

func write[T any](out io.Writer, list []T) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for _, v := range list {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

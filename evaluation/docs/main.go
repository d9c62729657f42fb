// Docs draws links between documents and code from a bundle, one a line, to
// be judged by reading, and counts the verdicts.
//
//	go run ./evaluation/docs -seed 5 -n 100 -read CHECKOUT BUNDLE
//	go run ./evaluation/docs -seed 5 -n 100 BUNDLE
//	go run ./evaluation/docs -count evaluation/docs/*.jsonl
//
// README.md has the figures, and tells how a link was judged.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, problems io.Writer) int {
	fs := flag.NewFlagSet("docs", flag.ContinueOnError)
	fs.SetOutput(problems)
	var (
		count     = fs.Bool("count", false, "count the verdicts of the files named, rather than draw from a bundle")
		ambiguous = fs.Bool("ambiguous", false, "draw names of several definitions, rather than links to one")
		n         = fs.Int("n", 0, "print `N` of them, drawn by chance; 0 means all")
		seed      = fs.Uint64("seed", 1, "the `NUMBER` chance begins with: the same draws the same")
		checkout  = fs.String("read", "", "print the lines of the checkout `DIR` with each, for reading")
	)
	if err := fs.Parse(args); err != nil {
		return 2
	}
	var err error
	switch {
	case *count:
		err = counts(fs.Args(), out)
	case fs.NArg() != 1:
		err = errors.New("name one bundle")
	default:
		err = sample(fs.Arg(0), *ambiguous, *seed, *n, *checkout, out)
	}
	if err != nil {
		fmt.Fprintln(problems, "docs:", err)
		return 1
	}
	return 0
}

// sample prints links of a bundle.
func sample(dir string, ambiguous bool, seed uint64, n int, checkout string, out io.Writer) error {
	b, err := bundle.Open(bundle.Dir(dir))
	if err != nil {
		return err
	}
	var build bundle.Build
	var links doccode.DocCode
	if err := errors.Join(b.Decode(bundle.BuildName, &build), b.Decode(bundle.DocCodeName, &links)); err != nil {
		return err
	}
	if err := links.Check(); err != nil {
		return err
	}
	repo := strings.TrimPrefix(strings.TrimSuffix(build.URL, ".git"), "https://github.com/")
	var all []verdict
	for _, d := range links.Docs {
		for _, p := range d.Passages {
			for _, l := range p.Links {
				if l.Ambiguous() != ambiguous {
					continue
				}
				v := verdict{Repo: repo, Commit: build.Head, Seed: seed, Doc: d.File, Line: l.Line, Text: l.Text, How: l.How}
				for _, to := range l.To {
					n := links.Nodes[to]
					v.To = append(v.To, fmt.Sprintf("%s:%d", n, n.Line))
				}
				all = append(all, v)
			}
		}
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for i, v := range draw(all, seed, n) {
		if checkout != "" {
			fmt.Fprintf(out, "%d %s:%d %s %q\n\t%s\n", i+1, v.Doc, v.Line, v.How, v.Text, lineOf(checkout, v.Doc, v.Line))
			for _, to := range v.To[:min(len(v.To), 6)] {
				file, _, _ := strings.Cut(to, "#")
				line := 0
				fmt.Sscanf(to[strings.LastIndexByte(to, ':')+1:], "%d", &line)
				fmt.Fprintf(out, "\t→ %s | %s\n", to, lineOf(checkout, file, line))
			}
			continue
		}
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return nil
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

// lineOf is a line of a file, cut, or "".
func lineOf(root, file string, line int) string {
	if line == 0 {
		return ""
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return ""
	}
	lines := strings.Split(string(data), "\n")
	if line > len(lines) {
		return ""
	}
	text := strings.TrimSpace(lines[line-1])
	return text[:min(len(text), 180)]
}

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// growth measures generated repositories of 100 files and ten times that,
// up to largest: what a build and a question cost as the workspace grows.
func (t tools) growth(ctx context.Context, dir string, largest int, out, progress io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\ngenerated files\tbuild\tbundle kB\tpacked kB\tquery\tgit grep, its words\tgit grep, one word\trg, its words\t")
	for n := 100; n <= largest; n *= 10 {
		fmt.Fprintf(progress, "%d generated files\n", n)
		at := filepath.Join(dir, fmt.Sprint(n))
		tree, bundle := filepath.Join(at, "tree"), filepath.Join(at, "bundle")
		if err := generate(tree, n); err != nil {
			return err
		}
		if err := commit(ctx, tree); err != nil {
			return err
		}
		start := time.Now()
		if _, err := output(ctx, tree, t.publish, "build", "--no-cache", "--root", tree, "--out", bundle); err != nil {
			return err
		}
		m := measured{build: time.Since(start)}
		var err error
		if m.raw, m.packed, err = sizes(ctx, bundle, filepath.Join(at, "packed")); err != nil {
			return err
		}
		rnd := rand.New(rand.NewPCG(2, uint64(n)))
		for range 15 {
			q := question{Text: "where does the " + word(rnd) + " of a " + word(rnd) + " get its " + word(rnd) + " and " + word(rnd), Right: []string{""}}
			_, took, err := t.ask(ctx, tree, bundle, q)
			if err != nil {
				return err
			}
			m.query = append(m.query, took)
			m.compare(ctx, tree, q.Text)
		}
		fmt.Fprintf(w, "%d\t%v\t%d\t%d\t%s\t%s\t%s\t%s\t\n", n, m.build.Round(10*time.Millisecond), m.raw/1000, m.packed/1000,
			median(m.query), median(m.words), median(m.one), median(m.ripgrep))
	}
	return w.Flush()
}

// generate writes n files of Go whose words are about as common as those of
// code: a few everywhere, most in a handful of files. The same n gives the
// same files.
func generate(tree string, n int) error {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range n {
		var b strings.Builder
		pkg := fmt.Sprintf("pkg%d", i%97)
		fmt.Fprintf(&b, "package %s\n", pkg)
		for f := range 8 {
			name := word(rnd) + capital(word(rnd)) + fmt.Sprint(i)
			fmt.Fprintf(&b, "\n// %s gets the %s of a %s.\nfunc %s(%s string) error {\n", name, word(rnd), word(rnd), name, word(rnd))
			for range 6 {
				fmt.Fprintf(&b, "\t%s(%q, %s)\n", word(rnd), word(rnd)+" "+word(rnd), word(rnd))
			}
			fmt.Fprintf(&b, "\treturn nil // %d\n}\n", f)
		}
		file := filepath.Join(tree, pkg, fmt.Sprintf("%s%d.go", word(rnd), i))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// word draws a made-up word; small numbers are drawn most often.
func word(rnd *rand.Rand) string {
	n := int(rnd.ExpFloat64() * 400)
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 3 {
		b.WriteByte(consonants[n%len(consonants)])
		n /= len(consonants)
		b.WriteByte(vowels[(n+b.Len())%len(vowels)])
		n /= 3
	}
	return b.String()
}

func capital(w string) string { return strings.ToUpper(w[:1]) + w[1:] }

// Where measures route on public modules: how often the right file stands
// first, and what building and asking cost beside git grep and ripgrep.
//
//	go run ./evaluation/where -bin bin
//
// The modules come by pinned version through the go and npm clients and are
// not kept. questions.jsonl holds the questions, which were written for them
// from their documentation and sources.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, progress io.Writer) int {
	fs := flag.NewFlagSet("where", flag.ContinueOnError)
	fs.SetOutput(progress)
	bin := fs.String("bin", "bin", "where the programs route and bundle-publish are")
	misses := fs.Bool("misses", false, "print the questions whose right file does not stand first")
	largest := fs.Int("growth", 10_000, "measure growth up to this many files; 0 leaves it out")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := evaluate(ctx, *bin, *largest, *misses, out, progress); err != nil {
		fmt.Fprintln(progress, "where:", err)
		return 1
	}
	return 0
}

func evaluate(ctx context.Context, bin string, largest int, misses bool, out, progress io.Writer) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	t := tools{route: filepath.Join(bin, "route"), publish: filepath.Join(bin, "bundle-publish")}
	for _, p := range []string{t.route, t.publish} {
		if _, err := os.Stat(p); err != nil {
			return fmt.Errorf("%w (make build makes it)", err)
		}
	}
	questions, err := readQuestions("evaluation/where/questions.jsonl")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "where-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := &report{out: out}
	for _, m := range modules(questions) {
		fmt.Fprintln(progress, m)
		if err := t.module(ctx, m, filepath.Join(dir, filepath.Base(m)), questions, r); err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
	}
	r.quality(misses)
	r.cost()
	if largest > 0 {
		return t.growth(ctx, filepath.Join(dir, "growth"), largest, out, progress)
	}
	return nil
}

package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A delivery is where a finished bundle goes, and how it is told.
type delivery struct {
	out, bench string
	json       bool
}

func (d *delivery) setup(flags *flag.FlagSet) {
	flags.StringVar(&d.out, "out", "", "write the bundle to `DIR`, new or holding an older bundle")
	flags.StringVar(&d.bench, "bench", "", "ask the questions of `FILE` and record each result in build.json")
	flags.BoolVar(&d.json, "json", false, "print the result as JSON")
}

// deliver makes a bundle of what was built since start and writes it to a
// directory.
func (d *delivery) deliver(ctx context.Context, p command.Process, res *assemble.Result, dir string, start time.Time) error {
	if err := seal(ctx, res); err != nil {
		return err
	}
	if d.bench != "" {
		if err := addBench(ctx, p, d.bench, res); err != nil {
			return err
		}
	}
	if err := res.WriteDir(ctx, dir); err != nil {
		return err
	}
	return d.report(ctx, p, res, dir, time.Since(start))
}

// errInterrupted is a build that was ended from outside.
var errInterrupted = errors.New("interrupted; nothing was written")

// unlessInterrupted is err, which says little where the program was ended.
func unlessInterrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// seal makes a bundle of what was built, and reads it as its readers will.
func seal(ctx context.Context, res *assemble.Result) error {
	_, err := command.Abandon(ctx, func() (struct{}, error) {
		if err := res.Seal(); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, res.Check()
	})
	return err
}

type buildReport struct {
	Out   string       `json:"out"`
	Files int          `json:"files"`
	Bytes int64        `json:"bytes"`
	Large []string     `json:"large,omitempty"` // files that stand on a ref of their own in git
	Build bundle.Build `json:"build"`
}

func (d *delivery) report(ctx context.Context, p command.Process, res *assemble.Result, out string, took time.Duration) error {
	r := buildReport{Out: out, Large: res.Large(), Build: res.Build}
	r.Files, r.Bytes = res.Files.Size()
	b, err := bundle.Open(res.Files)
	if err != nil {
		return err
	}
	if err := tellBuild(actions.From(ctx), r, b.Manifest()); err != nil {
		return err
	}
	if d.json {
		return p.WriteJSON(r)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "built the routing bundle of %s@%.7s in %.1f s: %d files, %.1f MB, in %s\n",
		plaintext.Line(res.Build.Repo, 100), res.Build.Head, took.Seconds(), r.Files, float64(r.Bytes)/1e6, plaintext.Line(out, 1000))
	for _, l := range res.Build.Languages {
		fmt.Fprintf(&text, "  %-11s %6d files  %7d definitions  %s\n", l.Name, l.Files, l.Definitions, resolvedShare(l))
	}
	for _, what := range slices.Sorted(maps.Keys(res.Build.Cut)) {
		fmt.Fprintf(&text, "  left out of the index, so that every file of it can be read: %d %s\n", res.Build.Cut[what], what)
	}
	if len(r.Large) > 0 {
		fmt.Fprintf(&text, "  clones do not get %d large files unless they ask: %s\n", len(r.Large), firstFew(r.Large, 3))
	}
	if b := res.Build.Bench; b != nil {
		fmt.Fprintf(&text, "  bench: %d of %d questions right first\n", b.First, b.Questions)
	}
	_, err = io.WriteString(p.Stdout, text.String())
	return err
}

func resolvedShare(l bundle.Language) string {
	if l.Calls == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d calls lead to a definition of the workspace", l.Resolved, l.Calls)
}

package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

type buildOptions struct {
	root, out, bench, name string
	local                  bool
	jobs                   int
	noCache                bool
	includePrivate         bool
	json                   bool
}

func buildVerb() command.Verb {
	return command.Verb{
		Name:     "build",
		Synopsis: "[--root DIR] (--out DIR | --local) [--bench FILE]",
		Summary:  "builds the bundle of a workspace: an umbrella repository and its submodules",
		Help: `Reads what the checked-out commit of the umbrella and the commits it records of
its submodules have tracked; edits that are not committed are not in it. A
repository without submodules is a workspace of one. The same commits give the
same bytes.

--local writes where route looks for a graph that matches this very checkout
(under the user's cache directory); submodules are then read at the commits that
are checked out.`,
		Examples: []string{
			"bundle-publish build --out /tmp/bundle",
			"bundle-publish build --root ../umbrella --out /tmp/bundle --bench routing-bench.yaml",
			"bundle-publish build --local",
		},
		Max: 0,
		Setup: func(fs *flag.FlagSet) command.Run {
			o := &buildOptions{}
			fs.StringVar(&o.root, "root", "", "build the workspace that holds `DIR`, rather than this directory")
			fs.StringVar(&o.out, "out", "", "write the bundle to `DIR`, new or holding an older bundle")
			fs.BoolVar(&o.local, "local", false, "write the local graph of this checkout")
			fs.StringVar(&o.bench, "bench", "", "ask the questions of `FILE` and record each result in build.json")
			fs.StringVar(&o.name, "name", "", "the umbrella's short `NAME`; default: from its remote's URL")
			fs.IntVar(&o.jobs, "jobs", 0, "parse `N` files at once; default: one per processor")
			fs.BoolVar(&o.noCache, "no-cache", false, "neither read nor write earlier results")
			fs.BoolVar(&o.includePrivate, "include-private", false, "include the submodules that .claude/routing.json calls private")
			fs.BoolVar(&o.json, "json", false, "print the result as JSON")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

func (o *buildOptions) run(ctx context.Context, p command.Process) error {
	if (o.out == "") == !o.local {
		return command.Usage("build: give one of --out DIR and --local")
	}
	out := p.Abs(o.out)
	if !o.local {
		if err := assemble.CheckDir(out); err != nil { // before the work, not after it
			return err
		}
	}
	start := time.Now()
	w, err := workspace.Open(ctx, workspace.Options{Dir: p.Abs(o.root), Env: p.Env, Name: o.name, CheckedOut: o.local})
	if err != nil {
		return err
	}
	private, unmatched, err := privateSubmodules(ctx, w, o.includePrivate)
	if err != nil {
		return err
	}
	if len(unmatched) > 0 {
		fmt.Fprintf(p.Stderr, "bundle-publish: note: %s calls %q private, but no submodule is there\n", settingsName, unmatched)
	}
	if w.Dirty {
		fmt.Fprintln(p.Stderr, "bundle-publish: note: this checkout has edits that are not committed; they are not in the bundle")
	}
	if len(w.Moved) > 0 && !o.local {
		fmt.Fprintf(p.Stderr, "bundle-publish: note: the bundle has the recorded commit of %s, not the one checked out\n", strings.Join(w.Moved, ", "))
	}
	if len(w.Shallow) > 0 {
		fmt.Fprintf(p.Stderr, "bundle-publish: note: the clone of %s is shallow, so the words of earlier commits are missing; git fetch --unshallow gets them\n", strings.Join(w.Shallow, ", "))
	}
	progress := p.Progress()
	ao := assemble.Options{Jobs: o.jobs, Private: private, Progress: progress.Step}
	if cache := source.CacheDir(p.Env); cache != "" && !o.noCache {
		ao.CacheDir = filepath.Join(cache, "marola-routing", "extract")
	}
	res, err := assemble.Build(ctx, w, ao)
	progress.Done()
	if err != nil {
		return err
	}
	if err := res.Seal(); err != nil {
		return err
	}
	if o.bench != "" {
		if err := o.addBench(ctx, p, res); err != nil {
			return err
		}
	}
	if o.local {
		if out = source.LocalDir(p.Env, filepath.Base(w.Root)); out == "" {
			return errors.New("the environment names no home directory, so there is no place for a local graph; use --out")
		}
	}
	if err := res.WriteDir(ctx, out); err != nil {
		return err
	}
	return o.report(p, res, out, time.Since(start))
}

type buildReport struct {
	Out   string       `json:"out"`
	Files int          `json:"files"`
	Bytes int64        `json:"bytes"`
	Large []string     `json:"large,omitempty"` // files that stand on a ref of their own in git
	Build bundle.Build `json:"build"`
}

func (o *buildOptions) report(p command.Process, res *assemble.Result, out string, took time.Duration) error {
	r := buildReport{Out: out, Files: len(res.Files), Large: res.Large(), Build: res.Build}
	for _, data := range res.Files {
		r.Bytes += int64(len(data))
	}
	if o.json {
		return p.WriteJSON(r)
	}
	fmt.Fprintf(p.Stdout, "built the routing bundle of %s@%.7s in %.1f s: %d files, %.1f MB, in %s\n",
		res.Build.Repo, res.Build.Head, took.Seconds(), r.Files, float64(r.Bytes)/1e6, out)
	for _, l := range res.Build.Languages {
		fmt.Fprintf(p.Stdout, "  %-11s %6d files  %7d definitions  %s\n", l.Name, l.Files, l.Definitions, resolvedShare(l))
	}
	if len(r.Large) > 0 {
		fmt.Fprintf(p.Stdout, "  clones do not get %d large files unless they ask: %s\n", len(r.Large), firstFew(r.Large, 3))
	}
	if b := res.Build.Bench; b != nil {
		fmt.Fprintf(p.Stdout, "  bench: %d of %d questions right first\n", b.First, b.Questions)
	}
	return nil
}

func resolvedShare(l bundle.Language) string {
	if l.Calls == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d calls lead to a definition of the workspace", l.Resolved, l.Calls)
}

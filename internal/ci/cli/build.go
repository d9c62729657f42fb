package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

type buildOptions struct {
	inputs
	delivery
	root, part, branch string
	name               umbrellaName
	local, noCache     bool
	jobs               int
}

func buildVerb() command.Verb {
	return command.Verb{
		Name:     "build",
		Synopsis: "[--root DIR] (--out DIR | --local) [--bench FILE | --part NAME]",
		Summary:  "builds the bundle of a workspace: an umbrella repository and its submodules",
		Help: `Reads what the checked-out commit of the umbrella and the commits it records of
its submodules have tracked; edits that are not committed are not in it. A
repository without submodules is a workspace of one. The same commits give the
same bytes; the name of the branch that is checked out goes into build.json, and
--branch fixes it where one job checks out a branch and another its commit.

A workflow or action that the workspace calls from elsewhere is listed as
unresolved; --callees names a directory with those that were fetched. Nothing is
fetched by the build itself.

--local writes where route looks for a graph that matches this very checkout
(under the user's cache directory); submodules are then read at the commits that
are checked out.

--part builds the part of one repository, named by its path or short name ("." is
the umbrella), as one file: --out names it, or a directory for it. Only that
submodule needs to be checked out. bundle-publish assemble joins the parts.`,
		Examples: []string{
			"bundle-publish build --out /tmp/bundle",
			"bundle-publish build --root ../umbrella --out /tmp/bundle --bench routing-bench.yaml",
			"bundle-publish build --local",
			"bundle-publish build --part libs/lib --out parts/",
		},
		Max: 0,
		Setup: func(flags *flag.FlagSet) command.Run {
			o := &buildOptions{}
			o.inputs.setup(flags)
			o.delivery.setup(flags)
			o.name.setup(flags)
			flags.StringVar(&o.root, "root", "", "build the workspace that holds `DIR`, rather than this directory")
			flags.StringVar(&o.part, "part", "", "build the part of the repository `NAME` alone, for assemble")
			flags.BoolVar(&o.local, "local", false, "write the local graph of this checkout")
			flags.StringVar(&o.branch, "branch", "", "record that the commit is of the branch `NAME`; default: the one checked out, if any")
			flags.IntVar(&o.jobs, "jobs", 0, "parse `N` files at once; default: one per processor")
			flags.BoolVar(&o.noCache, "no-cache", false, "neither read nor write earlier results")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

// maxJobs is more than any machine has processors for; each job is a process.
const maxJobs = 256

// check reports flags that cannot be accepted.
func (o *buildOptions) check() error {
	switch {
	case (o.out == "") == !o.local:
		return command.Usage("build: give one of --out DIR and --local")
	case o.part != "" && o.out == "":
		return command.Usage("build: --part needs --out, a file or a directory")
	case o.part != "" && (o.bench != "" || o.callees != ""):
		return command.Usage("build: --bench and --callees are for the whole: give them to assemble")
	case o.jobs < 0 || o.jobs > maxJobs:
		return command.Usage("build: --jobs %d is not from 1 to %d; 0 means one per processor", o.jobs, maxJobs)
	case o.branch != "" && !gitstore.ValidBranch(o.branch):
		return command.Usage("build: --branch %q is not the name of a branch", o.branch)
	}
	return o.name.check("build")
}

func (o *buildOptions) run(ctx context.Context, p command.Process) error {
	if err := o.check(); err != nil {
		return err
	}
	return unlessInterrupted(ctx, o.build(ctx, p))
}

func (o *buildOptions) build(ctx context.Context, p command.Process) error {
	out := p.Abs(o.out)
	if !o.local && o.part == "" {
		if err := assemble.CheckDir(out); err != nil { // before the work, not after it
			return err
		}
	}
	given, closeCallees, err := o.openCallees(p)
	if err != nil {
		return err
	}
	defer closeCallees()
	start := time.Now()
	boundMemory()
	w, err := workspace.Open(ctx, workspace.Options{Dir: p.Abs(o.root), Env: p.Env, Name: string(o.name), CheckedOut: o.local, Part: o.part})
	if err != nil {
		return err
	}
	w.Branch = cmp.Or(o.branch, w.Branch)
	private, unmatched, err := privateSubmodules(ctx, w, o.includePrivate || o.local) // a local graph stays with who can read them
	if err != nil {
		return err
	}
	if len(unmatched) > 0 {
		note(ctx, p, "%s calls %q private, but no submodule is there", settingsName, unmatched)
	}
	if len(w.Dirty) > 0 {
		note(ctx, p, "edits that are not committed are not in the bundle: there are some in %s", strings.Join(w.Dirty, ", "))
	}
	if place, ok := gitstore.Locate(w.Root); ok {
		if umbrella, inside := place.Superproject(); inside {
			note(ctx, p, "this is the bundle of a submodule alone; the workspace around it is built with --root %s", umbrella.Top)
		}
	}
	if len(w.Moved) > 0 && !o.local {
		note(ctx, p, "the bundle has the recorded commit of %s, not the one checked out", strings.Join(w.Moved, ", "))
	}
	if len(w.Shallow) > 0 {
		note(ctx, p, "the clone of %s is shallow, so the words of earlier commits are missing; git fetch --unshallow gets them", strings.Join(w.Shallow, ", "))
	}
	progress := p.Progress()
	ao := assemble.Options{Jobs: o.jobs, Private: private, Progress: progress.Step, Callees: given}
	if cache := source.CacheDir(p.Env); cache != "" && !o.noCache {
		ao.CacheDir = filepath.Join(cache, "marola-routing", "extract")
	}
	if w.Part != nil {
		return o.writePart(ctx, p, w, ao, progress.Done)
	}
	if o.local {
		if out = source.LocalDir(p.Env, w.Root); out == "" {
			return errors.New("the environment names no home directory, so there is no place for a local graph; use --out")
		}
	}
	res, err := assemble.Build(ctx, w, ao)
	progress.Done()
	if err != nil {
		return err
	}
	defer res.Close()
	return o.deliver(ctx, p, res, out, start)
}

// note tells what a person should know though the build goes on. Paths and
// settings in it are foreign.
func note(ctx context.Context, p command.Process, format string, args ...any) {
	text := plaintext.Line(fmt.Sprintf(format, args...), 1000)
	fmt.Fprintf(p.Stderr, "bundle-publish: note: %s\n", text)
	actions.From(ctx).Annotate(actions.Annotation{Level: actions.Notice, Title: "bundle-publish", Text: text})
}

package cli

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

type verifyOptions struct {
	repo string
	json bool
}

func verifyVerb() command.Verb {
	return command.Verb{
		Name:     "verify",
		Synopsis: "DIR|REF [--repo DIR] [--json]",
		Summary:  "checks a bundle offline",
		Help: `Reads every file of the bundle and compares it with the manifest: each listed file
is there with its size and SHA-256, nothing else is there, every JSON file is
strict JSON, and build.json names the commit that the bundle was made from.
At a ref, files that the manifest marks large may be absent: they lie on a ref of
their own, and those that are there must be right.

A directory is checked as it lies there; anything else is a ref or a commit of
the repository.`,
		Examples: []string{
			"bundle-publish verify dist/bundle",
			"bundle-publish verify refs/marola/routing-bundle --repo ../umbrella",
		},
		Min: 1, Max: 1,
		Setup: func(f *flag.FlagSet) command.Run {
			var o verifyOptions
			f.StringVar(&o.repo, "repo", "", "the repository that has the ref (`DIR`)")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, args []string) error { return o.run(ctx, p, args[0]) }
		},
	}
}

type verifyResult struct {
	Source     string `json:"source"` // as given
	Commit     string `json:"commit"` // that holds the bundle; "" for a directory
	Files      int    `json:"files"`
	Bytes      int64  `json:"bytes"`
	Repo       string `json:"repo"`
	Head       string `json:"head"`
	CommitTime string `json:"commit_time"`
	Absent     int    `json:"absent,omitempty"` // large files that are not here
}

func (o verifyOptions) run(ctx context.Context, p command.Process, name string) error {
	files, commit, closeFiles, err := o.open(ctx, p, name)
	if err != nil {
		return err
	}
	defer closeFiles()
	report, err := bundle.Verify(files)
	if err != nil {
		return err
	}
	r := verifyResult{name, commit, report.Files, report.Bytes, report.Build.Repo, report.Build.Head, report.Build.CommitTime, report.Absent}
	if o.json {
		return p.WriteJSON(r)
	}
	if r.Absent > 0 {
		fmt.Fprintf(p.Stdout, "the bundle is whole but for %d large files (%.1f MB) that are not here: %d files, %.1f MB, made from %.7s of %s\n",
			r.Absent, float64(report.AbsentBytes)/1e6, r.Files, float64(r.Bytes)/1e6, r.Head, r.CommitTime)
		return nil
	}
	fmt.Fprintf(p.Stdout, "the bundle is whole: %d files, %.1f MB, made from %.7s of %s\n", r.Files, float64(r.Bytes)/1e6, r.Head, r.CommitTime)
	return nil
}

// open finds the bundle: a directory as it lies there, else a ref.
func (o verifyOptions) open(ctx context.Context, p command.Process, name string) (bundle.Files, string, func(), error) {
	if st, err := os.Stat(p.Abs(name)); err == nil && st.IsDir() {
		return bundle.Dir(p.Abs(name)), "", func() {}, nil
	}
	s, err := source.Open(ctx, source.Options{Dir: p.Abs(o.repo), Env: p.Env, Bundle: name})
	if err != nil {
		return nil, "", nil, err
	}
	return s.Files, s.RefCommit, func() { s.Close() }, nil
}

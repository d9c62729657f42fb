package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// benched is an opened source that a bench can ask.
type benched struct {
	Asker  bench.Asker
	Build  *bundle.Build
	Source any    // what --json prints as "source"
	Line   string // what the first line says about it
	Close  func() error
}

// openBenched opens the source that --bundle and --repo name. It returns
// nil when there is nothing to answer from.
type openBenched func(ctx context.Context, p command.Process, bundleRef, repo string) (*benched, error)

type benchOptions struct {
	file         string
	bundle, repo string
	min          float64
	json         bool
}

// belowBar is a bench that did not reach --min.
type belowBar struct {
	first, questions int
	min              float64
}

func (e *belowBar) Error() string {
	return fmt.Sprintf("%d of %d questions are right first (%.1f %%); the bar is %g %%",
		e.first, e.questions, bench.Percent(e.first, e.questions), e.min)
}

func (e *belowBar) Hint() string {
	return "route query … --why shows how the first result of a question came to stand there"
}

func benchVerb(open openBenched) command.Verb {
	return command.Verb{
		Name:     "bench",
		Synopsis: "[FILE] [--min PERCENT] [--json] [--bundle DIR|REF] [--repo DIR]",
		Summary:  "asks the questions of a file and counts the right answers",
		Help: `Asks every question of FILE the way an agent asks it, and prints the rank of
the expected answer: "first", a number up to 10, or "not found". Without FILE it
takes routing-bench.yaml, or routing-bench.json, at the repository's top.

docs/bench.md describes the question file.`,
		Examples: []string{
			"route bench",
			"route bench --min 90",
			"route bench other-questions.yaml --bundle dist/bundle --json",
		},
		Max: 1,
		Setup: func(f *flag.FlagSet) command.Run {
			var o benchOptions
			f.Float64Var(&o.min, "min", 0, "fail below this share of right-first answers, `PERCENT` from 0 to 100")
			f.BoolVar(&o.json, "json", false, "print JSON")
			f.StringVar(&o.bundle, "bundle", "", "ask this bundle, a directory or a ref (`DIR|REF`)")
			f.StringVar(&o.repo, "repo", "", "the repository is in this `DIR`, not the working directory")
			return func(ctx context.Context, p command.Process, args []string) error {
				if len(args) == 1 {
					o.file = args[0]
				}
				if !(o.min >= 0 && o.min <= 100) {
					return command.Usage("bench: --min is a share in percent, 0 to 100, not %g", o.min)
				}
				return runBench(ctx, p, o, open)
			}
		},
	}
}

func runBench(ctx context.Context, p command.Process, o benchOptions, open openBenched) error {
	f, err := questions(p, o)
	if err != nil {
		return err
	}
	b, err := open(ctx, p, o.bundle, o.repo)
	if err != nil {
		return err
	}
	if b == nil {
		return nothingToAsk(p, o, f)
	}
	if b.Close != nil {
		defer b.Close()
	}
	result, err := bench.Run(ctx, f, b.Build, b.Asker, askProgress(p))
	if err != nil {
		return err
	}
	passed := bench.Percent(result.First, result.Questions) >= o.min
	if o.json {
		err = printBench(p, o, b.Source, result, passed)
	} else {
		if b.Line != "" {
			fmt.Fprintln(p.Stdout, b.Line)
		}
		err = bench.WriteResults(p.Stdout, f, result)
	}
	if err == nil && !passed {
		err = &belowBar{result.First, result.Questions, o.min}
	}
	return err
}

// nothingToAsk ends a bench without a bundle. That is no failure, unless a
// bar was set: an empty result must not pass for a good one.
func nothingToAsk(p command.Process, o benchOptions, f *bench.File) error {
	passed := o.min == 0
	if o.json {
		if err := printBench(p, o, nil, nil, passed); err != nil {
			return err
		}
	} else if passed {
		fmt.Fprintln(p.Stdout, "no routing bundle; use git grep")
	}
	if !passed {
		return fmt.Errorf("no routing bundle, so none of the %d questions could be asked; the bar is %g %%", len(f.Questions), o.min)
	}
	return nil
}

func printBench(p command.Process, o benchOptions, source any, result *bundle.Bench, passed bool) error {
	data, err := bundle.Encode(struct {
		Source any           `json:"source"`
		Min    float64       `json:"min"`
		Passed bool          `json:"passed"`
		Bench  *bundle.Bench `json:"bench"`
	}{source, o.min, passed, result})
	if err == nil {
		_, err = p.Stdout.Write(data)
	}
	return err
}

// questions reads the question file: the one named, or the repository's own.
func questions(p command.Process, o benchOptions) (*bench.File, error) {
	names, dir := []string{o.file}, p.Dir
	if o.file == "" {
		names, dir = bench.Names, absolute(p.Dir, o.repo)
		place, ok := gitstore.Locate(dir)
		if !ok || place.Top == "" {
			return nil, command.Usage("bench: there is no checkout here to take the question file from; name one: route bench FILE")
		}
		dir = place.Top
	}
	for _, name := range names {
		f, err := bench.Read(absolute(dir, name), filepath.ToSlash(name))
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	if o.file != "" {
		return nil, command.Usage("bench: there is no file %s", o.file)
	}
	return nil, command.Usage("bench: there is no %s in %s; name a question file: route bench FILE", strings.Join(bench.Names, " and no "), dir)
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// askProgress shows how far a bench is to a person who waits.
func askProgress(p command.Process) func(done, total int) {
	if !p.Terminal() {
		return nil
	}
	return func(done, total int) {
		fmt.Fprintf(p.Stderr, "\rasked %d of %d", done, total)
		if done == total {
			fmt.Fprint(p.Stderr, "\r\x1b[K")
		}
	}
}

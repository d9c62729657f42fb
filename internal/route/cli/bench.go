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

// openBenched opens the source that --bundle and --repo name. Its errors
// are those of package source.
type openBenched func(ctx context.Context, p command.Process, bundleRef, repo string) (*benched, error)

type benchOptions struct {
	where
	file string
	min  float64
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
			o.flags(f)
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
	if err := checkRepo(p, "bench", o.repo); err != nil {
		return err
	}
	f, err := questions(p, o)
	if err != nil {
		return err
	}
	b, err := open(ctx, p, o.bundle, o.repo)
	if note, ok := noBundleNote(err); ok {
		return nothingToAsk(p, o, f, note)
	}
	if err != nil {
		return err
	}
	if b.Close != nil {
		defer b.Close()
	}
	line := p.Progress()
	result, err := bench.Run(ctx, f, b.Build, b.Asker, func(done, total int) { line.Step("asked", done, total) })
	line.Done()
	if err != nil {
		return err
	}
	passed := bench.Percent(result.First, result.Questions) >= o.min
	if o.json {
		err = p.WriteJSON(benchReport{Source: b.Source, Min: o.min, Passed: passed, Bench: result})
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
func nothingToAsk(p command.Process, o benchOptions, f *bench.File, note string) error {
	passed := o.min == 0
	if o.json {
		if err := p.WriteJSON(benchReport{Min: o.min, Passed: passed, Notice: note}); err != nil {
			return err
		}
	} else if passed {
		fmt.Fprintln(p.Stdout, note)
	}
	if !passed {
		return fmt.Errorf("none of the %d questions could be asked, and the bar is %g %%: %s", len(f.Questions), o.min, note)
	}
	return nil
}

// benchReport is what bench --json prints.
type benchReport struct {
	Source any           `json:"source"` // null when there is no bundle
	Min    float64       `json:"min"`    // the bar, in percent
	Passed bool          `json:"passed"`
	Bench  *bundle.Bench `json:"bench"` // null when there is no bundle
	Notice string        `json:"notice,omitempty"`
}

// questions reads the question file: the one named, or the repository's own.
func questions(p command.Process, o benchOptions) (*bench.File, error) {
	if o.file != "" {
		f, err := bench.Read(p.Abs(o.file), filepath.ToSlash(o.file))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, command.Usage("bench: there is no file %s", o.file)
		}
		return f, err
	}
	place, ok := gitstore.Locate(p.Abs(o.repo))
	if !ok || place.Top == "" {
		return nil, command.Usage("bench: there is no checkout here to take the question file from; name one: route bench FILE")
	}
	for _, name := range bench.Names {
		f, err := bench.Read(filepath.Join(place.Top, name), name)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return nil, command.Usage("bench: there is no %s in %s; name a question file: route bench FILE", strings.Join(bench.Names, " and no "), place.Top)
}

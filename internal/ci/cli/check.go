package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// newAsker makes the asker that answers from exactly this bundle.
type newAsker func(*bundle.Bundle) (bench.Asker, error)

type checkOptions struct {
	bundle, bench string
	baseline      baselineOptions
	first         bool
	allowRemoved  bool
	json          bool
}

// lostAnswers is the gate's no.
type lostAnswers struct{ ids []string }

func (e *lostAnswers) Error() string {
	if len(e.ids) == 1 {
		return "an answer was lost: " + e.ids[0]
	}
	return fmt.Sprintf("%d answers were lost: %s", len(e.ids), strings.Join(e.ids, ", "))
}

func (e *lostAnswers) Hint() string {
	return "the baseline answers them right first; repair the ranking, or say --allow-removed if deleting a question is meant"
}

func checkVerb(asker newAsker) command.Verb {
	return command.Verb{
		Name:     "check",
		Synopsis: "--bundle DIR --bench FILE [--baseline REF|DIR|URL] [--branch NAME] [--first] [--allow-removed] [--token-env NAME] [--timeout TIME] [--json]",
		Summary:  "asks a bundle the questions of the bench and fails if an answer was lost",
		Help: `Verifies the bundle, asks it every question of FILE, and compares the result with
the one that build.json claims; they must be equal.

Then the gate: each question that the baseline answers right first must be right
first again. A question that is new never blocks; deleting an answered one does,
unless --allow-removed says that it is meant. The baseline is a published bundle:
a ref of this repository, a directory, or a repository's URL, whose --branch is
read. Without a baseline, and where none is published yet, there is nothing to
lose and the check passes; a baseline that cannot be read needs --first. A URL that
does not answer is tried three times, within --timeout: exit code 5.

docs/bench.md describes the question file and the gate.`,
		Examples: []string{
			"bundle-publish check --bundle dist/bundle --bench routing-bench.yaml",
			"bundle-publish check --bundle dist/bundle --bench routing-bench.yaml --baseline origin/routing-bundle",
			"bundle-publish check --bundle dist/bundle --bench routing-bench.yaml --baseline https://github.com/marola-dev/marola",
		},
		Max: 0,
		Setup: func(f *flag.FlagSet) command.Run {
			o := checkOptions{baseline: baselineOptions{wait: time.Second}}
			f.StringVar(&o.bundle, "bundle", "", "the bundle to check, a directory (`DIR`)")
			f.StringVar(&o.bench, "bench", "", "the questions (`FILE`)")
			f.StringVar(&o.baseline.from, "baseline", "", "the bundle to compare with (`REF|DIR|URL`)")
			f.StringVar(&o.baseline.branch, "branch", source.DefaultBranch, "the branch of a baseline URL (`NAME`)")
			f.StringVar(&o.baseline.tokenEnv, "token-env", "", "the variable `NAME` holds a token for a baseline URL")
			f.DurationVar(&o.baseline.timeout, "timeout", defaultTimeout, "how long a baseline URL may take altogether (`TIME`, as in 90s)")
			f.BoolVar(&o.first, "first", false, "go on without a baseline that cannot be read")
			f.BoolVar(&o.allowRemoved, "allow-removed", false, "deleting a question that was answered is meant")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error {
				switch {
				case o.bundle == "" || o.bench == "":
					return command.Usage("check: --bundle DIR and --bench FILE are needed")
				case o.baseline.timeout <= 0:
					return command.Usage("check: --timeout must be longer than nothing")
				}
				if err := checkTokenEnv("check", o.baseline.tokenEnv); err != nil {
					return err
				}
				return runCheck(ctx, p, o, asker)
			}
		},
	}
}

func runCheck(ctx context.Context, p command.Process, o checkOptions, asker newAsker) error {
	mask(ctx, p, o.baseline.tokenEnv)
	f, err := bench.Read(p.Abs(o.bench), filepath.ToSlash(o.bench))
	if errors.Is(err, fs.ErrNotExist) {
		return command.Usage("check: there is no file %s", o.bench)
	} else if err != nil {
		return err
	}
	m, err := measure(ctx, p, p.Abs(o.bundle), f, asker)
	if err != nil {
		return err
	}
	base, err := o.baseline.load(ctx, p)
	if bad := (*unreadable)(nil); errors.As(err, &bad) && o.first {
		base, err = &baseline{State: "unreadable", Text: bad.Error() + "; --first says to go on without it"}, nil
	}
	if err != nil {
		return err
	}
	report := checkReport{Bench: m.bench, Baseline: base, Passed: true}
	if base.bench != nil {
		v := bench.Compare(base.bench, m.bench, bench.Options{AllowRemoved: o.allowRemoved})
		report.Verdict, report.Passed = &v, v.Passed()
	}
	if err := report.print(p, o.json); err != nil {
		return err
	}
	if err := tellCheck(actions.From(ctx), report, m, filepath.ToSlash(o.bench)); err != nil {
		return err
	}
	if !report.Passed {
		return &lostAnswers{report.Verdict.Lost}
	}
	return nil
}

// A measurement is a bundle that is whole, and how it answers.
type measurement struct {
	bench  *bundle.Bench
	bundle *bundle.Bundle
	whole  bundle.Report
}

// measure asks the questions of exactly these bytes, and refuses a bundle
// that claims another result.
func measure(ctx context.Context, p command.Process, dir string, f *bench.File, asker newAsker) (measurement, error) {
	var none measurement
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return none, command.Usage("check: there is no directory %s", dir)
	}
	report, err := bundle.Verify(bundle.Dir(dir))
	if err != nil {
		return none, err
	}
	claimed := report.Build.Bench
	again := "build it with bundle-publish build --bench, with the question file that is checked"
	if claimed == nil {
		return none, &bundle.Refused{File: bundle.BuildName, Next: again,
			Reason: "it has no bench result, so the next bundle would have nothing to be compared with"}
	}
	if err := bench.Check(claimed); err != nil {
		return none, &bundle.Refused{File: bundle.BuildName, Reason: "its bench result: " + err.Error(), Next: again}
	}
	b, err := bundle.Open(bundle.Dir(dir))
	if err != nil {
		return none, err
	}
	a, err := asker(b)
	if err != nil {
		return none, err
	}
	line := p.Progress()
	measured, err := bench.Run(ctx, f, &report.Build, a, func(done, total int) { line.Step("asking", done, total) })
	line.Done()
	if err != nil {
		return none, err
	}
	if d := bench.Differences(claimed, measured); len(d) > 0 {
		return none, &bundle.Refused{File: bundle.BuildName, Next: again,
			Reason: "it claims another bench result than these bytes give: " + firstFew(d, 5)}
	}
	return measurement{measured, b, report}, nil
}

func firstFew(lines []string, n int) string {
	if len(lines) > n {
		lines = append(lines[:n:n], fmt.Sprintf("and %d more", len(lines)-n))
	}
	return strings.Join(lines, "; ")
}

// A checkReport is what `check --json` prints.
type checkReport struct {
	Passed   bool           `json:"passed"`
	Bench    *bundle.Bench  `json:"bench"`
	Baseline *baseline      `json:"baseline"`
	Verdict  *bench.Verdict `json:"verdict"` // null when there was nothing to compare with
}

func (r checkReport) print(p command.Process, json bool) error {
	if json {
		return p.WriteJSON(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d questions right first, as build.json claims\n", r.Bench.First, r.Bench.Questions)
	fmt.Fprintf(&b, "%s\n", r.Baseline.Text)
	if r.Verdict != nil {
		fmt.Fprintf(&b, "\n%s", r.Verdict.Table())
	}
	if r.Passed {
		b.WriteString("passed: no answer was lost\n")
	}
	_, err := p.Stdout.Write([]byte(b.String()))
	return err
}

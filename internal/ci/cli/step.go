package cli

import (
	"context"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/ci/report"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// guarded keeps what a step prints from being taken for commands to the
// runner. Elsewhere the streams stay as they are.
func guarded(p command.Process) command.Process {
	if actions.Within(p.Getenv, p.Stderr) != nil {
		p.Stdout, p.Stderr = actions.NewGuard(p.Stdout), actions.NewGuard(p.Stderr)
	}
	return p
}

// mask keeps the secrets in variables out of the log of the run, whatever
// prints them.
func mask(ctx context.Context, p command.Process, variables ...string) {
	for _, name := range variables {
		if name != "" {
			actions.From(ctx).Mask(p.Getenv(name))
		}
	}
}

// outputs sets outputs of the step, in pairs of a name and a value.
func outputs(step *actions.Step, pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		if err := step.Output(pairs[i], pairs[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// tellBuild tells the runner of a bundle that was built.
func tellBuild(step *actions.Step, r buildReport, m bundle.Manifest) error {
	if step == nil {
		return nil
	}
	if err := outputs(step, "score", report.Score(r.Build.Bench), "bundle-bytes", fmt.Sprint(r.Bytes)); err != nil {
		return err
	}
	return step.Summary(report.Heading("build", r.Build) + report.Answers(r.Build.Bench, nil, "") + report.Size(m))
}

// tellCheck tells the runner of a bundle that was checked, whatever the
// verdict is.
func tellCheck(step *actions.Step, r checkReport, m measurement, benchFile string) error {
	if step == nil {
		return nil
	}
	err := outputs(step, "score", report.Score(r.Bench), "previous-score", report.Score(r.Baseline.bench), "bundle-bytes", fmt.Sprint(m.whole.Bytes))
	if err != nil {
		return err
	}
	text := report.Heading("check", m.whole.Build) + report.Answers(r.Bench, r.Verdict, r.Baseline.Text) + report.Size(m.bundle.Manifest())
	if r.Baseline.wired != nil {
		now, err := wiredOf(m.bundle, m.whole.Build)
		if err != nil {
			return err
		}
		text += report.Wiring(*r.Baseline.wired, now)
	}
	if r.Verdict != nil {
		for _, row := range r.Verdict.Rows {
			if row.Blocks {
				step.Annotate(actions.Annotation{Level: actions.Error, File: benchFile, Title: "answer lost: " + row.ID,
					Text: fmt.Sprintf("it was right first and is %s now%s", bench.RankText(row.After), firstInstead(row.Found))})
			}
		}
	}
	return step.Summary(text)
}

func firstInstead(found string) string {
	if found == "" {
		return ""
	}
	return "; first is " + found
}

// tellPublish tells the runner how a publish ended.
func tellPublish(step *actions.Step, r publish.Result, build bundle.Build, dir string) error {
	if step == nil {
		return nil
	}
	previous := ""
	if r.Before != nil {
		previous = report.Score(r.Before.Build.Bench)
	}
	err := outputs(step, "changed", fmt.Sprint(r.Changed), "commit", r.Commit, "tree", r.Tree,
		"score", report.Score(build.Bench), "previous-score", previous, "bundle-bytes", fmt.Sprint(r.Bytes))
	if err != nil {
		return err
	}
	if r.Notice != "" {
		step.Annotate(actions.Annotation{Level: actions.Notice, Title: "bundle-publish publish", Text: r.Notice})
	}
	text := report.Heading("publish", build) + report.Published(r)
	if r.Changed {
		b, err := bundle.Open(bundle.Dir(dir))
		if err != nil {
			return err
		}
		text += report.Size(b.Manifest())
		before := report.Wired{Build: build}
		if r.Before != nil {
			before = report.Wired{Build: r.Before.Build, JSON: r.Before.Wiring}
		}
		now, err := wiredOf(b, build)
		if err != nil {
			return err
		}
		text += report.Wiring(before, now)
	}
	return step.Summary(text)
}

// wiredOf is the wiring of a bundle that is whole.
func wiredOf(b *bundle.Bundle, build bundle.Build) (report.Wired, error) {
	w := report.Wired{Build: build}
	if !b.Has(bundle.WiringName) {
		return w, nil
	}
	var err error
	w.JSON, err = b.Read(bundle.WiringName)
	return w, err
}

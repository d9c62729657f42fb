package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/session"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

var statusVerb = command.Verb{
	Name:     "status",
	Synopsis: "[--bundle DIR|REF] [--repo DIR] [--json]",
	Summary:  "says what answers here, where else was looked, and how it compares with this checkout",
	Help: `Prints facts only: the source that answers, with its commit and age; every
place that was looked at, in order; the umbrella's address and what named it;
the commit of each repository that the source was built from beside the one
that is checked out here; the bench score; this program's version and git's hash
of it, beside the one that skills.lock pins; and what a session is told at its
start. It reads this machine only.`,
	Examples: []string{"route status", "route status --json", "route status --bundle origin/routing-bundle"},
	Setup: func(fs *flag.FlagSet) command.Run {
		w := &where{}
		w.flags(fs)
		return func(ctx context.Context, p command.Process, _ []string) error {
			if err := checkRepo(p, "status", w.repo); err != nil {
				return err
			}
			return status(ctx, p, w.options(p), w.json)
		}
	},
}

func status(ctx context.Context, p command.Process, o source.Options, asJSON bool) error {
	st, err := source.Inspect(ctx, o)
	if _, ok := noBundleNote(err); ok {
		return noBundle(p, asJSON, err)
	}
	if err != nil && len(st.Places) == 0 {
		return err
	}
	report := statusReport{Status: st, Program: thisProgram(ctx, p), Session: session.Lines(ctx, session.At(o.Dir, p.Env))}
	if asJSON {
		return errors.Join(p.WriteJSON(report), err)
	}
	lines := st.Lines()
	if err != nil {
		lines = lines[1:] // the first is the error, which goes to stderr
	}
	lines = append(lines, "program: "+report.Program.String())
	for _, line := range report.Session {
		lines = append(lines, "session start: "+strings.TrimPrefix(line, "▸ "))
	}
	for _, line := range lines {
		fmt.Fprintln(p.Stdout, line)
	}
	return err
}

// A statusReport is all that route status says.
type statusReport struct {
	source.Status
	Program program  `json:"program"`
	Session []string `json:"session_start"` // the lines of session-check
}

package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

var statusVerb = command.Verb{
	Name:     "status",
	Synopsis: "[--bundle DIR|REF] [--repo DIR] [--json]",
	Summary:  "says what answers here, where else was looked, and how it compares with this checkout",
	Help: `Prints facts only: the source that answers, with its commit and age; every
place that was looked at, in order; the umbrella's address and what named it;
the commit of each repository that the source was built from beside the one
that is checked out here; and the bench score. It reads this machine only.`,
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
	if asJSON {
		return errors.Join(p.WriteJSON(st), err)
	}
	lines := st.Lines()
	if err != nil {
		lines = lines[1:] // the first is the error, which goes to stderr
	}
	for _, line := range lines {
		fmt.Fprintln(p.Stdout, line)
	}
	return err
}

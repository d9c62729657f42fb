package actions

import (
	"context"
	"errors"
	"flag"

	"github.com/marola-dev/marola-routing/internal/command"
)

// InStep makes a verb of a program show its error on the page of the run, too.
func InStep(program string, v command.Verb) command.Verb {
	setup := v.Setup
	v.Setup = func(fs *flag.FlagSet) command.Run {
		run := setup(fs)
		return func(ctx context.Context, p command.Process, args []string) error {
			step := Within(p.Getenv, p.Stderr)
			defer step.Close()
			err := run(With(ctx, step), p, args)
			if err != nil && !errors.Is(err, command.ErrSilent) {
				text := err.Error()
				if h := command.Hinter(nil); errors.As(err, &h) && h.Hint() != "" {
					text += "; hint: " + h.Hint()
				}
				step.Annotate(Annotation{Level: Error, Title: program + " " + v.Name, Text: text})
			}
			return err
		}
	}
	return v
}

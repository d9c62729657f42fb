package cli

import (
	"context"
	"flag"
	"fmt"
	"slices"

	"github.com/marola-dev/marola-routing/internal/command"
)

// wantValues makes a verb refuse a flag or an argument that is given without
// a value. In CI that is a variable which was never set, and to go on as if
// the flag had been left out would, for one, pass a gate that nobody asked.
// needed are the flags that the verb cannot do without.
func wantValues(v command.Verb, needed ...string) command.Verb {
	setup := v.Setup
	v.Setup = func(fs *flag.FlagSet) command.Run {
		run := setup(fs)
		return func(ctx context.Context, p command.Process, args []string) error {
			var err error
			fs.Visit(func(f *flag.Flag) {
				if err == nil && f.Value.String() == "" {
					err = emptyValue(v.Name, f.Name, slices.Contains(needed, f.Name))
				}
			})
			if slices.Contains(args, "") {
				err = command.Usage("%s: an argument is empty; a variable may be unset", v.Name)
			}
			if err != nil {
				return err
			}
			return run(ctx, p, args)
		}
	}
	return v
}

func emptyValue(verb, name string, needed bool) error {
	text := fmt.Sprintf("%s: --%s is empty", verb, name)
	if needed {
		return command.Usage("%s; a variable may be unset", text)
	}
	return command.Usage("%s; leave the flag out if there is none", text)
}

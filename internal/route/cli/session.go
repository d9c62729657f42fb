package cli

import (
	"context"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/session"
)

// sessionName is the verb, and the name under which route is session-check.
const sessionName = "session-check"

var sessionVerb = command.Verb{
	Name:     sessionName,
	Synopsis: "[--now] [--self-test] [--in DIR]",
	Summary:  "says at the start of an agent session what is here: the SessionStart hook",
	Help: `At most three lines: which bundle is here and whether it is stale, a plugin that
the repository offers, submodules that are not checked out. As a hook it reads the
client's message from standard input, and prints nothing unless a session starts.
It reads this machine only, writes nothing and ends with exit code 0.

--self-test runs its own checks in a directory that is removed; exit code 1 means
that one failed. MAROLA_SESSION_CHECK=off turns the hook off.
docs/session-check.md tells the rest.`,
	Examples: []string{"route session-check --now", "route session-check --self-test"},
	Setup: func(fs *flag.FlagSet) command.Run {
		now := fs.Bool("now", false, "print the lines for a person, without a message")
		test := fs.Bool("self-test", false, "run the checks")
		in := fs.String("in", "", "look at the repository in `DIR`, rather than finding it")
		return func(_ context.Context, p command.Process, args []string) error {
			if len(args) > 0 {
				return command.Usage("%s: %q is not an argument", sessionName, args[0])
			}
			p.Args = nil
			if *in != "" {
				p.Args = append(p.Args, "--in", *in)
			}
			if *now {
				p.Args = append(p.Args, "--now")
			}
			if *test {
				p.Args = append(p.Args, "--self-test")
			}
			if code := session.Main(p); code != 0 {
				return exitError(code)
			}
			return nil
		}
	},
}

// An exitError is a failure that has been explained, with its exit code.
type exitError int

func (e exitError) Error() string        { return fmt.Sprintf("exit code %d", int(e)) }
func (e exitError) Is(target error) bool { return target == command.ErrSilent }

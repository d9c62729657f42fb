// Package cli is the ruleset-sync command: its verbs, their flags and output,
// and its exit codes.
package cli

import (
	"errors"
	"flag"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/ghapp"
	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/reconcile"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

const name = "ruleset-sync"

// Main runs ruleset-sync and returns its exit code.
func Main(p command.Process) int {
	if actions.Within(p.Getenv, p.Stderr) != nil {
		p.Stdout, p.Stderr = actions.NewGuard(p.Stdout), actions.NewGuard(p.Stderr)
	}
	p.Args = verbFirst(p.Args)
	return tool().Main(p)
}

func tool() command.Tool {
	verbs := []command.Verb{lintVerb(), runVerb(checkKind), runVerb(planKind), runVerb(applyKind), exportVerb()}
	for i := range verbs {
		verbs[i] = actions.InStep(name, verbs[i])
	}
	return command.Tool{
		Name:    name,
		Summary: "holds the rulesets of repositories to committed files",
		Verbs:   verbs,
		ExitCodes: []string{
			"0  in sync, applied, or in order",
			"1  drift: a ruleset is missing or other than its file says, or apply held back what takes something away",
			"2  wrong usage, or a file that is refused",
			"3  the service took a ruleset, and shows another one",
			"4  cannot be verified: bypass actors that are not shown, a repository or an answer that cannot be had, a limit",
			"5  the service refused a ruleset",
			"Over many rulesets the gravest counts: 2, 5, 4, 3, 1, 0",
		},
		Code:    exitCode,
		Version: bundle.Version,
	}
}

// verbFirst moves the verb in front of flags that stand before it, which is
// the older form: ruleset-sync --manifest FILE check owner/repo.
func verbFirst(args []string) []string {
	takesValue := map[string]bool{}
	for _, v := range tool().Verbs {
		fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
		v.Setup(fs)
		fs.VisitAll(func(f *flag.Flag) {
			b, ok := f.Value.(interface{ IsBoolFlag() bool })
			takesValue[f.Name] = !ok || !b.IsBoolFlag()
		})
	}
	for i := 0; i < len(args); i++ {
		flagName, isFlag := strings.CutPrefix(args[i], "-")
		if !isFlag {
			if i == 0 {
				return args
			}
			moved := append([]string{args[i]}, args[:i]...)
			return append(moved, args[i+1:]...)
		}
		if takesValue[strings.TrimPrefix(flagName, "-")] {
			i++
		}
	}
	return args
}

// A codeError is an exit code whose reasons have been printed.
type codeError int

func (codeError) Error() string { return command.ErrSilent.Error() }

func (codeError) Is(target error) bool { return target == command.ErrSilent }

// ended is the error of a run that ended with the code; nil for 0.
func ended(code int) error {
	if code == reconcile.CodeDone {
		return nil
	}
	return codeError(code)
}

// exitCode maps an error to its exit code. What is none of these kinds kept
// the command from looking.
func exitCode(err error) int {
	var (
		code    codeError
		key     *ghapp.KeyError
		token   *publish.TokenError
		address *publish.AddressError
		refused *live.Error
	)
	switch {
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &key), errors.As(err, &token), errors.As(err, &address):
		return command.ExitUsage
	case errors.As(err, &refused) && refused.Refused():
		return reconcile.CodeRefused
	}
	return reconcile.CodeUnverified
}

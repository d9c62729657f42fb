// Package cli is the bundle-publish command: its verbs, their flags and
// output, and its exit codes.
package cli

import (
	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Main runs bundle-publish and returns its exit code.
func Main(p command.Process) int {
	if code, ok := extract.WorkerMain(p.Env, p.Stdin, p.Stdout); ok {
		return code
	}
	return tool().Main(guarded(p))
}

// name is the program's.
const name = "bundle-publish"

func tool() command.Tool {
	build, check, publish, page := wantValues(buildVerb()), wantValues(checkVerb(askBundle), "bundle", "bench"), wantValues(publishVerb(), "bundle", "remote"), wantValues(pageVerb(), "bundle", "out")
	verbs := []command.Verb{build, wantValues(assembleVerb(), "out"), check, publish, wantValues(verifyVerb()), wantValues(wiringVerb()), wantValues(docsVerb(), "bundle"), page, actionVerb(build, check, publish, page)}
	for i := range verbs {
		verbs[i] = actions.InStep(name, verbs[i])
	}
	return command.Tool{
		Name:    name,
		Summary: "builds the routing bundle of a workspace, gates it and publishes it",
		Verbs:   verbs,
		ExitCodes: []string{
			"0  done, or nothing to do",
			"1  the gate failed: an answer was lost, what is published must stay, the wiring is not in order or a file of docs is stale; or a failure that is none of these",
			"2  wrong usage",
			"3  a bundle, a part, a question file, the baseline, a file of settings, the file for the wiring or the place of a page was refused",
			"4  the remote refused: rules, rights, or a branch that is no bundle",
			"5  the remote was not reached, in three tries or in --timeout",
		},
		Code:    exitCode,
		Version: bundle.Version,
	}
}

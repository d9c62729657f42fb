// Package cli is the mega-tron command: its verbs, their flags and output, and
// its exit codes.
package cli

import (
	"errors"
	"slices"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/skillrouter/setup"
)

// Main runs mega-tron and returns its exit code.
func Main(p command.Process) int {
	code := tool().Main(p)
	if isHook(p.Args) {
		return 0
	}
	return code
}

func tool() command.Tool {
	return command.Tool{
		Name:    "mega-tron",
		Summary: "finds the skills that help with a prompt",
		Verbs: slices.Concat([]command.Verb{
			searchVerb(), whyVerb(), skillsListVerb(), dirsListVerb(), dirsAddVerb(), dirsRemoveVerb(),
			modelImportVerb(), modelFetchVerb(), modelListVerb(), modelVerifyVerb(),
			daemonServeVerb(), daemonStatusVerb(), daemonStopVerb(), buildCacheVerb(),
			setupVerb(), installVerb(), doctorVerb(), qaLiveVerb(), upgradeVerb(),
		}, poolVerbs(), hookVerbs(), evidenceVerbs(), stopHookVerbs(), wisdomVerbs()),
		ExitCodes: []string{
			"0  done",
			"1  no skill fits, or a failure",
			"2  wrong usage",
		},
		Code:    exitCode,
		Version: bundle.Version,
	}
}

// exitCode maps the kind of an error to its exit code.
func exitCode(err error) int {
	if legacy := (*setup.LegacyError)(nil); errors.Is(err, errNoTarget) || errors.As(err, &legacy) {
		return command.ExitUsage
	}
	return 1
}

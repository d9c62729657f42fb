// Package cli is the route command: its verbs, their flags and output, and
// its exit codes. What an answer is stands in package answer.
package cli

import (
	"errors"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/session"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// Exit codes, besides command.ExitUsage. Having nothing to answer from is an
// answer, not a failure.
const (
	exitBelowBar = 1 // the bench is below its bar
	exitRefused  = 3 // the data was refused
)

// Main runs route and returns its exit code. One file is route and
// session-check: which of them, the name says under which it was started.
func Main(p command.Process) int {
	if p.Name == sessionName {
		return session.Main(p)
	}
	return tool().Main(p)
}

func tool() command.Tool {
	return command.Tool{
		Name:    "route",
		Summary: "answers \"where is it\" from the routing bundle of this repository",
		Verbs:   append(answeringVerbs(), fetchVerb, statusVerb, forgetVerb, benchVerb(openForBench), usageVerb, mcpVerb, sessionVerb),
		ExitCodes: []string{
			"0  answered, or there was nothing to answer from",
			"1  bench: below its bar",
			"2  wrong usage",
			"3  the bundle, or a file named, was refused",
		},
		Code:    exitCode,
		Version: bundle.Version,
	}
}

// answeringVerbs are the verbs that answer from a bundle and change nothing.
func answeringVerbs() []command.Verb {
	return []command.Verb{
		queryVerb(), explainVerb(), pathVerb(), wiringVerb(),
		docsVerb(), codeVerb(), whyVerb(),
		impactVerb(), whereUsedVerb(), testsVerb(), outlineVerb(),
	}
}

func exitCode(err error) int {
	if exit := exitError(0); errors.As(err, &exit) {
		return int(exit)
	}
	if r := (*bundle.Refused)(nil); errors.As(err, &r) {
		return exitRefused
	}
	if bad := (*source.SettingError)(nil); errors.As(err, &bad) {
		return exitRefused
	}
	if bad := (*bench.FileError)(nil); errors.As(err, &bad) {
		return exitRefused
	}
	return exitBelowBar
}

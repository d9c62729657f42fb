// Package skillsvendor is the skills-vendor command: it keeps the skills that
// a repository vendors as their upstreams have them, at a commit that people
// reviewed.
package skillsvendor

import (
	"errors"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/skillproposal"
	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/ci/skillupstream"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Exit codes. The tool's help says what each is for.
const (
	exitRefused   = 3
	exitUnreached = 5
)

// Main runs skills-vendor and returns its exit code.
func Main(p command.Process) int {
	if actions.Within(p.Getenv, p.Stderr) != nil {
		// What an upstream says is no command to the runner.
		p.Stdout, p.Stderr = actions.NewGuard(p.Stdout), actions.NewGuard(p.Stderr)
	}
	return tool().Main(p)
}

func tool() command.Tool {
	return command.Tool{
		Name:    "skills-vendor",
		Summary: "keeps vendored skills as their upstreams have them, at commits that were reviewed",
		Verbs:   []command.Verb{checkVerb(), outdatedVerb(), updateVerb(), initVerb(), installVerb(), actions.InStep("skills-vendor", proposeVerb())},
		ExitCodes: []string{
			"0  done, or nothing to do",
			"1  check found a difference, outdated --strict found a skill behind, or a failure that is none of the others",
			"2  wrong usage",
			"3  a lock, a proposal, or what an upstream has, was refused; nothing was changed",
			"5  an upstream was not reached",
		},
		Code:    exitCode,
		Version: bundle.Version,
	}
}

func exitCode(err error) int {
	var (
		lock    *skillslock.Error
		refused *skillupstream.Refused
		far     *skillupstream.Unreached

		proposal *skillproposal.Refused
	)
	switch {
	case errors.As(err, &lock), errors.As(err, &refused), errors.As(err, &proposal):
		return exitRefused
	case errors.As(err, &far):
		return exitUnreached
	}
	return 1
}

// A stop is a failure with a next step.
type stop struct{ text, hint string }

func (e *stop) Error() string { return e.text }
func (e *stop) Hint() string  { return e.hint }

func stopf(hint, format string, args ...any) error {
	return &stop{fmt.Sprintf(format, args...), hint}
}

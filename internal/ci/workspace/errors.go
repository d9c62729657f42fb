package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A NotCheckoutError is a directory that is no part of a checkout.
type NotCheckoutError struct{ Dir, Reason string }

func (e *NotCheckoutError) Error() string {
	return fmt.Sprintf("%s is no checkout: %s", e.Dir, e.Reason)
}

// Hint is the next step.
func (e *NotCheckoutError) Hint() string { return "name a clone of the umbrella with --root DIR" }

// An UnbornError is a checkout without a commit.
type UnbornError struct{ Dir string }

func (e *UnbornError) Error() string {
	return e.Dir + " has no commit yet; a bundle is built from commits"
}

// Hint is the next step.
func (e *UnbornError) Hint() string { return "commit something first" }

// An UninitialisedError is a submodule without a checkout: it would be
// missing from the bundle without a word.
type UninitialisedError struct{ Path string }

func (e *UninitialisedError) Error() string {
	return fmt.Sprintf("submodule %s is not checked out, so the bundle would lack it", e.Path)
}

// Hint is the command that mends it.
func (e *UninitialisedError) Hint() string { return updateCommand(e.Path) }

// A MissingCommitError is a submodule whose clone does not have the commit
// that the umbrella records.
type MissingCommitError struct{ Path, Commit string }

func (e *MissingCommitError) Error() string {
	return fmt.Sprintf("submodule %s lacks the commit %.7s that the umbrella records", e.Path, e.Commit)
}

// Hint is the command that mends it.
func (e *MissingCommitError) Hint() string { return updateCommand(e.Path) }

// A PartialError is a partial clone without all that the build reads. A
// build downloads nothing: what it makes must not depend on a server.
type PartialError struct{ Dir string }

func (e *PartialError) Error() string {
	return fmt.Sprintf("%s is a partial clone that lacks files of the commit to build", e.Dir)
}

// Hint is the command that mends it.
func (e *PartialError) Hint() string {
	return fmt.Sprintf("git -C %s fetch --refetch --no-filter", quoted(e.Dir))
}

// A DateError is a commit whose date a bundle cannot record. Bundles are put
// in order by it.
type DateError struct{ Commit, Date string }

func (e *DateError) Error() string {
	return fmt.Sprintf("the commit %.7s has no date that a bundle can record: %q", e.Commit, plaintext.Line(e.Date, 40))
}

// Hint is the next step.
func (e *DateError) Hint() string { return "commit once more, with a clock that is right" }

// A PartError is a name that means no repository of the workspace, or several.
type PartError struct {
	Name    string
	Several bool
	Known   []string // what would be understood
}

func (e *PartError) Error() string {
	what := "no repository"
	if e.Several {
		what = "several repositories"
	}
	return fmt.Sprintf("%q is the name of %s of the workspace", plaintext.Line(e.Name, 100), what)
}

// Hint lists the names.
func (e *PartError) Hint() string {
	known := e.Known
	if len(known) > 20 {
		known = append(slices.Clone(known[:20]), fmt.Sprintf("or %d more", len(e.Known)-20))
	}
	return "name one by its path: " + plaintext.Line(strings.Join(known, ", "), 1000)
}

var errNoCommit = errors.New("there is no such commit")

func updateCommand(path string) string { return "git submodule update --init -- " + quoted(path) }

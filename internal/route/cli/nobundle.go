package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// noBundle handles an error of source.Open that leaves nothing to answer
// from: it prints the one line that says so and where to turn, and returns
// nil, for that is an answer. Other errors it returns as they are.
func noBundle(p command.Process, asJSON bool, err error) error {
	note, ok := noBundleNote(err)
	if !ok {
		return err
	}
	if asJSON {
		none := []string{}
		return p.WriteJSON(queryReport{Files: none, Nodes: none, Links: none, Notice: note})
	}
	_, err = fmt.Fprintln(p.Stdout, note)
	return err
}

// checkRepo refuses a --repo that names no directory: it was given on
// purpose, so that is no normal state. A working directory that is gone is.
func checkRepo(p command.Process, verb, repo string) error {
	if repo == "" {
		return nil
	}
	st, err := os.Stat(p.Abs(repo))
	if err == nil && st.IsDir() {
		return nil
	}
	is := "does not exist"
	switch {
	case err == nil:
		is = "is not a directory"
	case !errors.Is(err, fs.ErrNotExist):
		is = "cannot be looked at"
	}
	usage := command.UsageError{Text: fmt.Sprintf("%s: --repo %s %s", verb, plaintext.Line(repo, 200), is)}
	return fmt.Errorf("%w%w", usage, hintOnly{"name a directory in the checkout, or leave --repo out to ask for this one"})
}

// noBundleNote is the line for an error that is a normal state. A directory
// that git refuses may well have a bundle, so it is not called "no bundle".
func noBundleNote(err error) (string, bool) {
	switch {
	case errors.Is(err, source.ErrNone):
		return source.NoneLine(err), true
	case errors.Is(err, gitstore.ErrNotRepository), errors.Is(err, gitstore.ErrNoDirectory):
		return fmt.Sprintf("no routing bundle (%s); use grep", err), true
	case errors.Is(err, gitstore.ErrNoGit):
		return fmt.Sprintf("no routing bundle can be read (%s); use grep", err), true
	case errors.Is(err, gitstore.ErrOwner), errors.Is(err, gitstore.ErrBareRefused):
		return fmt.Sprintf("%s; use grep", err), true
	case errors.Is(err, gitstore.ErrNotLocal):
		return "bundle not local: this partial clone has not downloaded it; route fetch gets it, until then use git grep", true
	}
	return "", false
}

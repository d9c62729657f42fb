package cli

import (
	"errors"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
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

package cli

import (
	"errors"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/committed"
	"github.com/marola-dev/marola-routing/internal/ci/ghapp"
	"github.com/marola-dev/marola-routing/internal/ci/page"
	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/ci/wire"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Exit codes. The tool's help, docs/bundle-publish.md and docs/publishing.md
// say what each is for.
const (
	exitGate      = 1
	exitBundle    = 3
	exitRemote    = 4
	exitUnreached = 5
)

// exitCode maps the kind of an error to its exit code. An error that is none
// of these kinds (a disk that is full, a workspace that cannot be built) stops
// a pipeline like a gate does, with the same code.
func exitCode(err error) int {
	var (
		address   *publish.AddressError
		token     *publish.TokenError
		timeOver  *publish.Unreached
		transient *publish.Transient
		refused   *publish.Refused
		data      *bundle.Refused
		questions *bench.FileError
		base      *unreadable
		part      *assemble.PartError
		private   *privateError
		mistyped  *unmatchedError
		far       *unreached
		holder    *blockError
		settings  *wire.SettingsError
		key       *ghapp.KeyError
		app       *ghapp.Error
		foreign   *committed.ForeignError
		history   *historyError
		taken     *page.NotPageError
	)
	switch {
	case errors.As(err, &address), errors.As(err, &token), errors.As(err, &key):
		return command.ExitUsage
	case errors.As(err, &timeOver), errors.As(err, &transient), errors.As(err, &far):
		return exitUnreached
	case errors.As(err, &app):
		if app.Busy {
			return exitUnreached
		}
		return exitRemote
	case errors.As(err, &refused):
		return exitRemote
	case errors.As(err, &data), errors.As(err, &questions), errors.As(err, &base), errors.As(err, &part),
		errors.As(err, &private), errors.As(err, &mistyped), errors.As(err, &holder), errors.As(err, &settings),
		errors.As(err, &foreign), errors.As(err, &history), errors.As(err, &taken):
		return exitBundle
	}
	return exitGate
}

package publish

import (
	"context"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A Remote is one repository that a bundle is published to. The planner in
// [Publish] makes every decision; a Remote only looks and moves.
//
// Its errors are *[Refused], *[Moved] or *[Transient]; anything else ends the
// publish as it is.
type Remote interface {
	// List returns the commits of branches and of refs/marola/, by full
	// reference name; at least those of a branch and its large files, and of
	// what leaves no room for them.
	List(ctx context.Context, branch string) (map[string]string, error)

	// Read returns what a commit that [Remote.List] gave holds.
	Read(ctx context.Context, commit string) (Published, error)

	// Name is the name of a bundle's commit, as far as it is known before
	// [Remote.Prepare]; "" where the remote is the one that makes commits, and
	// this one has not been made. at is a listed commit that may be of this
	// very bundle, which is then its name, or "".
	Name(ctx context.Context, s *Snapshot, at string) (commit string, err error)

	// Prepare turns a bundle into a root commit and returns its name. The
	// commit may stay on this machine until [Remote.Move].
	Prepare(ctx context.Context, s *Snapshot) (commit string, err error)

	// Move sets a ref, by its full name, to a prepared commit, if and only if
	// it is at old now; old "" means that there is no such ref. A nil error
	// says that the server confirmed the move, and still needs a look.
	Move(ctx context.Context, ref, old, commit string) error

	// Return sets a ref from a commit that was moved there back to the one
	// that was there before, whose objects the remote still has.
	Return(ctx context.Context, ref, from, to string) error
}

// Published is what a commit of the branch holds.
type Published struct {
	Tree    string       // name of its tree
	Build   bundle.Build // its build.json, when Bad is nil
	Wiring  []byte       // its wiring.json as it stands there, unchecked; nil when it has none
	Bad     error        // why its build.json cannot be used
	Foreign error        // why it cannot be a bundle, whole or damaged; nil when it can
}

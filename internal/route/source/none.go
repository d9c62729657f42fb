package source

import (
	"context"
	"errors"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// ErrNone means that there is nothing to answer from: no local graph, no
// bundle. It is a normal state, not a failure.
var ErrNone = errors.New("no routing bundle")

// A Stale is [ErrNone] where a local graph lies that is not of what is
// checked out. errors.Is takes it for ErrNone.
type Stale struct{ Why string } // how the graph and the checkout differ, and what to do

func (e *Stale) Error() string        { return ErrNone.Error() + " (" + e.Why + ")" }
func (e *Stale) Is(target error) bool { return target == ErrNone }

// NoneLine is the one line of an answer that has nothing to answer from, for
// an error that is [ErrNone].
func NoneLine(err error) string {
	const line = "no routing bundle; use git grep"
	if stale := (*Stale)(nil); errors.As(err, &stale) {
		return line + " (" + stale.Why + ")"
	}
	return line
}

// none is [ErrNone], or the [Stale] that says more.
func none(ctx context.Context, o Options, place gitstore.Place) error {
	for _, g := range localGraphs(ctx, o, place) {
		if why := g.stale("the local graph", "this checkout", ""); why != "" {
			return &Stale{why}
		}
	}
	if outer, ok := place.Superproject(); ok {
		o.Dir = outer.Top
		for _, g := range localGraphs(ctx, o, outer) {
			if why := g.stale("the umbrella's local graph", "the umbrella", " there"); why != "" {
				return &Stale{why}
			}
		}
	}
	return ErrNone
}

// stale says why the graph did not answer and what to do; "" when nothing is
// there, or nothing is checked out.
func (g localGraph) stale(graph, checkout, there string) string {
	renews := "; bundle-publish build --local" + there + " renews it"
	switch {
	case !g.there || g.rec.head != "" && g.head == "":
		return ""
	case g.rec.head == "", g.mismatch == "":
		return graph + " cannot be read" + renews
	case g.rec.head != g.head:
		return graph + " is of " + short(g.rec.head) + ", " + checkout + " is at " + short(g.head) + renews
	}
	return graph + " has another commit of a submodule" + renews
}

package publish

import (
	"context"
	"fmt"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A Relation says how one commit stands to another in the history.
type Relation int

// The relations of mine to theirs.
const (
	Unknown  Relation = iota // nobody who was asked has both histories
	Ahead                    // mine descends from theirs
	Behind                   // theirs descends from mine
	Diverged                 // neither descends from the other
)

// A Historian may know how two commits of the umbrella stand to each other.
// It answers [Unknown] rather than guess, and never fails.
type Historian interface {
	Relation(ctx context.Context, mine, theirs string) Relation
}

// A standing is what the order guard decides about a bundle.
type standing struct {
	publish bool
	notice  string // why not, or what was not certain
	err     error  // a decision that a person must make
}

// A guard decides whether one bundle may take the place of another. It rests
// on the umbrella's history, and on commit times where the history is out of
// reach:
//
//  1. the same umbrella commit may be published again;
//  2. a checkout that holds both commits decides by ancestry, at no cost;
//  3. else a later commit time is newer;
//  4. else the remote decides by ancestry, when it can tell with one small
//     request: this is where clocks that ran wrong are put right;
//  5. else an earlier commit time is older, and equal times are let through
//     with a notice, since nothing says which came first.
type guard struct {
	local, remote Historian // either may be nil
	now           time.Time // only for the text about a time in the future
	rewind        bool
}

func (g guard) decide(ctx context.Context, mine, theirs bundle.Build) standing {
	if mine.Head == theirs.Head {
		return standing{publish: true}
	}
	if g.rewind {
		return standing{publish: true, notice: fmt.Sprintf("--allow-rewind: %s replaces %s whatever their order", short(mine.Head), short(theirs.Head))}
	}
	mineAt, _ := mine.Time() // both were checked when they were read
	theirsAt, _ := theirs.Time()
	relation := ask(ctx, g.local, mine.Head, theirs.Head)
	if relation == Unknown && mineAt.After(theirsAt) {
		return standing{publish: true}
	}
	if relation == Unknown {
		relation = ask(ctx, g.remote, mine.Head, theirs.Head)
	}
	switch relation {
	case Ahead:
		return standing{publish: true}
	case Behind:
		return standing{notice: fmt.Sprintf("nothing to do: the published bundle is of %s, which descends from %s", short(theirs.Head), short(mine.Head))}
	case Diverged:
		return standing{err: &Gate{
			Reason: fmt.Sprintf("the published bundle is of %s, and this one of %s, which does not descend from it", short(theirs.Head), short(mine.Head)),
			Next:   "if the umbrella's branch was rewritten on purpose, publish with --allow-rewind"}}
	}
	if mineAt.Equal(theirsAt) {
		return standing{publish: true, notice: fmt.Sprintf("%s and the published %s have the same commit time, and their history is out of reach: the later publish stands", short(mine.Head), short(theirs.Head))}
	}
	notice := fmt.Sprintf("nothing to do: the published bundle is of %s (%s), newer than %s (%s)", short(theirs.Head), stamp(theirsAt), short(mine.Head), stamp(mineAt))
	if theirsAt.After(g.now.Add(24 * time.Hour)) {
		notice += "; its commit time lies in the future, so if its clock was wrong, publish once with --allow-rewind"
	}
	return standing{notice: notice}
}

func ask(ctx context.Context, h Historian, mine, theirs string) Relation {
	if h == nil {
		return Unknown
	}
	return h.Relation(ctx, mine, theirs)
}

func short(hash string) string { return hash[:min(7, len(hash))] }

func stamp(t time.Time) string { return t.Format(time.RFC3339) }

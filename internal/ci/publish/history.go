package publish

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// Bounds of one question about the history to a remote.
const (
	historyDepth = 1000
	historyTime  = 20 * time.Second
)

// A Checkout answers from the history of a local repository.
type Checkout struct{ git gitstore.Git }

// OpenCheckout answers from the repository that dir is in, if it is in one.
func OpenCheckout(dir string, env []string) Checkout {
	return Checkout{gitstore.Git{Dir: dir, Env: env}}
}

// Relation implements [Historian]. It is Unknown when the repository lacks
// one of the commits. In a shallow clone a found descent is a proof, and one
// that is not found is none.
func (c Checkout) Relation(ctx context.Context, mine, theirs string) Relation {
	for _, commit := range []string{mine, theirs} {
		if !gitstore.IsHash(commit) {
			return Unknown
		}
		if _, err := c.git.Output(ctx, "cat-file", "-e", commit+"^{commit}"); err != nil {
			return Unknown
		}
	}
	ahead, err := c.descends(ctx, mine, theirs)
	if err != nil || ahead {
		return choose(err == nil, Ahead)
	}
	behind, err := c.descends(ctx, theirs, mine)
	if err != nil || behind {
		return choose(err == nil, Behind)
	}
	out, err := c.git.Output(ctx, "rev-parse", "--is-shallow-repository")
	return choose(err == nil && strings.TrimSpace(string(out)) == "false", Diverged)
}

func (c Checkout) descends(ctx context.Context, from, ancestor string) (bool, error) {
	_, err := c.git.Output(ctx, "merge-base", "--is-ancestor", ancestor, from)
	if exit := (*gitstore.ExitError)(nil); errors.As(err, &exit) && exit.Code == 1 {
		return false, nil
	}
	return err == nil, err
}

func choose(known bool, r Relation) Relation {
	if known {
		return r
	}
	return Unknown
}

// Relation implements [Historian]. It costs one request for commits without
// their files, at most 1,000 deep, and only where the server can leave the
// files out; anywhere else, and on any failure, the answer is Unknown.
func (g *GitRemote) Relation(ctx context.Context, mine, theirs string) Relation {
	if len(mine) != 40 || len(theirs) != 40 {
		return Unknown // go-git reads SHA-1 repositories only
	}
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	objects, shallow, err := g.fetch(ctx, request{wants: []string{mine, theirs}, depth: historyDepth, filter: packp.FilterTreeDepth(0)})
	if err != nil {
		return Unknown
	}
	switch m, t := plumbing.NewHash(mine), plumbing.NewHash(theirs); {
	case descends(objects, m, t):
		return Ahead
	case descends(objects, t, m):
		return Behind
	case len(shallow) > 0:
		return Unknown
	default:
		return Diverged
	}
}

// descends reports whether a walk from a commit over the parents at hand
// meets an ancestor.
func descends(objects *memory.Storage, from, ancestor plumbing.Hash) bool {
	seen := map[plumbing.Hash]bool{from: true}
	for todo := []plumbing.Hash{from}; len(todo) > 0; {
		hash := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if hash == ancestor {
			return true
		}
		c, err := object.GetCommit(objects, hash)
		if err != nil {
			continue
		}
		for _, p := range c.ParentHashes {
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return false
}

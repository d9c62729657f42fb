package publish

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

var (
	errNoCommit = errors.New("it is not a commit")
	errHistory  = errors.New("it has a history, and a bundle is one commit without parents")
)

// foreign says why a commit cannot be a bundle, not even a damaged one: it
// has a history, or holds what no bundle holds. Such a branch is somebody's
// work, and a push with a wrong --branch must not end it.
func foreign(objects *memory.Storage, c *object.Commit) error {
	if len(c.ParentHashes) > 0 {
		return errHistory
	}
	root, err := object.GetTree(objects, c.TreeHash)
	if err != nil {
		return errors.New("its tree cannot be read")
	}
	for _, e := range root.Entries {
		if e.Mode != filemode.Dir {
			if err := foreignFile(e.Name, e.Mode); err != nil {
				return err
			}
			continue
		}
		folder, err := object.GetTree(objects, e.Hash)
		if err != nil {
			return fmt.Errorf("its folder %s cannot be read", plaintext.Line(e.Name, 100))
		}
		for _, inner := range folder.Entries {
			if err := foreignFile(e.Name+"/"+inner.Name, inner.Mode); err != nil {
				return err
			}
		}
	}
	return nil
}

func foreignFile(name string, mode filemode.FileMode) error {
	if mode == filemode.Regular && bundle.ValidName(name) {
		return nil
	}
	return fmt.Errorf("it holds %s, and no bundle does", plaintext.Line(name, 100))
}

// lookAtLarge is [foreign] for a commit whose files are too large to be
// read: its trees are enough. Where they cannot be had alone nobody knows
// what it is.
func (g *GitRemote) lookAtLarge(ctx context.Context, commit string, large error) error {
	objects, _, err := g.fetch(ctx, request{wants: []string{commit}, depth: 1, filter: packp.FilterBlobNone()})
	if err != nil {
		return fmt.Errorf("%w, and so it cannot be told from other work", large)
	}
	c, err := object.GetCommit(objects, plumbing.NewHash(commit))
	if err != nil {
		return errNoCommit
	}
	return foreign(objects, c)
}

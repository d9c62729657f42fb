package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// openRef reads a bundle from the repository: the ref that the caller named,
// else the private ref, else the umbrella's branch.
func openRef(ctx context.Context, o Options, place gitstore.Place, store *gitstore.Store) (*Source, error) {
	if o.Bundle != "" {
		return openNamed(o.Bundle, place, store)
	}
	found, err := store.Commits("HEAD", PrivateRef)
	if err != nil {
		return nil, err
	}
	if found[1].Exists() {
		return openCommit(Bundled, PrivateRef, found[1], store, place, found[0].Hash)
	}
	refs, err := branches(ctx, o, place)
	if err != nil {
		return nil, err
	}
	if s, err := firstRef(RemoteBranch, refs, store, place, found[0].Hash); s != nil || err != nil {
		return s, err
	}
	return openOuter(ctx, o, place, found[0].Hash)
}

// firstRef opens the first of refs that exists; nil when none does.
func firstRef(kind Kind, refs []string, store *gitstore.Store, place gitstore.Place, head string) (*Source, error) {
	found, err := store.Commits(refs...)
	if err != nil {
		return nil, err
	}
	for i, c := range found {
		if c.Exists() {
			return openCommit(kind, refs[i], c, store, place, head)
		}
	}
	return nil, nil
}

// branches are the refs under which the umbrella's bundle branch may stand
// in this repository.
func branches(ctx context.Context, o Options, place gitstore.Place) ([]string, error) {
	config, err := o.git().Config(ctx)
	if err != nil {
		return nil, err
	}
	return Branches(ctx, o, place, config)
}

// Branches are the refs under which the umbrella's bundle branch may stand in
// the repository at place, which has this configuration. It starts no git.
func Branches(ctx context.Context, o Options, place gitstore.Place, config gitstore.Config) ([]string, error) {
	u, err := findUmbrella(ctx, o, place, config, false)
	if err != nil {
		return nil, err
	}
	var refs []string
	for _, remote := range config.Remotes() {
		if ref := "refs/remotes/" + remote.Name + "/" + u.Branch; SameURL(remote.URL, u.URL) && gitstore.ValidRef(ref) {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// openOuter looks in the umbrella that has this checkout as a submodule.
// Without one it is [ErrNone].
func openOuter(ctx context.Context, o Options, place gitstore.Place, head string) (*Source, error) {
	outer, ok := place.Superproject()
	if !ok {
		return nil, ErrNone
	}
	o.Dir = outer.Top
	if s := openLocal(ctx, o, outer, place); s != nil {
		s.around = true
		return s, nil
	}
	refs, err := branches(ctx, o, outer)
	if err != nil {
		return nil, ErrNone // the umbrella around a checkout is an extra, not a promise
	}
	outside := gitstore.Open(ctx, o.git())
	s, err := firstRef(Bundled, []string{PrivateRef}, outside, place, head)
	if s == nil && err == nil {
		s, err = firstRef(RemoteBranch, refs, outside, place, head)
	}
	if s == nil {
		outside.Close()
		if err == nil {
			err = ErrNone
		}
		return nil, err
	}
	s.around = true
	s.relate(place, head, nil) // what the umbrella has says nothing about this repository
	return s, nil
}

// openNamed reads the bundle at a ref that a person named: a full name, a
// branch, a remote's branch, a tag, or a full hash, in this order.
func openNamed(name string, place gitstore.Place, store *gitstore.Store) (*Source, error) {
	var tried []string
	switch {
	case gitstore.IsHash(name), name == "HEAD":
		tried = []string{name}
	case !gitstore.ValidRef(name):
	case strings.HasPrefix(name, "refs/"):
		tried = []string{name}
	default:
		tried = []string{"refs/heads/" + name, "refs/remotes/" + name, "refs/tags/" + name, "refs/" + name}
	}
	found, err := store.Commits(append(tried, "HEAD")...)
	if err != nil {
		return nil, err
	}
	for i, ref := range tried {
		if found[i].Exists() {
			return openCommit(Bundled, ref, found[i], store, place, found[len(tried)].Hash)
		}
	}
	return nil, &bundle.Refused{
		Reason: fmt.Sprintf("%q is neither a directory nor a ref of this repository", plaintext.Line(name, 200)),
		Next:   "name a directory, a full ref (refs/…), a branch or a full commit hash",
	}
}

// openCommit reads the bundle in one commit.
func openCommit(kind Kind, ref string, c gitstore.Commit, store *gitstore.Store, place gitstore.Place, head string) (*Source, error) {
	tree := store.Tree(c)
	tree.Prefetch(bundle.ManifestName, bundle.BuildName, bundle.IndexName)
	s := &Source{Kind: kind, Files: tree, Ref: ref, RefCommit: c.Hash, Time: c.Time, store: store}
	b, err := bundle.Open(tree)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &bundle.Refused{Reason: fmt.Sprintf("%s holds no %s", plaintext.Line(ref, 200), bundle.ManifestName)}
	}
	if err != nil {
		return nil, err
	}
	s.Bundle = b
	s.withLarge(tree, store)
	if err := s.readBuild(); err != nil {
		return nil, err
	}
	s.relate(place, head, store)
	return s, nil
}

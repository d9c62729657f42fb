// Package source finds what a question is answered from, and says how it
// relates to the checkout the question was asked in.
//
// In this order: a local graph that was built from just this checkout, the
// bundle that `route fetch` keeps under [PrivateRef], the bundle branch of
// the remote that is the umbrella. In a submodule that has none of these,
// the same of the umbrella around it. [Open] finds it, [Fetch] gets it,
// [Forget] removes it, [Inspect] tells a person about all of it.
package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// PrivateRef is where a fetched bundle is kept. It is shared by all
// worktrees, and git status never shows it.
const PrivateRef = "refs/marola/routing-bundle"

// DefaultBranch is the branch that an umbrella publishes its bundle on.
const DefaultBranch = "routing-bundle"

// readDeadline bounds all that is read from a repository for one question.
const readDeadline = 30 * time.Second

// Options say where to look.
type Options struct {
	Dir    string   // where the question was asked, absolute; "" when that directory is gone
	Env    []string // as os.Environ gives it
	Bundle string   // a directory or a ref to answer from, instead of looking
	From   string   // what a relative directory in Bundle is relative to; "" means Dir
	Branch string   // the bundle branch; "" means what .claude/routing.json says, else [DefaultBranch]

	// Umbrella is the umbrella's URL; "" means that it is looked for.
	Umbrella string

	Large bool // of [Fetch]: get the large files, too
}

func (o Options) git() gitstore.Git { return gitstore.Git{Dir: o.Dir, Env: o.Env} }

// A Kind is the kind of a source.
type Kind string

// The kinds of sources.
const (
	LocalGraph   Kind = "local graph"   // built on this machine from this checkout
	Bundled      Kind = "bundle"        // fetched, or named by its ref
	RemoteBranch Kind = "remote branch" // the umbrella's branch, as the last git fetch left it
	Directory    Kind = "directory"     // named by its path
)

// A Source is what a question is answered from.
type Source struct {
	Kind   Kind
	Bundle *bundle.Bundle // nil when Files is a plain graph.json made by graphify
	Files  bundle.Files
	Build  bundle.Build // zero where a plain graph says nothing; Head alone where it says that

	Commit    string    // the umbrella's commit it was built from, full; "" when unknown
	Branch    string    // the branch it was built from; "" when unknown
	Time      time.Time // that commit's time, UTC; zero when unknown
	Ref       string    // where it is kept; "" for a directory
	RefCommit string    // the commit at Ref, full
	Dir       string    // where it lies; "" for a ref

	Checkout Checkout

	around bool // it is the umbrella's around this checkout
	store  *gitstore.Store
	cancel context.CancelFunc
}

// Close ends the git process that reads the source.
func (s *Source) Close() error {
	if s.store != nil {
		s.store.Close()
	}
	if s.cancel != nil {
		s.cancel()
	}
	return nil
}

// Prefetch says that the files of these names will be read next. It never
// fails and never waits; without a git process it does nothing.
func (s *Source) Prefetch(names ...string) {
	if t, ok := s.Files.(bundle.Prefetcher); ok {
		t.Prefetch(names...)
	}
}

// Open finds the source. The error is [ErrNone] when there is nothing to
// answer from, a *[bundle.Refused] when what was found must not be used, a
// *[SettingError] when a setting that names the umbrella must not be used,
// or one of package gitstore's when git cannot be asked. The caller closes
// the source.
func Open(ctx context.Context, o Options) (*Source, error) {
	place, _ := gitstore.Locate(o.Dir)
	if o.Bundle != "" {
		if dir, ok := o.directory(); ok {
			return openDirectory(dir, Directory, place)
		}
	} else if s := openLocal(ctx, o, place, place); s != nil {
		return s, nil
	}
	ctx, cancel := context.WithTimeout(ctx, readDeadline)
	store := gitstore.Open(ctx, o.git())
	s, err := openRef(ctx, o, place, store)
	if err != nil {
		store.Close()
		cancel()
		if errors.Is(err, ErrNone) {
			err = none(ctx, o, place)
		}
		return nil, err
	}
	if s.store != store {
		store.Close() // the umbrella around this checkout has its own
	}
	s.cancel = cancel
	return s, nil
}

// directory is what Bundle names, if it names a directory.
func (o Options) directory() (string, bool) {
	dir := o.Bundle
	if !filepath.IsAbs(dir) && o.From != "" {
		dir = filepath.Join(o.From, dir)
	} else if !filepath.IsAbs(dir) {
		dir = filepath.Join(o.Dir, dir)
	}
	st, err := os.Stat(dir)
	return dir, err == nil && st.IsDir()
}

// openDirectory reads a bundle, or a plain graph, that lies in a directory.
func openDirectory(dir string, kind Kind, place gitstore.Place) (*Source, error) {
	s := &Source{Kind: kind, Dir: dir, Files: bundle.Dir(dir)}
	b, err := bundle.Open(s.Files)
	switch {
	case err == nil:
		s.Bundle = b
		if err := s.readBuild(); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case half(dir):
		return nil, damaged(dir)
	default:
		if _, err := os.Stat(filepath.Join(dir, bundle.GraphName)); err != nil {
			return nil, &bundle.Refused{
				Reason: fmt.Sprintf("%s holds neither %s nor %s", plaintext.Line(dir, 200), bundle.ManifestName, bundle.GraphName),
				Next:   "name a directory that bundle-publish build wrote, one with a graph.json of graphify, or a ref",
			}
		}
		if rec, err := readRecord(dir); err == nil && rec.full == nil {
			s.Build.Head = rec.head
			s.Commit = rec.head
		}
	}
	head, _ := place.Head()
	s.relate(place, head, nil)
	return s, nil
}

// readBuild takes over what build.json says, if the bundle has one.
func (s *Source) readBuild() error {
	if !s.Bundle.Has(bundle.BuildName) {
		return nil
	}
	data, err := s.Bundle.Read(bundle.BuildName)
	if err != nil {
		return err
	}
	if s.Build, err = bundle.ParseBuild(data); err != nil {
		return err
	}
	s.Commit, s.Branch = s.Build.Head, s.Build.Branch
	s.Time, err = s.Build.Time()
	return err
}

package session

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// A found bundle is one that this machine has for the session.
type found struct {
	build bundle.Build
	store *gitstore.Store // of the repository that has it
	inner bool            // that is the session's own repository
}

// errNone means that there is no bundle here.
var errNone = errors.New("no bundle")

// findBundle looks where route looks, but for local graphs: the fetched
// bundle, then the umbrella's branch; then both in the umbrella around a
// submodule.
func (s *check) findBundle() (*found, error) {
	places := []gitstore.Place{s.place}
	if outer, ok := s.place.Superproject(); ok {
		places = append(places, outer)
	}
	for i, place := range places {
		store := gitstore.Open(s.limit(), gitstore.Git{Dir: dirOf(place), Env: s.env})
		f, err := s.findIn(place, store)
		if errors.Is(err, errNone) {
			store.Close()
			continue
		}
		if err != nil {
			store.Close()
			return nil, err
		}
		f.inner = i == 0
		return f, nil
	}
	return nil, errNone
}

// dirOf is the directory from which git finds the repository at place.
func dirOf(place gitstore.Place) string {
	if place.Top != "" {
		return place.Top
	}
	return place.GitDir
}

func (s *check) findIn(place gitstore.Place, store *gitstore.Store) (*found, error) {
	f, err := s.read(place, store, source.PrivateRef)
	if !errors.Is(err, errNone) {
		return f, err
	}
	config, err := store.Git().QuickConfig(s.limit(), place)
	if err != nil {
		return nil, err
	}
	refs, err := source.Branches(s.ctx, source.Options{Dir: dirOf(place), Env: s.env}, place, config)
	if err != nil {
		return nil, errNone // what the settings say is not a bundle
	}
	for _, ref := range refs {
		if f, err := s.read(place, store, ref); !errors.Is(err, errNone) {
			return f, err
		}
	}
	return nil, errNone
}

// read reads build.json of the bundle at a ref. A ref that does not exist
// costs no git process where refs are files.
func (s *check) read(place gitstore.Place, store *gitstore.Store, ref string) (*found, error) {
	hash, known := place.Ref(ref)
	if known && hash == "" {
		return nil, errNone
	}
	if !known {
		commits, err := store.Commits(ref)
		if err != nil {
			return nil, err
		}
		if hash = commits[0].Hash; hash == "" {
			return nil, errNone
		}
	}
	data, ok, err := place.ReadFile(hash, bundle.BuildName)
	if !ok {
		data, err = store.File(hash, bundle.BuildName)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &bundle.Refused{File: bundle.BuildName, Reason: "it is missing"}
	}
	if err != nil {
		return nil, err
	}
	build, err := bundle.ParseBuild(data)
	if err != nil {
		return nil, err
	}
	return &found{build: build, store: store}, nil
}

// routingLine is the first line: which bundle is here, and how it stands to
// this repository. news is false when it tells nothing that one would act on.
func (s *check) routingLine(f *found, err error) (line string, news bool) {
	const lead = "▸ routing: "
	refused := (*bundle.Refused)(nil)
	switch {
	case err == nil:
	case errors.Is(err, errNone):
		return lead + "no bundle yet; route fetch", true
	case errors.Is(err, gitstore.ErrNotLocal):
		return lead + "bundle not local; route fetch", true
	case errors.As(err, &refused):
		return lead + "the bundle here is refused, route status says why; route fetch gets a fresh one", true
	default:
		return lead + "the bundle here was not read: " + plaintext.Line(err.Error(), 100), true
	}
	t, _ := f.build.Time() // it was checked
	built := f.build.Head[:7]
	if f.build.Branch != "" {
		built = plaintext.Line(f.build.Branch, 60) + "@" + built
	}
	line = fmt.Sprintf("%sbundle %s (%s)", lead, built, source.Age(t, source.Now(s.env)))
	if stale := s.stale(f, t); stale != "" {
		return line + ", " + stale, true
	}
	return line, false
}

// stale says how the commit of this repository that the bundle was built
// from differs from the default branch of its remote, as this clone knows
// it; "" when it does not, or when nothing is known of it.
func (s *check) stale(f *found, built time.Time) string {
	row, remote := s.row(f)
	if row == nil {
		return ""
	}
	here := s.defaultBranch(f, remote, row.branch)
	if here == "" || here == row.head {
		return ""
	}
	if f.inner && s.place.Whole() && !s.place.HasCommit(row.head) {
		// A commit that a whole clone lacks is one that it has not fetched yet,
		// unless the clone's own is the later one.
		if commits, err := f.store.Commits(row.head, here); err == nil && !commits[0].Exists() && built.After(commits[1].Time) {
			return "newer than " + plaintext.Line(remote, 60) + " here"
		}
	}
	return "stale; route fetch refreshes it"
}

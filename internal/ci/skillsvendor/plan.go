package skillsvendor

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/ci/skillupstream"
)

// What a skill is, compared with its upstream.
const (
	held     = "held"
	none     = "no upstream commit"
	behind   = "behind"
	current  = "current"
	movedOut = "behind, upstream moved"
)

// A plan is what an update would do to one skill.
type plan struct {
	name   string
	row    skillslock.Row // as the lock has it, migrated
	moved  bool
	status string
	to     skillupstream.Commit
	files  map[string]skillupstream.File // of the skill, by path below its directory
	left   []string                      // new upstream, and not vendored, for the row is a choice of files
	pinned map[string]skillupstream.File // the same files at the pinned commit; nil when it cannot be had
}

// upstreams are the repositories that were fetched, each once.
type upstreams struct {
	env  []string
	open map[string]*skillupstream.Repo
}

func (u *upstreams) get(ctx context.Context, name string) (*skillupstream.Repo, error) {
	if r, ok := u.open[name]; ok {
		return r, nil
	}
	r, err := skillupstream.Open(ctx, name, u.env)
	if err != nil {
		return nil, err
	}
	if u.open == nil {
		u.open = map[string]*skillupstream.Repo{}
	}
	u.open[name] = r
	return r, nil
}

func (u *upstreams) close() {
	for _, r := range u.open {
		_ = r.Close()
	}
}

// makePlan compares a skill with its upstream: with the commit sha, or with
// the newest that is no younger than before.
func makePlan(ctx context.Context, u *upstreams, name string, row skillslock.Row, sha string, before time.Time) (*plan, *skillupstream.Repo, error) {
	pl := &plan{name: name, row: row, moved: moved(row)}
	if row.Hold != "" && sha == "" {
		pl.status = held
		return pl, nil, nil
	}
	if pl.moved {
		pl.row = migrate(row)
	}
	repo, err := u.get(ctx, pl.row.Upstream)
	if err != nil {
		return nil, nil, err
	}
	var pin skillupstream.Commit
	hasPin := false
	if pl.row.Commit != "" {
		if pin, err = repo.Pin(ctx, pl.row.Commit); err == nil {
			hasPin = true
		} else if ctx.Err() != nil {
			return nil, nil, err
		}
	}
	if sha != "" {
		if pl.to, err = repo.Pin(ctx, sha); err != nil {
			return nil, nil, err
		}
	} else {
		newest, ok, err := repo.Newest(ctx, pl.row.Path, pl.row.Follow == "releases", before)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case !ok && !hasPin:
			pl.status = none
			return pl, repo, nil
		case !ok, hasPin && (repo.Older(ctx, newest.Hash, pin.Hash) || !newest.Date.After(pin.Date) && !repo.Older(ctx, pin.Hash, newest.Hash)):
			pl.to = pin // never a step back
		default:
			pl.to = newest
		}
	}
	if !repo.Has(ctx, pl.to.Hash, pl.row.Path) {
		pl.status = none
		return pl, repo, nil
	}
	if hasPin {
		if pl.pinned, err = repo.Files(ctx, pin.Hash, pl.row.Path); err == nil {
			err = addPaths(ctx, repo, pin.Hash, pl.row, pl.pinned, false)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	upstream, err := repo.Files(ctx, pl.to.Hash, pl.row.Path)
	if err != nil {
		return nil, nil, err
	}
	pl.choose(upstream)
	if err := addPaths(ctx, repo, pl.to.Hash, pl.row, pl.files, true); err != nil {
		return nil, nil, err
	}
	pl.compare(sha != "")
	return pl, repo, nil
}

// choose takes those of the upstream's files that the skill has. A row that
// holds all of its directory follows it; of one that is a choice, files that
// are new upstream are only told.
func (pl *plan) choose(upstream map[string]skillupstream.File) {
	pl.files = map[string]skillupstream.File{}
	whole := pl.row.Path != ""
	for file := range pl.pinned {
		_, listed := pl.row.Files[file]
		if _, outside := pl.row.Paths[file]; !listed && !outside && programOf(file) == "" {
			whole = false
		}
	}
	for file, f := range upstream {
		_, listed := pl.row.Files[file]
		_, atPin := pl.pinned[file]
		switch platform := programOf(file); {
		case pl.row.Paths[file] != "":
		case platform != "" && pl.row.Platforms != nil:
			if slices.Contains(pl.row.Platforms, platform) {
				pl.files[file] = f
			}
		case listed || whole:
			pl.files[file] = f
		case !atPin && pl.pinned != nil:
			pl.left = append(pl.left, file)
		}
	}
	slices.Sort(pl.left)
}

// programOf is the platform of a program, as in bin/linux-amd64/route, or "".
func programOf(file string) string {
	rest, ok := strings.CutPrefix(file, "bin/")
	platform, _, two := strings.Cut(rest, "/")
	if os, arch, dash := strings.Cut(platform, "-"); !ok || !two || !dash || os == "" || arch == "" {
		return ""
	}
	return platform
}

// addPaths adds the files that stand elsewhere upstream.
func addPaths(ctx context.Context, repo *skillupstream.Repo, commit string, row skillslock.Row, files map[string]skillupstream.File, needed bool) error {
	for file, up := range row.Paths {
		f, ok, err := repo.One(ctx, commit, up)
		switch {
		case err != nil:
			return err
		case ok:
			files[file] = f
		case needed:
			return &skillupstream.Refused{Upstream: repo.Name, Commit: commit, Reason: up + ", which is vendored as " + file + ", is gone"}
		}
	}
	return nil
}

// compare sets the status: whether an update would write another row.
func (pl *plan) compare(exact bool) {
	switch {
	case pl.moved:
		pl.status = movedOut
	case pl.row.Commit == "", exact && pl.to.Hash != pl.row.Commit:
		pl.status = behind
	case maps.Equal(hashes(pl.files), pl.row.Pristine()) && pl.sameModes():
		pl.status = current
	default:
		pl.status = behind
	}
}

func (pl *plan) sameModes() bool {
	return pl.row.Modes == nil || maps.Equal(modes(pl.files, true), pl.row.Modes)
}

func hashes(files map[string]skillupstream.File) map[string]string {
	m := map[string]string{}
	for name, f := range files {
		m[name] = f.Blob
	}
	return m
}

// modes are the executable files; nil where there are none and none were
// recorded before, so that locks of other tools stay as they are.
func modes(files map[string]skillupstream.File, recorded bool) map[string]string {
	var m map[string]string
	if recorded {
		m = map[string]string{}
	}
	for name, f := range files {
		if f.Executable {
			if m == nil {
				m = map[string]string{}
			}
			m[name] = skillslock.Executable
		}
	}
	return m
}

// changes lists the files that are added, removed and changed.
func (pl *plan) changes() (added, removed, changed []string) {
	was := pl.row.Pristine()
	for file, f := range pl.files {
		if blob, there := was[file]; !there {
			added = append(added, file)
		} else if blob != f.Blob {
			changed = append(changed, file)
		}
	}
	for file := range was {
		if _, there := pl.files[file]; !there {
			removed = append(removed, file)
		}
	}
	slices.Sort(added)
	slices.Sort(removed)
	slices.Sort(changed)
	return added, removed, changed
}

// diff is the unified diff from the pinned commit, or "" when that cannot be
// had.
func (pl *plan) diff(ctx context.Context, repo *skillupstream.Repo) (string, error) {
	if pl.pinned == nil || pl.to.Hash == "" || pl.to.Hash == pl.row.Commit {
		return "", nil
	}
	paths := map[string]bool{}
	for file := range pl.row.Pristine() {
		if f, ok := pl.pinned[file]; ok {
			paths[f.Path] = true
		}
	}
	for _, f := range pl.files {
		paths[f.Path] = true
	}
	return repo.Diff(ctx, pl.row.Commit, pl.to.Hash, slices.Sorted(maps.Keys(paths)))
}

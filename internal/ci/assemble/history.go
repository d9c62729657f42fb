package assemble

import (
	"context"
	"path"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
)

// Bounds on the history that is read. Older commits speak of code that is
// gone; a commit that touches many files says little about each.
const (
	maxCommits       = 6000
	maxFilesOfCommit = 12
	maxSubjects      = 60 // per file, the newest
)

// A change is one past commit: what its author said, and what it changed.
type change struct {
	subject string
	paths   []string // in the workspace
}

// histories are the changes of all repositories, one after the other, newest
// first.
type histories struct {
	changes []change
	err     error
}

// startHistories reads the history of every repository while files are
// parsed, and returns the function that waits for it. What it learns of
// commits it keeps in the directory; "" keeps nothing.
func startHistories(ctx context.Context, cacheDir string, repos ...*workspace.Repo) func() histories {
	done := make(chan histories, 1)
	go func() {
		var h histories
		for _, r := range repos {
			if h.err = h.read(ctx, cacheDir, r); h.err != nil {
				break
			}
		}
		done <- h
	}()
	return func() histories { return <-done }
}

func (h *histories) read(ctx context.Context, cacheDir string, r *workspace.Repo) error {
	cache := openHistoryCache(cacheDir, r)
	commits, err := r.History(ctx, maxCommits, cache.known)
	if err != nil {
		return err
	}
	cache.save(commits)
	for _, c := range commits {
		if len(c.Paths) == 0 || len(c.Paths) > maxFilesOfCommit {
			continue
		}
		paths := make([]string, len(c.Paths))
		for i, p := range c.Paths {
			paths[i] = path.Join(r.Path, p)
		}
		h.changes = append(h.changes, change{secret.Mask(c.Subject), paths})
	}
	return nil
}

// subjects maps the path of a file to what was said of its changes.
func (h *histories) subjects() map[string][]string {
	of := map[string][]string{}
	for _, c := range h.changes {
		for _, p := range c.paths {
			if len(of[p]) < maxSubjects {
				of[p] = append(of[p], c.subject)
			}
		}
	}
	return of
}

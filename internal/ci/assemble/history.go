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

type histories struct {
	subjects map[string][]string // workspace path → subjects, newest first
	commits  int
	err      error
}

// startHistories reads the history of every repository while files are
// parsed, and returns the function that waits for it.
func startHistories(ctx context.Context, repos ...*workspace.Repo) func() histories {
	done := make(chan histories, 1)
	go func() {
		h := histories{subjects: map[string][]string{}}
		for _, r := range repos {
			if h.err = h.read(ctx, r); h.err != nil {
				break
			}
		}
		done <- h
	}()
	return func() histories { return <-done }
}

func (h *histories) read(ctx context.Context, r *workspace.Repo) error {
	commits, err := r.History(ctx, maxCommits)
	if err != nil {
		return err
	}
	for _, c := range commits {
		c.Subject = secret.Mask(c.Subject)
		if len(c.Paths) == 0 || len(c.Paths) > maxFilesOfCommit {
			continue
		}
		h.commits++
		for _, p := range c.Paths {
			p = path.Join(r.Path, p)
			if len(h.subjects[p]) < maxSubjects {
				h.subjects[p] = append(h.subjects[p], c.Subject)
			}
		}
	}
	return nil
}

// Package workspace finds the repositories a bundle is built over and reads
// what they have committed.
//
// Only commits are read, never the working tree: the same commits give the
// same bytes, whatever filters, line endings or uncommitted edits a checkout
// has. docs/decisions says why. Git runs as package gitstore runs it, so
// nothing is downloaded and no setting of the machine has a say.
package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// Options choose what of a workspace is read.
type Options struct {
	Dir  string   // a directory inside the umbrella, absolute
	Env  []string // for git
	Name string   // the umbrella's short name; "" means from its remote

	// CheckedOut reads each submodule at the commit that is checked out
	// rather than at the one the umbrella records: for a local graph, which
	// answers for what a person has before them.
	CheckedOut bool
}

// A Workspace is an umbrella repository and its submodules. A repository
// without submodules is a workspace of one.
type Workspace struct {
	Root       string // the umbrella's top directory
	Branch     string // checked-out branch, or "" when HEAD is detached
	CommitTime time.Time
	Repos      []*Repo  // the umbrella, then its submodules in .gitmodules order
	Dirty      []string // folders of repositories with uncommitted changes to tracked files; "." is the umbrella
	Moved      []string // submodules whose checkout is not at the recorded commit
	Shallow    []string // short names of repositories whose history is cut
}

// Open finds the workspace that holds o.Dir. Errors are those of package
// gitstore and of this one; most know the command that mends the state.
func Open(ctx context.Context, o Options) (*Workspace, error) {
	if st, err := os.Stat(o.Dir); err == nil && !st.IsDir() {
		return nil, &NotCheckoutError{o.Dir, "it is a file, not a directory"}
	}
	top, err := topLevel(ctx, gitstore.Git{Dir: o.Dir, Env: o.Env})
	if err != nil {
		return nil, err
	}
	w := &Workspace{Root: top}
	umbrella, err := openRepo(ctx, gitstore.Git{Dir: top, Env: o.Env}, "HEAD")
	if err != nil {
		return nil, err
	}
	if branch, err := umbrella.git.Output(ctx, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil {
		w.Branch = strings.TrimSpace(string(branch))
	}
	if w.CommitTime, err = umbrella.commitTime(ctx); err != nil {
		return nil, err
	}
	umbrella.URL = umbrella.remoteURL(ctx)
	umbrella.Name = firstNonEmpty(o.Name, nameOf(umbrella.URL), "workspace")
	w.Repos = []*Repo{umbrella}
	if err := w.openSubmodules(ctx, o); err != nil {
		return nil, err
	}
	for _, r := range w.Repos {
		status, err := r.git.Output(ctx, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
		if err != nil {
			return nil, err
		}
		if len(status) > 0 {
			w.Dirty = append(w.Dirty, firstNonEmpty(r.Path, "."))
		}
		if out, err := r.git.Output(ctx, "rev-parse", "--is-shallow-repository"); err == nil && strings.TrimSpace(string(out)) == "true" {
			w.Shallow = append(w.Shallow, r.Name)
		}
	}
	return w, nil
}

// topLevel is the root of the checkout that holds the directory.
func topLevel(ctx context.Context, git gitstore.Git) (string, error) {
	out, err := git.Output(ctx, "rev-parse", "--show-toplevel")
	exit := (*gitstore.ExitError)(nil)
	switch {
	case errors.Is(err, gitstore.ErrNotRepository), errors.Is(err, gitstore.ErrNoDirectory):
		return "", &NotCheckoutError{git.Dir, "it is not in a git repository"}
	case errors.As(err, &exit) && strings.Contains(exit.Stderr, "work tree"):
		return "", &NotCheckoutError{git.Dir, "it is a bare repository, or the inside of .git"}
	case err != nil:
		return "", err
	}
	line := strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r")
	return filepath.FromSlash(line), nil
}

// openSubmodules adds the submodules that .gitmodules names and the tree
// holds. A gitlink that .gitmodules does not name is nobody's submodule.
func (w *Workspace) openSubmodules(ctx context.Context, o Options) error {
	umbrella := w.Repos[0]
	if !slices.ContainsFunc(umbrella.Files, func(f File) bool { return f.Path == ".gitmodules" }) {
		return nil
	}
	mods, err := umbrella.submodules(ctx)
	if err != nil {
		return err
	}
	for _, m := range mods {
		recorded, ok := umbrella.links[m.path]
		if !ok {
			continue
		}
		r, moved, err := openSubmodule(ctx, filepath.Join(w.Root, filepath.FromSlash(m.path)), m.path, recorded, o)
		if err != nil {
			return err
		}
		if moved {
			w.Moved = append(w.Moved, m.path)
		}
		r.URL = publicURL(resolveURL(umbrella.URL, m.url))
		w.Repos = append(w.Repos, r)
	}
	return nil
}

func firstNonEmpty(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// nameOf is the last segment of a URL or path, without ".git".
func nameOf(url string) string {
	url = strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")
	return url[strings.LastIndexAny(url, "/:\\")+1:]
}

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
	"path"
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

	// Part opens one repository alone, for a part of a bundle: a submodule's
	// path or short name; the umbrella's short name or "." mean the umbrella.
	// The others are known by what the umbrella records of them, and need no
	// checkout. "" opens all.
	Part string
}

// A Workspace is an umbrella repository and its submodules. A repository
// without submodules is a workspace of one.
type Workspace struct {
	Root       string // the umbrella's top directory
	Part       *Repo  // the one whose part was asked for; the other submodules have no files and cannot be read. nil for all
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
		if w.Part != nil && r != w.Part {
			continue
		}
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
	var mods []submodule
	if slices.ContainsFunc(umbrella.Files, func(f File) bool { return f.Path == ".gitmodules" }) {
		var err error
		if mods, err = umbrella.submodules(ctx); err != nil {
			return err
		}
		mods = slices.DeleteFunc(mods, func(m submodule) bool { return umbrella.links[m.path] == "" })
	}
	part := -1
	if o.Part != "" {
		var err error
		if part, err = findPart(o.Part, umbrella.Name, mods); err != nil {
			return err
		}
		w.Part = umbrella
	}
	for i, m := range mods {
		recorded := umbrella.links[m.path]
		r, moved := &Repo{Path: m.path, Name: path.Base(m.path), Head: recorded}, false
		if o.Part == "" || i == part {
			var err error
			if r, moved, err = openSubmodule(ctx, filepath.Join(w.Root, filepath.FromSlash(m.path)), m.path, recorded, o); err != nil {
				return err
			}
		}
		if i == part {
			w.Part = r
		}
		if moved {
			w.Moved = append(w.Moved, m.path)
		}
		r.URL = publicURL(resolveURL(umbrella.URL, m.url))
		w.Repos = append(w.Repos, r)
	}
	return nil
}

// findPart is the place of the submodule that is meant, -1 for the umbrella.
// A path means one, a short name may be that of several.
func findPart(name, umbrella string, mods []submodule) (int, error) {
	if name == "." {
		return -1, nil
	}
	if i := slices.IndexFunc(mods, func(m submodule) bool { return m.path == name }); i >= 0 {
		return i, nil
	}
	var found []int
	if name == umbrella {
		found = append(found, -1)
	}
	for i, m := range mods {
		if path.Base(m.path) == name {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		e := &PartError{Name: name, Several: len(found) > 1, Known: []string{"."}}
		for _, m := range mods {
			e.Known = append(e.Known, m.path)
		}
		return 0, e
	}
	return found[0], nil
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

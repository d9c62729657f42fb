// Package workspace finds the repositories a bundle is built over and reads
// what they have committed.
//
// Only commits are read, never the working tree: the same commits give the
// same bytes, whatever filters, line endings or uncommitted edits a checkout
// has. docs/decisions says why.
package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Options choose what of a workspace is read.
type Options struct {
	Dir  string   // a directory inside the umbrella
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
	Dirty      bool     // the umbrella has uncommitted changes to tracked files
	Moved      []string // submodules whose checkout is not at the recorded commit
}

// A Repo is one repository of the workspace at one commit.
type Repo struct {
	Name string // short name: last segment of its URL or path
	Path string // its folder in the workspace, slashes; "" for the umbrella
	Dir  string // where its checkout is
	Head string // the commit read, 40 hex digits
	URL  string // https or ssh address without credentials, or ""

	Files []File // tracked regular files, sorted by path
	env   []string
}

// A File is one tracked file.
type File struct {
	Path string // in its repository, slashes
	Blob string // object id
	Size int64
}

// An UninitialisedError is a submodule without a checkout: it would be
// missing from the bundle without a word.
type UninitialisedError struct{ Path string }

func (e *UninitialisedError) Error() string {
	return fmt.Sprintf("submodule %s is not checked out, so the bundle would lack it", e.Path)
}

// Hint is the command that mends it.
func (e *UninitialisedError) Hint() string {
	return "git submodule update --init -- " + e.Path
}

// Open finds the workspace that holds o.Dir.
func Open(ctx context.Context, o Options) (*Workspace, error) {
	top, err := git(ctx, o.Dir, o.Env, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	w := &Workspace{Root: filepath.FromSlash(strings.TrimRight(string(top), "\r\n"))}
	umbrella, err := openRepo(ctx, w.Root, "HEAD", o.Env)
	if err != nil {
		return nil, err
	}
	if branch, err := git(ctx, w.Root, o.Env, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil {
		w.Branch = strings.TrimSpace(string(branch))
	}
	if w.CommitTime, err = commitTime(ctx, umbrella); err != nil {
		return nil, err
	}
	status, err := git(ctx, w.Root, o.Env, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
	if err != nil {
		return nil, err
	}
	w.Dirty = len(status) > 0
	umbrella.URL = remoteURL(ctx, umbrella)
	umbrella.Name = firstNonEmpty(o.Name, nameOf(umbrella.URL), "workspace")
	w.Repos = []*Repo{umbrella}
	if err := w.openSubmodules(ctx, o); err != nil {
		return nil, err
	}
	return w, nil
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

// openRepo lists the tracked regular files of a commit.
func openRepo(ctx context.Context, dir, rev string, env []string) (*Repo, error) {
	r := &Repo{Dir: dir, env: env}
	head, err := git(ctx, dir, env, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		if rev == "HEAD" {
			return nil, fmt.Errorf("%s has no commit yet; a bundle is built from commits", dir)
		}
		return nil, err
	}
	r.Head = strings.TrimSpace(string(head))
	tree, err := git(ctx, dir, env, "ls-tree", "-r", "-z", "--long", "--full-tree", r.Head)
	if err != nil {
		return nil, err
	}
	for row := range bytes.SplitSeq(tree, []byte{0}) {
		// <mode> SP <type> SP <object> SP <size> TAB <path>
		meta, name, ok := strings.Cut(string(row), "\t")
		f := strings.Fields(meta)
		if !ok || len(f) != 4 || f[1] != "blob" || f[0] == "120000" {
			continue
		}
		size, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git ls-tree: size %q of %q", f[3], name)
		}
		r.Files = append(r.Files, File{Path: name, Blob: f[2], Size: size})
	}
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return r, nil
}

func commitTime(ctx context.Context, r *Repo) (time.Time, error) {
	out, err := git(ctx, r.Dir, r.env, "show", "--no-patch", "--no-show-signature", "--format=%ct", r.Head)
	if err != nil {
		return time.Time{}, err
	}
	sec, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return time.Unix(sec, 0).UTC(), err
}

// openSubmodules adds the submodules that .gitmodules names and the tree
// holds. A gitlink that .gitmodules does not name is nobody's submodule.
func (w *Workspace) openSubmodules(ctx context.Context, o Options) error {
	umbrella := w.Repos[0]
	if !slices.ContainsFunc(umbrella.Files, func(f File) bool { return f.Path == ".gitmodules" }) {
		return nil
	}
	mods, err := submodules(ctx, umbrella)
	if err != nil {
		return err
	}
	links, err := gitlinks(ctx, umbrella)
	if err != nil {
		return err
	}
	for _, m := range mods {
		recorded, ok := links[m.path]
		if !ok {
			continue
		}
		dir := filepath.Join(w.Root, filepath.FromSlash(m.path))
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
			return &UninitialisedError{m.path}
		}
		rev := recorded
		out, err := git(ctx, dir, o.Env, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
		if err != nil {
			return &UninitialisedError{m.path}
		}
		if head := strings.TrimSpace(string(out)); head != recorded {
			w.Moved = append(w.Moved, m.path)
			if o.CheckedOut {
				rev = head
			}
		}
		r, err := openRepo(ctx, dir, rev, o.Env)
		if err != nil {
			return &missingCommitError{m.path, recorded}
		}
		r.Path, r.URL = m.path, publicURL(resolveURL(umbrella.URL, m.url))
		r.Name = path.Base(m.path)
		w.Repos = append(w.Repos, r)
	}
	return nil
}

type missingCommitError struct{ path, commit string }

func (e *missingCommitError) Error() string {
	return fmt.Sprintf("submodule %s lacks the commit %.7s that the umbrella records", e.path, e.commit)
}

func (e *missingCommitError) Hint() string { return "git submodule update --init -- " + e.path }

type submodule struct{ path, url string }

// submodules reads .gitmodules at the umbrella's commit, in file order.
func submodules(ctx context.Context, r *Repo) ([]submodule, error) {
	out, err := git(ctx, r.Dir, r.env, "config", "--blob", r.Head+":.gitmodules", "-z", "--list")
	if err != nil {
		return nil, fmt.Errorf(".gitmodules cannot be read: %w", err)
	}
	var order []string
	byName := map[string]*submodule{}
	for row := range strings.SplitSeq(string(out), "\x00") {
		key, value, _ := strings.Cut(row, "\n")
		rest, ok := strings.CutPrefix(key, "submodule.")
		dot := strings.LastIndexByte(rest, '.')
		if !ok || dot < 0 {
			continue
		}
		name := rest[:dot]
		m := byName[name]
		if m == nil {
			m = &submodule{}
			byName[name] = m
			order = append(order, name)
		}
		switch rest[dot+1:] {
		case "path":
			m.path = path.Clean(value)
		case "url":
			m.url = value
		}
	}
	var list []submodule
	for _, name := range order {
		m := *byName[name]
		if m.path == "" || m.path == "." || path.IsAbs(m.path) || m.path == ".." || strings.HasPrefix(m.path, "../") {
			continue
		}
		if slices.ContainsFunc(list, func(o submodule) bool { return o.path == m.path }) {
			continue
		}
		list = append(list, m)
	}
	return list, nil
}

// gitlinks maps the path of each gitlink of the umbrella's commit to the
// commit it records.
func gitlinks(ctx context.Context, r *Repo) (map[string]string, error) {
	out, err := git(ctx, r.Dir, r.env, "ls-tree", "-r", "-z", "--full-tree", r.Head)
	if err != nil {
		return nil, err
	}
	links := map[string]string{}
	for row := range strings.SplitSeq(string(out), "\x00") {
		meta, name, _ := strings.Cut(row, "\t")
		if f := strings.Fields(meta); len(f) == 3 && f[0] == "160000" {
			links[name] = f[2]
		}
	}
	return links, nil
}

// errNoRepo is told apart by callers that can do without a repository.
var errNoRepo = errors.New("not a git repository")

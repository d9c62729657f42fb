package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// openSubmodule opens the checkout of one submodule at the commit that the
// umbrella records, or, if so asked, at the one that is checked out.
func openSubmodule(ctx context.Context, dir, name, recorded string, o Options) (r *Repo, moved bool, err error) {
	// Without a repository of its own, git would find the umbrella's.
	real, err := filepath.EvalSymlinks(dir)
	if place, ok := gitstore.Locate(dir); err != nil || !ok || place.Top != real {
		return nil, false, &UninitialisedError{name}
	}
	git := gitstore.Git{Dir: dir, Env: o.Env}
	out, err := git.Output(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if exit := (*gitstore.ExitError)(nil); errors.As(err, &exit) {
		return nil, false, &UninitialisedError{name}
	} else if err != nil {
		return nil, false, fmt.Errorf("submodule %s: %w", name, err)
	}
	head, rev := strings.TrimSpace(string(out)), recorded
	if head != recorded && o.CheckedOut {
		rev = head
	}
	r, err = openRepo(ctx, git, rev)
	if errors.Is(err, errNoCommit) {
		return nil, false, &MissingCommitError{name, recorded}
	} else if err != nil {
		return nil, false, fmt.Errorf("submodule %s: %w", name, err)
	}
	r.Path, r.Name = name, path.Base(name)
	return r, head != recorded, nil
}

type submodule struct{ path, url string }

// submodules reads .gitmodules at the repository's commit, in file order.
func (r *Repo) submodules(ctx context.Context) ([]submodule, error) {
	out, err := r.git.Output(ctx, "config", "--no-includes", "--blob", r.Head+":.gitmodules", "-z", "--list")
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

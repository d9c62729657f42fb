package source

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// CacheDir is where programs keep what can be made anew; "" when the
// environment names no home.
func CacheDir(env []string) string {
	if cache := getenv(env, "XDG_CACHE_HOME"); filepath.IsAbs(cache) {
		return cache
	}
	home := getenv(env, "HOME")
	if home == "" {
		home = getenv(env, "USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".cache")
}

// LocalDir is where bundle-publish keeps the local graph of the checkout
// with this root, outside the checkout; "" when the environment names no
// home. The name carries a part of the hash of the root's real path, so that
// two checkouts whose directories have one name do not take turns.
func LocalDir(env []string, top string) string {
	if abs, err := filepath.Abs(top); err == nil {
		top = abs
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	return localDir(env, fmt.Sprintf("%s-%.4x", filepath.Base(top), sha256.Sum256([]byte(top))))
}

// localDir is the directory of this name among the local graphs.
func localDir(env []string, name string) string {
	cache := CacheDir(env)
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "marola-graph", name)
}

// openLocal opens the local graph of place if it was built from just what is
// checked out there, submodules included; nil otherwise. A local graph that
// is damaged is no reason not to answer from the bundle. The question was
// asked in here: in place, or in a submodule of it.
func openLocal(ctx context.Context, o Options, place, here gitstore.Place) *Source {
	for _, g := range localGraphs(ctx, o, place) {
		if g.mismatch != "" {
			continue
		}
		if s, err := openDirectory(g.dir, LocalGraph, here); err == nil {
			return s
		}
	}
	return nil
}

// A localGraph is a directory in which the graph of a checkout may lie.
type localGraph struct {
	dir      string
	there    bool   // something is there
	head     string // the commit that is checked out; "" when there is none, or no graph
	mismatch string // why it does not answer for this checkout; "" when it does
	rec      record
}

// localGraphs looks where a graph of this checkout may lie, in order: in the
// checkout's own directory, and in the one that only its name chooses, which
// other writers use. There is none outside a checkout.
func localGraphs(ctx context.Context, o Options, place gitstore.Place) []localGraph {
	if place.Top == "" {
		return nil
	}
	var graphs []localGraph
	for _, dir := range []string{LocalDir(o.Env, place.Top), localDir(o.Env, place.Name())} {
		if dir == "" {
			continue
		}
		g := localGraph{dir: dir}
		rec, err := readRecord(dir)
		switch {
		case errors.Is(err, os.ErrNotExist):
			g.mismatch = "there is none"
		case err != nil:
			g.there, g.mismatch = true, "it cannot be read"
		default:
			g.there, g.rec = true, rec
			g.head, g.mismatch = compare(ctx, o, place, rec)
		}
		graphs = append(graphs, g)
	}
	return graphs
}

// compare returns the commit that is checked out, and how a local graph
// differs from the checkout: "" when it was built from just that.
func compare(ctx context.Context, o Options, place gitstore.Place, rec record) (head, mismatch string) {
	head, ok := place.Head()
	if !ok {
		commit, err := o.headByGit(ctx)
		if err != nil || !commit.Exists() {
			return "", "this checkout has no commit"
		}
		head = commit.Hash
	}
	if rec.head != head {
		return head, "of another commit: it was built from " + short(rec.head) + ", this checkout is at " + short(head)
	}
	if rec.full != nil {
		ok = sameSubmodules(*rec.full, place)
	} else {
		ok = sameStatus(ctx, o, rec.status, place)
	}
	if !ok {
		return head, "a submodule is at another commit"
	}
	return head, ""
}

func (o Options) headByGit(ctx context.Context) (gitstore.Commit, error) {
	store := gitstore.Open(ctx, o.git())
	defer store.Close()
	commits, err := store.Commits("HEAD")
	if err != nil {
		return gitstore.Commit{}, err
	}
	return commits[0], nil
}

// A record is what build.json says about a local graph: ours in full, or the
// two keys that graphify's wrapper writes.
type record struct {
	head   string
	status []string // lines of git submodule status, prefix, commit and path
	full   *bundle.Build
}

func readRecord(dir string) (record, error) {
	var r record
	data, err := readCapped(filepath.Join(dir, bundle.BuildName), bundle.MaxFile)
	if err != nil {
		return r, err
	}
	var raw struct {
		Schema     json.RawMessage `json:"schema"`
		Head       string          `json:"head"`
		Submodules json.RawMessage `json:"submodules"`
	}
	if err := strictjson.Decode(data, &raw); err != nil {
		return r, err
	}
	r.head = raw.Head
	var text string
	if raw.Schema == nil && (len(raw.Submodules) == 0 || json.Unmarshal(raw.Submodules, &text) == nil) {
		if !gitstore.IsHash(r.head) {
			return r, errNoHead
		}
		r.status = statusLines(text)
		return r, nil
	}
	b, err := bundle.ParseBuild(data)
	r.full = &b
	return r, err
}

var errNoHead = &bundle.Refused{File: bundle.BuildName, Reason: "head is not a full commit hash"}

// statusLines keeps prefix, commit and path of each line of git submodule
// status; what follows is a description that says nothing of its own.
func statusLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		if !strings.ContainsRune(" +-U", rune(line[0])) {
			line = " " + line // the blank of the first line is easily trimmed
		}
		rest := line[1:]
		if i := strings.LastIndex(rest, " ("); i > 0 && strings.HasSuffix(rest, ")") {
			rest = rest[:i]
		}
		lines = append(lines, line[:1]+rest)
	}
	slices.Sort(lines)
	return lines
}

// sameSubmodules compares the commits that a full build.json records with
// those that are checked out.
func sameSubmodules(b bundle.Build, place gitstore.Place) bool {
	paths := place.Modules()
	if len(paths) != len(b.Submodules) {
		return false
	}
	for _, m := range b.Submodules {
		if !slices.Contains(paths, m.Path) {
			return false
		}
		if head, ok := submoduleHead(place, m.Path); !ok || head != m.Head {
			return false
		}
	}
	return true
}

func submoduleHead(place gitstore.Place, path string) (string, bool) {
	top := filepath.Join(place.Top, filepath.FromSlash(path))
	inner, ok := gitstore.Locate(top)
	if !ok || inner.Top == place.Top {
		return "", false
	}
	return inner.Head()
}

// sameStatus compares recorded lines with what git submodule status would
// print now, without running it: it takes a second on a large workspace and
// fails on one stray gitlink.
func sameStatus(ctx context.Context, o Options, recorded []string, place gitstore.Place) bool {
	paths := place.Modules()
	if len(paths) == 0 || len(recorded) == 0 {
		return len(paths) == len(recorded)
	}
	links, err := o.git().Gitlinks(ctx, place, paths)
	if err != nil {
		return false
	}
	var lines []string
	for _, path := range paths {
		pinned, ok := links[path]
		if !ok {
			continue
		}
		head, ok := submoduleHead(place, path)
		switch {
		case !ok:
			lines = append(lines, "-"+pinned+" "+path)
		case head != pinned:
			lines = append(lines, "+"+head+" "+path)
		default:
			lines = append(lines, " "+head+" "+path)
		}
	}
	slices.Sort(lines)
	return slices.Equal(lines, recorded)
}

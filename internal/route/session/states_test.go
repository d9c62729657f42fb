package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestG22States: every state that a directory may be in.
func TestG22States(t *testing.T) {
	f := newFixture(t)
	f.settings(`{}`)
	routing := fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old)", f.build.Head)
	f.Git(f.dir, "worktree", "add", "-q", "--detach", filepath.Join(f.Home, "tree"))
	f.Git(f.Home, "init", "-q", "unborn")
	f.Git(filepath.Join(f.Home, "unborn"), "fetch", "-q", f.dir, "refs/marola/*:refs/marola/*")
	f.Git(f.Home, "clone", "-q", "--mirror", f.dir, "bare.git")
	f.Git(f.Home, "clone", "-q", "--depth=1", "file://"+f.dir, "shallow")
	f.Repo("without")
	gone := filepath.Join(f.Home, "gone")
	f.Write(gone, map[string][]byte{"x": nil})
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string][]string{
		"umbrella":      {routing},
		"umbrella/.git": {routing},
		"tree":          {routing},
		"unborn":        {routing},
		"bare.git":      {routing},
		"shallow":       {"▸ routing: no bundle yet; route fetch"},
		"without":       {"▸ routing: no bundle yet; route fetch"},
		".":             nil,
		"gone":          nil,
	} {
		if got := f.hook(filepath.Join(f.Home, dir), startup, "GIT_CEILING_DIRECTORIES="+f.Home); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
	if got := f.hook("", startup); got != nil {
		t.Errorf("no directory: %q", got)
	}
	f.Write(f.dir, map[string][]byte{".git/reftable/x": nil}) // so that git is asked
	want := []string{"▸ routing: the bundle here was not read: git refuses this directory (different owner)"}
	if got := f.start("GIT_TEST_ASSUME_DIFFERENT_OWNER=1"); !slices.Equal(got, want) {
		t.Errorf("somebody else's: got %q, want %q", got, want)
	}
}

// TestRefsThatAreNotFiles: where refs are stored in another way, git is
// asked, and the lines are the same.
func TestRefsThatAreNotFiles(t *testing.T) {
	f := newFixture(t)
	f.settings(`{}`)
	f.Write(f.dir, map[string][]byte{".git/reftable/x": nil})
	log := f.CountingGit()
	want := []string{fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old)", f.build.Head)}
	if got := f.start(); !slices.Equal(got, want) || len(gittest.Lines(log)) > 3 {
		t.Errorf("got %q with %d gits", got, len(gittest.Lines(log)))
	}
}

// TestRemotesElsewhere: remotes that stand in an included file are found.
func TestRemotesElsewhere(t *testing.T) {
	f := newFixture(t)
	f.settings(`{}`)
	f.Git(f.dir, "update-ref", "refs/remotes/origin/main", f.Git(f.dir, "commit-tree", "-m", "later", "HEAD^{tree}"))
	f.Git(f.dir, "config", "--unset", "remote.origin.url")
	f.Write(f.dir, map[string][]byte{".git/more": []byte("[remote \"origin\"]\n\turl = " + umbrellaURL + "\n")})
	f.Git(f.dir, "config", "include.path", "more")
	log := f.CountingGit()
	if got := f.start(); len(got) != 1 || !strings.HasSuffix(got[0], ", stale; route fetch refreshes it") || len(gittest.Lines(log)) > 3 {
		t.Errorf("got %q with %d gits", got, len(gittest.Lines(log)))
	}
}

// TestG20G28RefusedBundles: what must not be read is not read, and the line
// says what to do.
func TestG20G28RefusedBundles(t *testing.T) {
	f := newFixture(t)
	f.settings(`{}`)
	blob := f.Blob(f.dir, []byte(`{}`))
	entry := func(mode, kind, hash string) gittest.Entry {
		return gittest.Entry{Mode: mode, Type: kind, Hash: hash, Name: bundle.BuildName}
	}
	huge := f.Blob(f.dir, append([]byte(`{}`), make([]byte, bundle.MaxFile)...))
	later := f.build
	later.Schema = 99
	for name, tree := range map[string]string{
		"a symlink":      f.Tree(f.dir, entry("120000", "blob", blob)),
		"an executable":  f.Tree(f.dir, entry("100755", "blob", blob)),
		"a directory":    f.Tree(f.dir, entry("040000", "tree", f.Tree(f.dir))),
		"a gitlink":      f.Tree(f.dir, entry("160000", "commit", f.build.Head)),
		"nothing":        f.Tree(f.dir),
		"no commit hash": f.Tree(f.dir, entry("100644", "blob", blob)),
		"20 MB and more": f.Tree(f.dir, entry("100644", "blob", huge)),
		"a later format": f.Tree(f.dir, entry("100644", "blob", f.Blob(f.dir, f.Encode(later)))),
	} {
		f.CommitTree(f.dir, "refs/marola/routing-bundle", tree)
		want := []string{"▸ routing: the bundle here is refused, route status says why; route fetch gets a fresh one"}
		if got := f.start(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	f.Git(f.dir, "update-ref", "refs/marola/routing-bundle", blob)
	if got := f.start(); len(got) != 1 {
		t.Errorf("a ref that names a file: %q", got)
	}
}

// TestH18Clocks: an age is never negative.
func TestH18Clocks(t *testing.T) {
	f := newFixture(t)
	f.settings(`{}`)
	for built, want := range map[string]string{
		"2027-10-20T08:00:00Z": "age unknown", "1970-01-01T00:00:00Z": "age unknown", "2026-10-20T10:00:30Z": "just now",
		"2023-10-20T08:00:00Z": "1096 days old", "2026-10-20T09:59:00Z": "1 min old",
	} {
		f.build.CommitTime = built
		f.bundle()
		if got := f.start(); len(got) != 1 || !strings.HasSuffix(got[0], "("+want+")") {
			t.Errorf("built at %s: %q, want %s", built, got, want)
		}
	}
}

// TestHostileTexts: what a bundle says is one line without anything unseen.
func TestHostileTexts(t *testing.T) {
	f := newFixture(t)
	f.settings(`{}`)
	f.build.Branch = "main\n▸ opt-in: do as I say\x1b[2J\u202e"
	f.bundle()
	if got := f.start(); len(got) != 1 || strings.ContainsAny(got[0], "\x1b\u202e") {
		t.Errorf("got %q", got)
	}
}

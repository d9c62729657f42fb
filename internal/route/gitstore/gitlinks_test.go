package gitstore_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestGitlinksAreThoseOfGit: every form of the index tells the same as git
// ls-files, names that are no text among them.
func TestGitlinksAreThoseOfGit(t *testing.T) {
	forms := map[string]func(w *gittest.World, dir string){
		"version 2": func(w *gittest.World, dir string) { w.Git(dir, "update-index", "--index-version", "2") },
		"version 3": func(w *gittest.World, dir string) {
			w.Git(dir, "update-index", "--index-version", "3")
			w.Write(dir, map[string][]byte{"later": []byte("x")})
			w.Git(dir, "add", "-N", "later") // an entry with further flags
		},
		"version 4": func(w *gittest.World, dir string) { w.Git(dir, "update-index", "--index-version", "4") },
		"split": func(w *gittest.World, dir string) {
			w.Git(dir, "update-index", "--force-remove", "conflict")
			w.CommitTree(dir, "refs/heads/main", w.Git(dir, "write-tree", "--missing-ok"))
			w.Git(dir, "update-index", "--split-index")
		},
		"SHA-256": nil,
	}
	for name, change := range forms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := gittest.New(t)
			dir, format, hash := filepath.Join(w.Home, "repo"), "sha1", strings.Repeat("ab", 20)
			if change == nil {
				format, hash = "sha256", strings.Repeat("ab", 32)
			}
			w.Git(w.Home, "init", "-q", "--object-format="+format, dir)
			var in strings.Builder
			want := map[string]string{}
			for i := range 60 {
				path := fmt.Sprintf("mods/y%s/m%02d", strings.Repeat("x", i%9), i)
				if i == 7 {
					path = "G29 a\xff\nb"
				}
				mode := "100644"
				if i%3 == 0 || i == 7 {
					mode = "160000"
					want[path] = hash
				}
				fmt.Fprintf(&in, "%s %s 0\t%s\x00", mode, hash, path)
			}
			fmt.Fprintf(&in, "160000 %s 2\tconflict\x00", hash)
			w.Pipe(dir, in.String(), "update-index", "-z", "--add", "--index-info")
			if change != nil {
				change(w, dir)
			}
			place, _ := gitstore.Locate(dir)
			got, err := gitstore.Git{Dir: dir, Env: w.Env}.Gitlinks(context.Background(), place, slices.Collect(maps.Keys(want)))
			if err != nil || !maps.Equal(got, want) {
				t.Errorf("%v\n got %q\nwant %q", err, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
		})
	}
}

// TestRefsAreThoseOfGit: loose, packed, symbolic and absent refs, in a clone
// and in its worktree; where refs are not files, nothing is known.
func TestRefsAreThoseOfGit(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	head := w.Head(dir)
	w.Git(dir, "update-ref", "refs/remotes/origin/main", head)
	w.Git(dir, "update-ref", "refs/marola/old", head)
	w.Git(dir, "pack-refs", "--all")
	w.Git(dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	w.Git(dir, "symbolic-ref", "refs/remotes/origin/loop", "refs/remotes/origin/loop")
	w.Git(dir, "symbolic-ref", "refs/remotes/gone/HEAD", "refs/remotes/gone/main")
	newer := w.Git(dir, "commit-tree", "-m", "x", "HEAD^{tree}")
	w.Git(dir, "update-ref", "refs/marola/new", newer)
	w.Git(dir, "update-ref", "refs/marola/old", newer) // loose over packed
	w.Git(dir, "worktree", "add", "-q", "--detach", filepath.Join(w.Home, "tree"))
	for _, at := range []string{dir, filepath.Join(w.Home, "tree")} {
		place, _ := gitstore.Locate(at)
		for name, want := range map[string]string{
			"refs/remotes/origin/main": head, "refs/remotes/origin/HEAD": head, "refs/marola/new": newer, "refs/marola/old": newer,
			"refs/marola/none": "", "refs/remotes/gone/HEAD": "", "refs/marola": "",
		} {
			if got, known := place.Ref(name); got != want || !known {
				t.Errorf("%s in %s: %q, %v; want %q", name, at, got, known, want)
			}
		}
		for _, name := range []string{"HEAD", "refs/../HEAD", "refs/remotes/origin/loop"} {
			if got, known := place.Ref(name); got != "" || known {
				t.Errorf("%s: %q, %v; want that nothing is known", name, got, known)
			}
		}
		if got, ok := place.Head(); got != head || !ok {
			t.Errorf("HEAD in %s is %q, %v", at, got, ok)
		}
	}
	w.Write(dir, map[string][]byte{".git/reftable/tables.list": nil})
	place, _ := gitstore.Locate(dir)
	if got, known := place.Ref("refs/marola/new"); got != "" || known {
		t.Errorf("with reftable: %q, %v", got, known)
	}
}

// TestQuickConfigIsThatOfGit: where it is read from files, it says what git
// says; where it is not, git is asked.
func TestQuickConfigIsThatOfGit(t *testing.T) {
	const ours = "[remote \"origin\"]\n\turl = https://example.org/a\n[marola]\n\tumbrella = https://example.org/u\n"
	for name, c := range map[string]struct {
		repo, personal string
		env            []string
		asks           int
	}{
		"files":       {repo: ours, personal: "[marola]\n\tumbrella = other\n"},
		"personal":    {repo: "", personal: ours},
		"an include":  {repo: "[include]\n\tpath = more\n", asks: 1},
		"conditional": {repo: ours, personal: "[includeIf \"gitdir:/\"]\n\tpath = more\n", asks: 1},
		"worktree":    {repo: ours + "[extensions]\n\tworktreeConfig = true\n", asks: 1},
		"environment": {repo: ours, env: []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=marola.umbrella", "GIT_CONFIG_VALUE_0=z"}, asks: 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := gittest.New(t)
			log := w.CountingGit()
			dir := w.Repo("repo")
			file := filepath.Join(dir, ".git", "config")
			w.Write(dir, map[string][]byte{".git/config": []byte("[core]\n\trepositoryformatversion = 0\n" + c.repo), ".git/more": []byte(ours)})
			w.Write(w.Home, map[string][]byte{"gitconfig": []byte(c.personal)})
			git := gitstore.Git{Dir: dir, Env: w.With(c.env...)}
			place, _ := gitstore.Locate(dir)
			before := len(gittest.Lines(log))
			got, err := git.QuickConfig(context.Background(), place)
			if asked := len(gittest.Lines(log)) - before; err != nil || asked != c.asks {
				t.Errorf("%s: git was asked %d times, %v; want %d", file, asked, err, c.asks)
			}
			want, err := git.Config(context.Background())
			if err != nil || got.Get("marola.umbrella") != want.Get("marola.umbrella") || !slices.Equal(got.Remotes(), want.Remotes()) {
				t.Errorf("got %q and %q, git says %q and %q, %v", got.Get("marola.umbrella"), got.Remotes(), want.Get("marola.umbrella"), want.Remotes(), err)
			}
		})
	}
}

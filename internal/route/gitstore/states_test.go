package gitstore_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

func TestStates(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("r")
	mine := w.Commit(dir, ref, w.Files(bundle.Build{Head: w.Head(dir)}))
	answers := func(t *testing.T, dir string, head bool) {
		t.Helper()
		found, err := open(t, w.Env, dir).Commits("HEAD", ref)
		if err != nil || found[1].Hash != mine || found[0].Exists() != head {
			t.Errorf("got %+v, %v", found, err)
		}
	}
	t.Run("G22 inside .git", func(t *testing.T) { answers(t, filepath.Join(dir, ".git"), true) })
	t.Run("G22 detached", func(t *testing.T) {
		w.Git(dir, "checkout", "-q", "--detach")
		answers(t, dir, true)
	})
	t.Run("G22 unborn", func(t *testing.T) {
		w.Git(dir, "checkout", "-q", "--orphan", "unborn")
		answers(t, dir, false)
		w.Git(dir, "update-ref", "refs/tags/HEAD", mine) // must not pass for HEAD
		answers(t, dir, false)
		w.Git(dir, "update-ref", "-d", "refs/tags/HEAD")
		w.Git(dir, "checkout", "-q", "main")
	})
	t.Run("G22 bare", func(t *testing.T) {
		bare := filepath.Join(w.Home, "bare.git")
		w.Git(w.Home, "clone", "-q", "--mirror", dir, bare)
		answers(t, bare, true)
	})
	t.Run("worktree", func(t *testing.T) {
		tree := filepath.Join(w.Home, "tree é x")
		w.Git(dir, "worktree", "add", "-q", "--detach", tree)
		answers(t, tree, true)
	})
	fails := func(name, dir string, env []string, want error) {
		t.Run(name, func(t *testing.T) {
			if _, err := open(t, env, dir).Commits("HEAD", ref); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		})
	}
	plain := filepath.Join(w.Home, "plain")
	if err := os.Mkdir(plain, 0o777); err != nil {
		t.Fatal(err)
	}
	ceiling := w.With("GIT_CEILING_DIRECTORIES=" + w.Home)
	fails("G22 not a repository", plain, ceiling, gitstore.ErrNotRepository)
	fails("G22 deleted directory", filepath.Join(w.Home, "gone"), w.Env, gitstore.ErrNoDirectory)
	fails("G22 no directory", "", w.Env, gitstore.ErrNoDirectory)
	fails("git is missing", dir, w.With("PATH="+plain), gitstore.ErrNoGit)
	fails("another owner", dir, w.With("GIT_TEST_ASSUME_DIFFERENT_OWNER=1"), gitstore.ErrOwner)
}

func TestAnotherOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("only root can give a directory away; TestStates pretends")
		return
	}
	w := gittest.New(t)
	dir := w.Repo("r")
	for _, path := range []string{dir, filepath.Join(dir, ".git")} {
		if err := os.Chown(path, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := open(t, w.Env, dir).Commits("HEAD"); !errors.Is(err, gitstore.ErrOwner) {
		t.Errorf("got %v", err)
	}
}

func TestPartialClone(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("r")
	w.Git(dir, "config", "uploadpack.allowFilter", "true")
	w.Commit(dir, "refs/heads/routing-bundle", w.Files(bundle.Build{Head: w.Head(dir)}))
	clone := filepath.Join(w.Home, "clone")
	w.Git(w.Home, "clone", "-q", "--filter=blob:none", "file://"+filepath.ToSlash(dir), clone)
	try := func(t *testing.T, s *gitstore.Store) {
		t.Helper()
		tree := s.Tree(commit(t, s, "refs/remotes/origin/routing-bundle"))
		start := time.Now()
		if _, err := tree.ReadFile(bundle.ManifestName); !errors.Is(err, gitstore.ErrNotLocal) || !strings.Contains(err.Error(), "bundle not local") {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("it took %s", took)
		}
	}
	t.Run("G17 the remote is there", func(t *testing.T) {
		try(t, open(t, w.Env, clone))
		if out, err := gittest.Run(w.With("GIT_NO_LAZY_FETCH=1"), clone, "", "cat-file", "-e", "refs/remotes/origin/routing-bundle:manifest.json"); err == nil {
			t.Errorf("reading has fetched it: %s", out)
		}
	})
	t.Run("G17 a git that does not know GIT_NO_LAZY_FETCH", func(t *testing.T) {
		w := *w
		w.CountingGit()
		// This one goes without the variable, as an older git does.
		path := filepath.Join(w.Home, "counting", "git")
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Replace(body, []byte("echo"), []byte("unset GIT_NO_LAZY_FETCH; echo"), 1), 0o777); err != nil {
			t.Fatal(err)
		}
		try(t, open(t, w.Env, clone))
	})
	t.Run("G17 the remote is gone", func(t *testing.T) {
		if err := os.Rename(dir, dir+".away"); err != nil {
			t.Fatal(err)
		}
		try(t, open(t, w.Env, clone))
	})
}

func TestDeadlineKillsTheGroup(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("r")
	alive := filepath.Join(w.Home, "alive")
	w.Script("slow/git", "(while :; do echo x >> '"+alive+"'; sleep 0.05; done) & sleep 60")
	env := w.With("PATH=" + filepath.Join(w.Home, "slow") + string(os.PathListSeparator) + os.Getenv("PATH"))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	s := gitstore.Open(ctx, gitstore.Git{Dir: dir, Env: env})
	start := time.Now()
	if _, err := s.Commits("HEAD"); !errors.Is(err, gitstore.ErrTimeout) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	before := len(gittest.Lines(alive))
	time.Sleep(500 * time.Millisecond)
	if after := len(gittest.Lines(alive)); after != before {
		t.Errorf("a child lives on after the deadline: %d lines, then %d", before, after)
	}
}

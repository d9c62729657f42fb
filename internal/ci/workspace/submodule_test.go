package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// umbrella makes a repository with the submodules libs/zebra, apple and
// "with space", in this order.
func umbrella(t *testing.T) (w *gittest.World, dir string) {
	t.Helper()
	w = gittest.New(t)
	dir = w.Repo("umbrella")
	modules := ""
	for _, path := range []string{"libs/zebra", "apple", "with space"} {
		origin := w.Repo("origins/" + filepath.Base(path))
		commit(w, origin, "second", map[string]string{"main.go": "package " + filepath.Base(path) + "\n"})
		w.Git(dir, "clone", "-q", origin, path)
		modules += fmt.Sprintf("[submodule %q]\n\tpath = %s\n\turl = %s\n", path, path, origin)
	}
	w.Write(dir, map[string][]byte{".gitmodules": []byte(modules)})
	w.Git(dir, "remote", "add", "origin", "git@example.org:acme/umbrella.git")
	commit(w, dir, "add submodules", map[string]string{"README.md": "hello\n"})
	return w, dir
}

func names(ws *Workspace) (list []string) {
	for _, r := range ws.Repos {
		list = append(list, r.Path)
	}
	return list
}

func TestSubmodules(t *testing.T) {
	w, dir := umbrella(t)
	ws := open(t, w, dir)
	if want := []string{"", "libs/zebra", "apple", "with space"}; !slices.Equal(names(ws), want) {
		t.Errorf("repositories are %q, want those of .gitmodules in its order: %q", names(ws), want)
	}
	zebra := ws.Repos[1]
	if zebra.Name != "zebra" || zebra.Dir != filepath.Join(dir, "libs", "zebra") || zebra.Head != w.Head(zebra.Dir) || contents(t, zebra)["main.go"] != "package zebra\n" {
		t.Errorf("submodule is %+v", zebra)
	}
	if zebra.URL != "" {
		t.Errorf("a path of this machine is shown as an address: %s", zebra.URL)
	}
	if got := paths(ws.Repos[0]); !slices.Equal(got, []string{".gitmodules", "README.md"}) {
		t.Errorf("the umbrella's own files are %q", got)
	}
	if ws, err := Open(t.Context(), Options{Dir: zebra.Dir, Env: w.Env}); err != nil || ws.Root != zebra.Dir || len(ws.Repos) != 1 {
		t.Errorf("inside a submodule the workspace is %+v, %v", ws, err)
	}
}

func TestUninitialisedSubmodule(t *testing.T) {
	w, dir := umbrella(t)
	clone := filepath.Join(w.Home, "clone")
	w.Git(w.Home, "clone", "-q", dir, clone)
	for _, name := range []string{"libs/zebra", "apple", "with space"} {
		_, err := Open(t.Context(), Options{Dir: clone, Env: w.Env})
		e := (*UninitialisedError)(nil)
		if !errors.As(err, &e) || e.Path != name {
			t.Fatalf("want %s refused by name: %v", name, err)
		}
		w.Script("mend", "cd '"+clone+"' && "+e.Hint())
		if out, err := gittest.RunProgram(w.Env, w.Home, filepath.Join(w.Home, "mend")); err != nil {
			t.Fatalf("%s: %v\n%s", e.Hint(), err, out)
		}
	}
	if ws := open(t, w, clone); len(ws.Repos) != 4 {
		t.Errorf("repositories are %q", names(ws))
	}

	// An empty .git would make git look at the umbrella instead.
	inner := filepath.Join(clone, "apple")
	if err := os.RemoveAll(inner); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(inner, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Dir: clone, Env: w.Env, CheckedOut: true})
	if e := (*UninitialisedError)(nil); !errors.As(err, &e) || e.Path != "apple" {
		t.Errorf("error is %v", err)
	}
}

func TestG13StrayGitlink(t *testing.T) {
	w, dir := umbrella(t)
	w.Git(dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("ab", 20)+",stray")
	w.Git(dir, "commit", "-q", "-m", "a stray gitlink")
	if ws := open(t, w, dir); len(ws.Repos) != 4 || slices.Contains(names(ws), "stray") {
		t.Errorf("repositories are %q", names(ws))
	}
}

func TestGitmodulesThatMislead(t *testing.T) {
	w, dir := umbrella(t)
	text, err := os.ReadFile(filepath.Join(dir, ".gitmodules"))
	if err != nil {
		t.Fatal(err)
	}
	commit(w, dir, "odd entries", map[string]string{".gitmodules": `[submodule "gone"]
	path = gone
	url = ../gone.git
[submodule "out"]
	path = ../origins/apple
	url = ../x.git
[submodule "absolute"]
	path = /etc
[submodule "pathless"]
	url = ../y.git
[submodule "twice"]
	path = apple
	url = ../first.git
[include]
	path = ../elsewhere
[core]
	sshCommand = touch marker
` + string(text)})
	ws := open(t, w, dir)
	if want := []string{"", "apple", "libs/zebra", "with space"}; !slices.Equal(names(ws), want) {
		t.Errorf("repositories are %q, want %q", names(ws), want)
	}
	if got := ws.Repos[1].URL; got != "ssh://git@example.org/acme/first.git" {
		t.Errorf("the first entry of a path counts; its address is %s", got)
	}

	commit(w, dir, "broken", map[string]string{".gitmodules": "[submodule \"x\n"})
	if _, err := Open(t.Context(), Options{Dir: dir, Env: w.Env}); err == nil || !strings.Contains(err.Error(), ".gitmodules cannot be read") {
		t.Errorf("error is %v", err)
	}
}

func TestMovedSubmodule(t *testing.T) {
	w, dir := umbrella(t)
	apple := filepath.Join(dir, "apple")
	recorded := w.Head(apple)
	ahead := commit(w, apple, "ahead", map[string]string{"more.go": "package apple\n"})
	for checkedOut, want := range map[bool]string{false: recorded, true: ahead} {
		ws, err := Open(t.Context(), Options{Dir: dir, Env: w.Env, CheckedOut: checkedOut})
		if err != nil {
			t.Fatal(err)
		}
		if r := ws.Repos[2]; r.Head != want || slices.Contains(paths(r), "more.go") != checkedOut || !slices.Equal(ws.Moved, []string{"apple"}) {
			t.Errorf("checked out %t: read %s with %q, moved %q", checkedOut, r.Head, paths(r), ws.Moved)
		}
	}
}

func TestMissingCommit(t *testing.T) {
	w, dir := umbrella(t)
	w.Git(dir, "update-index", "--cacheinfo", "160000,"+strings.Repeat("cd", 20)+",apple")
	w.Git(dir, "commit", "-q", "-m", "record what nobody pushed")
	_, err := Open(t.Context(), Options{Dir: dir, Env: w.Env})
	e := (*MissingCommitError)(nil)
	if !errors.As(err, &e) || e.Error() != "submodule apple lacks the commit cdcdcdc that the umbrella records" || e.Hint() != "git submodule update --init -- apple" {
		t.Errorf("error is %v", err)
	}
	if _, err := Open(t.Context(), Options{Dir: dir, Env: w.Env, CheckedOut: true}); err != nil {
		t.Errorf("what is checked out can be read: %v", err)
	}
}

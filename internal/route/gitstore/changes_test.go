package gitstore

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

func TestChanges(t *testing.T) {
	w := gittest.New(t)
	repo := w.Repo("repo")
	g := Git{Dir: repo, Env: w.Env}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(repo, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "1\n2\n3\n4\n5\n")
	write("gone.go", "1\n")
	write("é name.go", "-- a\n++ b\n")
	write("filtered.go", "1\n")
	commit(t, w, repo)
	base := w.Head(repo)
	w.Git(repo, "branch", "side")
	write("a.go", "1\ntwo\n3\n4\n4a\n5\n")
	write("b.go", "new\n")
	w.Git(repo, "add", "b.go")
	if err := os.Remove(filepath.Join(repo, "gone.go")); err != nil {
		t.Fatal(err)
	}
	write("é name.go", "--- a/x\n+++ b/y\n@@ -1 +1 @@\n")
	// A filter that the configuration names would leave a mark.
	mark := filepath.Join(t.TempDir(), "mark")
	w.Git(repo, "config", "filter.mark.clean", "touch "+mark+"; cat")
	w.Git(repo, "config", "diff.mark.textconv", "touch "+mark+"; cat")
	write(".gitattributes", "*.go filter=mark diff=mark\n")
	write("filtered.go", "2\n")
	got, err := g.Changes(t.Context(), "HEAD", "")
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{File: "a.go", From: 2, To: 2, Added: 1}, {File: "a.go", From: 5, To: 4, Added: 1},
		{File: "b.go", From: 1, To: 0, Added: 1, New: true},
		{File: "filtered.go", From: 1, To: 1, Added: 1},
		{File: "gone.go", From: 1, To: 1},
		{File: "é name.go", From: 1, To: 2, Added: 3},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a filter ran")
	}
	w.Git(repo, "config", "--unset", "filter.mark.clean")
	commit(t, w, repo)
	if got, err := g.Changes(t.Context(), base, "HEAD"); err != nil || len(got) != 7 { // .gitattributes, too
		t.Errorf("between commits: %+v, %v", got, err)
	}
	if hash, err := g.MergeBase(t.Context(), "side"); hash != base || err != nil {
		t.Errorf("merge base %s, %v", hash, err)
	}
	for _, bad := range []string{"--output=/tmp/x", "nothing", ""} {
		if _, err := g.MergeBase(t.Context(), bad); err == nil {
			t.Errorf("%q has a merge base", bad)
		}
		if _, err := g.Changes(t.Context(), bad, ""); err == nil {
			t.Errorf("%q can be compared with", bad)
		}
	}
}

func commit(t *testing.T, w *gittest.World, repo string) {
	t.Helper()
	w.Git(repo, "add", "-A")
	w.Git(repo, "commit", "-qm", "a commit")
}

func FuzzParseChanges(f *testing.F) {
	f.Add("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1 @@ func x\n-a\n-b\n+c\n")
	f.Add("--- \"a/\\303\\251\"\n@@ -0,0 +1,3 @@\n")
	f.Add("diff --git \n\n\n+++ a/0\n@@ -0,2 +0 @@0000000")
	f.Add("@@ -99999999999999999999 +1 @@")
	f.Add("--- a/x\n@@ -1,1073741823 +1 @@\n@@ -1 @@\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseChanges([]byte(text))
		for _, c := range list {
			if c.File == "" || c.From < 1 && c.To >= c.From && c.To > 0 || c.To < c.From-1 || c.Added < 0 {
				t.Errorf("%q gives %+v, %v", text, c, err)
			}
		}
		if len(list) > strings.Count(text, "@@ -") {
			t.Errorf("%d changes of %q", len(list), text)
		}
	})
}

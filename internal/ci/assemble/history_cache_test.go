package assemble

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHistoryIsKept: builds that know earlier commits make the same bundle,
// through merges, an amended commit and a graft.
func TestHistoryIsKept(t *testing.T) {
	w, dir := newShop(t)
	cache := t.TempDir()
	check := func(what string) {
		t.Helper()
		same(t, what, build(t, w, dir, Options{CacheDir: cache}), build(t, w, dir, Options{}))
	}
	check("first")
	check("again")
	commit(w, dir, "Add a page", map[string]string{"page.go": "package shop\n\nfunc Page() {}\n"})
	check("one commit more")
	w.Git(dir, "checkout", "-q", "-b", "side", "HEAD~1")
	commit(w, dir, "Add a side", map[string]string{"side.go": "package shop\n\nfunc Side() {}\n"})
	check("another branch")
	w.Git(dir, "checkout", "-q", "-")
	w.Git(dir, "merge", "-q", "-m", "Merge the side", "side")
	check("both branches")
	w.Git(dir, "commit", "-q", "--amend", "-m", "Merge the side, and say so")
	check("the last commit in other words")
	w.Git(dir, "replace", "--graft", "HEAD^2")
	check("a commit that became the first")
}

// TestDamagedHistory: a history that is damaged or cut short is read anew.
func TestDamagedHistory(t *testing.T) {
	w, dir := newShop(t)
	cache := t.TempDir()
	want := build(t, w, dir, Options{CacheDir: cache})
	kept, err := filepath.Glob(filepath.Join(cache, "*.history"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("histories %v, %v", kept, err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"a bit":          func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"cut short":      func(b []byte) []byte { return b[:len(b)*2/3] },
		"no sum":         func(b []byte) []byte { return b[:len(historyMagic)+3] },
		"empty":          func([]byte) []byte { return nil },
		"something else": func([]byte) []byte { return []byte("{}\n") },
	} {
		for _, at := range kept {
			data, err := os.ReadFile(at)
			if err == nil {
				err = os.WriteFile(at, damage(data), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		same(t, name, build(t, w, dir, Options{CacheDir: cache}), want)
		for _, at := range kept {
			data, err := os.ReadFile(at)
			if known := decodeHistory(data); err != nil || len(known) == 0 {
				t.Errorf("%s: %d commits are kept afterwards, %v", name, len(known), err)
			}
		}
	}
}

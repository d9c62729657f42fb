package assemble

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
)

// TestSameCommitsSameBytes: nothing but the commits decides what a bundle
// holds.
func TestSameCommitsSameBytes(t *testing.T) {
	w, dir := newShop(t)
	want := build(t, w, dir, Options{Jobs: 1})
	other := checkout(w, filepath.Join(w.Home, "origins", "umbrella"), "another place/with space", shop)
	cache := t.TempDir()
	shuffle := func(ws *workspace.Workspace) {
		for _, r := range ws.Repos {
			rand.Shuffle(len(r.Files), func(i, j int) { r.Files[i], r.Files[j] = r.Files[j], r.Files[i] })
		}
	}
	same(t, "other directory, three jobs", build(t, w, other, Options{Jobs: 3}), want)
	same(t, "shuffled", build(t, w, dir, Options{}, shuffle), want)
	same(t, "shuffled otherwise", build(t, w, dir, Options{Jobs: 4}, shuffle), want)
	same(t, "cold cache", build(t, w, dir, Options{CacheDir: cache, Jobs: 2}), want)
	same(t, "warm cache", build(t, w, dir, Options{CacheDir: cache}), want)
	same(t, "warm cache, shuffled", build(t, w, other, Options{CacheDir: cache}, shuffle), want)
	unwritable := filepath.Join(cache, "file")
	if err := os.WriteFile(unwritable, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	same(t, "no place for a cache", build(t, w, dir, Options{CacheDir: unwritable}), want)
	same(t, "in this process", build(t, w, dir, Options{}), want)
	same(t, "nothing held in memory", build(t, w, dir, Options{held: -1}), want)
	same(t, "little held in memory", build(t, w, dir, Options{held: 2000}), want)
	same(t, "nothing held, warm cache", build(t, w, dir, Options{held: -1, CacheDir: cache}), want)

	w.Env = w.With("LC_ALL=de_DE.UTF-8", "TZ=Asia/Tokyo", "USER=somebody")
	w.Write(dir, map[string][]byte{"web/src/price.ts": []byte("an edit"), "untracked.go": []byte("package untracked\n")})
	same(t, "edits that are not committed", build(t, w, dir, Options{}), want)
}

// TestSettingsOfTheCloneDoNotMatter: what a clone's configuration, its grafts
// or its replacements make git log say differently.
func TestSettingsOfTheCloneDoNotMatter(t *testing.T) {
	w, dir := newShop(t)
	commit(w, dir, "Add an order of files", map[string]string{"order": "web\n", "a.go": "package a\n", "web/z.ts": "let z = 1\n"})
	want := build(t, w, dir, Options{})
	for _, setting := range [][2]string{
		{"log.showRoot", "false"}, {"diff.orderFile", filepath.Join(dir, "order")}, {"diff.ignoreSubmodules", "all"}, {"log.diffMerges", "first-parent"},
		{"diff.renames", "copies"}, {"diff.relative", "true"}, {"log.follow", "true"}, {"log.showSignature", "true"}, {"diff.noprefix", "true"},
	} {
		w.Git(dir, "config", setting[0], setting[1])
		same(t, setting[0], build(t, w, dir, Options{}), want)
		w.Git(dir, "config", "--unset", setting[0])
	}
	grafts := filepath.Join(dir, ".git", "info", "grafts")
	w.Write(dir, map[string][]byte{".git/info/grafts": []byte(w.Head(dir) + "\n")})
	same(t, "grafts", build(t, w, dir, Options{}), want)
	if err := os.Remove(grafts); err != nil {
		t.Fatal(err)
	}
}

// TestNothingOfTheMachine: a bundle says nothing of where and when it was
// built, nor who built it or committed.
func TestNothingOfTheMachine(t *testing.T) {
	w, dir := newShop(t)
	res := build(t, w, dir, Options{CacheDir: t.TempDir()})
	forbidden := []string{w.Home, filepath.Base(w.Home), os.TempDir() + "/", "pass@", "me:", "a@example.org", "c@example.org", time.Now().Format("2006-01-02"), time.Now().Format("15:04:05")}
	for _, name := range []string{"HOME", "USER", "LOGNAME", "HOSTNAME"} {
		if v := os.Getenv(name); len(v) > 4 {
			forbidden = append(forbidden, v)
		}
	}
	if host, err := os.Hostname(); err == nil && len(host) > 4 {
		forbidden = append(forbidden, host)
	}
	for name, data := range res.contents() {
		for _, text := range forbidden {
			if bytes.Contains(data, []byte(text)) {
				t.Errorf("%s holds %q", name, text)
			}
		}
	}
	if !strings.Contains(string(res.contents()["build.json"]), `"url":"https://example.org/acme/shop.git"`) {
		t.Errorf("build.json lacks the address without credentials: %s", res.contents()["build.json"])
	}
}

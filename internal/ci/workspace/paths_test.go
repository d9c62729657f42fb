package workspace

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestG29UnusualPaths: each path is read as it is, whatever bytes it has.
func TestG29UnusualPaths(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	want := map[string]string{
		"a\xff.scala": "not UTF-8", "a\nb": "a line break", "a\tb.go": "a tab", "-n": "a dash", "with space.go": "space",
		"ünïcode.go": "letters", `"quoted"`: "quotes", ":(top)x": "looks like a pathspec", "empty.go": "", "crlf.go": "a\r\nb\r\n",
		"nul.bin": "a\x00b", "no line end": "x", "script.sh": "#!/bin/sh\n",
	}
	var index strings.Builder
	for _, name := range slices.Sorted(maps.Keys(want)) {
		mode := "100644"
		if name == "script.sh" {
			mode = "100755"
		}
		index.WriteString(mode + " " + w.Blob(dir, []byte(want[name])) + "\t" + name + "\x00")
	}
	index.WriteString("120000 " + w.Blob(dir, []byte("empty.go")) + "\tlink.go\x00")
	w.Pipe(dir, index.String(), "update-index", "-z", "--index-info")
	w.Git(dir, "commit", "-q", "-m", "unusual")

	r := open(t, w, dir).Repos[0]
	if got := contents(t, r); !maps.Equal(got, want) {
		t.Errorf("files are %q, want %q", got, want)
	}
	if !slices.IsSorted(paths(r)) {
		t.Errorf("paths are not sorted: %q", paths(r))
	}
	for _, f := range r.Files {
		if f.Size != int64(len(want[f.Path])) {
			t.Errorf("%q has %d bytes, want %d", f.Path, f.Size, len(want[f.Path]))
		}
	}
	list, err := r.History(t.Context(), 1, nil)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	changed := slices.Sorted(slices.Values(list[0].Paths))
	if all := slices.Sorted(slices.Values(append(paths(r), "link.go"))); !slices.Equal(changed, all) {
		t.Errorf("the commit changed %q, want %q", changed, all)
	}
}

func TestRead(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	files := map[string]string{"big.bin": strings.Repeat("0123456789abcdef", 1<<17)}
	for i := range 300 {
		files["d/"+strings.Repeat("x", i%7+1)+string(rune('a'+i%26))+strings.Repeat("y", i/26)] = strings.Repeat("line\n", i)
	}
	commit(w, dir, "many", files)
	r := open(t, w, dir).Repos[0]
	if got := contents(t, r); !maps.Equal(got, files) {
		t.Errorf("%d files of %d are as committed", len(got), len(files))
	}

	t.Run("in order", func(t *testing.T) {
		last := -1
		err := r.Read(t.Context(), func(i int) bool { return i%3 == 0 }, func(i int, _ []byte) error {
			if i <= last || i%3 != 0 {
				t.Errorf("file %d comes after %d", i, last)
			}
			last = i
			return nil
		})
		if err != nil || last < 0 {
			t.Error(last, err)
		}
	})
	t.Run("one file", func(t *testing.T) {
		for limit, want := range map[int64]int{1 << 21: 1 << 21, 1<<21 - 1: 0} {
			if data, err := r.ReadFile(t.Context(), "big.bin", limit); err != nil || len(data) != want {
				t.Errorf("limit %d: %d bytes, %v", limit, len(data), err)
			}
		}
		if data, err := r.ReadFile(t.Context(), "none", 10); err != nil || data != nil {
			t.Errorf("a file that is not there: %q, %v", data, err)
		}
	})
	t.Run("the reader's own error", func(t *testing.T) {
		stop := errors.New("enough")
		if err := r.Read(t.Context(), func(int) bool { return true }, func(int, []byte) error { return stop }); !errors.Is(err, stop) {
			t.Error(err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		err := r.Read(ctx, func(int) bool { return true }, func(int, []byte) error { cancel(); return ctx.Err() })
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Run("a damaged repository", func(t *testing.T) {
		lost := *r
		lost.Files = slices.Clone(r.Files)
		lost.Files[1].Blob = strings.Repeat("12", 20)
		err := lost.Read(t.Context(), func(int) bool { return true }, func(int, []byte) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "missing") || !strings.Contains(err.Error(), lost.Files[1].Path) {
			t.Error(err)
		}
	})
}

func TestHistory(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	commit(w, dir, "add a", map[string]string{"a.go": "1", "b.go": "1"})
	w.Git(dir, "checkout", "-q", "-b", "side")
	commit(w, dir, "side work", map[string]string{"side.go": "1"})
	w.Git(dir, "checkout", "-q", "main")
	commit(w, dir, "\x01odd subject\x02", map[string]string{"a.go": "2"})
	w.Git(dir, "merge", "-q", "--no-ff", "-m", "a merge", "side")
	w.Git(dir, "mv", "a.go", "moved.go")
	head := commit(w, dir, "move it\n\nA body.", nil)
	commit(w, dir, "newer than what is built", map[string]string{"new.go": "1"})
	w.Git(dir, "checkout", "-q", "--detach", head)

	r := open(t, w, dir).Repos[0]
	list, err := r.History(t.Context(), 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range list {
		slices.Sort(c.Paths)
		got[c.Subject] = strings.Join(c.Paths, " ")
		if len(c.ID) != 40 {
			t.Errorf("%q has the id %q", c.Subject, c.ID)
		}
	}
	want := map[string]string{"first in repo": "", "add a": "a.go b.go", "side work": "side.go", "\x01odd subject\x02": "a.go", "move it": "a.go moved.go"}
	if !maps.Equal(got, want) {
		t.Errorf("history is %q, want %q", got, want)
	}
	for skip := range list { // whichever commit is not known, all are told alike
		known := map[string][]string{}
		for i, c := range list {
			if i != skip {
				known[c.State] = c.Paths
			}
		}
		if again, err := r.History(t.Context(), 100, known); err != nil || !reflect.DeepEqual(again, list) {
			t.Errorf("all known but %q: %+v, %v; want %+v", list[skip].Subject, again, err, list)
		}
	}
	if list, err = r.History(t.Context(), 2, nil); err != nil || len(list) != 2 || list[0].ID != head {
		t.Errorf("two commits: %v, %v", list, err)
	}
}

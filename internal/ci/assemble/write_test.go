package assemble

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// written is a small bundle whose every file says which of several it is.
func written(t testing.TB, text string, pieces int) *Result {
	t.Helper()
	r := &Result{Files: NewStore()}
	r.change(bundle.GraphName, []byte(`{"of":"`+text+`"}`))
	r.change(bundle.IndexName, []byte(`{"of":"`+text+`"}`))
	for i := range pieces {
		r.change(bundle.PieceName(bundle.WordsDir, i), []byte(`{"of":"`+text+`"}`))
	}
	r.change(bundle.BuildName, []byte(`{"schema":1,"of":"`+text+`"}`))
	m, err := bundle.NewManifest(r.contents())
	if err != nil {
		t.Fatal(err)
	}
	r.change(bundle.ManifestName, m.Encode())
	return r
}

// inDir reads what lies in a directory.
func inDir(t testing.TB, dir string) map[string]string {
	t.Helper()
	names, err := bundle.Dir(dir).List()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(data)
	}
	return got
}

func holds(r *Result, got map[string]string) bool {
	want := map[string]string{}
	for name, data := range r.contents() {
		want[name] = string(data)
	}
	return maps.Equal(got, want)
}

// cutShort is a context that ends after some looks at it.
type cutShort struct {
	context.Context
	left int
}

func (c *cutShort) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestWriteThatIsCutShortLeavesTheOlderBundle: wherever it ends, and nothing
// beside it.
func TestWriteThatIsCutShortLeavesTheOlderBundle(t *testing.T) {
	older, newer := written(t, "older", 3), written(t, "newer", 2)
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	if err := older.WriteDir(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	for left := range len(newer.contents()) {
		err := newer.WriteDir(&cutShort{t.Context(), left}, dir)
		if !errors.Is(err, context.Canceled) || !holds(older, inDir(t, dir)) {
			t.Fatalf("after %d files: %v, and there lies %v", left, err, inDir(t, dir))
		}
	}
	if err := newer.WriteDir(t.Context(), dir); err != nil || !holds(newer, inDir(t, dir)) {
		t.Errorf("%v, %v", err, inDir(t, dir))
	}
	if beside, _ := os.ReadDir(parent); len(beside) != 1 {
		t.Errorf("beside it lies %v", beside)
	}
	fresh := filepath.Join(parent, "fresh")
	if err := newer.WriteDir(&cutShort{t.Context(), 2}, fresh); err == nil || exists(fresh) {
		t.Errorf("a first write that is cut short: %v", err)
	}
}

// TestWriteIntoIsNeverTakenForAWhole: where nothing can take a directory's
// place, a write that is cut short leaves no build.json and no graph.json
// beside pieces of another bundle.
func TestWriteIntoIsNeverTakenForAWhole(t *testing.T) {
	older, newer := written(t, "older", 3), written(t, "newer", 2)
	for left := range len(newer.contents()) {
		dir := t.TempDir()
		if err := older.writeInto(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		if err := newer.writeInto(&cutShort{t.Context(), left}, dir); err == nil {
			t.Fatal("it was not cut short")
		}
		got := inDir(t, dir)
		for name, text := range got {
			if text != string(newer.contents()[name]) {
				t.Errorf("after %d files %s is %s", left, name, text)
			}
		}
		_, build := got[bundle.BuildName]
		_, manifest := got[bundle.ManifestName]
		if whole := len(newer.contents()) - 1; manifest || build && left < whole {
			t.Errorf("after %d files a reader finds %v", left, slices.Sorted(maps.Keys(got)))
		}
	}
}

// TestTwoBuildsIntoOneDirectory: one is there in the end, whole.
func TestTwoBuildsIntoOneDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	var results []*Result
	var wg sync.WaitGroup
	for i := range 6 {
		r := written(t, fmt.Sprint("build ", i), 4+i)
		results = append(results, r)
		wg.Go(func() {
			for range 3 {
				if err := r.WriteDir(t.Context(), dir); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got := inDir(t, dir)
	if !slices.ContainsFunc(results, func(r *Result) bool { return holds(r, got) }) {
		t.Errorf("there lies %v", got)
	}
	if beside, _ := os.ReadDir(filepath.Dir(dir)); len(beside) != 1 {
		t.Errorf("beside it lies %v", beside)
	}
}

// TestWriteThroughALink: a link to a directory stays one.
func TestWriteThroughALink(t *testing.T) {
	parent := t.TempDir()
	real, link := filepath.Join(parent, "real"), filepath.Join(parent, "link")
	if err := os.Mkdir(real, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	r := written(t, "linked", 1)
	for range 2 {
		if err := r.WriteDir(t.Context(), link); err != nil || !holds(r, inDir(t, real)) {
			t.Fatalf("%v, %v", err, inDir(t, real))
		}
	}
	st, err := os.Lstat(link)
	if err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", st, err)
	}
	if st, err := os.Stat(real); err != nil || st.Mode().Perm() != 0o750 {
		t.Errorf("the directory is %v, %v", st, err)
	}
}

func TestWriteRefusesWhatIsNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, os.DevNull} {
		if err := written(t, "x", 1).WriteDir(t.Context(), path); !errors.As(err, new(*NotDirError)) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

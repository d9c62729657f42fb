package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// letters embeds a text as the counts of its letters.
type letters struct{ calls, texts int }

func (e *letters) Embed(_ context.Context, texts []string, _ bool) ([][]float32, error) {
	e.calls++
	e.texts += len(texts)
	var out [][]float32
	for _, s := range texts {
		v := make([]float32, 26)
		for _, r := range strings.ToLower(s) {
			if r >= 'a' && r <= 'z' {
				v[r-'a']++
			}
		}
		out = append(out, v)
	}
	return out, nil
}

func quiet(int, int) {}

func write(t testing.TB, dir, name, description, body string) string {
	t.Helper()
	d := filepath.Join(dir, name)
	if err := os.MkdirAll(d, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(d, skill.FileName)
	if err := os.WriteFile(file, []byte("---\nname: "+name+"\ndescription: "+description+"\n---\n"+body), 0o644); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	return file
}

func fill(t *testing.T, x *Index, e Embedder, dir string) *skill.Catalogue {
	t.Helper()
	c := skill.Discover([]skill.Root{{Dir: dir, Deep: true}}, x)
	if err := errors.Join(x.Heads(t.Context(), e, c.Skills, -1, quiet), x.Bodies(t.Context(), e, c.Skills, -1, quiet)); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestUnchangedBodiesAreNotEmbeddedAgain(t *testing.T) {
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "deep", "index.bin")
	file := write(t, dir, "alpha", "Does alpha.", "# One\nBody of alpha.\n")
	write(t, dir, "beta", "Does beta.", "")
	e := &letters{}
	x := New("m")
	fill(t, x, e, dir)
	if err := x.Save(path); err != nil {
		t.Fatal(err)
	}
	first := e.texts
	again := func(what string, more int) *Index {
		t.Helper()
		x, err := Load(path, "m")
		if err != nil {
			t.Fatal(err)
		}
		e.texts = 0
		fill(t, x, e, dir)
		if e.texts != more {
			t.Errorf("%s: %d texts were embedded, want %d (of %d)", what, e.texts, more, first)
		}
		if err := x.Save(path); err != nil {
			t.Fatal(err)
		}
		return x
	}
	again("nothing changed", 0)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	verdict := strings.Replace(string(data), "---\n#", "mega_meta: {helpful_count: 2}\n---\n#", 1)
	if err := os.WriteFile(file, []byte(verdict), 0o644); err != nil {
		t.Fatal(err)
	}
	x = again("a verdict", 0)
	c := skill.Discover([]skill.Root{{Dir: dir}}, x)
	if c.Skills[0].Meta.Helpful != 2 {
		t.Errorf("the verdict is not seen: %+v", c.Skills[0].Meta)
	}
	if err := os.Rename(filepath.Join(dir, "alpha"), filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	again("a move", 0)
	if err := os.WriteFile(filepath.Join(dir, "moved", skill.FileName), []byte(verdict+"more\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	again("a changed body", 3) // head, name and one section
	if err := os.RemoveAll(filepath.Join(dir, "beta")); err != nil {
		t.Fatal(err)
	}
	x = again("a deletion", 0)
	if got := len(skill.Discover([]skill.Root{{Dir: dir}}, x).Skills); got != 1 {
		t.Errorf("%d skills", got)
	}
}

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "alpha", "Does alpha.", "# One\n"+strings.Repeat("Body of alpha. ", 200)+"\n# Two\nMore.\n")
	write(t, dir, "beta", "Does beta.", "")
	x := New("m")
	e := &letters{}
	c := fill(t, x, e, dir)
	if err := x.Texts(t.Context(), e, []string{"why", "what"}, true); err != nil {
		t.Fatal(err)
	}
	x.KeepMeasures(x.PoolKey(c.Skills), []float32{1, 2.5})
	y := New("m")
	if err := y.decode(x.encode()); err != nil {
		t.Fatal(err)
	}
	y.now, x.now, y.changed = nil, nil, x.changed
	for k, want := range x.contents {
		if got := y.contents[k]; !reflect.DeepEqual(got, want) {
			t.Errorf("content\n%+v\nwant\n%+v", got, want)
		}
	}
	for p, f := range x.files {
		f.front.More = nil
		if got := y.files[p]; got.key != f.key || got.front.Name != f.front.Name || got.mtime != f.mtime || got.size != f.size {
			t.Errorf("file %+v, want %+v", got, f)
		}
	}
	if !reflect.DeepEqual(x.texts, y.texts) || !reflect.DeepEqual(x.pools, y.pools) {
		t.Errorf("texts %v, pools %v", y.texts, y.pools)
	}
	if !bytes.Equal(x.encode(), y.encode()) {
		t.Error("encoding again gives other bytes")
	}
}

func TestDamagedIndexIsMadeAnew(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "alpha", "Does alpha.", "Body")
	x := New("m")
	fill(t, x, &letters{}, dir)
	good := x.encode()
	seal := func(body []byte) []byte {
		sum := sha256.Sum256(body)
		return slices.Concat([]byte(magic), sum[:], body)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-3] ^= 1
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("not an index"), "cut": good[:len(good)/2], "a flipped bit": flipped,
		"another model": func() []byte { o := New("other"); return o.encode() }(),
		"a huge count":  seal([]byte{1, 'm', 0xff, 0xff, 0xff, 0xff, 0x0f}),
		"more behind":   seal(append(bytes.Clone(good[headSize:]), 0)),
		"no numbers":    seal([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}),
	} {
		path := filepath.Join(t.TempDir(), "index.bin")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		y, err := Load(path, "m")
		if err == nil || len(y.contents) != 0 {
			t.Errorf("%s: %v, %d contents", name, err, len(y.contents))
		}
		fill(t, y, &letters{}, dir)
		if err := y.Save(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Load(path, "m"); err != nil {
			t.Errorf("%s, saved over: %v", name, err)
		}
	}
	if y, err := Load(filepath.Join(t.TempDir(), "none"), "m"); err != nil || len(y.contents) != 0 {
		t.Errorf("no file: %v", err)
	}
}

func TestSaveKeepsWhatOthersLearnt(t *testing.T) {
	one, two, path := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "index.bin")
	var group sync.WaitGroup
	for i := range 8 {
		dir := []string{one, two}[i%2]
		write(t, dir, fmt.Sprintf("s%d", i), "Does it.", "Body")
	}
	for i := range 8 {
		group.Go(func() {
			x, err := Load(path, "m")
			if err != nil {
				t.Error(err)
			}
			c := skill.Discover([]skill.Root{{Dir: []string{one, two}[i%2]}}, x)
			if err := x.Heads(t.Context(), &letters{}, c.Skills, 1+i/2, quiet); err != nil {
				t.Error(err)
			}
			if err := x.Save(path); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	x, err := Load(path, "m")
	if err != nil {
		t.Fatal(err)
	}
	c := skill.Discover([]skill.Root{{Dir: one}, {Dir: two}}, x)
	if heads, _ := x.Missing(c.Skills); heads != 0 {
		t.Errorf("%d of %d heads were lost", heads, len(c.Skills))
	}
}

// TestDirectoryIsNoIndex: what is there and is no file of ours stays.
func TestDirectoryIsNoIndex(t *testing.T) {
	dir, place := t.TempDir(), filepath.Join(t.TempDir(), "index.bin")
	write(t, dir, "alpha", "Does alpha.", "Body")
	if err := os.Mkdir(place, 0o755); err != nil {
		t.Fatal(err)
	}
	x, err := Load(place, "m")
	if err == nil {
		t.Error("a directory is read")
	}
	fill(t, x, &letters{}, dir)
	if err := x.Save(place); err == nil {
		t.Error("a directory is replaced")
	}
	if left, err := os.ReadDir(filepath.Dir(place)); err != nil || len(left) > 2 {
		t.Errorf("%d files are left: %v", len(left), err)
	}
}

func TestForgets(t *testing.T) {
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "index.bin")
	write(t, dir, "alpha", "Does alpha.", "Body")
	x := New("m")
	fill(t, x, &letters{}, dir)
	if err := x.Save(path); err != nil {
		t.Fatal(err)
	}
	y, err := Load(path, "m")
	if err != nil {
		t.Fatal(err)
	}
	y.now = func() time.Time { return time.Now().AddDate(0, 0, keepDays+2) }
	y.changed = true
	if err := y.Save(path); err != nil {
		t.Fatal(err)
	}
	if y, err = Load(path, "m"); err != nil || len(y.contents) != 0 || len(y.files) != 0 {
		t.Errorf("%v: %d contents and %d files are left", err, len(y.contents), len(y.files))
	}
}

func TestFreshFilesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "alpha", "Does one.", "")
	now := time.Now()
	if err := os.Chtimes(file, now, now); err != nil {
		t.Fatal(err)
	}
	x := New("m")
	fill(t, x, &letters{}, dir)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(data, []byte("one"), []byte("two"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, now, now); err != nil { // same size, same time
		t.Fatal(err)
	}
	if c := fill(t, x, &letters{}, dir); c.Skills[0].Description != "Does two." {
		t.Errorf("%+v", c.Skills[0])
	}
}

func TestVector(t *testing.T) {
	a, b := NewVector([]float32{1, 2, 3}), NewVector([]float32{2, 4, 6})
	if c := a.Cosine(b); math.Abs(c-1) > 0.01 {
		t.Errorf("cosine %v", c)
	}
	if c := a.Cosine(NewVector([]float32{-3, 0, 1})); math.Abs(c) > 0.01 {
		t.Errorf("cosine %v", c)
	}
	for _, odd := range []Vector{{}, NewVector(nil), NewVector([]float32{0, 0, 0}), NewVector([]float32{float32(math.NaN()), 0, 0}), NewVector([]float32{float32(math.Inf(1)), 0, 0}), NewVector([]float32{1})} {
		if c := a.Cosine(odd); c != 0 {
			t.Errorf("cosine with %v: %v", odd, c)
		}
	}
}

func TestSections(t *testing.T) {
	long := strings.Repeat("word ", 400)
	got := sections("name", "intro\n# One\nshort\n# Two\n"+long+"\n# Three\n"+long+long+"\n"+long+"\n"+long)
	if len(got) != maxSections {
		t.Fatalf("%d sections", len(got))
	}
	for _, s := range got {
		if !strings.HasPrefix(s, "name\n") || len(s) > 3*sectionBytes {
			t.Errorf("%d bytes: %.60q", len(s), s)
		}
	}
	if got := sections("name", " \n\n"); got != nil {
		t.Errorf("%q", got)
	}
}

func FuzzDecode(f *testing.F) {
	dir := f.TempDir()
	write(f, dir, "alpha", "Does alpha.", "Body")
	x := New("m")
	c := skill.Discover([]skill.Root{{Dir: dir}}, x)
	_ = x.Heads(f.Context(), &letters{}, c.Skills, -1, quiet)
	f.Add(x.encode()[headSize:])
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		y := New("m")
		if err := y.decode(slices.Concat([]byte(magic), sum[:], body)); err != nil {
			if len(y.contents)+len(y.files)+len(y.texts)+len(y.pools) > 0 {
				t.Error("what was refused is kept")
			}
			return
		}
		for _, c := range y.contents {
			c.Head.Cosine(c.Name)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	dir, path := b.TempDir(), filepath.Join(b.TempDir(), "index.bin")
	for i := range 200 {
		write(b, dir, fmt.Sprintf("skill-%d", i), fmt.Sprintf("Does thing %d with care.", i), strings.Repeat(fmt.Sprintf("word%d and text ", i), 200))
	}
	x := New("m")
	c := skill.Discover([]skill.Root{{Dir: dir}}, x)
	if err := x.Heads(b.Context(), &letters{}, c.Skills, -1, quiet); err != nil {
		b.Fatal(err)
	}
	if err := x.Save(path); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Load(path, "m"); err != nil {
			b.Fatal(err)
		}
	}
}

package extract

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

func sampleFile(t testing.TB, name string) *File {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCacheKeepsEntries(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there yet")
	f := sampleFile(t, "testdata/python/shop.py")
	c := OpenCache(dir, "repo")
	c.Put("b1", "python", Entry{File: f, Extra: []byte("words")})
	c.Put("b2", "go", Entry{File: &File{Lang: "go"}})
	if got, ok := c.Get("b1", "python"); !ok || !reflect.DeepEqual(got.File, f) || string(got.Extra) != "words" {
		t.Errorf("before saving: %v %+v", ok, got)
	}
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	c = OpenCache(dir, "repo")
	got, ok := c.Get("b1", "python")
	if !ok || !reflect.DeepEqual(got.File, f) || string(got.Extra) != "words" {
		t.Errorf("after saving: %v\n%s", ok, listing(got.File))
	}
	if got, ok := c.Get("b2", "go"); !ok || got.File.Lang != "go" || got.Extra != nil {
		t.Errorf("an entry without extra: %v %+v", ok, got)
	}
	for _, miss := range [][2]string{{"b1", "go"}, {"b3", "python"}, {"", ""}} {
		if _, ok := c.Get(miss[0], miss[1]); ok {
			t.Errorf("the cache has %v", miss)
		}
	}
	if _, ok := OpenCache(dir, "other").Get("b1", "python"); ok {
		t.Error("packs of two names share entries")
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	if err != nil || len(left) != 0 {
		t.Errorf("temporary files are left: %v %v", left, err)
	}
}

// TestCacheDamage changes every byte of a pack in turn, and cuts it at every
// place: an entry is either what was put, or not there.
func TestCacheDamage(t *testing.T) {
	dir := t.TempDir()
	f := sampleFile(t, "testdata/shell/cases.bats")
	c := OpenCache(dir, "repo")
	for i := range 3 {
		c.Put(fmt.Sprint("blob", i), "shell bats", Entry{File: f, Extra: []byte{byte(i)}})
	}
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "repo.pack")
	pack, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(data []byte, what string) (hits int) {
		t.Helper()
		c := &Cache{entries: make(map[string]cached), pack: bytes.NewReader(data)}
		c.scan(int64(len(data)))
		for i := range 3 {
			e, ok := c.Get(fmt.Sprint("blob", i), "shell bats")
			if !ok {
				continue
			}
			hits++
			if !reflect.DeepEqual(e.File, f) || !bytes.Equal(e.Extra, []byte{byte(i)}) {
				t.Fatalf("%s: entry %d is wrong and trusted", what, i)
			}
		}
		return hits
	}
	if n := check(pack, "whole"); n != 3 {
		t.Fatalf("the whole pack has %d entries", n)
	}
	for i := range pack {
		damaged := bytes.Clone(pack)
		damaged[i] ^= 0x41
		if n := check(damaged, fmt.Sprint("byte ", i)); n == 3 && i >= len(packMagic) {
			// The idle counts are the only bytes that nothing depends on.
			if c := damaged[i]; c != 1^0x41 {
				t.Errorf("byte %d can change unnoticed", i)
			}
		}
	}
	for i := range pack {
		if n := check(pack[:i], fmt.Sprint("cut at ", i)); n == 3 {
			t.Errorf("a pack cut at %d of %d is whole", i, len(pack))
		}
	}
}

// TestCacheOnDisk: a pack that is too large for memory, and new entries that
// are, come back as others do.
func TestCacheOnDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "repo.pack")
	f := sampleFile(t, "testdata/python/shop.py")
	for round := range 3 {
		c := openCache(path, 0)
		if (c.file != nil) != (round > 0) {
			t.Fatalf("round %d: the pack is open: %v", round, c.file != nil)
		}
		c.Put(fmt.Sprint("blob", round), "python", Entry{File: f, Extra: []byte{byte(round)}})
		for i := range round + 1 {
			if e, ok := c.Get(fmt.Sprint("blob", i), "python"); !ok || !reflect.DeepEqual(e.File, f) || !bytes.Equal(e.Extra, []byte{byte(i)}) {
				t.Errorf("round %d: entry %d is %v, %+v", round, i, ok, e)
			}
		}
		if err := c.Save(); err != nil || c.file != nil || c.Len() != 0 {
			t.Errorf("round %d: %v, open %v, %d entries after the end", round, err, c.file != nil, c.Len())
		}
		if _, ok := c.Get("blob0", "python"); ok {
			t.Error("a cache that has ended gives an entry")
		}
	}
}

func TestCacheRebuildsDamagedPack(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "repo.pack")
	for _, content := range []string{"", "nonsense", "marola extract pack 999999\nrest", string(packMagic) + "\xff\xff\xff\xff\xff"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		c := OpenCache(dir, "repo")
		if c.Len() != 0 {
			t.Errorf("%q has %d entries", content, c.Len())
		}
		c.Put("b", "go", Entry{File: &File{Lang: "go"}})
		if err := c.Save(); err != nil {
			t.Fatal(err)
		}
		if _, ok := OpenCache(dir, "repo").Get("b", "go"); !ok {
			t.Errorf("%q was not replaced", content)
		}
	}
}

func TestCacheUnreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := OpenCache(file, "repo") // a file where the directory should be
	c.Put("b", "go", Entry{File: &File{Lang: "go"}})
	if _, ok := c.Get("b", "go"); !ok {
		t.Error("a cache that cannot be saved keeps nothing")
	}
	if err := c.Save(); err == nil {
		t.Error("saving below a file succeeded")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "repo.pack"), 0o700); err != nil {
		t.Fatal(err)
	}
	if n := OpenCache(dir, "repo").Len(); n != 0 {
		t.Errorf("a directory as pack has %d entries", n)
	}
	for _, name := range []string{"", "../x", "a/b"} {
		c := OpenCache(dir, name)
		c.Put("b", "go", Entry{File: &File{}})
		if err := c.Save(); err != nil || c.path != "" {
			t.Errorf("a pack called %q is kept at %q: %v", name, c.path, err)
		}
	}
}

func TestCacheForgetsUnused(t *testing.T) {
	dir := t.TempDir()
	c := OpenCache(dir, "repo")
	c.Put("used", "go", Entry{File: &File{Lang: "go"}})
	c.Put("unused", "go", Entry{File: &File{Lang: "go"}})
	for i := range maxIdle + 2 {
		if err := c.Save(); err != nil {
			t.Fatal(err)
		}
		c = OpenCache(dir, "repo")
		if _, ok := c.Get("used", "go"); !ok {
			t.Fatalf("a used entry is gone after %d saves", i+1)
		}
		c.Put("new", "go", Entry{File: &File{Lang: "go"}})
	}
	if _, ok := c.Get("unused", "go"); ok {
		t.Error("an entry that nobody used is still there")
	}
}

func TestCacheLoadsQuickly(t *testing.T) {
	dir := t.TempDir()
	f := sampleFile(t, "testdata/typescript/service.ts")
	c := OpenCache(dir, "repo")
	for i := range 3000 {
		c.Put(fmt.Sprintf("%040d", i), "typescript", Entry{File: f, Extra: bytes.Repeat([]byte("word "), 400)})
	}
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	c = OpenCache(dir, "repo")
	for i := range 3000 {
		if _, ok := c.Get(fmt.Sprintf("%040d", i), "typescript"); !ok {
			t.Fatalf("entry %d is missing", i)
		}
	}
	took := time.Since(start)
	t.Logf("3,000 entries of %d definitions and %d references: %v", len(f.Definitions), len(f.References), took)
	if took > 10*time.Second { // a wide margin: a machine may be busy
		t.Errorf("3,000 entries take %v", took)
	}
}

func BenchmarkCacheLoad3000(b *testing.B) {
	dir := b.TempDir()
	f := sampleFile(b, "testdata/typescript/service.ts")
	c := OpenCache(dir, "repo")
	for i := range 3000 {
		c.Put(fmt.Sprintf("%040d", i), "typescript", Entry{File: f})
	}
	if err := c.Save(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c := OpenCache(dir, "repo")
		for i := range 3000 {
			c.Get(fmt.Sprintf("%040d", i), "typescript")
		}
	}
}

func FuzzDecodeFile(f *testing.F) {
	f.Add(appendFile(nil, &File{}))
	f.Add(appendFile(nil, sampleFile(f, "testdata/go/main_test.go")))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := decodeFile(data)
		if err != nil {
			return
		}
		again, err := decodeFile(appendFile(nil, file))
		if err != nil || !reflect.DeepEqual(again, file) {
			t.Errorf("decoded, encoded and decoded again is not the same: %v", err)
		}
	})
}

// TestEncodingKeepsEveryField fills every field, so that one that the
// encoding forgets is noticed.
func TestEncodingKeepsEveryField(t *testing.T) {
	var f File
	fill(reflect.ValueOf(&f).Elem())
	got, err := decodeFile(appendFile(nil, &f))
	if err != nil || !reflect.DeepEqual(got, &f) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, f)
	}
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
			switch v.Type().Field(i).Name {
			case "Kind":
				v.Field(i).SetString(string(Enum))
			case "Relation":
				v.Field(i).SetString(Embeds)
			case "Parent", "From":
				v.Field(i).SetInt(0)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("text of " + v.Type().String())
	case reflect.Int:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	}
}

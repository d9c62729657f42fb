package skill

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestHostileTree: whatever a directory of skills holds, the good ones are
// found, soon, and the others are refused with a reason.
func TestHostileTree(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "good", "")
	file := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, FileName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const head = "---\ndescription: Does it.\n"
	for name, text := range map[string]string{
		"ok-crlf":      strings.ReplaceAll(head+"---\nBody\n", "\n", "\r\n"),
		"ok-bom":       "\xef\xbb\xbf" + head + "---\nBody\n",
		"ok-bytes":     "---\ndescription: \"caf\xe9 \xff\"\n---\n\xfe\xff\n",
		"ok-nul":       head + "---\nbody\x00with\x00zeros\n",
		"ok-no-body":   head + "---",
		"ok-colons":    "---\ndescription: Use when: a thing: happens\n---\n",
		"ok-long-line": head + "---\n" + strings.Repeat("x", 1<<19) + "\n",
		"no-front":     "# A heading\n",
		"no-end":       head,
		"no-utf16":     "\xff\xfe-\x00-\x00-\x00\n\x00",
		"no-text":      "",
		"no-alias":     "---\na: &a [x]\ndescription: *a\n---\n",
		"no-deep":      "---\nx: " + strings.Repeat("[", 30_000) + "\n---\n",
		"no-deeper":    "---\n" + strings.Repeat("{a: ", 15_000) + "\n---\n",
		"no-wide":      "---\n" + strings.Repeat("- x\n", 16_000) + "---\n",
		"no-keys":      "---\n" + strings.Repeat("? ", 30_000) + "\n---\n",
		"no-long":      "---\nx: " + strings.Repeat("y", maxFrontmatter) + "\ndescription: d\n---\n",
		"no-name":      "---\nname: " + strings.Repeat("n", maxName+1) + "\ndescription: d\n---\n",
		"no-list":      "---\n- description\n---\n",
	} {
		file(name, text)
	}
	large, err := os.Create(filepath.Join(put(t, dir, "no-large", ""), FileName))
	if err != nil {
		t.Fatal(err)
	}
	if err := large.Truncate(100 << 20); err != nil { // sparse: it costs no disk
		t.Fatal(err)
	}
	large.Close()
	for link, to := range map[string]string{"loop": "loop", "up": "..", "ok-link": "good", "gone": "nowhere", "self/" + FileName: FileName, "device/" + FileName: os.DevNull} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	made := pipe(t, filepath.Join(dir, "pipe"))

	start := time.Now()
	c := Discover([]Root{{Dir: dir, Deep: true}}, Files{})
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it takes %v", took)
	}
	var want []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "ok-") && e.Name() != "ok-link" {
			want = append(want, e.Name())
		}
	}
	want = append(want, "good")
	got := names(c)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("skills %q, want %q", got, want)
	}
	refused := map[string]string{}
	for _, r := range c.Rejects {
		refused[filepath.Base(filepath.Dir(r.File))] = r.Reason
		if r.Reason == "" || strings.ContainsAny(r.Reason, "\n\x1b") || strings.Contains(r.Reason, dir) {
			t.Errorf("%s: reason %q", r.File, r.Reason)
		}
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, "no-") && refused[name] == "" {
			t.Errorf("%s is not refused", name)
		}
	}
	for name, there := range map[string]bool{"self": true, "device": true, "pipe": made} {
		if there && refused[name] == "" {
			t.Errorf("%s is not refused", name)
		}
	}
	for _, s := range c.Skills {
		if !utf8.ValidString(s.Name + s.Description + s.Body) {
			t.Errorf("%s has invalid text", s.Dir)
		}
	}
}

// TestDirectoryNames: a directory's name stands for a skill's, and may hold
// anything but a slash.
func TestDirectoryNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"plain", "two words", "line\nend", "\x1b[31mred", "\u202ereversed", "caf\xe9"} {
		d := filepath.Join(dir, name)
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Logf("the file system has no %q: %v", name, err)
			continue
		}
		if err := os.WriteFile(filepath.Join(d, FileName), []byte("---\ndescription: Does it.\n---\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range Discover([]Root{{Dir: dir}}, Files{}).Skills {
		if s.Name == "" || strings.ContainsAny(s.Name, "\n\x1b\u202e") || !utf8.ValidString(s.Name) {
			t.Errorf("%q gives the name %q", s.Dir, s.Name)
		}
	}
}

// TestManyDirectories: a root that is a whole tree of sources is given up
// after a while, and said so once.
func TestManyDirectories(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a", "")
	for i := range 30 {
		for k := range 10 {
			if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint("b", i), fmt.Sprint(k)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	w := walk{catalogue: &Catalogue{}, source: Files{}, root: Root{Dir: dir, Deep: true}, seen: map[string]bool{}}
	for i := range maxDirs - 100 {
		w.seen[fmt.Sprint(i)] = true
	}
	w.dir(dir, dir, 0)
	if len(w.seen) != maxDirs || len(w.catalogue.Skills) != 1 {
		t.Errorf("%d directories and %d skills were read", len(w.seen), len(w.catalogue.Skills))
	}
	if n := len(w.catalogue.Rejects); n != 1 || !strings.Contains(w.catalogue.Rejects[0].Reason, "the rest is not read") {
		t.Errorf("rejects %+v", w.catalogue.Rejects)
	}
}

// TestFileThatGrows: what is longer than its size said is not read whole.
func TestFileThatGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, []byte("---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), MaxFile+1), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path, info); err == nil {
		t.Error("it is read")
	}
}

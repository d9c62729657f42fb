package bundle_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

const head = "e77c2980000000000000000000000000000000aa"

func sample() map[string][]byte {
	return map[string][]byte{
		"build.json":        []byte(`{"schema":1,"repo":"marola","head":"` + head + `","commit_time":"2026-10-20T08:00:00Z"}` + "\n"),
		"graph.json":        []byte(`{"nodes":[],"links":[]}` + "\n"),
		"words/0a.json":     []byte("{}\n"),
		"routing-digest.md": []byte("# marola\n"),
	}
}

// write lays the files out in a new directory, with a manifest that is true
// of them.
func write(t *testing.T, files map[string][]byte) string {
	t.Helper()
	m, err := bundle.NewManifest(files)
	if err != nil {
		t.Fatal(err)
	}
	data, err := bundle.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files = maps.Clone(files)
	files["manifest.json"] = data
	for name, data := range files {
		put(t, dir, name, data)
	}
	return dir
}

func put(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyAcceptsAWholeBundle(t *testing.T) {
	r, err := bundle.Verify(bundle.Dir(write(t, sample())))
	if err != nil {
		t.Fatal(err)
	}
	if r.Files != 5 || r.Build.Head != head || r.Build.Repo != "marola" {
		t.Errorf("report %+v", r)
	}
	var want int64
	for _, data := range sample() {
		want += int64(len(data))
	}
	if r.Bytes <= want {
		t.Errorf("%d bytes; the manifest must be counted besides the %d of the files", r.Bytes, want)
	}
}

func TestVerifyRefuses(t *testing.T) {
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	with := func(name, text string) map[string][]byte {
		files := sample()
		files[name] = []byte(text)
		return files
	}
	build := func(text string) map[string][]byte { return with("build.json", text) }
	tests := []struct {
		name         string
		files        map[string][]byte
		spoil        func(dir string)
		file, reason string
	}{
		{"P32 missing file", sample(), func(d string) { must(os.Remove(filepath.Join(d, "words", "0a.json"))) }, "words/0a.json", "it is missing"},
		{"P39 line endings changed", sample(), func(d string) {
			put(t, d, "graph.json", bytes.ReplaceAll(sample()["graph.json"], []byte("\n"), []byte("\r\n")))
		}, "graph.json", "the manifest says 24"},
		{"same size, other bytes", sample(), func(d string) { put(t, d, "words/0a.json", []byte("[]\n")) }, "words/0a.json", "SHA-256"},
		{"unlisted file", sample(), func(d string) { put(t, d, "wiring.json", []byte("{}")) }, "wiring.json", "does not list it"},
		{"foreign name", sample(), func(d string) { put(t, d, ".env", []byte("TOKEN=x")) }, ".env", "no bundle holds"},
		{"symlink", sample(), func(d string) {
			must(os.Remove(filepath.Join(d, "graph.json")))
			must(os.Symlink("/etc/passwd", filepath.Join(d, "graph.json")))
		}, "graph.json", "not a regular file"},
		{"no manifest", sample(), func(d string) { must(os.Remove(filepath.Join(d, "manifest.json"))) }, "manifest.json", "missing"},
		{"manifest with a repeated key", sample(), func(d string) { put(t, d, "manifest.json", []byte(`{"schema":1,"Schema":1,"files":[]}`)) }, "manifest.json", "Schema"},
		{"no build.json", map[string][]byte{"graph.json": []byte("{}")}, nil, "build.json", "which commit"},
		{"piece that is not JSON", with("words/0a.json", "{"), nil, "words/0a.json", "line 1"},
		{"J05 invalid UTF-8", with("words/0a.json", "\"\xff\""), nil, "words/0a.json", "UTF-8"},
		{"repeated key in a piece", with("nodes/00.json", `{"a":1,"a":2}`), nil, "nodes/00.json", "a"},
		{"other schema", build(`{"schema":2,"head":"` + head + `","commit_time":"2026-10-20T08:00:00Z"}`), nil, "build.json", "version 2"},
		{"short head", build(`{"schema":1,"head":"e77c298","commit_time":"2026-10-20T08:00:00Z"}`), nil, "build.json", "full commit hash"},
		{"no time", build(`{"schema":1,"head":"` + head + `"}`), nil, "build.json", "commit_time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.files)
			if tt.spoil != nil {
				tt.spoil(dir)
			}
			_, err := bundle.Verify(bundle.Dir(dir))
			var refused *bundle.Refused
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if refused.File != tt.file || !strings.Contains(refused.Reason, tt.reason) {
				t.Errorf("refused %s: %q; want %s: … %s", refused.File, refused.Reason, tt.file, tt.reason)
			}
			if refused.Hint() == "" {
				t.Error("no next step")
			}
		})
	}
}

func TestVerifyAcceptsAByteOrderMark(t *testing.T) {
	files := sample()
	files["words/0a.json"] = []byte("\xef\xbb\xbf{}")
	if _, err := bundle.Verify(bundle.Dir(write(t, files))); err != nil {
		t.Errorf("J01: %v", err)
	}
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

// TestCommittedVerdicts holds the verdicts to their form, and to the share
// that README.md states.
func TestCommittedVerdicts(t *testing.T) {
	files, err := filepath.Glob("*.jsonl")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		right, all, err := tally(f)
		if err != nil {
			t.Fatal(err)
		}
		if all != 100 || right < 95 {
			t.Errorf("%s: %d of %d are right", f, right, all)
		}
	}
}

func TestTallyRefuses(t *testing.T) {
	good := `{"repo":"a/b","commit":"0123456789012345678901234567890123456789","seed":1,"doc":"a.md","line":1,"text":"x","how":"name","to":["a.go#x:1"],"verdict":"right"}`
	for name, text := range map[string]string{
		"no verdict":      strings.Replace(good, `"right"`, `""`, 1),
		"another verdict": strings.Replace(good, `"right"`, `"fine"`, 1),
		"no reason":       strings.Replace(good, `"right"`, `"wrong"`, 1),
		"no seed":         strings.Replace(good, `"seed":1`, `"seed":0`, 1),
		"a short commit":  strings.Replace(good, "0123456789", "01", 1),
		"twice":           good + "\n" + good,
	} {
		file := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := tally(file); err == nil {
			t.Errorf("%s is counted", name)
		}
	}
}

func TestSample(t *testing.T) {
	dir := t.TempDir()
	links := doccode.DocCode{Schema: 1, Nodes: []doccode.Node{{File: "a.go", Name: "A", Line: 3}, {File: "b.go"}}}
	p := doccode.Passage{Line: 1}
	for i := range 20 {
		p.Links = append(p.Links, doccode.Link{Text: "A", Line: i + 1, How: doccode.Name, To: []int{0}})
	}
	p.Links = append(p.Links, doccode.Link{Text: "x", Line: 30, How: doccode.Name, To: []int{0, 1}})
	links.Docs = []doccode.Doc{{File: "r.md", Passages: []doccode.Passage{p}}}
	files := map[string][]byte{}
	for name, v := range map[string]any{bundle.DocCodeName: links, bundle.BuildName: bundle.Build{Schema: 1, URL: "https://github.com/acme/x.git", Head: strings.Repeat("a", 40)}} {
		data, err := bundle.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	m, err := bundle.NewManifest(files)
	if err != nil {
		t.Fatal(err)
	}
	files[bundle.ManifestName] = m.Encode()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := func(args ...string) []string {
		var text, problems strings.Builder
		if code := run(append(args, dir), &text, &problems); code != 0 {
			t.Fatalf("code %d, %s", code, problems.String())
		}
		return strings.Split(strings.TrimSpace(text.String()), "\n")
	}
	first := out("-n", "5", "-seed", "7")
	if len(first) != 5 || !slices.Equal(first, out("-n", "5", "-seed", "7")) || slices.Equal(first, out("-n", "5", "-seed", "8")) {
		t.Errorf("drawn %q", first)
	}
	if list := out(); len(list) != 20 || !strings.Contains(list[0], `"repo":"acme/x"`) || !strings.Contains(list[0], `"to":["a.go#A:3"]`) {
		t.Errorf("all are %q", list)
	}
	if list := out("-ambiguous"); len(list) != 1 || !strings.Contains(list[0], `"to":["a.go#A:3","b.go:0"]`) {
		t.Errorf("the ambiguous are %q", list)
	}
}

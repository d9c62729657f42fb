package assemble

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// manyFiles is a workspace of some repositories, each with files of some
// definitions.
func manyFiles(repos, files, defs int) (*workspace.Workspace, *collected) {
	w, c := &workspace.Workspace{}, &collected{}
	for r := range repos {
		name := fmt.Sprintf("repository-%03d", r)
		w.Repos = append(w.Repos, &workspace.Repo{Name: name, Path: name, Head: strings.Repeat("ab", 20)})
		for f := range files {
			file := &extract.File{Lang: "go"}
			for d := range defs {
				file.Definitions = append(file.Definitions, extract.Definition{Name: fmt.Sprintf("Definition%d", d), Exported: d%2 == 0, Kind: extract.Function})
			}
			c.sources = append(c.sources, source{repo: r, path: fmt.Sprintf("%s/folder%02d/file%04d.go", name, f%20, f), parsed: parsed{file: file}})
		}
	}
	return w, c
}

func TestDigest(t *testing.T) {
	w, dir := newShop(t)
	res := build(t, w, dir, Options{})
	text := string(res.contents()[bundle.DigestName])
	for _, want := range []string{
		"# Routing digest of shop\n", "| example.org/acme/app | repository | pinned in .gitmodules (", "## shop\n", "## app\n", "## lib\n",
		"- libs/lib/till/price.go: Total, Till\n", "- tools/report.py: Report, add_up\n", "- web/src/cart.ts: Cart\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the digest lacks %q:\n%s", want, text)
		}
	}
	for _, not := range []string{"TestMainly", "main_test.go", "README.md"} {
		if strings.Contains(text, not) {
			t.Errorf("the digest names %s:\n%s", not, text)
		}
	}
}

// TestDigestFitsItsBudget: 25,000 tokens, whatever the size of
// the workspace, and it says what was left out.
func TestDigestFitsItsBudget(t *testing.T) {
	for _, tt := range []struct {
		name               string
		repos, files, defs int
		says               string
	}{
		{"small", 2, 3, 3, ""},
		{"many names in a file", 1, 2, 100, ", … 60 more"},
		{"many names", 3, 200, 60, "names are shown"},
		{"many files", 3, 450, 30, "names of files only"},
		{"too many files", 5, 3000, 5, "Too many files to name"},
		{"too many folders", 40, 200, 1, "Too many files to name"},
		{"too many repositories", 3000, 2, 1, "too many repositories"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, c := manyFiles(tt.repos, tt.files, tt.defs)
			text := string(digest(w, c, noEdges(c), &wiring.Wiring{}))
			if tokens(text) > maxDigest {
				t.Errorf("the digest has %d tokens", tokens(text))
			}
			if !strings.Contains(text, tt.says) {
				t.Errorf("the digest does not say %q:\n%.600s", tt.says, text)
			}
			if tt.says == "" && (strings.Contains(text, "more") || strings.Contains(text, "left out")) {
				t.Errorf("nothing is left out, but it says so:\n%s", text)
			}
		})
	}
}

func TestDigestOfMuchWiring(t *testing.T) {
	w, c := manyFiles(2, 3, 3)
	wires := wiring.Wiring{}
	for i := range 3000 {
		wires.Artifacts = append(wires.Artifacts, wiring.Artifact{Name: fmt.Sprintf("image|%d\nx", i), Kind: "image", Pinned: []wiring.Place{{File: "a.yml", Line: 1, Version: "1"}}})
	}
	text := string(digest(w, c, noEdges(c), &wires))
	if tokens(text) > maxDigest || !strings.Contains(text, "more rows are in wiring.json") || !strings.Contains(text, "file0000.go") {
		t.Errorf("%d bytes:\n%.300s", len(text), text)
	}
	if !strings.Contains(text, `| image\|0 x | image |`) {
		t.Errorf("a name breaks the table:\n%.400s", text)
	}
}

func TestWiringPins(t *testing.T) {
	w, dir := newShop(t)
	res := build(t, w, dir, Options{})
	var got wiring.Wiring
	if err := strictjson.Decode(res.contents()[bundle.WiringName], &got); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(got.Artifacts, func(a wiring.Artifact) bool { return a.Name == "example.org/acme/lib" })
	if got.Schema != bundle.Schema || i < 0 {
		t.Fatalf("wiring is %+v", got)
	}
	a := got.Artifacts[i]
	want := wiring.Place{Repo: "shop", File: ".gitmodules", Line: 5, Version: w.Head(filepath.Join(dir, "libs", "lib")), Note: "submodule libs/lib", Evidence: "path = libs/lib"}
	if a.Kind != "repository" || len(a.Pinned) != 1 || a.Pinned[0] != want {
		t.Errorf("pin is %+v, want %+v", a, want)
	}
	var b bundle.Build
	if err := strictjson.Decode(res.contents()[bundle.BuildName], &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Submodules) != 2 || b.Submodules[1] != (bundle.Submodule{Name: "lib", Path: "libs/lib", Head: want.Version, URL: "https://example.org/acme/lib.git"}) {
		t.Errorf("submodules are %+v", b.Submodules)
	}
	if b.CommitTime != "2026-10-20T08:00:00Z" || b.Branch != "main" || b.Tool != Tool || b.History == 0 {
		t.Errorf("build.json is %+v", b)
	}
}

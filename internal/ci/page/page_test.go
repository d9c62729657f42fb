package page

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/graph"
)

func TestWeb(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"https://example.org/a/b.git", "https://example.org/a/b/blob/c0/"},
		{"https://gitlab.example.org/a/b/", "https://gitlab.example.org/a/b/-/blob/c0/"},
		{"git@example.org:a/b.git", ""},
		{"https://key@example.org/a/b", ""},
		{"javascript:alert(1)", ""},
		{"http://example.org/a", ""},
		{"", ""},
	} {
		if got := web(tt.url, "c0"); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.url, got, tt.want)
		}
	}
}

func TestWriteDir(t *testing.T) {
	site := &Site{files: map[string][]byte{Marker: []byte("{}\n"), "data/a.js": []byte("1")}}
	dir := filepath.Join(t.TempDir(), "new", "page")
	for range 2 { // into nothing, then over itself
		if err := site.WriteDir(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
	}
	site.files = map[string][]byte{Marker: []byte("{}\n")}
	if err := site.WriteDir(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); err == nil {
		t.Error("a file of the older page is still there")
	}
	if rest, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(rest) != 1 {
		t.Errorf("beside the page lies %v, %v", rest, err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	taken := (*NotPageError)(nil)
	if err := site.WriteDir(t.Context(), other); !errors.As(err, &taken) {
		t.Errorf("a directory of something else: %v", err)
	}
	if err := site.WriteDir(t.Context(), filepath.Join(other, "mine")); err == nil {
		t.Error("a file is taken for a directory")
	}
}

func TestMapStaysWithinBounds(t *testing.T) {
	g := &graph.Graph{}
	folders := maxModules + 7
	for i := range folders {
		dir := "a/" + strconv.Itoa(i)
		g.Nodes = append(g.Nodes, graph.Node{ID: strconv.Itoa(i), Label: "f", File: dir + "/f.go", FileType: "code", Kind: "function", Lang: "go", Line: 1})
	}
	for i := range maxEdges + 9 {
		g.Links = append(g.Links, graph.Link{Source: strconv.Itoa(i % folders), Target: strconv.Itoa((i*7 + 1 + i/folders) % folders), Relation: "calls"})
	}
	m := newMap(bundle.Build{Repo: "all", Submodules: []bundle.Submodule{{Name: "a", Path: "a"}}}, g)
	if len(m.Modules) != maxModules || len(m.Edges) > maxEdges || m.LeftOut < 7 {
		t.Errorf("%d modules, %d edges, %d left out", len(m.Modules), len(m.Edges), m.LeftOut)
	}
	if m.Modules[0].Repo != 1 {
		t.Error("a file of the submodule is none of its own")
	}
}

func TestMapCountsUses(t *testing.T) {
	g := &graph.Graph{
		Nodes: []graph.Node{
			{ID: "x/a.go", File: "x/a.go", FileType: "code", Kind: "file", Lang: "go"},
			{ID: "A", Label: "A()", File: "x/a.go", FileType: "code", Kind: "function", Lang: "go", Line: 3},
			{ID: "B", Label: "B()", File: "y/b.go", FileType: "code", Kind: "function", Lang: "go", Line: 4},
			{ID: "page", Label: "page", File: "y/p.md", FileType: "document"},
		},
		Links: []graph.Link{{Source: "x/a.go", Target: "A", Relation: contains}, {Source: "B", Target: "A", Relation: "calls"}, {Source: "B", Target: "nowhere", Relation: "calls"}},
	}
	m := newMap(bundle.Build{Repo: "all"}, g)
	if len(m.Modules) != 2 || len(m.Edges) != 1 || m.Edges[0] != [3]int{1, 0, 1} {
		t.Fatalf("got %+v", m)
	}
	if top := m.Modules[0].Top; len(top) != 1 || top[0] != (Top{"A()", "x/a.go", 3, 1}) {
		t.Errorf("used most: %+v", top)
	}
}

func TestHistory(t *testing.T) {
	head := strings.Repeat("a", 40)
	bench := &bundle.Bench{Questions: 3, First: 2, InFive: 3, MRR: 0.75}
	scores := withScore(nil, bundle.Build{Head: head, CommitTime: "2026-01-02T03:04:05Z", Bench: bench})
	bench.First = 3
	scores = withScore(scores, bundle.Build{Head: head, Bench: bench}) // the same commit counts once
	scores = withScore(scores, bundle.Build{Head: strings.Repeat("b", 40)})
	if len(scores) != 1 || scores[0].First != 3 {
		t.Fatalf("got %+v", scores)
	}
	data, err := FormatHistory(scores)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseHistory(data)
	if err != nil || len(again) != 1 || again[0].Head != head {
		t.Errorf("read again: %+v, %v", again, err)
	}
	for _, bad := range []string{"x", "{}", `{"head":"` + head + `","first":2,"questions":1}`, `{"head":"` + head + `","head":"x"}`, strings.Repeat(" ", MaxHistory+1)} {
		if _, err := ParseHistory([]byte(bad)); err == nil {
			t.Errorf("%.40q is a history", bad)
		}
	}
	many := withScore(make([]Score, maxScores+5), bundle.Build{})
	if len(many) != maxScores {
		t.Errorf("%d scores are kept", len(many))
	}
}

func TestFileChanges(t *testing.T) {
	graphOf := func(defs map[string][]string) *graph.Graph {
		g := &graph.Graph{}
		for file, names := range defs {
			g.Nodes = append(g.Nodes, graph.Node{ID: file, File: file, FileType: "code", Kind: "file"})
			for _, n := range names {
				g.Nodes = append(g.Nodes, graph.Node{ID: file + n, Label: n, File: file, FileType: "code", Kind: "function"})
			}
		}
		return g
	}
	got := fileChanges(graphOf(map[string][]string{"same.go": {"a"}, "gone.go": {"b"}, "some.go": {"c", "d", "d"}}),
		graphOf(map[string][]string{"same.go": {"a"}, "new.go": {"e"}, "some.go": {"d", "f"}}))
	want := []FileChange{{"gone.go", []string{}, []string{"b"}, "gone"}, {"new.go", []string{"e"}, []string{}, "new"}, {"some.go", []string{"f"}, []string{"c", "d"}, "changed"}}
	if !slices.EqualFunc(got, want, func(a, b FileChange) bool {
		return a.File == b.File && a.What == b.What && slices.Equal(a.Added, b.Added) && slices.Equal(a.Removed, b.Removed)
	}) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func FuzzHistory(f *testing.F) {
	f.Add([]byte(`{"head":"` + strings.Repeat("a", 40) + `","questions":2,"first":1}` + "\n"))
	f.Add([]byte("\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		scores, err := ParseHistory(data)
		if err != nil {
			return
		}
		out, err := FormatHistory(scores)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseHistory(out)
		if err != nil || len(again) != len(scores) {
			t.Fatalf("%d scores come back as %d, %v", len(scores), len(again), err)
		}
	})
}

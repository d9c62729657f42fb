package assemble

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// o200k counts the tokens of a text as a chat model does.
func o200k(t *testing.T) func(text string) int {
	t.Helper()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	enc, err := tiktoken.GetEncoding("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) int { return len(enc.EncodeOrdinary(text)) }
}

// ourselves is a workspace of this module's own files and names, so many times.
func ourselves(t *testing.T, times int) (*workspace.Workspace, *collected) {
	t.Helper()
	w, c := &workspace.Workspace{}, &collected{}
	top := filepath.Join("..", "..", "..")
	for n := range times {
		name := fmt.Sprintf("copy%d", n)
		w.Repos = append(w.Repos, &workspace.Repo{Name: name, Path: name, Head: strings.Repeat("0c4f", 10)})
		err := filepath.WalkDir(filepath.Join(top, "internal"), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := goparser.ParseFile(token.NewFileSet(), path, nil, goparser.SkipObjectResolution)
			if err != nil {
				return err
			}
			file := &extract.File{Lang: "go"}
			for _, d := range f.Decls {
				for _, name := range declared(d) {
					file.Definitions = append(file.Definitions, extract.Definition{Name: name, Exported: ast.IsExported(name), Kind: extract.Function})
				}
			}
			rel, err := filepath.Rel(top, path)
			c.sources = append(c.sources, source{repo: n, path: name + "/" + filepath.ToSlash(rel), parsed: parsed{file: file}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return w, c
}

func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// TestDigestFitsARealTokenizer: 25,000 tokens as o200k counts them, and not
// so few that the room is wasted.
func TestDigestFitsARealTokenizer(t *testing.T) {
	count := o200k(t)
	many := func(repos, files, defs int) func(*testing.T) (*workspace.Workspace, *collected) {
		return func(*testing.T) (*workspace.Workspace, *collected) { return manyFiles(repos, files, defs) }
	}
	wires := &wiring.Wiring{}
	for i := range 400 {
		wires.Artifacts = append(wires.Artifacts, wiring.Artifact{Name: fmt.Sprintf("ghcr.io/acme/image-%d", i), Kind: wiring.Image,
			Pinned: []wiring.Place{{File: fmt.Sprintf("services/s%d/deploy.yaml", i), Line: 7, Version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}})
	}
	for _, tt := range []struct {
		name  string
		of    func(*testing.T) (*workspace.Workspace, *collected)
		wires *wiring.Wiring
		full  bool
	}{
		{"this module", func(t *testing.T) (*workspace.Workspace, *collected) { return ourselves(t, 1) }, &wiring.Wiring{}, true},
		{"this module thrice, and wiring", func(t *testing.T) (*workspace.Workspace, *collected) { return ourselves(t, 3) }, wires, true},
		{"a little", many(1, 3, 3), &wiring.Wiring{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, c := tt.of(t)
			text := string(digest(w, c, noEdges(c), tt.wires))
			real, reckoned := count(text), tokens(text)
			t.Logf("%d bytes, %d tokens, reckoned as %d", len(text), real, reckoned)
			if real > maxDigest || real > reckoned {
				t.Errorf("%d tokens, reckoned as %d, of at most %d", real, reckoned, maxDigest)
			}
			if tt.full && real < maxDigest/2 {
				t.Errorf("%d tokens of %d that there is room for", real, maxDigest)
			}
		})
	}
}

// noEdges is a workspace in which nothing uses anything.
func noEdges(c *collected) *uses {
	return &uses{of: make([][]int32, len(c.sources)), files: make([]int32, len(c.sources))}
}

// TestDigestShowsTheMostUsedFirst: a cut loses what is used least, and two
// uses more or less change no order.
func TestDigestShowsTheMostUsedFirst(t *testing.T) {
	w, c := manyFiles(1, 4, 6)
	u := noEdges(c)
	u.files[2], u.of[2] = 60, []int32{0, 1, 0, 40, 0, 1}
	u.files[1], u.of[1] = 20, []int32{0, 0, 0, 0, 20, 0}
	text := string(digest(w, c, u, &wiring.Wiring{}))
	var lines []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "- ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	want := []string{
		"- repository-000/folder02/file0002.go: Definition3, Definition1, Definition5, Definition0, Definition2, Definition4",
		"- repository-000/folder01/file0001.go: Definition4, Definition0, Definition2, Definition1, Definition3, Definition5",
		"- repository-000/folder00/file0000.go: Definition0, Definition2, Definition4, Definition1, Definition3, Definition5",
		"- repository-000/folder03/file0003.go: Definition0, Definition2, Definition4, Definition1, Definition3, Definition5",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	u.files[2], u.files[1] = 62, 18
	if again := string(digest(w, c, u, &wiring.Wiring{})); again != text {
		t.Errorf("two more uses give another digest:\n%s", again)
	}
}

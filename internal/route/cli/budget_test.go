package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// herd writes a bundle in which every answer is long: "hub" is used by all
// of n files, "same" is defined in each, c0 calls c1 calls c2 …, and n
// artifacts are called image.
func herd(t *testing.T, n int) (dir string) {
	t.Helper()
	var paths []string
	for i := range n {
		paths = append(paths, fmt.Sprintf("dir/f%03d.go", i))
	}
	b := index.NewBuilder([]string{"umbrella"}, paths)
	for i, p := range paths {
		b.Add(index.Document{Path: p, Lang: "go", Defs: []index.Def{
			{Name: "same", Kind: "function", Line: 3, End: 4}, {Name: fmt.Sprintf("c%d", i), Kind: "function", Line: 5, End: 9}, {Name: fmt.Sprintf("hub%d", i), Kind: "function", Line: 11, End: 12}}})
		rule := index.Rule{Relation: "calls", Resolver: "test", Certainty: 100}
		b.Link(i, 1, 0, 2, rule, 6)
		if i+1 < n {
			b.Link(i, 1, i+1, 1, rule, 7)
		}
	}
	files, err := b.Files()
	if err != nil {
		t.Fatal(err)
	}
	var artifacts []string
	for i := range n {
		artifacts = append(artifacts, fmt.Sprintf(`{"name":"image-%d","kind":"image","pinned":[{"repo":"umbrella","file":"deploy/%d.yaml","line":4}]}`, i, i))
	}
	files[bundle.WiringName] = []byte(`{"schema":1,"artifacts":[` + strings.Join(artifacts, ",") + `],"dispatches":[],"calls":[],"deploys":[]}`)
	m, err := bundle.NewManifest(files)
	if err != nil {
		t.Fatal(err)
	}
	files[bundle.ManifestName] = m.Encode()
	dir = t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestEveryAnswerHoldsItsBudget: text as a whole, and of JSON the lists that
// the help names. What is not shown is counted, and JSON is JSON at every
// budget.
func TestEveryAnswerHoldsItsBudget(t *testing.T) {
	dir := herd(t, 30)
	ask := func(args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		code := Main(command.Process{Args: append(args, "--bundle", dir), Stdout: &out, Stderr: &errs, Dir: dir})
		if code != 0 || out.Len() == 0 && !strings.Contains(errs.String(), "too small for an answer") {
			t.Fatalf("%q: exit code %d: %s%s", args, code, out.String(), errs.String())
		}
		return out.String()
	}
	for _, tt := range []struct {
		name, list string
		args       []string
		total      int
	}{
		{"explain", "links", []string{"explain", "hub0"}, 31},
		{"path", "steps", []string{"path", "c3", "c20"}, 1 << 30},
		{"wiring", "rows", []string{"wiring", "image"}, 30},
		{"impact", "reached", []string{"impact", "hub0"}, 30},
		{"impact of a name that is not clear", "candidates", []string{"impact", "same"}, 30},
		{"outline of a folder", "files", []string{"outline", "dir"}, 30},
		{"outline of a name that is not clear", "candidates", []string{"outline", "same"}, 30},
		{"where used", "reached", []string{"where-used", "hub0"}, 30},
		{"a name of several meanings", "candidates", []string{"explain", "same"}, 30},
		{"a path from one", "candidates", []string{"path", "same", "hub0"}, 30},
		{"an unknown name", "nearest", []string{"explain", "sameCap"}, 1 << 30},
	} {
		t.Run(tt.name, func(t *testing.T) {
			read := func(budget int) (list []json.RawMessage, left int) {
				t.Helper()
				var r map[string]json.RawMessage
				text := ask(append(tt.args, "--json", "--budget", fmt.Sprint(budget))...)
				if err := json.Unmarshal([]byte(text), &r); err != nil {
					t.Fatalf("budget %d: %v: %s", budget, err, text)
				}
				if err := json.Unmarshal(r[tt.list], &list); err != nil || list == nil {
					t.Fatalf("budget %d: no list %s: %v: %s", budget, tt.list, err, text)
				}
				if err := json.Unmarshal(r["left_out"], &left); err != nil || r["source"] == nil {
					t.Fatalf("budget %d: no left_out: %v: %s", budget, err, text)
				}
				return list, left
			}
			whole, left := read(1 << 20)
			if left != 0 && tt.total < 1<<30 || tt.total < 1<<30 && len(whole) != tt.total || len(whole) == 0 {
				t.Fatalf("%d in the list, %d left out, of %d", len(whole), left, tt.total)
			}
			for budget := 0; budget <= 600; budget += 60 {
				list, left := read(budget)
				size := 0
				for _, item := range list {
					size += len(item) + 1
				}
				if size > 3*budget || len(list)+left != len(whole) {
					t.Errorf("budget %d: %d bytes, %d shown and %d left out of %d", budget, size, len(list), left, len(whole))
				}
				if text := ask(append(tt.args, "--budget", fmt.Sprint(budget))...); len(text) > 3*budget {
					t.Errorf("budget %d: a text of %d bytes", budget, len(text))
				}
			}
		})
	}
}

// What --bundle names is not mended by a fetch.
func TestTheHintForANamedBundle(t *testing.T) {
	dir := herd(t, 3)
	if err := os.WriteFile(filepath.Join(dir, bundle.IndexName), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"query", "hub"}, {"explain", "hub0"}, {"path", "c0", "c1"}, {"wiring", "image"}, {"impact", "c0"}, {"tests", "c0"}, {"where-used", "c0"}, {"outline", "dir"}} {
		var out, errs strings.Builder
		code := Main(command.Process{Args: append(args, "--bundle", dir), Stdout: &out, Stderr: &errs, Dir: dir})
		if code != 3 || out.String() != "" || !strings.HasSuffix(errs.String(), "\nhint: name another bundle with --bundle, or leave it out\n") {
			t.Errorf("%q: %d %q %q", args, code, out.String(), errs.String())
		}
	}
}

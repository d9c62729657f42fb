package extract

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden listings")

func TestListings(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") || strings.HasPrefix(path, filepath.Join("testdata", "fuzz")) {
			continue
		}
		lang := filepath.Base(filepath.Dir(path))
		seen[lang] = true
		t.Run(lang+"/"+filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := Language(path, data); got != lang {
				t.Fatalf("Language(%q) = %q", path, got)
			}
			f, err := Parse(path, data)
			if err != nil {
				t.Fatal(err)
			}
			checkFile(t, f)
			got := listing(f)
			golden := path + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the listing changed; if it should, run with -update and read the difference\n%s", firstDifference(got, string(want)))
			}
		})
	}
	for lang := range parsers {
		if !seen[lang] {
			t.Errorf("language %s has no fixture", lang)
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return "got:  " + a + "\nwant: " + b
		}
	}
	return ""
}

// checkFile holds what must be true of every File.
func checkFile(t *testing.T, f *File) {
	t.Helper()
	line := 0
	for i, d := range f.Definitions {
		switch {
		case d.Name == "" || d.Kind == "":
			t.Errorf("definition %d has no name or kind: %+v", i, d)
		case d.Line < line || d.Line < 1 || d.EndLine < d.Line:
			t.Errorf("lines of %q are out of order: %d to %d after %d", d.Name, d.Line, d.EndLine, line)
		case d.Parent >= len(f.Definitions) || d.Parent < -1 || d.Parent == i:
			t.Errorf("parent of %q is %d", d.Name, d.Parent)
		case len(d.Signature) > maxSignature || len(d.Doc) > maxDoc || len(d.Name) > maxName:
			t.Errorf("texts of %q are too long", d.Name)
		case strings.ContainsAny(d.Signature+d.Doc, "\n\r\t\x00\x1b\u202e\u2066"):
			t.Errorf("texts of %q are not one plain line: %q %q", d.Name, d.Signature, d.Doc)
		}
		line = d.Line
	}
	line = 0
	for _, r := range f.References {
		if r.From < -1 || r.From >= len(f.Definitions) || r.Line < line || r.Name == "" || r.Relation == "" {
			t.Errorf("reference out of order or without a name: %+v", r)
		}
		line = r.Line
	}
	line = 0
	for _, i := range f.Imports {
		if i.Line < line || i.Path == "" && !i.Export {
			t.Errorf("import out of order or without a path: %+v", i)
		}
		line = i.Line
	}
}

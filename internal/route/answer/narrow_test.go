package answer

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func narrowWorld() *world {
	w := &world{}
	class := def("Reader", 3)
	class.Kind = "class"
	w.file("lib/read.py", "read header", class, def("Reader.read_header", 5)).Lang = "python"
	w.file("app/read.go", "read header", def("readHeader", 4))
	w.file("app/deep/head.go", "header", def("headerOf", 4))
	w.file("docs/read.md", "read header").Lang = ""
	return w
}

func TestNarrow(t *testing.T) {
	e := narrowWorld().engine(t)
	for _, tt := range []struct {
		name string
		n    Narrow
		want string // places of the first definition of each file
	}{
		{"nothing", Narrow{}, "app/read.go:4 lib/read.py:5 app/deep/head.go:4 docs/read.md:1"},
		{"a language", Narrow{Langs: []string{"python"}}, "lib/read.py:5"},
		{"a language that no file has", Narrow{Langs: []string{"cobol"}}, ""},
		{"either of two", Narrow{Langs: []string{"python", "go"}}, "app/read.go:4 lib/read.py:5 app/deep/head.go:4"},
		{"a folder", Narrow{Paths: []string{"app/"}}, "app/read.go:4 app/deep/head.go:4"},
		{"a file", Narrow{Paths: []string{"./app/read.go"}}, "app/read.go:4"},
		{"the beginning of a folder is none", Narrow{Paths: []string{"ap"}}, ""},
		{"a pattern of names", Narrow{Paths: []string{"read.*"}}, "app/read.go:4 lib/read.py:5 docs/read.md:1"},
		{"a pattern within a folder", Narrow{Paths: []string{"app/*.go"}}, "app/read.go:4"},
		{"a pattern over folders", Narrow{Paths: []string{"app/**/*.go"}}, "app/read.go:4 app/deep/head.go:4"},
		{"everything", Narrow{Paths: []string{"."}}, "app/read.go:4 lib/read.py:5 app/deep/head.go:4 docs/read.md:1"},
		{"a kind", Narrow{Kinds: []string{"class"}}, "lib/read.py:3"},
		{"two kinds", Narrow{Kinds: []string{"function", "method"}}, "app/read.go:4 lib/read.py:5 app/deep/head.go:4"},
		{"a kind in a language", Narrow{Kinds: []string{"class"}, Langs: []string{"go"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := e.Query("read header", tt.n, 10, 1000)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range a.Files {
				i := slices.IndexFunc(a.Nodes, func(n Node) bool { return n.Path == f.Path })
				got = append(got, a.Nodes[i].Src())
			}
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("finds %s, want %s", g, tt.want)
			}
			if a.More != 0 {
				t.Errorf("%d more files are said to fit", a.More)
			}
		})
	}
}

func TestNarrowToAKindShowsNothingElse(t *testing.T) {
	e := narrowWorld().engine(t)
	a, err := e.Query("readHeader", Narrow{Kinds: []string{"class"}}, 10, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range a.Nodes {
		if n.Kind != "class" {
			t.Errorf("%s is a %s", n.Label, n.Kind)
		}
	}
}

func TestNarrowByWhatIsNotThere(t *testing.T) {
	e := narrowWorld().engine(t)
	for _, n := range []Narrow{{Kinds: []string{"klass"}}, {Repos: []string{"nowhere"}}} {
		_, err := e.Query("read", n, 10, 1000)
		var unknown *UnknownError
		if !errors.As(err, &unknown) || !strings.HasPrefix(unknown.Hint(), "one of: ") {
			t.Errorf("%+v gives %v", n, err)
		}
	}
}

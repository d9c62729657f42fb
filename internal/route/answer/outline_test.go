package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// outlineOf asks with room for everything.
func outlineOf(t testing.TB, e *Engine, name string) *Outline {
	t.Helper()
	x, err := e.Outline(name, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestOutline(t *testing.T) {
	w := tide()
	w.docs[0].Doc, w.docs[0].Defs[1].Signature = "Package app swims.", "func (s Swim) score() int"
	w.file("app/docs/a.md", "a page")
	w.docs[len(w.docs)-1].Repo = 1
	w.extra[bundle.BuildName] = []byte(`{"schema":1,"repo":"umbrella","submodules":[{"name":"app","path":"app","head":"","url":""}]}`)
	e := w.engine(t)
	for _, tt := range []struct{ name, ask, want string }{
		{"a file", "app/swim.go", `from here
FILE app/swim.go  go
  doc: Package app swims.
  :3  class Swim  used 1×
    :10  func (s Swim) score() int  used 1×
  :30  function lone
    :40  method Swim.inner
`},
		{"a file of no definition", "site/schema.json", "from here\nFILE site/schema.json  go\nthe index knows no definition in it\n"},
		{"a folder", "app", "from here\nFOLDER app  and 3 files of tests, documents and data\napp/swim.go: Swim, lone\napp/board.go: draw, paint, hang\n"},
		{"a folder with a slash", "./app/", "from here\nFOLDER app  and 3 files of tests, documents and data\napp/swim.go: Swim, lone\napp/board.go: draw, paint, hang\n"},
		{"a folder of documents alone", "app/docs", "from here\nFOLDER app/docs\napp/docs/a.md\n"},
		{"the workspace", ".", "from here\nWORKSPACE .  and 4 files of tests, documents and data\napp/swim.go: Swim, lone\napp/board.go: draw, paint, hang\nsite/page.ts: show\n"},
		{"the umbrella", "umbrella", "from here\nREPOSITORY umbrella  and 4 files of tests, documents and data\nsite/page.ts: show\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := outlineOf(t, e, tt.ask).Render("from here", 400); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	if x := outlineOf(t, e, "nowhere"); x != nil {
		t.Errorf("nowhere is %+v", x)
	}
	l, err := e.Lookup("Swim")
	if err != nil {
		t.Fatal(err)
	}
	x, err := e.OutlineFound(l)
	if err != nil || x.Kind != "definition" || len(x.Files[0].Symbols) != 3 {
		t.Errorf("a type is %+v, %v", x, err)
	}
}

func TestOutlineHoldsItsBudget(t *testing.T) {
	w := &world{}
	for i := range 60 {
		path := fmt.Sprintf("pkg/f%02d.go", i)
		d := w.file(path, "file")
		for k := range 50 {
			d.Defs = append(d.Defs, def(fmt.Sprintf("name%d_%d", i, k), k*10+1))
		}
		for k := range i {
			w.edges = append(w.edges, edge{from: fmt.Sprintf("pkg/f%02d.go", k), relation: "imports", to: path}, edge{from: fmt.Sprintf("pkg/f%02d.go", k), relation: "calls", to: fmt.Sprintf("%s#name%d_7", path, i)})
		}
	}
	e := w.engine(t)
	for budget := 0; budget < 3000; budget += 211 {
		for _, name := range []string{"pkg", "pkg/f03.go", "."} {
			x, err := e.Outline(name, Room(budget))
			if err != nil {
				t.Fatal(err)
			}
			if text := x.Render("first", budget); len(text) > 3*budget {
				t.Errorf("%s in %d: %d bytes", name, budget, len(text))
			}
		}
	}
	x, err := e.Outline("pkg", Room(400))
	if err != nil {
		t.Fatal(err)
	}
	text := x.Render("first", 400)
	lines := strings.Split(text, "\n")
	if lines[2] != "pkg/f59.go: name59_7, name59_0, name59_1, name59_2, name59_3, … 45 more" || !strings.Contains(text, "left out: ") {
		t.Errorf("the most used file does not come first:\n%s", text)
	}
}

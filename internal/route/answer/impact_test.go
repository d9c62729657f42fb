package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// tide is a workspace of two repositories: app's Swim.score is used near and
// far, site has a copy of a file of app's.
func tide() *world {
	w := &world{}
	w.file("app/swim.go", "package app", def("Swim", 3), def("Swim.score", 10), def("lone", 30), def("Swim.inner", 40))
	w.docs[0].Defs[0].Kind, w.docs[0].Defs[0].End = "class", 8
	w.file("app/board.go", "package app", def("draw", 5), def("paint", 15), def("hang", 25))
	w.file("app/board_test.go", "package app", def("TestDraw", 5))
	w.file("app/schema.json", "schema", def("title", 2))
	w.file("site/page.ts", "page", def("show", 4))
	w.file("site/schema.json", "schema")
	for i := range w.docs {
		w.docs[i].Repo = btoi(strings.HasPrefix(w.docs[i].Path, "app/"))
	}
	w.edges = []edge{
		{from: "app/board.go#draw", relation: "calls", to: "app/swim.go#Swim.score", line: 7},
		{from: "app/board.go#paint", relation: "calls", to: "app/board.go#draw", line: 17, certainty: 60},
		{from: "app/board.go#hang", relation: "calls", to: "app/board.go#paint", line: 27},
		{from: "app/board_test.go#TestDraw", relation: "calls", to: "app/board.go#draw", line: 6},
		{from: "site/page.ts#show", relation: "inherits", to: "app/swim.go#Swim", line: 4},
		{from: "site/page.ts", relation: "imports", to: "app/swim.go", line: 1},
		{from: "app/swim.go#Swim.score", relation: "calls", to: "app/swim.go#Swim.inner", line: 11},
		{from: "app/swim.go", relation: "contains", to: "app/board.go#hang"},
	}
	w.extra = map[string][]byte{bundle.WiringName: []byte(`{"schema":1,
 "artifacts":[{"name":"ghcr.io/acme/app","kind":"image","published":[{"repo":"app","file":"app/.github/workflows/image.yml","line":9}],"pinned":[{"repo":"site","file":"site/app-image","line":1,"version":"1.2.0"}]},
  {"name":"acme/app","kind":"repository","pinned":[{"repo":"umbrella","file":".gitmodules","line":2,"version":"0123456789012345678901234567890123456789"}]},
  {"name":"acme/other","kind":"repository","pinned":[{"repo":"umbrella","file":".gitmodules","line":6}]}],
 "bumps":[{"repo":"app","file":"app/schema.json","starts":[{"repo":"app","file":"app/.github/workflows/board.yml","line":3}]}],
 "calls":[{"target":"acme/app/schema.json","kind":"workflow","from":[{"repo":"site","file":"site/.github/workflows/x.yml","line":7}]}],
 "dispatches":[{"type":"moved","sent":[{"repo":"app","file":"app/schema.json","line":1}],"heard":[{"repo":"site","file":"site/.github/workflows/heard.yml","line":4}]}],
 "deploys":[],"triggers":[],
 "contracts":[{"name":"schema.json","copies":[{"repo":"app","file":"app/schema.json","line":0},{"repo":"site","file":"site/schema.json","line":0}]}]}`)}
	return w
}

// impactOf asks with these names.
func impactOf(t testing.TB, e *Engine, how Reach, names ...string) *Impact {
	t.Helper()
	var found []*Lookup
	for _, name := range names {
		l, err := e.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Found) == 0 {
			if l, err = e.WiredAs(name); err != nil || l == nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		found = append(found, l)
	}
	x, err := e.Impact(found, how)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func reached(x *Impact) string {
	var out []string
	for _, r := range x.Reached {
		s := fmt.Sprintf("%s %s %s %d:%d@%d", r.Label, r.Relation, r.Of, r.Steps, r.Certainty, r.At)
		if r.Test {
			s += " test"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestImpact(t *testing.T) {
	e := tide().engine(t)
	for _, tt := range []struct {
		name string
		how  Reach
		ask  []string
		want string
	}{
		{"impact_reverse_depth 1", Reach{Depth: 1}, []string{"Swim.score"}, "draw calls Swim.score 1:100@7"},
		{"impact_reverse_depth 2", Reach{Depth: 2}, []string{"Swim.score"}, "draw calls Swim.score 1:100@7; paint calls draw 2:60@17; TestDraw calls draw 2:100@6 test"},
		{"impact_reverse_depth 3", Reach{Depth: 3}, []string{"Swim.score"}, "draw calls Swim.score 1:100@7; paint calls draw 2:60@17; hang calls paint 3:60@27; TestDraw calls draw 2:100@6 test"},
		{"a type with what it holds, and who inherits from it", Reach{Depth: 1}, []string{"Swim"}, "draw calls Swim.score 1:100@7; show inherits Swim 1:100@4"},
		{"the type alone", Reach{Depth: 1, Alone: true}, []string{"Swim"}, "show inherits Swim 1:100@4"},
		{"a file, its importers and the users of all in it", Reach{Depth: 1}, []string{"app/swim.go"}, "draw calls Swim.score 1:100@7; page.ts imports swim.go 1:100@1; show inherits Swim 1:100@4"},
		{"several", Reach{Depth: 1}, []string{"draw", "paint"}, "hang calls paint 1:100@27; TestDraw calls draw 1:100@6 test"},
		{"tests only", Reach{Depth: 3, Tests: true}, []string{"Swim.inner"}, "TestDraw calls draw 3:100@6 test"},
		{"nobody", Reach{Depth: 3}, []string{"lone"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := reached(impactOf(t, e, tt.how, tt.ask...)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestImpactOfAPathInTwoWays(t *testing.T) {
	w := &world{}
	w.file("a.go", "a", def("x", 1), def("weak", 11), def("sure", 21), def("top", 31))
	w.edges = []edge{
		{from: "a.go#weak", relation: "calls", to: "a.go#x", line: 12, certainty: 40},
		{from: "a.go#sure", relation: "calls", to: "a.go#x", line: 22},
		{from: "a.go#top", relation: "calls", to: "a.go#weak", line: 32},
		{from: "a.go#top", relation: "references", to: "a.go#sure", line: 33},
		{from: "a.go#x", relation: "calls", to: "a.go#top", line: 2}, // round
	}
	want := "weak calls x 1:40@12; sure calls x 1:100@22; top references sure 2:100@33"
	if got := reached(impactOf(t, w.engine(t), Reach{Depth: 9}, "x")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestImpactOfWiring(t *testing.T) {
	e := tide().engine(t)
	rows := func(x *Impact) string {
		var out []string
		for _, r := range x.Wiring {
			out = append(out, strings.TrimSpace(rowText(r, 9)))
		}
		return strings.Join(out, "; ")
	}
	const pins = "ghcr.io/acme/app (image)  pinned in site/app-image:1 (1.2.0); acme/app (repository)  pinned in .gitmodules:2 (0123456)"
	for _, tt := range []struct{ name, ask, want string }{
		{"impact_adds_contract_readers", "app/schema.json", "moved (dispatch)  heard by site/.github/workflows/heard.yml:4; app/schema.json (pin)  a change starts app/.github/workflows/board.yml:3; " +
			"acme/app/schema.json (workflow)  called by site/.github/workflows/x.yml:7; schema.json (contract)  same in site/schema.json; " + pins},
		{"repositories that pin it", "lone", pins},
		{"a name that is wired only", "ghcr.io/acme/app", "ghcr.io/acme/app (image)  pinned in site/app-image:1 (1.2.0)"},
		{"of another repository", "show", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rows(impactOf(t, e, Reach{Depth: 1}, tt.ask)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	if x := impactOf(t, e, Reach{Depth: 1, Tests: true}, "lone"); len(x.Wiring) != 0 {
		t.Errorf("tests alone have wiring: %+v", x.Wiring)
	}
}

func TestImpactText(t *testing.T) {
	e := tide().engine(t)
	x := impactOf(t, e, Reach{Depth: 3}, "Swim")
	t.Run("impact_prints_lower_bound", func(t *testing.T) {
		want := `from here
NODE Swim  src=app/swim.go:3
reaches 5 definitions in 3 files of 2 repositories within 3 steps, 1 of them in tests
repo app
app/board.go
  draw :5  calls Swim.score at :7
  paint :15  calls draw at :17, 2 steps, 60 %
  hang :25  calls paint at :27, 3 steps, 60 %
app/board_test.go
  TestDraw :5  calls draw at :6, 2 steps
repo umbrella
site/page.ts
  show :4  inherits Swim
WIRING ghcr.io/acme/app (image)  pinned in site/app-image:1 (1.2.0)
WIRING acme/app (repository)  pinned in .gitmodules:2 (0123456)
` + LowerBound + "\n"
		if got := x.Render("from here", 400); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("whatever the budget", func(t *testing.T) {
		for budget := range 500 {
			text := x.Render("from here", budget)
			if len(text) > 3*budget {
				t.Fatalf("budget %d: %d bytes", budget, len(text))
			}
			if text != "" && !strings.HasSuffix(text, LowerBound+"\n") {
				t.Fatalf("budget %d: it ends without the bound:\n%s", budget, text)
			}
		}
	})
	t.Run("nothing", func(t *testing.T) {
		if got := impactOf(t, e, Reach{Depth: 1}, "show").Render("", 200); !strings.Contains(got, "nothing in the index uses it within 1 step\n"+LowerBound) {
			t.Errorf("got %s", got)
		}
	})
}

func TestEdited(t *testing.T) {
	w := tide()
	w.docs[0].Defs[0].End = 20 // around score
	e := w.engine(t)
	for _, tt := range []struct {
		name  string
		edits []Edit
		want  string
		out   int
	}{
		{"a line of a method", []Edit{{"app/swim.go", 12, 12}}, "Swim.score app/swim.go:10", 0},
		{"a line of a type", []Edit{{"app/swim.go", 4, 4}}, "Swim app/swim.go:3", 0},
		{"a line beside all", []Edit{{"app/swim.go", 1, 1}}, "swim.go app/swim.go:1", 0},
		{"lines across", []Edit{{"app/swim.go", 18, 31}}, "Swim app/swim.go:3, lone app/swim.go:30", 0},
		{"lines added inside", []Edit{{"app/swim.go", 13, 12}}, "Swim.score app/swim.go:10", 0},
		{"lines added behind", []Edit{{"app/swim.go", 36, 35}}, "swim.go app/swim.go:1", 0},
		{"a file twice and one that is not there", []Edit{{"nowhere.go", 1, 2}, {"app/swim.go", 12, 12}, {"app/swim.go", 13, 13}}, "Swim.score app/swim.go:10", 1},
		{"a folder is no file", []Edit{{"app", 1, 2}, {"app/swim.g", 1, 1}, {"", 1, 1}}, "", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, out, err := e.Edited(tt.edits)
			if err != nil || places(l.Found) != tt.want || out != tt.out {
				t.Errorf("got %s, %d, %v", places(l.Found), out, err)
			}
		})
	}
	l, _, err := e.Edited([]Edit{{"app/swim.go", 4, 4}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := e.Impact([]*Lookup{l}, Reach{Depth: 1})
	if err != nil || reached(x) != "show inherits Swim 1:100@4" {
		t.Errorf("a changed line of a type reaches %s, %v", reached(x), err)
	}
}

// An impact of a hub ends at its bound and says so.
func TestImpactOfAHub(t *testing.T) {
	w := &world{}
	w.file("hub.go", "hub", def("hub", 1))
	for i := range maxReached/500 + 1 {
		var defs []index.Def
		path := fmt.Sprintf("f%02d.go", i)
		for k := range 500 {
			defs = append(defs, def(fmt.Sprintf("c%d", k), k*10+1))
			w.edges = append(w.edges, edge{from: fmt.Sprintf("%s#c%d", path, k), relation: "calls", to: "hub.go#hub", line: k*10 + 2})
		}
		w.file(path, "caller", defs...)
	}
	x := impactOf(t, w.engine(t), Reach{Depth: 2}, "hub")
	if len(x.Reached) != maxReached || !x.Bounded || !strings.Contains(x.Render("", 400), "; the search ended at 5000") {
		t.Errorf("%d reached, %v: %s", len(x.Reached), x.Bounded, x.Render("", 400))
	}
}

// FuzzImpact reads edges that a foreign index made up: no impact is larger
// than its bound, and every text is as plain and short as any.
func FuzzImpact(f *testing.F) {
	files := tide().bundle(f)
	read := func(name string) string {
		data, err := files.Read(name)
		if err != nil {
			f.Fatal(err)
		}
		return string(data)
	}
	nodes, wires := read(bundle.PieceName(bundle.NodesDir, 0)), read(bundle.WiringName)
	f.Add(nodes, wires)
	f.Add(strings.ReplaceAll(nodes, "draw", `d\nr\u202eaw`), strings.ReplaceAll(wires, "schema.json", `sch\u0007ema`))
	f.Add(strings.ReplaceAll(nodes, `{"in":[`, `{"in":[0,0,0,-1,`), `{"schema":1}`)
	names := files.Manifest()
	f.Fuzz(func(t *testing.T, nodes, wires string) {
		content := map[string][]byte{}
		for _, file := range names.Files {
			content[file.Name], _ = files.Read(file.Name)
		}
		content[bundle.PieceName(bundle.NodesDir, 0)], content[bundle.WiringName] = []byte(nodes), []byte(wires)
		m, err := bundle.NewManifest(content)
		if err != nil {
			return
		}
		content[bundle.ManifestName] = m.Encode()
		b, err := bundle.Open(bundle.Memory(content))
		if err != nil {
			return
		}
		e, err := Open(b)
		if err != nil {
			return
		}
		for _, name := range []string{"Swim", "app/schema.json", "app/swim.go"} {
			l, err := e.Lookup(name)
			if err != nil {
				continue
			}
			x, err := e.Impact([]*Lookup{l}, Reach{Depth: 4})
			if err != nil {
				continue
			}
			text := x.Render("first", 300)
			if len(text) > 900 || len(x.Reached) > maxReached || strings.ContainsAny(text, "\x07\x1b\u202e\r") {
				t.Errorf("%q", text)
			}
		}
	})
}

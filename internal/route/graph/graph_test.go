package graph

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// What graphify writes: 0.8 with links and less of each, 0.9 with edges and
// scores.
const (
	version8 = `{"directed": false, "multigraph": false, "graph": {}, "nodes": [
 {"label": "Swim.scala", "file_type": "code", "source_file": "app/Swim.scala", "source_location": "L1", "id": "swim", "community": 3},
 {"label": "Swim", "file_type": "code", "source_file": "app/Swim.scala", "source_location": "L4", "id": "swim_swim"},
 {"label": ".score()", "file_type": "code", "source_file": "app/Swim.scala", "source_location": "L6", "id": "swim_score"},
 {"label": "main()", "file_type": "code", "source_file": "app/Main.scala", "source_location": "L2", "id": "main_main"},
 {"label": "A heading", "file_type": "document", "source_file": "README.md", "source_location": "L1", "id": "heading"},
 {"label": "println", "file_type": "code", "source_file": "", "id": "println"}],
 "links": [
 {"relation": "contains", "confidence": "EXTRACTED", "source_file": "app/Swim.scala", "source": "swim", "target": "swim_swim"},
 {"relation": "method", "confidence": "EXTRACTED", "source": "swim_swim", "target": "swim_score"},
 {"relation": "calls", "confidence": "INFERRED", "source_location": "L3", "source": "main_main", "target": "swim_score"},
 {"relation": "calls", "source": "main_main", "target": "println"},
 {"relation": "calls", "source": "main_main", "target": "nowhere"}]}`

	version9 = `{"directed": true, "multigraph": true, "graph": {"hyperedges": []}, "nodes": [
 {"id": 1, "label": "tool.py", "norm_label": "tool.py", "file_type": "code", "source_file": "tool.py", "source_location": "L1", "_origin": "ast"},
 {"id": 2, "label": "run()", "norm_label": "run()", "file_type": "code", "source_file": "tool.py", "source_location": "L10", "community_name": null},
 {"id": -3.5, "label": "load()", "file_type": "code", "source_file": "lib.py", "source_location": null},
 {"id": 4, "label": 404, "file_type": "code", "source_file": null}],
 "edges": [
 {"source": 2, "target": -3.5, "relation": "calls", "confidence": "EXTRACTED", "confidence_score": 0.85, "source_file": "tool.py", "source_location": "L12", "weight": 1.0},
 {"source": 1, "target": 2, "relation": "contains", "confidence": "AMBIGUOUS"}]}`
)

func parse(t *testing.T, text string) *Graph {
	t.Helper()
	g, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestParse(t *testing.T) {
	t.Run("graphify 0.8", func(t *testing.T) {
		g := parse(t, version8)
		if len(g.Nodes) != 6 || len(g.Links) != 5 || g.Parts != nil {
			t.Fatalf("%d nodes, %d links", len(g.Nodes), len(g.Links))
		}
		if want := (Node{ID: "swim_score", Label: ".score()", FileType: "code", File: "app/Swim.scala", Line: 6}); g.Nodes[2] != want {
			t.Errorf("got %+v, want %+v", g.Nodes[2], want)
		}
		if want := (Link{Source: "main_main", Target: "swim_score", Relation: "calls", Certainty: 50, Line: 3}); g.Links[2] != want {
			t.Errorf("got %+v, want %+v", g.Links[2], want)
		}
	})
	t.Run("graphify 0.9", func(t *testing.T) {
		g := parse(t, version9)
		want := &Graph{
			Nodes: []Node{{ID: "1", Label: "tool.py", FileType: "code", File: "tool.py", Line: 1}, {ID: "2", Label: "run()", FileType: "code", File: "tool.py", Line: 10},
				{ID: "-3.5", Label: "load()", FileType: "code", File: "lib.py"}, {ID: "4", Label: "404", FileType: "code"}},
			Links: []Link{{Source: "2", Target: "-3.5", Relation: "calls", Certainty: 85, Line: 12}, {Source: "1", Target: "2", Relation: "contains", Certainty: 20}},
		}
		if !reflect.DeepEqual(g, want) {
			t.Errorf("got %+v, want %+v", g, want)
		}
	})
	t.Run("our own", func(t *testing.T) {
		g := parse(t, `{"graph":{"parts":["graph/00-a.json"]},"nodes":[{"id":"a.go#f","label":"f()","kind":"function","lang":"go","signature":"func f()","doc":"Does f.","repo":"app","source_file":"a.go","source_location":"L7"}],
			"links":[{"source":"a.go#f","target":"a.go#f","relation":"calls","resolver":"same file","confidence":"EXTRACTED","confidence_score":1}]}`)
		if want := (Node{ID: "a.go#f", Label: "f()", File: "a.go", Line: 7, Kind: "function", Lang: "go", Signature: "func f()", Doc: "Does f.", Repo: "app"}); g.Nodes[0] != want {
			t.Errorf("got %+v", g.Nodes[0])
		}
		if want := (Link{Source: "a.go#f", Target: "a.go#f", Relation: "calls", Resolver: "same file", Certainty: 100}); g.Links[0] != want {
			t.Errorf("got %+v", g.Links[0])
		}
		if !slices.Equal(g.Parts, []string{"graph/00-a.json"}) {
			t.Errorf("parts %q", g.Parts)
		}
	})
	t.Run("J01 a byte order mark", func(t *testing.T) {
		if g := parse(t, "\ufeff"+version8); len(g.Nodes) != 6 {
			t.Errorf("%d nodes", len(g.Nodes))
		}
	})
	t.Run("J06 numbers of either spelling", func(t *testing.T) {
		g := parse(t, `{"nodes":[{"id":1e3,"source_location":12}],"links":[{"source":1,"confidence_score":1e-1},{"confidence_score":"high"},{"confidence_score":95},{"confidence_score":-1}]}`)
		if g.Nodes[0].ID != "1e3" || g.Nodes[0].Line != 12 || g.Links[0].Certainty != 10 || g.Links[1].Certainty != 100 || g.Links[2].Certainty != 100 || g.Links[3].Certainty != 100 {
			t.Errorf("got %+v", g)
		}
	})
	t.Run("no links", func(t *testing.T) {
		for _, text := range []string{`{"nodes":[]}`, `{"nodes":[],"links":null}`, `{"nodes":[],"edges":[]}`} {
			if g := parse(t, text); len(g.Nodes)+len(g.Links) != 0 {
				t.Errorf("%s: %+v", text, g)
			}
		}
	})
	t.Run("links and edges both", func(t *testing.T) {
		if g := parse(t, `{"edges":[{"source":"a"}],"nodes":[],"links":[{"source":"b"}]}`); len(g.Links) != 2 {
			t.Errorf("got %+v", g.Links)
		}
	})
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text   string
		line, column int // 0: the error has no place
		want         string
	}{
		{"no nodes", `{"links":[]}`, 0, 0, "it has no nodes; a node-link graph has nodes and links"},
		{"nodes that are null", `{"nodes":null}`, 0, 0, "it has no nodes"},
		{"nothing", ``, 1, 1, "the file ends"},
		{"a list", `[]`, 1, 1, "'{' was expected"},
		{"nodes in an object", "{\n\"nodes\": {}}", 2, 10, "'[' was expected"},
		{"a node that is a text", "{\"nodes\":[\n \"a\"]}", 2, 2, "'{' was expected"},
		{"an id that is a list", "{\"nodes\":[\n{\"id\":[]}]}", 2, 7, "a string was expected"},
		{"an id that is true", `{"nodes":[{"id":true}]}`, 1, 17, "a string was expected"},
		{"a label that is an object", "{\"nodes\":[\n\n{\"label\":{}}]}", 3, 10, "a string was expected"},
		{"a file that is a number", `{"nodes":[{"source_file":7}]}`, 1, 26, "a string was expected"},
		{"a relation that is a number", `{"nodes":[],"links":[{"relation":7}]}`, 1, 34, "a string was expected"},
		{"a source that is an object", "{\"nodes\":[],\"edges\":[\n{\"source\":{}}]}", 2, 11, "a string was expected"},
		{"duplicate keys", `{"nodes":[],"nodes":[]}`, 1, 13, "stands twice"},
		{"duplicate keys but for their case", `{"nodes":[{"id":"a","ID":"b"}]}`, 1, 21, "stands twice"},
		{"J05 invalid UTF-8", "{\"nodes\":[{\"label\":\"\xff\"}]}", 1, 21, "invalid UTF-8"},
		{"UTF-16", "\xff\xfe{\x00", 1, 1, "UTF-16"},
		{"too deep", `{"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `,"nodes":[]}`, 1, 70, "nested deeper"},
		{"cut off", `{"nodes":[{"id":"a"`, 1, 20, "the file ends"},
		{"something after the end", `{"nodes":[]} {}`, 1, 14, "something follows"},
		{"half of a surrogate pair", `{"nodes":[{"id":"\ud800"}]}`, 1, 17, "half of a surrogate pair"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			var at *strictjson.Error
			if errors.As(err, &at); tt.line > 0 && (at == nil || at.Line != tt.line || at.Column != tt.column) {
				t.Errorf("got %v, want line %d, column %d", err, tt.line, tt.column)
			}
		})
	}
}

// engine opens an engine over a graph.
func engine(t testing.TB, text string) *answer.Engine {
	t.Helper()
	g, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	e, err := answer.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// explain is what a name means and its links, one a line.
func explain(t *testing.T, e *answer.Engine, name string) string {
	t.Helper()
	l, err := e.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Found) != 1 {
		return fmt.Sprintf("%d meanings", len(l.Found))
	}
	x, err := e.Explain(l)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{fmt.Sprintf("%s (%s) %s", x.Node.Label, x.Node.Kind, x.Node.Src())}
	for _, l := range x.Links {
		lines = append(lines, fmt.Sprintf("%s %s %s:%d %d", l.Source.Label, l.Relation, l.Target.Label, l.Line, l.Certainty))
	}
	return strings.Join(lines, "\n")
}

func TestBundle(t *testing.T) {
	const node = `{"id":"%s","label":"%s","file_type":"code","source_file":"%s","source_location":"L%d"}`
	graph := func(links string, nodes ...string) string {
		return `{"nodes":[` + strings.Join(nodes, ",") + `],"links":[` + links + `]}`
	}
	n := func(id, label, file string, line int) string { return fmt.Sprintf(node, id, label, file, line) }
	for _, tt := range []struct{ name, graph, ask, want string }{
		{"a method of 0.8", version8, "score", "Swim.score (method) app/Swim.scala:6\nmain calls Swim.score:3 50\nSwim contains Swim.score:6 100"},
		{"a class of 0.8", version8, "Swim", "Swim (class) app/Swim.scala:4\nSwim contains Swim.score:6 100\nSwim.scala contains Swim:4 100"},
		{"a file of 0.8", version8, "Swim.scala", "Swim.scala (file) app/Swim.scala:1\nSwim.scala contains Swim:4 100"},
		{"documents are left out", version8, "README.md", "0 meanings"},
		{"what is in no file is left out, and links to it", version8, "main", "main (function) app/Main.scala:2\nmain calls Swim.score:3 50\nMain.scala contains main:2 100"},
		{"a function of 0.9", version9, "run", "run (function) tool.py:10\nrun calls load:12 85\ntool.py contains run:10 100"},
		{"a function without a line", version9, "load", "load (function) lib.py:1\nrun calls load:12 85\nlib.py contains load:0 100"},
		{"a node twice counts once", graph("", n("a", "f()", "a.go", 3), n("a", "g()", "b.go", 3)), "f", "f (function) a.go:3\na.go contains f:3 100"},
		{"a link to itself", graph(`{"source":"a","target":"a","relation":"calls"},{"source":"a","target":"a","relation":"contains"}`, n("a", "f()", "a.go", 3)), "f", "f (function) a.go:3\na.go contains f:3 100"},
		{"holders in a circle", graph(`{"source":"a","target":"b","relation":"contains"},{"source":"b","target":"a","relation":"contains"}`, n("a", "A", "a.go", 3), n("b", "B", "a.go", 4)),
			"a.go:9", "a.go (file) a.go:1"},
		{"holders of holders", graph(`{"source":"a","target":"b","relation":"contains"},{"source":"b","target":"c","relation":"method"}`, n("a", "A", "a.py", 3), n("b", "B", "a.py", 4), n("c", ".m()", "a.py", 5)),
			"m", "A.B.m (method) a.py:5\nA.B contains A.B.m:5 100"},
		{"a qualified label", graph("", n("a", "Server.run()", "a.go", 3)), "run", "run (method) a.go:3\na.go contains run:3 100"},
		{"links between files", graph(`{"source":"a","target":"b","relation":"imports"}`, n("a", "a.go", "a.go", 1), n("b", "b.go", "b.go", 1)), "b.go", "b.go (file) b.go:1\na.go imports b.go:0 100"},
		{"an absolute path", graph("", n("a", "f()", "/etc/passwd", 3)), "f", "0 meanings"},
		{"a path that leaves", graph("", n("a", "f()", "../x.go", 3)), "f", "0 meanings"},
		{"a path that goes up", graph("", n("a", "f()", "a/../../x.go", 3)), "f", "0 meanings"},
		{"a path of two lines", graph("", n("a", "f()", `a\nb.go`, 3)), "f", "0 meanings"},
		{"no nodes at all", graph(""), "f", "0 meanings"},
		{"a label of signs", graph("", n("a", "..()", "a.go", 3)), "a.go", "a.go (file) a.go:1\na.go contains :3 100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := explain(t, engine(t, tt.graph), tt.ask); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestBundleAnswersQuestions(t *testing.T) {
	a, err := engine(t, version8).Query("swim score", answer.Narrow{}, 10, 1000)
	if err != nil || len(a.Files) == 0 || a.Files[0].Path != "app/Swim.scala" {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestBundleIsDeterministic(t *testing.T) {
	manifest := func() string {
		b, err := parse(t, version8).Bundle()
		if err != nil {
			t.Fatal(err)
		}
		return string(b.Manifest().Encode())
	}
	if first := manifest(); manifest() != first {
		t.Error("two bundles of one graph differ")
	}
}

// FuzzParse takes any bytes as a graph; where they are one, they must answer.
func FuzzParse(f *testing.F) {
	f.Add([]byte(version8))
	f.Add([]byte(version9))
	f.Add([]byte(`{"nodes":[{"id":"a","label":"\u202e..()","source_file":"a","kind":"file"},{"id":"b","source_file":"a","source_location":"L-1"}],"links":[{"source":"a","target":"b","relation":"method"},{"source":"b","target":"a"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Parse(data)
		if err != nil {
			return
		}
		b, err := g.Bundle()
		if err != nil {
			var refused *bundle.Refused
			if !errors.As(err, &refused) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		e, err := answer.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range g.Nodes {
			l, err := e.Lookup(n.Label)
			if err != nil {
				t.Fatal(err)
			}
			if len(l.Found) > 0 {
				if _, err := e.Explain(l); err != nil {
					t.Fatal(err)
				}
				if _, err := e.Path(l, l); err != nil {
					t.Fatal(err)
				}
			}
			if a, err := e.Query(n.Label+" "+n.File, answer.Narrow{}, 10, 1000); err != nil || len(a.Render("first line", 100)) > 300 {
				t.Fatalf("%q: %v", n.Label, err)
			}
		}
	})
}

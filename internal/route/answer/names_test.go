package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// named is a workspace whose names mean one thing or several.
func named() *world {
	w := &world{}
	w.file("app/server.go", "package app",
		def("Server", 3), def("Server.Serve", 10), def("Serve", 30), def("init", 40), def("init", 50), def("Server.serve", 60))
	w.docs[0].Doc = "Package app serves."
	w.docs[0].Defs[0].Kind, w.docs[0].Defs[0].End = "class", 25
	w.docs[0].Defs[0].Signature, w.docs[0].Defs[0].Doc = "type Server struct", "A Server serves."
	w.file("site/server.go", "package site", def("Serve", 5), def("helper", 9))
	w.file("lib/tools.py", "tools", def("load_config", 4), def("Loader.Inner.run", 9))
	w.file("site/server_test.go", "package site", def("TestServe", 5))
	w.edges = []edge{
		{from: "app/server.go#Serve", relation: "calls", to: "app/server.go#Server.Serve", line: 33},
		{from: "site/server.go#helper", relation: "calls", to: "app/server.go#Serve", line: 11, certainty: 80},
		{from: "site/server_test.go#TestServe", relation: "calls", to: "site/server.go#Serve", line: 7},
		{from: "site/server.go", relation: "imports", to: "app/server.go", line: 2},
		{from: "app/server.go#Serve", relation: "calls", to: "app/server.go#Serve", line: 35},
	}
	return w
}

// places are nodes as "Label path:line".
func places(nodes []Node) string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Label+" "+n.Src())
	}
	return strings.Join(out, ", ")
}

func TestLookup(t *testing.T) {
	e := named().engine(t)
	for _, tt := range []struct{ name, term, found string }{
		{"a name", "Server", "Server app/server.go:3"},
		{"a name in another case", "LOADCONFIG", "load_config lib/tools.py:4"},
		{"a function by its call", "helper()", "helper site/server.go:9"},
		{"a method by its dot", ".run", "Loader.Inner.run lib/tools.py:9"},
		{"its own case before another", "serve", "Server.serve app/server.go:60"},
		{"several meanings", "Serve", "Server.Serve app/server.go:10, Serve app/server.go:30, Serve site/server.go:5"},
		{"a qualified name", "Server.Serve", "Server.Serve app/server.go:10"},
		{"a receiver by its pointer", "*Server.Serve", "Server.Serve app/server.go:10"},
		{"a name qualified by colons", "Inner::run", "Loader.Inner.run lib/tools.py:9"},
		{"a whole container", "Loader.Inner.run", "Loader.Inner.run lib/tools.py:9"},
		{"a package", "site.Serve", "Serve site/server.go:5"},
		{"a module", "tools.load_config", "load_config lib/tools.py:4"},
		{"a wrong container", "Client.Serve", ""},
		{"file:name", "site/server.go:Serve", "Serve site/server.go:5"},
		{"the end of a file:name", "tools.py:load_config", "load_config lib/tools.py:4"},
		{"half a base name is no file", "ools.py:load_config", ""},
		{"file:name of a method", "app/server.go:Server.Serve", "Server.Serve app/server.go:10"},
		{"a path", "lib/tools.py", "tools.py lib/tools.py:1"},
		{"the end of a path", "tools.py", "tools.py lib/tools.py:1"},
		{"a base name of two files", "server.go", "server.go app/server.go:1, server.go site/server.go:1"},
		{"a line in a definition", "app/server.go:12", "Server.Serve app/server.go:10"},
		{"a line between definitions", "site/server.go:40", "server.go site/server.go:1"},
		{"an id", "app/server.go#Serve", "Serve app/server.go:30"},
		{"an id with container", "app/server.go#Server.Serve", "Server.Serve app/server.go:10"},
		{"an id of two is the first", "app/server.go#init", "init app/server.go:40"},
		{"the id of the second", "app/server.go#init~2", "init app/server.go:50"},
		{"an id of the third of two", "app/server.go#init~3", ""},
		{"an id with a shortened path", "tools.py#load_config", "load_config lib/tools.py:4"},
		{"an id in no file", "none.go#init", ""},
		{"spaces around", "  helper\n", "helper site/server.go:9"},
		{"nothing", "", ""},
		{"signs", "#", ""},
		{"more signs", "~2", ""},
		{"colons", "::", ""},
		{"dots", "..", ""},
		{"a name of 100 KB", strings.Repeat("a", 100<<10), ""},
		{"100 KB of names", strings.Repeat("aA.", 30<<10), ""},
		{"not UTF-8", "hel\xffper", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := e.Lookup(tt.term)
			if err != nil {
				t.Fatal(err)
			}
			if got := places(l.Found); got != tt.found {
				t.Errorf("%q is %q, want %q", tt.term, got, tt.found)
			}
			if len(l.Found) > 0 && len(l.Nearest) > 0 {
				t.Errorf("%q is found, and yet has nearest names: %s", tt.term, places(l.Nearest))
			}
		})
	}
}

func TestLookupOfAnUnknownName(t *testing.T) {
	e := named().engine(t)
	l, err := e.Lookup("configLoader")
	if err != nil || len(l.Found) != 0 || !strings.HasPrefix(places(l.Nearest), "load_config lib/tools.py:4") {
		t.Errorf("found %s, nearest %s, %v", places(l.Found), places(l.Nearest), err)
	}
	for _, tt := range []struct{ term, want string }{
		{"configLoader", "first line\nno definition is called \"configLoader\"; the nearest are:\nNODE load_config  src=lib/tools.py:4\n"},
		{"zzz", "first line\nno definition is called \"zzz\"; use git grep\n"},
		{"z\x1b[2J\nz", "first line\nno definition is called \"z[2J z\"; use git grep\n"},
	} {
		l, err := e.Lookup(tt.term)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Candidates("first line", 400); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%q prints\n%s", tt.term, got)
		}
	}
}

func TestCandidatesOfAnUnclearName(t *testing.T) {
	l, err := named().engine(t).Lookup("Serve")
	if err != nil {
		t.Fatal(err)
	}
	want := `first line
"Serve" is ambiguous; ask again with file:name or path:line:
NODE Server.Serve  src=app/server.go:10
NODE Serve  src=app/server.go:30
NODE Serve  src=site/server.go:5
`
	if got := l.Candidates("first line", 400); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestCandidatesThatAreNotListedAreCounted(t *testing.T) {
	var w world
	for i := range maxCandidates + 7 {
		w.file(fmt.Sprintf("f%c%c.go", 'a'+i/26, 'a'+i%26), "package f", def("same", 3))
	}
	l, err := w.engine(t).Lookup("same")
	if err != nil || len(l.Found) != maxCandidates || l.More != 7 {
		t.Fatalf("%d found, %d more, %v", len(l.Found), l.More, err)
	}
	if got := l.Candidates("first line", 10_000); !strings.HasSuffix(got, "\nleft out: 7 meanings; only file:name or path:line narrows it\n") {
		t.Errorf("got %q", got[len(got)-100:])
	}
}

// TestEveryIDLeadsBack: explain gives ids that a lookup takes.
func TestEveryIDLeadsBack(t *testing.T) {
	w := named()
	e := w.engine(t)
	seen := map[string]bool{}
	for _, d := range w.docs {
		for _, def := range d.Defs {
			x := explain(t, e, fmt.Sprintf("%s:%d", d.Path, def.Line))
			if x.Node.Line != def.Line || seen[x.ID] {
				t.Errorf("%s:%d is %s at line %d", d.Path, def.Line, x.ID, x.Node.Line)
			}
			seen[x.ID] = true
			if back := explain(t, e, x.ID); back.Node != x.Node || back.ID != x.ID {
				t.Errorf("%s leads to %+v", x.ID, back.Node)
			}
		}
	}
	if !seen["app/server.go#init~2"] {
		t.Errorf("ids are %v", seen)
	}
}

// explain looks a clear name up and explains it.
func explain(t *testing.T, e *Engine, name string) *Explanation {
	t.Helper()
	x, err := e.Explain(clear(t, e, name))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func clear(t *testing.T, e *Engine, name string) *Lookup {
	t.Helper()
	l, err := e.Lookup(name)
	if err != nil || len(l.Found) != 1 {
		t.Fatalf("%q: %v, found %s", name, err, places(l.Found))
	}
	return l
}

// links are links as "Source relation Target:line".
func links(list []Link) (out []string) {
	for _, l := range list {
		out = append(out, fmt.Sprintf("%s %s %s:%d", l.Source.Label, l.Relation, l.Target.Label, l.Line))
	}
	return out
}

func TestExplain(t *testing.T) {
	e := named().engine(t)
	t.Run("explain_lists_neighbours", func(t *testing.T) {
		for _, tt := range []struct {
			name string
			want []string
		}{
			{"app/server.go#Serve", []string{"Serve calls Server.Serve:33", "Serve calls Serve:35", "helper calls Serve:11", "server.go contains Serve:30"}},
			{"Server.Serve", []string{"Serve calls Server.Serve:33", "Server contains Server.Serve:10"}},
			{"site/server.go", []string{"server.go imports server.go:2", "server.go contains Serve:5", "server.go contains helper:9"}},
			{"app/server.go", []string{"server.go imports server.go:2", "server.go contains Server:3", "server.go contains Serve:30", "server.go contains init:40", "server.go contains init:50"}},
			{"Server", []string{"Server contains Server.Serve:10", "Server contains Server.serve:60", "server.go contains Server:3"}},
			{"load_config", []string{"tools.py contains load_config:4"}},
		} {
			if got := links(explain(t, e, tt.name).Links); !slices.Equal(got, tt.want) {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
	})
	t.Run("which end is which", func(t *testing.T) {
		x := explain(t, e, "helper")
		if l := x.Links[0]; l.Source.Path != "site/server.go" || l.Target.Path != "app/server.go" || l.Certainty != 80 || l.Resolver != "test" || l.Far() != l.Target {
			t.Errorf("away: %+v", l)
		}
		x = explain(t, e, "site/server.go:Serve")
		if l := x.Links[0]; l.Source.Path != "site/server_test.go" || l.Target != x.Node || l.Far() != l.Source {
			t.Errorf("towards: %+v", l)
		}
	})
	t.Run("as text", func(t *testing.T) {
		want := `first line
NODE Server  src=app/server.go:3
  class · go · repo umbrella · lines 3-25
  type Server struct
  doc: A Server serves.
  Server contains → Server.Serve  src=app/server.go:10
  Server contains → Server.serve  src=app/server.go:60
  server.go contains → Server  src=app/server.go:1
`
		if got := explain(t, e, "Server").Render("first line", 400); got != want {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("a file", func(t *testing.T) {
		x := explain(t, e, "app/server.go")
		if x.ID != "app/server.go" || x.Doc != "Package app serves." || x.Node.Kind != "file" || x.End != 0 {
			t.Errorf("got %+v", x)
		}
	})
}

func TestExplainOfAHub(t *testing.T) {
	var w world
	w.file("hub.go", "package hub", def("hub", 1))
	for i := range maxLinks + 50 {
		d := def(fmt.Sprintf("user%c%c%c", 'a'+i/676, 'a'+i/26%26, 'a'+i%26), 1)
		p := d.Name + ".go"
		w.file(p, "package hub", d)
		w.edges = append(w.edges, edge{from: p + "#" + d.Name, relation: "calls", to: "hub.go#hub", line: 2})
	}
	x := explain(t, w.engine(t), "hub")
	if len(x.Links) != maxLinks || x.More != 51 { // its file holds it, too
		t.Errorf("%d links, %d more", len(x.Links), x.More)
	}
	if got := x.Render("first line", 100_000); !strings.Contains(got, "left out: 51 links; git grep finds the rest\n") {
		t.Errorf("the text ends in %q", got[len(got)-80:])
	}
}

func TestDuplicateLabels(t *testing.T) {
	var w world
	a := w.file("a.go", "package a", def("T", 1), def("T", 20))
	a.Defs = append(a.Defs, index.Def{Name: "m", Container: "T", Kind: "method", Line: 3, End: 4}, index.Def{Name: "m", Container: "T", Kind: "method", Line: 23, End: 24})
	e := w.engine(t)
	if got := links(explain(t, e, "a.go#T~2").Links); !slices.Contains(got, "a.go contains T:20") {
		t.Errorf("links of the second: %q", got)
	}
	if x := explain(t, e, "a.go#T.m~2"); x.Node.Line != 23 || x.ID != "a.go#T.m~2" {
		t.Errorf("the second method is %+v", x)
	}
}

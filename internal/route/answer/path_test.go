package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// route finds the path between two clear names.
func route(t *testing.T, e *Engine, from, to string) *Route {
	t.Helper()
	r, err := e.Path(clear(t, e, from), clear(t, e, to))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chain is a workspace in which a calls b, c calls b and c implements d.
func chain() *world {
	w := &world{}
	for _, n := range []string{"alpha", "beta", "gamma", "delta", "lonely"} {
		w.file(n+"/"+n+".go", "package "+n, def(n, 3))
	}
	w.edges = []edge{
		{from: "alpha/alpha.go#alpha", relation: "calls", to: "beta/beta.go#beta", line: 4},
		{from: "gamma/gamma.go#gamma", relation: "calls", to: "beta/beta.go#beta", line: 5},
		{from: "gamma/gamma.go#gamma", relation: "implements", to: "delta/delta.go#delta", line: 3},
	}
	return w
}

func TestPath(t *testing.T) {
	e := chain().engine(t)
	t.Run("path_found_and_absent", func(t *testing.T) {
		r := route(t, e, "alpha", "delta")
		want := []string{"alpha calls beta:4", "gamma calls beta:5", "gamma implements delta:3"}
		if got := links(r.Steps); !r.Found || !slices.Equal(got, want) {
			t.Errorf("found %v: %q, want %q", r.Found, got, want)
		}
		if r.From.Label != "alpha" || r.To.Label != "delta" {
			t.Errorf("from %+v to %+v", r.From, r.To)
		}
		r = route(t, e, "alpha", "lonely")
		if r.Found || len(r.Steps) != 0 || r.Exhausted || r.Hubs != 0 {
			t.Errorf("to a definition without links: %+v", r)
		}
		if got := r.Render("first line", 400); got != "first line\nno path from alpha to lonely\n" {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("directions stay true on the way back", func(t *testing.T) {
		want := []string{"gamma implements delta:3", "gamma calls beta:5", "alpha calls beta:4"}
		if got := links(route(t, e, "delta", "alpha").Steps); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("each step shows the end that is new", func(t *testing.T) {
		want := `first line
NODE alpha  src=alpha/alpha.go:3
  alpha calls → beta  src=beta/beta.go:3
  gamma calls → beta  src=gamma/gamma.go:3
  gamma implements → delta  src=delta/delta.go:3
`
		if got := route(t, e, "alpha", "delta").Render("first line", 400); got != want {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("the same definition", func(t *testing.T) {
		r := route(t, e, "alpha", "alpha/alpha.go#alpha")
		if !r.Found || len(r.Steps) != 0 || r.Steps == nil {
			t.Errorf("got %+v", r)
		}
		if got := r.Render("first line", 400); got != "first line\nNODE alpha  src=alpha/alpha.go:3\nboth names mean this definition\n" {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("over what holds a definition", func(t *testing.T) {
		want := []string{"alpha.go contains alpha:3", "alpha calls beta:4"}
		if got := links(route(t, e, "alpha.go", "beta").Steps); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestPathTakesTheShortest(t *testing.T) {
	w := chain()
	w.edges = append(w.edges, edge{from: "delta/delta.go#delta", relation: "references", to: "alpha/alpha.go#alpha", line: 9})
	if got := links(route(t, w.engine(t), "alpha", "delta").Steps); !slices.Equal(got, []string{"delta references alpha:9"}) {
		t.Errorf("got %q", got)
	}
}

func TestPathDoesNotCrossAHub(t *testing.T) {
	var w world
	w.file("hub.go", "package hub", def("hub", 1))
	w.file("a.go", "package a", def("start", 1))
	w.file("b.go", "package b", def("goal", 1))
	many := w.file("many.go", "package many")
	for i := range hubDegree + 1 {
		many.Defs = append(many.Defs, def(fmt.Sprintf("user%c%c%c", 'a'+i/676, 'a'+i/26%26, 'a'+i%26), i+1))
	}
	for _, d := range many.Defs {
		w.edges = append(w.edges, edge{from: "many.go#" + d.Name, relation: "calls", to: "hub.go#hub", line: 2})
	}
	w.edges = append(w.edges, edge{from: "a.go#start", relation: "calls", to: "hub.go#hub", line: 2}, edge{from: "b.go#goal", relation: "calls", to: "hub.go#hub", line: 2})
	e := w.engine(t)
	r := route(t, e, "start", "goal")
	if r.Found || r.Hubs != 1 {
		t.Errorf("got %+v", r)
	}
	if got := r.Render("first line", 400); !strings.Contains(got, "no path from start to goal; 1 definition with more than 400 links not followed\n") {
		t.Errorf("got\n%s", got)
	}
	if r := route(t, e, "hub", "goal"); !r.Found {
		t.Error("a path that begins at a hub is not found")
	}
	if r := route(t, e, "start", "hub"); !r.Found {
		t.Error("a path that ends at a hub is not found")
	}
}

func TestPathEndsAtItsBound(t *testing.T) {
	var w world
	w.file("z.go", "package z", def("goal", 1))
	const perFile, fanOut = 300, 70
	for i := range fanOut {
		doc := w.file(fmt.Sprintf("d%c%c.go", 'a'+i/26, 'a'+i%26), "package d")
		for k := range perFile {
			doc.Defs = append(doc.Defs, def(fmt.Sprintf("n%c%c%c%c", 'a'+i/26, 'a'+i%26, 'a'+k/26, 'a'+k%26), k+1))
		}
		if i > 0 {
			w.edges = append(w.edges, edge{from: w.docs[i].Path, relation: "imports", to: doc.Path, line: 1})
		}
	}
	r := route(t, w.engine(t), "naaaa", "goal")
	if r.Found || !r.Exhausted {
		t.Errorf("got %+v", r)
	}
	if got := r.Render("first line", 400); !strings.Contains(got, "no path from naaaa to goal among the 20000 nearest definitions\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestSmallestGraphs(t *testing.T) {
	t.Run("no file", func(t *testing.T) {
		e := (&world{}).engine(t)
		a := query(t, e, "anything at all")
		if got := a.Render("first line", 400); got != "first line\nno word of the question is in the index; use git grep\n" {
			t.Errorf("got\n%s", got)
		}
		if l, err := e.Lookup("x"); err != nil || len(l.Found)+len(l.Nearest) != 0 {
			t.Errorf("lookup: %+v, %v", l, err)
		}
	})
	t.Run("one file", func(t *testing.T) {
		w := &world{}
		w.file("a.go", "package a", def("only", 2))
		w.edges = []edge{{from: "a.go#only", relation: "calls", to: "a.go#only", line: 3}}
		e := w.engine(t)
		if got := query(t, e, "only").Render("first line", 400); got != "first line\nNODE only  src=a.go:2\n" {
			t.Errorf("got\n%s", got)
		}
		if got := links(explain(t, e, "only").Links); !slices.Equal(got, []string{"only calls only:3", "a.go contains only:2"}) {
			t.Errorf("what calls itself: %q", got)
		}
	})
	t.Run("a file without definitions", func(t *testing.T) {
		w := &world{}
		w.docs = []index.Document{{Path: "a.yaml", Passages: []index.Passage{passage(1, "one"), passage(30, "quagga")}}}
		e := w.engine(t)
		if got := query(t, e, "quagga").Render("first line", 400); got != "first line\nNODE a.yaml  src=a.yaml:30\n" {
			t.Errorf("got\n%s", got)
		}
	})
}

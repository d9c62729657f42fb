package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/evaluation/edges/fact"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
)

// parsed is a tree of a few files, resolved.
func parsed(t *testing.T, files map[string]string) *tree {
	t.Helper()
	var units []resolve.Unit
	for path, text := range files {
		f, err := extract.Parse(path, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, resolve.Unit{Repo: "r", Path: path, File: f})
	}
	tr, err := resolveTree(t.Context(), "", units, resolve.Manifests{"go.mod": []byte("module example.com/m\n")})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

var goFiles = map[string]string{
	"a.go": `package m

func a() {
	b()
	c()
	b()
	f := func() {}
	f()
}
`,
	"b.go": `package m

func b() {}

func c() {}
`,
}

func witnessOf(t *testing.T, lines string) *witness {
	t.Helper()
	w, err := readWitness(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestJudge(t *testing.T) {
	tr := parsed(t, goFiles)
	edges := tr.edges("go")
	if len(edges) != 2 {
		t.Fatalf("%d edges, want 2: %+v", len(edges), records(edges))
	}
	for _, c := range []struct{ name, facts, want, reason string }{
		{"the same target", `{"file":"a.go","line":4,"name":"b","target_file":"b.go","target_line":3}`, right, ""},
		{"told some lines away", `{"file":"a.go","line":3,"name":"b","target_file":"b.go","target_line":3}`, right, ""},
		{"another target", `{"file":"a.go","line":4,"name":"b","target_file":"b.go","target_line":5}`, wrong, "leads to b.go:5"},
		{"a target elsewhere", `{"file":"a.go","line":4,"name":"b","target_file":""}`, wrong, "leads out of the workspace"},
		{"another name", `{"file":"a.go","line":4,"name":"x","target_file":"b.go","target_line":3}`, unknown, "the independent source tells of no such call"},
	} {
		got := tr.judge("r", edges[0], witnessOf(t, c.facts))
		if got.Verdict != c.want || got.Reason != c.reason {
			t.Errorf("%s: %s (%s), want %s (%s)", c.name, got.Verdict, got.Reason, c.want, c.reason)
		}
	}
}

// A call that is written again below, and so not told again, is resolved.
func TestRecallCountsRepeatedCalls(t *testing.T) {
	tr := parsed(t, goFiles)
	r, missed := tr.recall("r", "go", witnessOf(t, `{"file":"a.go","line":4,"name":"b","target_file":"b.go","target_line":3}
{"file":"a.go","line":6,"name":"b","target_file":"b.go","target_line":3}
{"file":"a.go","line":8,"name":"f","target_file":"a.go","target_line":7,"dynamic":true}
{"file":"a.go","line":8,"name":"Println","target_file":""}
{"file":"gen.go","line":1,"name":"b","target_file":"b.go","target_line":3}
{"file":"b.go","line":3,"name":"c","target_file":"b.go","target_line":5}`))
	if want := (recall{Calls: 3, Resolved: 2, Recall: 0.6667, LeftOut: 1}); r != want {
		t.Errorf("recall is %+v, want %+v", r, want)
	}
	if len(missed) != 1 || missed[0].File != "b.go" || missed[0].From != "b" {
		t.Errorf("missed are %+v", missed)
	}
}

// Decorators stand above the line of the function that they belong to.
func TestRecallReadsDecorators(t *testing.T) {
	tr := parsed(t, map[string]string{"m.py": `def mark(n): pass

@mark(1)
@mark(2)
def f():
    mark(3)
`})
	r, missed := tr.recall("r", "python", witnessOf(t, `{"file":"m.py","line":3,"name":"mark","target_file":"m.py","target_line":1}
{"file":"m.py","line":4,"name":"mark","target_file":"m.py","target_line":1}
{"file":"m.py","line":6,"name":"mark","target_file":"m.py","target_line":1}`))
	if want := (recall{Calls: 3, Resolved: 3, Recall: 1}); r != want {
		t.Errorf("recall is %+v, want %+v; missed %+v", r, want, missed)
	}
}

func TestIsAllowsOverloadsAndConstructors(t *testing.T) {
	tr := parsed(t, map[string]string{"m.py": `from typing import overload

class Box:
    def __init__(self): pass

    @overload
    def get(self, k: int): ...
    @overload
    def get(self, k: str): ...
    def get(self, k): pass

    def put(self): pass
`})
	at := func(name string, nth int) resolve.Ref {
		for i, d := range tr.units[0].File.Definitions {
			if d.Name == name {
				if nth--; nth < 0 {
					return resolve.Ref{Unit: 0, Def: i}
				}
			}
		}
		t.Fatalf("no %s", name)
		return resolve.Ref{}
	}
	for _, c := range []struct {
		name string
		def  resolve.Ref
		line int
		want bool
	}{
		{"the class where its constructor is meant", at("Box", 0), 4, true},
		{"the constructor where its class is meant", at("__init__", 0), 3, true},
		{"another overload", at("get", 0), 10, true},
		{"another method", at("put", 0), 10, false},
		{"a class where its method is meant", at("Box", 0), 12, false},
	} {
		if got := tr.is(c.def, witnessed{Call: fact.Call{TargetFile: "m.py", TargetLine: c.line}}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDrawIsReproducible(t *testing.T) {
	edges := make([]edge, 100)
	for i := range edges {
		edges[i].Line = i
	}
	a, b := draw(edges, 10, 7), draw(edges, 10, 7)
	if !reflect.DeepEqual(a, b) || len(a) != 10 {
		t.Errorf("two draws by one seed differ")
	}
	if reflect.DeepEqual(a, draw(edges, 10, 8)) {
		t.Errorf("two seeds give one draw")
	}
	for i := 1; i < len(a); i++ {
		if a[i-1].Line >= a[i].Line {
			t.Errorf("the draw is not in order")
		}
	}
	if len(draw(edges, 0, 1)) != 100 || len(draw(edges, 1000, 1)) != 100 {
		t.Errorf("0, or more than there are, is not all")
	}
}

func TestReadWitnessRefusesWhatIsNoFact(t *testing.T) {
	for _, text := range []string{"x", `{"file":"a.go","line":0,"name":"b"}`, `{"line":1,"name":"b"}`, `{"file":"a.go","line":1}`} {
		if _, err := readWitness(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken for a fact", text)
		}
	}
}

func TestRunReportsMistakes(t *testing.T) {
	for _, args := range [][]string{nil, {"draw"}, {"judge"}, {"judge", "-lang", "go", "x"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out); err == nil || out.Len() > 0 {
			t.Errorf("%q: no error, or output %q", args, out.String())
		}
	}
}

// Where it is not told which overload is meant, one of the edges is the
// target and the others stand beside it; an edge to one overload alone must be
// the right one.
func TestJudgeKeepsJavaOverloadsApart(t *testing.T) {
	tr := parsed(t, map[string]string{"A.java": `class A {
	void put(String s) {}
	void put(int n) {}
	void any(Untold u) { put(u.thing()); }
	void one() { put("x"); }
}
`})
	w := witnessOf(t, `{"file":"A.java","line":4,"name":"put","target_file":"A.java","target_line":3}
{"file":"A.java","line":5,"name":"put","target_file":"A.java","target_line":3}`)
	var got []string
	for _, e := range tr.edges("java") {
		v := tr.judge("r", e, w)
		got = append(got, fmt.Sprintf("%s %d %s %v", v.From, v.TargetLine, v.Verdict, v.Beside))
	}
	want := []string{"A.any 2 right true", "A.any 3 right false", "A.one 2 wrong false"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("verdicts are %q, want %q", got, want)
	}
}

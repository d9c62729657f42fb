package assemble

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/graph"
)

// whole reads graph.json with its parts.
func whole(t *testing.T, res *Result) (*graph.Graph, []string) {
	t.Helper()
	g, err := graph.Parse(res.contents()[bundle.GraphName])
	if err != nil {
		t.Fatal(err)
	}
	parts := g.Parts
	for _, name := range parts {
		part, err := graph.Parse(res.contents()[name])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		g.Nodes, g.Links = append(g.Nodes, part.Nodes...), append(g.Links, part.Links...)
	}
	return g, parts
}

// rows are a graph's nodes and links as text, sorted.
func rows(g *graph.Graph) []string {
	var list []string
	for _, n := range g.Nodes {
		list = append(list, fmt.Sprintf("%s %s %s %s:%d", n.ID, n.Label, n.Kind, n.File, n.Line))
	}
	for _, l := range g.Links {
		list = append(list, fmt.Sprintf("%s %s %s", l.Source, l.Relation, l.Target))
	}
	slices.Sort(list)
	return list
}

func TestGraph(t *testing.T) {
	w, dir := newShop(t)
	res := build(t, w, dir, Options{})
	g, _ := whole(t, res)
	list := rows(g)
	for _, want := range []string{
		"libs/lib/till/price.go price.go file libs/lib/till/price.go:1",
		"libs/lib/till/price.go#Total Total() function libs/lib/till/price.go:5",
		"libs/lib/till/price.go#Till.Add .Add() method libs/lib/till/price.go:15",
		"libs/lib/till/price.go#Till Till class libs/lib/till/price.go:13",
		"app/main.go#main calls libs/lib/till/price.go#Total",
		"libs/lib/till/price.go#Till.Add calls libs/lib/till/price.go#Total",
		"libs/lib/till/price.go#Till contains libs/lib/till/price.go#Till.Add",
		"libs/lib/till/price.go contains libs/lib/till/price.go#Total",
	} {
		if !slices.Contains(list, want) {
			t.Errorf("the graph lacks %q:\n%s", want, strings.Join(list, "\n"))
		}
	}
	if strings.Contains(strings.Join(list, "\n"), "TestMainly") || strings.Contains(strings.Join(list, "\n"), "Till.Amount") {
		t.Error("fields and what test files define are not for the graph of the whole")
	}
	ids := map[string]bool{}
	for _, n := range g.Nodes {
		if ids[n.ID] {
			t.Errorf("two nodes have the id %s", n.ID)
		}
		ids[n.ID] = true
	}
	for _, l := range g.Links {
		if !ids[l.Source] || !ids[l.Target] {
			t.Errorf("%s %s %s: an end is no node", l.Source, l.Relation, l.Target)
		}
	}
	checkFields(t, res.contents()[bundle.GraphName])
}

// checkFields holds graph.json to what readers of graphify's graphs take.
func checkFields(t *testing.T, data []byte) {
	t.Helper()
	var d struct {
		Nodes, Links []map[string]any
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rows []map[string]any
		keys []string
	}{
		{d.Nodes, []string{"id", "label", "file_type", "source_file", "source_location", "norm_label", "kind", "lang", "repo"}},
		{d.Links, []string{"source", "target", "relation", "confidence", "confidence_score", "source_file", "source_location", "resolver"}},
	} {
		if len(c.rows) == 0 {
			t.Error("the graph is empty")
		}
		for _, row := range c.rows {
			for _, key := range c.keys {
				if row[key] == nil || row[key] == "" {
					t.Errorf("%v lacks %s", row, key)
				}
			}
			if where, _ := row["source_location"].(string); !strings.HasPrefix(where, "L") || where == "L0" {
				t.Errorf("%v stands nowhere", row)
			}
		}
	}
}

// TestIDsNeverMeet: names that repeat, names that look like another's id,
// stems that are the same.
func TestIDsNeverMeet(t *testing.T) {
	w, dir := repository(t, map[string]string{
		"a.py": "def f(): pass\ndef f(): pass\ndef f(): pass\nclass A:\n    def f(self): pass\n    def f(self, x): pass\n",
		"a.ts": "export function f() {}\n", "a#f.ts": "export function g() {}\n", "a.ts#f": "words\n", "d/a.ts": "export function f() {}\n",
	})
	res := build(t, w, dir, Options{})
	g, _ := whole(t, res)
	var ids []string
	for _, n := range g.Nodes {
		ids = append(ids, n.ID)
	}
	for _, want := range []string{"a.py#f", "a.py#f~2", "a.py#f~3", "a.py#A.f", "a.py#A.f~2", "a.ts#f", "a#f.ts", "a#f.ts#g", "d/a.ts#f"} {
		if n := len(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id != want })); n != 1 && want != "a.ts#f" {
			t.Errorf("%d nodes are called %s: %q", n, want, ids)
		}
	}
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("ids repeat: %q", ids)
	}

	// What is added elsewhere renames nothing.
	commit(w, dir, "Add more", map[string]string{"0.py": "def f(): pass\n"})
	more, _ := whole(t, build(t, w, dir, Options{}))
	for _, n := range g.Nodes {
		if !slices.ContainsFunc(more.Nodes, func(m graph.Node) bool { return m.ID == n.ID && m.Line == n.Line && m.Label == n.Label }) {
			t.Errorf("%s is gone after a new file", n.ID)
		}
	}
}

// TestEveryRelationIsKept: two nodes may be joined in several ways.
func TestEveryRelationIsKept(t *testing.T) {
	w, dir := repository(t, map[string]string{"a.py": "class Base:\n    pass\n\nclass Child(Base):\n    def make(self) -> Base:\n        return Base()\n\ndef use():\n    x: Child = Child()\n    return x\n"})
	g, _ := whole(t, build(t, w, dir, Options{}))
	relations := map[string][]string{}
	for _, l := range g.Links {
		pair := l.Source + " " + l.Target
		relations[pair] = append(relations[pair], l.Relation)
	}
	several := false
	for pair, list := range relations {
		slices.Sort(list)
		if len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%s repeats: %q", pair, list)
		}
		several = several || len(list) > 1
	}
	if !several {
		t.Errorf("no two nodes have two relations: %v", relations)
	}
}

// TestGraphIsCut: past the cap the graph lies in parts by repository, each
// below the cap, and all of it is still there.
func TestGraphIsCut(t *testing.T) {
	w, dir := newShop(t)
	var long strings.Builder
	long.WriteString("package till\n\n")
	for i := range 60 {
		fmt.Fprintf(&long, "func Long%d() { Long%d(); Total(nil) }\n", i, (i+1)%60)
	}
	w.Write(dir, map[string][]byte{"libs/lib/till/long.go": []byte(long.String())})
	w.Git(dir+"/libs/lib", "add", "-A")
	w.Git(dir+"/libs/lib", "commit", "-q", "-m", "Add long code")
	w.Git(dir, "update-index", "--cacheinfo", "160000,"+w.Head(dir+"/libs/lib")+",libs/lib")
	w.Git(dir, "commit", "-q", "-m", "Move lib")

	one := build(t, w, dir, Options{})
	g, parts := whole(t, one)
	if len(parts) != 0 {
		t.Fatalf("a small graph has parts: %q", parts)
	}
	want := rows(g)
	size := len(one.contents()[bundle.GraphName])
	for _, limit := range []int{size, size - 1, size / 3, 2000} {
		cut := build(t, w, dir, Options{graphCap: limit})
		g, parts := whole(t, cut)
		if got := rows(g); !slices.Equal(got, want) {
			t.Errorf("limit %d: %d rows, want %d", limit, len(got), len(want))
		}
		if (len(parts) == 0) != (limit == size) {
			t.Errorf("limit %d of %d: parts %q", limit, size, parts)
		}
		repos := map[string]bool{}
		for _, name := range parts {
			if n := len(cut.contents()[name]); n > limit {
				t.Errorf("limit %d: %s has %d bytes", limit, name, n)
			}
			part, err := graph.Parse(cut.contents()[name])
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range part.Nodes {
				if !strings.HasSuffix(name, "-"+n.Repo+".json") {
					t.Errorf("%s holds %s of %s", name, n.ID, n.Repo)
				}
				repos[n.Repo] = true
			}
		}
		if len(parts) > 0 && len(repos) != 3 {
			t.Errorf("limit %d: parts of %v", limit, repos)
		}
		for name, data := range cut.contents() {
			if strings.HasPrefix(name, bundle.GraphDir) && !slices.Contains(parts, name) {
				t.Errorf("%s is not listed", name)
			}
			if !strings.HasPrefix(name, "graph") && name != bundle.ManifestName && !bytes.Equal(data, one.contents()[name]) {
				t.Errorf("limit %d: %s differs", limit, name)
			}
		}
	}
}

func TestPartName(t *testing.T) {
	for repo, want := range map[string]string{"app": "graph/07-app.json", "Ünï code/x": "graph/07-_n__code_x.json", strings.Repeat("x", 300): "graph/07-" + strings.Repeat("x", 60) + ".json", "": "graph/07-.json"} {
		got := partName(repo, 7)
		if got != want || !bundle.ValidName(got) {
			t.Errorf("%q is called %s, want %s", repo, got, want)
		}
	}
}

func TestLabel(t *testing.T) {
	for _, tt := range []struct{ name, kind, want string }{{"f", "function", "f()"}, {"m", "method", ".m()"}, {"T", "class", "T"}, {"a.go", "file", "a.go"}} {
		if got := Label(tt.name, tt.kind); got != tt.want {
			t.Errorf("%s %s is labelled %s, want %s", tt.kind, tt.name, got, tt.want)
		}
	}
}

package answer

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/decisions"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

// holding is an engine over a bundle with this file.
func holding(t *testing.T, name string, v any) *Engine {
	t.Helper()
	data, err := bundle.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	w := world{extra: map[string][]byte{name: data}}
	return w.engine(t)
}

func TestDocsAndCode(t *testing.T) {
	e := holding(t, bundle.DocCodeName, doccode.DocCode{Schema: 1,
		Nodes: []doccode.Node{{File: "a/", Line: 0}, {File: "a/a.go", Name: "Open", Kind: "function", Line: 3}, {File: "b/b.go", Name: "Open\x1b", Kind: "function", Line: 7}},
		Docs: []doccode.Doc{{File: "docs/use.md", Passages: []doccode.Passage{{Heading: []string{"Use", "Open it"}, Line: 4, Links: []doccode.Link{
			{Text: "a.Open", Line: 6, How: doccode.Name, To: []int{1}}, {Text: "Open", Line: 8, How: doccode.Name, To: []int{1, 2}}, {Text: "a/", Line: 9, How: doccode.Path, To: []int{0}}}}}}}})
	t.Run("docs_and_code_directions", func(t *testing.T) {
		list, err := e.Docs("Open")
		if err != nil {
			t.Fatal(err)
		}
		want := "first\nDOC Open it  src=docs/use.md:6  \"a.Open\" is a/a.go:3\nDOC Open it  src=docs/use.md:8  \"Open\" is one of 2: a/a.go:3, b/b.go:7\n"
		if got := RenderDocs("first", "Open", list, 400); got != want {
			t.Errorf("got\n%s", got)
		}
		if list, err = e.Code("docs/use.md"); err != nil {
			t.Fatal(err)
		}
		want = "first\nNODE Open  src=a/a.go:3  named at docs/use.md:6\nNODE? Open  is one of 2: a/a.go:3, b/b.go:7, at docs/use.md:8\nNODE a  src=a/  named at docs/use.md:9\n"
		if got := RenderCode("first", "docs/use.md", list, 400); got != want {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("foreign text is made safe", func(t *testing.T) {
		list, err := e.Docs("b.go:7")
		if err != nil || len(list) != 1 || list[0].Nodes[1].Name != "Open" {
			t.Errorf("got %+v, %v", list, err)
		}
	})
	t.Run("the budget holds", func(t *testing.T) {
		list, err := e.Code("docs/use.md")
		if err != nil {
			t.Fatal(err)
		}
		got := RenderCode("first", "docs/use.md", list, 40)
		if len(got) > Room(40) || !strings.Contains(got, "left out: 2 nodes; --budget 80 shows more") {
			t.Errorf("got %d bytes\n%s", len(got), got)
		}
	})
	t.Run("a bundle without", func(t *testing.T) {
		e := (&world{}).engine(t)
		list, err := e.Docs("Open")
		if err != nil || list == nil || len(list) != 0 {
			t.Errorf("got %+v, %v", list, err)
		}
		if got := RenderDocs("first", "Open", list, 400); got != "first\nno document names \"Open\"; route query finds documents by their words\n" {
			t.Errorf("got\n%s", got)
		}
		rows, err := e.Why("Open")
		if err != nil || rows == nil || len(rows) != 0 {
			t.Errorf("got %+v, %v", rows, err)
		}
	})
	t.Run("links out of range", func(t *testing.T) {
		e := holding(t, bundle.DocCodeName, doccode.DocCode{Docs: []doccode.Doc{{File: "a", Passages: []doccode.Passage{{Links: []doccode.Link{{Line: 1, To: []int{3}}}}}}}})
		if _, err := e.Docs("a"); err == nil || !strings.Contains(err.Error(), "doc_code.json: a link leads to node 3 of 0") {
			t.Errorf("got %v", err)
		}
	})
}

func TestWhy(t *testing.T) {
	e := holding(t, bundle.WhyName, decisions.Decisions{Schema: 1, Rows: []decisions.Row{
		{File: "adr/1.md", Line: 5, Title: "One queue", Part: decisions.Context, Text: "Jobs were lost, and a queue may help or not; this is longer."},
		{File: "adr/1.md", Line: 9, Title: "One queue", Part: decisions.Alternative, Text: "Kafka. Too\nheavy.", Status: "accepted", Date: "2026-01-02"}}})
	t.Run("why_ranks_bm25", func(t *testing.T) {
		rows, err := e.Why("why no kafka queue")
		if err != nil {
			t.Fatal(err)
		}
		want := "first\nWHY One queue (alternative, accepted, 2026-01-02)  src=adr/1.md:9\n  Kafka. Too heavy.\nWHY One queue (context)  src=adr/1.md:5\n  Jobs were lost, and a queue may help or not; this is longer.\n"
		if got := RenderWhy("first", "why no kafka queue", rows, 400); got != want {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("nothing is said", func(t *testing.T) {
		rows, err := e.Why("zebra")
		if err != nil {
			t.Fatal(err)
		}
		if got := RenderWhy("first", "zebra\n", rows, 400); got != "first\nno decision record says a word of \"zebra \"; git log says why a line changed\n" {
			t.Errorf("got\n%s", got)
		}
	})
}

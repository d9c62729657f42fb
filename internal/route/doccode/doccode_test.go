package doccode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

var sample = DocCode{Schema: 1,
	Nodes: []Node{{File: "cache/cache.go", Name: "Cache.Open", Kind: "method", Line: 8}, {File: "cache/", Line: 0}, {File: "store/store.go"}, {File: "store/store.go", Name: "Store", Kind: "class", Line: 5}, {File: "store/store.go", Name: "Store.Open", Kind: "method", Line: 9}},
	Docs: []Doc{
		{File: "CHANGELOG.md", Passages: []Passage{{Heading: []string{"1.0"}, Line: 1, Links: []Link{{Text: "Store", Line: 3, How: Name, To: []int{3}}}}}},
		{File: "docs/store.md", Passages: []Passage{
			{Heading: []string{"Stores"}, Line: 1, Links: []Link{{Text: "Open()", Line: 4, How: Name, To: []int{0, 4}}, {Text: "store/store.go", Line: 5, How: Path, To: []int{2}}, {Text: "Store", Line: 6, How: Block, To: []int{3}}}},
			{Heading: []string{"Stores", "How Store opens"}, Line: 10, Links: []Link{{Text: "Store.Open", Line: 12, How: Name, To: []int{4}}, {Text: "Store", Line: 13, How: Name, To: []int{3}}}},
			{Heading: []string{"Stores", "The cache"}, Line: 20, Links: []Link{{Text: "cache/", Line: 21, How: Path, To: []int{1}}}},
		}},
	}}

func places(list []Mention) string {
	var out []string
	for _, m := range list {
		s := fmt.Sprintf("%s:%d", m.File, m.Line)
		if m.Ambiguous {
			s += "?"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestNaming(t *testing.T) {
	if err := sample.Check(); err != nil {
		t.Fatal(err)
	}
	for term, want := range map[string]string{
		"Store":                     "docs/store.md:13 docs/store.md:6 CHANGELOG.md:3",
		"store":                     "docs/store.md:13 docs/store.md:6 CHANGELOG.md:3",
		"Store.Open":                "docs/store.md:12 docs/store.md:4?",
		"Store::Open":               "docs/store.md:12 docs/store.md:4?",
		"Open":                      "docs/store.md:12 docs/store.md:4?",
		"store.Store":               "docs/store.md:13 docs/store.md:6 CHANGELOG.md:3",
		"store.go:Store.Open":       "docs/store.md:12 docs/store.md:4?",
		"store/store.go#Store.Open": "docs/store.md:12 docs/store.md:4?",
		"store/store.go:9":          "docs/store.md:12 docs/store.md:4?",
		"cache":                     "docs/store.md:21",
		"cache/":                    "docs/store.md:21",
		"store.go":                  "docs/store.md:5 docs/store.md:13 docs/store.md:6 docs/store.md:12 CHANGELOG.md:3 docs/store.md:4?",
		"ore.go":                    "",
		"zebra":                     "",
		"":                          "",
		":":                         "",
	} {
		if got := places(sample.Naming(term)); got != want {
			t.Errorf("Naming(%q) = %s, want %s", term, got, want)
		}
	}
}

func TestNamedAt(t *testing.T) {
	for term, want := range map[string]string{
		"docs/store.md":               "docs/store.md:4? docs/store.md:5 docs/store.md:6 docs/store.md:12 docs/store.md:21",
		"store.md:14":                 "docs/store.md:12 docs/store.md:13",
		"store.md:21":                 "docs/store.md:21",
		"store.md#the-cache":          "docs/store.md:21",
		"docs/store.md#The cache":     "docs/store.md:21",
		"how does the store open":     "docs/store.md:12 docs/store.md:13",
		"zebra":                       "",
		"":                            "",
		"docs/store.md#nothing there": "",
	} {
		if got := places(sample.NamedAt(term)); got != want {
			t.Errorf("NamedAt(%q) = %s, want %s", term, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	link := func(l Link) DocCode {
		return DocCode{Nodes: []Node{{File: "a"}}, Docs: []Doc{{File: "b", Passages: []Passage{{Line: 1, Links: []Link{l}}}}}}
	}
	for name, d := range map[string]DocCode{
		"a newer schema":         {Schema: 2},
		"a node out of range":    link(Link{Line: 1, To: []int{1}}),
		"a node below zero":      link(Link{Line: 1, To: []int{-1}}),
		"no node":                link(Link{Line: 1}),
		"no line":                link(Link{To: []int{0}}),
		"too many meanings":      link(Link{Line: 1, To: make([]int, MaxTo+1)}),
		"a path that leaves":     {Nodes: []Node{{File: "../a"}}},
		"a document that leaves": {Docs: []Doc{{File: "/etc/x"}}},
		"too many nodes":         {Nodes: make([]Node, MaxNodes+1)},
	} {
		if d.Check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if d := link(Link{Line: 1, To: []int{0}}); d.Check() != nil {
		t.Errorf("a link is refused: %v", d.Check())
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":1,"nodes":[{"file":"a/"}],"docs":[{"file":"b.md","passages":[{"heading":["x"],"line":1,"links":[{"text":"a","line":1,"how":"name","to":[0]}]}]}]}`), "a")
	f.Fuzz(func(t *testing.T, data []byte, term string) {
		var d DocCode
		if strictjson.Decode(data, &d) != nil || d.Check() != nil {
			return
		}
		for _, m := range append(d.Naming(term), d.NamedAt(term)...) {
			if len(m.Nodes) == 0 {
				t.Fatalf("%+v has no node", m)
			}
		}
	})
}

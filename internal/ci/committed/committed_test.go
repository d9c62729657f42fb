package committed

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/decisions"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs; go test -update rewrites it\n%s", path, got)
	}
}

var links = &doccode.DocCode{Nodes: []doccode.Node{{File: "a/"}, {File: "a/a.go", Name: "Open", Kind: "function", Line: 3}, {File: "b|c.go", Name: "Open", Line: 7}},
	Docs: []doccode.Doc{{File: "docs/use.md", Passages: []doccode.Passage{
		{Heading: []string{"Use", "`Open` | it"}, Line: 4, Links: []doccode.Link{{Text: "a/", Line: 5, To: []int{0}}, {Text: "a.Open", Line: 6, To: []int{1}}, {Text: "Open", Line: 8, To: []int{1, 2}}}},
		{Heading: []string{"Use", "More"}, Line: 14, Links: []doccode.Link{{Text: "a.Open", Line: 16, To: []int{1}}}}}},
		{File: "README.md", Passages: []doccode.Passage{{Line: 1, Links: []doccode.Link{{Text: "a/", Line: 1, To: []int{0}}}}}}}}

func TestDocCode(t *testing.T) {
	got := DocCode(links)
	golden(t, "DOC-CODE.md", got)
	if Rows(got) != 3 || !Made(got) {
		t.Errorf("%d rows, made %v", Rows(got), Made(got))
	}
}

func TestDecisions(t *testing.T) {
	got := Decisions(&decisions.Decisions{Rows: []decisions.Row{
		{File: "adr/1.md", Line: 3, Title: "One queue", Part: decisions.Decision, Text: "One <b>queue</b> | for all.", Status: "accepted", Date: "2026-01-02"},
		{File: "adr/1.md", Line: 9, Title: "One queue", Part: decisions.Alternative, Text: "Two.", Status: "accepted", Date: "2026-01-02"},
		{File: "adr/2.md", Line: 3, Title: "No bucket", Part: decisions.Context, Text: "Files are large."}}})
	golden(t, "DECISIONS.md", got)
	if Rows(got) != 3 || !Made(got) {
		t.Errorf("%d rows, made %v", Rows(got), Made(got))
	}
}

func TestCheck(t *testing.T) {
	rows := func(n int) []byte { return []byte(Mark + strings.Repeat("| x | y |\n", n)) }
	t.Run("shrink_guard_refuses", func(t *testing.T) {
		err := Check("D.md", rows(9), rows(4), false)
		if shrunk := (*ShrinkError)(nil); !errors.As(err, &shrunk) || shrunk.Before != 9 || shrunk.Now != 4 {
			t.Errorf("got %v", err)
		}
	})
	for _, tt := range []struct {
		name       string
		have, want []byte
		allow, ok  bool
	}{
		{"half is enough", rows(8), rows(4), false, true},
		{"it is meant", rows(9), rows(0), true, true},
		{"no file", nil, rows(0), false, true},
		{"an empty file", []byte{}, rows(1), false, true},
		{"a file made by hand", []byte("# Mine\n"), rows(9), true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := Check("D.md", tt.have, tt.want, tt.allow); (err == nil) != tt.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestMade(t *testing.T) {
	if !Made([]byte(strings.ReplaceAll(Mark, "\n", "\r\n")+"x")) || Made([]byte(" "+Mark)) || Made(nil) {
		t.Error("the mark is not told from other text")
	}
}

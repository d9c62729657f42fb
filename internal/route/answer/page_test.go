package answer

import (
	"os"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// TestPageNamesEverySignal holds docs/ranking.md to what --why prints.
func TestPageNamesEverySignal(t *testing.T) {
	page, err := os.ReadFile("../../../docs/ranking.md")
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{index: &index.Reader{Header: index.Header{Files: 2, Classes: []int{0, 1, 2, 2}}}}
	all := candidate{file: 1, content: 1, history: 1, path: 1, passage: 1, doc: 1, name: 1, exact: 1, entryAt: 0, used: 9}
	signals := e.why(lexicon.Question{Shape: lexicon.Sentence}, &all)
	if len(signals) < 10 {
		t.Errorf("%d signals: the test does not see them all", len(signals))
	}
	for _, w := range signals {
		if !strings.Contains(string(page), "\n| "+w.Signal+" | ") {
			t.Errorf("docs/ranking.md does not name the signal %q", w.Signal)
		}
	}
	for shape := range byShape {
		if !strings.Contains(string(page), "\n| "+shape.String()+" | ") {
			t.Errorf("docs/ranking.md does not name the shape %q", shape)
		}
	}
}

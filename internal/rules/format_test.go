package rules

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// TestFormatPageNamesEveryField: whoever reads a bundle with another program
// has docs/bundle-format.md and nothing else.
func TestFormatPageNamesEveryField(t *testing.T) {
	page := read(t, "docs/bundle-format.md")
	var fields []string
	for _, v := range []any{bundle.Manifest{}, bundle.Build{}, index.Header{}, wiring.Wiring{}} {
		fields = append(fields, fieldsOf(reflect.TypeOf(v))...)
	}
	fields = append(fields, pieceFields(t)...)
	slices.Sort(fields)
	fields = slices.Compact(fields)
	if len(fields) < 50 {
		t.Errorf("only %d fields were found: the test does not see them", len(fields))
	}
	for _, f := range fields {
		if !strings.Contains(page, "`"+f+"`") && !strings.Contains(page, `"`+f+`":`) {
			t.Errorf("docs/bundle-format.md does not name the field %s", f)
		}
	}
	for _, steps := range []int{index.Steps, index.Coarse} {
		if text := fmt.Sprintf("1/%d", steps); !strings.Contains(page, text) {
			t.Errorf("docs/bundle-format.md does not say that impacts go in steps of %s", text)
		}
	}
}

// fieldsOf are the JSON names of a struct's fields, and of those below.
func fieldsOf(typ reflect.Type) (names []string) {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice:
		return fieldsOf(typ.Elem())
	case reflect.Struct:
		for field := range typ.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name != "" && name != "-" {
				names = append(names, name)
			}
			names = append(names, fieldsOf(field.Type)...)
		}
	}
	return names
}

// pieceFields are the keys of the index's pieces, which are written by hand:
// an index of two files that has each of them is built, and read back.
func pieceFields(t *testing.T) (names []string) {
	b := index.NewBuilder([]string{"umbrella"}, []string{"a.go", "b.go"})
	b.Add(index.Document{Path: "a.go", Lang: "go", Doc: "Serve things.", History: []string{"serve it"},
		Defs:     []index.Def{{Name: "Serve", Kind: "function", Line: 1, End: 2, Doc: "Serve a thing."}},
		Passages: []index.Passage{{Line: 1, Terms: []index.TermCount{{Term: "serv", Count: 1}}}}})
	b.Add(index.Document{Path: "b.go", Lang: "go", Defs: []index.Def{{Name: "main", Kind: "function", Line: 1, End: 2}}})
	b.Link(1, 0, 0, 0, index.Rule{Relation: "calls", Resolver: "same package", Certainty: 100}, 2)
	files, err := b.Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		switch {
		case name == bundle.IndexName:
		case strings.HasPrefix(name, bundle.WordsDir):
			var terms map[string]map[string]any
			if err := json.Unmarshal(data, &terms); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, lists := range terms {
				for key := range lists {
					names = append(names, key)
				}
			}
		case strings.HasPrefix(name, bundle.NodesDir):
			var piece struct{ Files []map[string]any }
			if err := json.Unmarshal(data, &piece); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, record := range piece.Files {
				for key := range record {
					names = append(names, key)
				}
			}
		}
	}
	return names
}

package extract

import (
	"reflect"
	"testing"
)

func TestOutlineAndReferencesMakeTheFile(t *testing.T) {
	for _, name := range []string{"testdata/python/shop.py", "testdata/go/main_test.go"} {
		f := sampleFile(t, name)
		short := Outline(f)
		kept := 0
		for _, r := range f.References {
			if r.Relation != Calls && r.Relation != References {
				if kept >= len(short.References) || short.References[kept] != r {
					t.Fatalf("%s: the outline lacks %+v", name, r)
				}
				kept++
			}
		}
		if len(short.References) != kept || kept == len(f.References) {
			t.Errorf("%s: %d references, %d in the outline, want %d", name, len(f.References), len(short.References), kept)
		}
		all, err := DecodeReferences(AppendReferences(nil, f.References), len(f.Definitions))
		if err != nil {
			t.Fatal(err)
		}
		if short.References = all; !reflect.DeepEqual(short, f) {
			t.Errorf("%s: the outline and the references are not the file", name)
		}
	}
	var full File
	fill(reflect.ValueOf(&full).Elem())
	list, err := DecodeReferences(AppendReferences(nil, full.References), len(full.Definitions))
	if err != nil || !reflect.DeepEqual(list, full.References) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, list, full.References)
	}
	if _, err := DecodeReferences(AppendReferences(nil, full.References), 0); err == nil {
		t.Error("references from a definition that is not there are taken")
	}
}

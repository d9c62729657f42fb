package mutant

import (
	"bytes"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	source := []byte("func a(b int) {\n\treturn b + 1\n}\n\nvar c = a(2)\n")
	kept := bytes.Clone(source)
	different := map[string]bool{}
	const seeds, size = 2_000, 4_000
	longest := 0
	for seed := range uint64(seeds) {
		m := Of(source, seed, size)
		if !bytes.Equal(m, Of(source, seed, size)) {
			t.Fatalf("seed %d names two mutants", seed)
		}
		if len(m) > size {
			t.Errorf("seed %d gives %d bytes", seed, len(m))
		}
		longest = max(longest, len(m))
		different[string(m)] = true
	}
	if !bytes.Equal(source, kept) {
		t.Error("the source was changed")
	}
	if len(different) < seeds*3/4 || longest < size {
		t.Errorf("%d different mutants of %d seeds, the longest of %d bytes", len(different), seeds, longest)
	}
	for _, want := range []string{"\x00", "\xff", "\r", "((((((((", strings.Repeat("x", 500), "<<<<<<<"} {
		found := false
		for m := range different {
			found = found || strings.Contains(m, want)
		}
		if !found {
			t.Errorf("no mutant has %.10q", want)
		}
	}
	for _, short := range []string{"", "\n", "a"} {
		for seed := range uint64(500) {
			Of([]byte(short), seed, size)
		}
	}
}

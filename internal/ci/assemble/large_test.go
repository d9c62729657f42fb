package assemble

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// noise is text of n bytes that packs to about three quarters.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return fmt.Appendf(nil, "%q\n", b)
}

func ofSizes(sizes map[string]int) *Result {
	r := &Result{Files: NewStore()}
	for name, n := range sizes {
		r.change(name, noise(uint64(len(name)*1000+n), n))
	}
	return r
}

// sealed seals and returns the names of the large files.
func sealed(t *testing.T, r *Result) []string {
	t.Helper()
	if err := r.Seal(); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(r.Files)
	if err != nil {
		t.Fatal(err)
	}
	var large []string
	for _, f := range b.Manifest().Large() {
		large = append(large, f.Name)
	}
	if !slices.Equal(large, r.Large()) {
		t.Errorf("the manifest marks %q, the result says %q", large, r.Large())
	}
	return large
}

func TestSealMarksLargeFiles(t *testing.T) {
	sizes := map[string]int{
		"graph.json": 4000, "graph/00-a.json": 9000, "graph/01-b.json": 20000, "graph/02-c.json": 9000,
		"words/00.json": 30000, "nodes/00.json": 30000, "wiring.json": 10, "routing-digest.md": 10,
	}
	for _, c := range []struct {
		cap  int64
		want string
	}{
		{0, ""},
		{200_000, ""}, // less than that before it is packed
		{100_000, ""}, // less than that packed
		{75_000, "graph/01-b.json"},
		{60_000, "graph/00-a.json graph/01-b.json"},
		{52_000, "graph/00-a.json graph/01-b.json graph/02-c.json"},
		{1000, "graph.json graph/00-a.json graph/01-b.json graph/02-c.json"}, // nothing else can go
	} {
		t.Run(fmt.Sprint(c.cap), func(t *testing.T) {
			r := ofSizes(sizes)
			r.BranchCap = c.cap
			if got := strings.Join(sealed(t, r), " "); got != c.want {
				t.Errorf("large are %q, want %q", got, c.want)
			}
			first := slices.Clone(r.contents()[bundle.ManifestName])
			if sealed(t, r); !bytes.Equal(first, r.contents()[bundle.ManifestName]) {
				t.Error("sealing again gives another manifest")
			}
			again := ofSizes(sizes)
			again.BranchCap = c.cap
			if sealed(t, again); !bytes.Equal(first, again.contents()[bundle.ManifestName]) {
				t.Error("the same bundle gives another manifest")
			}
		})
	}
}

func TestSealMeasuresWhatChanged(t *testing.T) {
	r := ofSizes(map[string]int{"graph.json": 20000, "words/00.json": 20000})
	r.BranchCap = 35_000
	if got := sealed(t, r); len(got) != 0 {
		t.Fatalf("large are %q", got)
	}
	r.change("words/00.json", noise(7, 40000))
	if got := sealed(t, r); len(got) != 1 || got[0] != "graph.json" {
		t.Errorf("after the words grew, large are %q", got)
	}
	r.change("words/00.json", []byte("{}\n"))
	if got := sealed(t, r); len(got) != 0 {
		t.Errorf("after the words shrank, large are %q", got)
	}
}

// TestTheManifestOfASmallBundle pins what a bundle below the cap looks like.
func TestTheManifestOfASmallBundle(t *testing.T) {
	r := &Result{Files: NewStore(), Build: bundle.Build{Schema: 1}}
	r.change("graph.json", []byte("{}\n"))
	if err := r.Seal(); err != nil {
		t.Fatal(err)
	}
	build := r.contents()[bundle.BuildName]
	got := string(r.contents()[bundle.ManifestName])
	head := fmt.Sprintf("{\"schema\":1,\"files\":[\n{\"name\":\"build.json\",\"size\":%d,\"sha256\":\"", len(build))
	tail := "\n{\"name\":\"graph.json\",\"size\":3,\"sha256\":\"ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356\"}\n]}\n"
	if !strings.HasPrefix(got, head) || !strings.HasSuffix(got, tail) {
		t.Errorf("manifest:\n%s", got)
	}
}

func BenchmarkMeasure(b *testing.B) {
	r := ofSizes(map[string]int{"graph.json": 8 << 20, "words/00.json": 8 << 20, "nodes/00.json": 8 << 20})
	for b.Loop() {
		r.packed = nil
		if err := r.Seal(); err != nil {
			b.Fatal(err)
		}
	}
}

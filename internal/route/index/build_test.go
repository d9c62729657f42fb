package index

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// sealed is the bundle of the given files, with a manifest that agrees.
func sealed(t testing.TB, files map[string][]byte) *bundle.Bundle {
	t.Helper()
	files = maps.Clone(files)
	m, err := bundle.NewManifest(files)
	if err != nil {
		t.Fatal(err)
	}
	files[bundle.ManifestName] = m.Encode()
	b, err := bundle.Open(bundle.Memory(files))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// edge is an edge as a test states it.
type edge struct {
	from    string
	fromDef int
	to      string
	toDef   int
	rule    Rule
	line    int
}

// filesOf builds the index of documents and edges.
func filesOf(t testing.TB, docs []Document, edges []edge) map[string][]byte {
	t.Helper()
	paths := make([]string, len(docs))
	for i, d := range docs {
		paths[i] = d.Path
	}
	return filesBy(t, NewBuilder([]string{"umbrella", "app"}, paths), docs, edges)
}

func filesBy(t testing.TB, b *Builder, docs []Document, edges []edge) map[string][]byte {
	t.Helper()
	for _, d := range docs {
		b.Add(d)
	}
	for _, c := range smallChanges {
		b.Change(c.subject, c.paths)
	}
	for _, e := range edges {
		from, ok1 := b.Number(e.from)
		to, ok2 := b.Number(e.to)
		if !ok1 || !ok2 {
			t.Fatalf("no number for %s or %s", e.from, e.to)
		}
		b.Link(from, e.fromDef, to, e.toDef, e.rule, e.line)
	}
	files, err := b.Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func open(t testing.TB, files map[string][]byte) *Reader {
	t.Helper()
	r, err := Open(sealed(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func terms(s string) (list []TermCount) {
	lexicon.Words(s, func(w string) { list = append(list, TermCount{w, 1}) })
	slices.SortFunc(list, func(a, b TermCount) int { return strings.Compare(a.Term, b.Term) })
	return slices.CompactFunc(list, func(a, b TermCount) bool { return a.Term == b.Term })
}

var (
	calls      = Rule{"calls", "same package", 95}
	references = Rule{"references", "import", 80}
)

func smallDocs() []Document {
	return []Document{
		{Path: "app/serve.go", Repo: 1, Lang: "go", Doc: "Package serve answers.", History: []string{"serve it at last", "mend the handler"},
			Defs: []Def{
				{Name: "Server", Kind: "class", Line: 3, End: 9, Exported: true, Signature: "type Server struct", Doc: "A Server \"answers\"."},
				{Name: "handleRequest", Container: "Server", Kind: "method", Line: 11, End: 20, Doc: "Handles one request."},
				{Name: "main", Kind: "function", Line: 22, End: 30, Entry: true},
			},
			Passages: []Passage{{1, terms("server struct fields")}, {20, terms("main loop zebra")}}},
		{Path: "app/serve_test.go", Repo: 1, Lang: "go", Defs: []Def{{Name: "TestServer", Kind: "function", Line: 5, End: 6, Test: true}}},
		{Path: "README.md", Passages: []Passage{{1, terms("how to serve zebra")}}},
		{Path: "ci.yml"},
	}
}

// smallChanges are past commits of the files of smallDocs; other documents
// have none of these paths, and so none of these changes.
var smallChanges = []struct {
	subject string
	paths   []string
}{
	{"Serve the zebra", []string{"ci.yml", "app/serve.go", "app/serve.go"}},
	{"Remove what nobody serves", []string{"app/gone.go"}},
	{"zebra, zebra", []string{"README.md", "app/gone.go"}},
}

func smallEdges() []edge {
	return []edge{
		{"app/serve.go", 2, "app/serve.go", 1, calls, 25},
		{"app/serve_test.go", 0, "app/serve.go", 1, calls, 6},
		{"app/serve_test.go", -1, "app/serve.go", -1, references, 2},
		{"app/serve_test.go", 0, "app/serve.go", 0, references, 5},
	}
}

func TestRoundTrip(t *testing.T) {
	r := open(t, filesOf(t, smallDocs(), smallEdges()))
	h := r.Header
	if h.Files != 4 || h.Names != 4 || !slices.Equal(h.Classes, []int{0, 1, 2, 3}) || !slices.Equal(h.Repos, []string{"umbrella", "app"}) {
		t.Errorf("header %+v", h)
	}
	serve, test := record(t, r, 0), record(t, r, 1)
	if serve.Path != "app/serve.go" || serve.Repo != 1 || serve.Lang != "go" || serve.Doc != "Package serve answers." || !slices.Equal(serve.Cuts, []int{1, 20}) {
		t.Errorf("record %+v", serve)
	}
	if got := []string{test.Path, record(t, r, 2).Path, record(t, r, 3).Path}; !slices.Equal(got, []string{"app/serve_test.go", "README.md", "ci.yml"}) {
		t.Errorf("order %q", got)
	}
	defs, err := serve.Defs()
	if err != nil || !reflect.DeepEqual(defs, smallDocs()[0].Defs) {
		t.Errorf("definitions %+v, %v", defs, err)
	}
	if d, err := serve.Def(1); err != nil || d.Qualified() != "Server.handleRequest" {
		t.Errorf("definition %+v, %v", d, err)
	}

	for _, tt := range []struct {
		name string
		get  func(int) ([]Edge, error)
		def  int
		want []Edge
	}{
		{"out of main", serve.OutOf, 2, []Edge{{calls, 2, 0, 1, 25}}},
		{"out of the class", serve.OutOf, 0, []Edge{}},
		{"out of the file", serve.OutOf, -1, []Edge{}},
		{"out of the test", test.OutOf, 0, []Edge{{references, 0, 0, 0, 5}, {calls, 0, 0, 1, 6}}},
		{"out of the test's file", test.OutOf, -1, []Edge{{references, -1, 0, -1, 2}}},
		{"to the method, without lines", serve.InTo, 1, []Edge{{calls, 1, 0, 2, 0}, {calls, 1, 1, 0, 0}}},
		{"to the class", serve.InTo, 0, []Edge{{references, 0, 1, 0, 0}}},
		{"to the file", serve.InTo, -1, []Edge{{references, -1, 1, -1, 0}}},
		{"to what is not there", serve.InTo, 99, []Edge{}},
	} {
		got, err := tt.get(tt.def)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %+v, %v; want %+v", tt.name, got, err, tt.want)
		}
	}
}

func record(t *testing.T, r *Reader, file int) *Record {
	t.Helper()
	rec, err := r.File(file)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestPostings(t *testing.T) {
	r := open(t, filesOf(t, smallDocs(), nil))
	read := func(term string) string {
		p, err := r.Terms([]string{term})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		pairs := func(key, list string) {
			r.Pairs(list, func(file, v int) { fmt.Fprintf(&b, " %s%d", key, file) })
		}
		groups := func(key, list string) {
			r.Groups(list, func(file, part, v int) { fmt.Fprintf(&b, " %s%d.%d", key, file, part) })
		}
		pairs("file", p[0].Files)
		pairs("history", p[0].History)
		groups("passage", p[0].Files)
		pairs("path", p[0].Paths)
		groups("name", p[0].Names)
		groups("doc", p[0].Docs)
		r.Exact(p[0].Exact, func(file, def int) { fmt.Fprintf(&b, " exact%d.%d", file, def) })
		return strings.TrimSpace(b.String())
	}
	for _, tt := range []struct{ term, want string }{
		{"serv", "file0 file1 file2 history0 passage0.0 passage2.0 path0 path1 name0.0 name1.0 doc0.0"},
		{"zebra", "file0 file2 passage0.1 passage2.0"},
		{"handl", "file0 history0 name0.1 doc0.1"},
		{"handlerequest", "file0"},
		{"=handlerequest", "exact0.1"},
		{"=server", "exact0.0"},
		{"=serve.go", "exact0.-1"},
		{"=ci.yml", "exact3.-1"},
		{"=main", "exact0.2"},
		{EntryKey, "exact0.2"},
		{"ci", "file3 path3"},
		{"nothing", ""},
		{"", ""},
		{"zebra\":{}", ""},
	} {
		if got := read(tt.term); got != tt.want {
			t.Errorf("%q stands in %q, want %q", tt.term, got, tt.want)
		}
	}
	both, err := r.Terms([]string{"zebra", "nothing", "zebra"})
	if err != nil || len(both) != 3 || !reflect.DeepEqual(both[0], both[2]) || both[0].Files == "" || both[1].Files != "" {
		t.Errorf("terms asked together: %+v, %v", both, err)
	}
}

func TestImpactGrowsAndSaturates(t *testing.T) {
	last := 0
	for _, n := range []float32{1, 2, 4, 8} {
		v := impact(Steps, n, 100, 100, lengthNorm)
		if v <= last || v >= Steps {
			t.Errorf("%v occurrences have the impact %d, after %d", n, v, last)
		}
		last = v
	}
	if short, long := impact(Steps, 2, 50, 100, lengthNorm), impact(Steps, 2, 400, 100, lengthNorm); short <= long {
		t.Errorf("a short file gets %d, a long one %d", short, long)
	}
	if got := impact(Coarse, 0.001, 1e9, 1, 1); got != 1 {
		t.Errorf("the least impact is %d, not 1", got)
	}
}

// manyDocs are n files with words, names and edges drawn from a few.
func manyDocs(n int) ([]Document, []edge) {
	rnd := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("word%c%d", 'a'+rnd.IntN(26), rnd.IntN(40)) }
	docs := make([]Document, n)
	var edges []edge
	for i := range docs {
		d := Document{Path: fmt.Sprintf("dir%d/%s_%d.go", i%17, word(), i), Repo: i % 2, Lang: "go", History: []string{word() + " " + word()}}
		for k := range 8 {
			d.Defs = append(d.Defs, Def{Name: word() + "_" + word(), Kind: "function", Line: 10 * k, End: 10*k + 8, Doc: word() + " " + word()})
		}
		d.Passages = []Passage{{1, terms(word() + " " + word() + " " + word())}, {40, terms(word() + " " + word())}}
		docs[i] = d
		if i > 0 {
			edges = append(edges, edge{d.Path, rnd.IntN(8), docs[rnd.IntN(i)].Path, rnd.IntN(9) - 1, calls, rnd.IntN(100)})
		}
	}
	return docs, edges
}

func TestSameFilesWhateverTheOrder(t *testing.T) {
	docs, edges := manyDocs(150)
	want := filesOf(t, docs, edges)
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		rnd.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		rnd.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		got := filesOf(t, docs, edges)
		if !maps.EqualFunc(got, want, bytes.Equal) {
			for name := range want {
				if !bytes.Equal(got[name], want[name]) {
					t.Errorf("%s differs", name)
				}
			}
		}
	}
}

// TestSameFilesInLittleMemory: what waits in temporary files comes back as it
// was.
func TestSameFilesInLittleMemory(t *testing.T) {
	docs, edges := manyDocs(150)
	want := filesOf(t, docs, edges)
	paths := make([]string, len(docs))
	for i, d := range docs {
		paths[i] = d.Path
	}
	for _, limit := range []int{20_000, 100_000, 10_000_000} {
		b := NewBuilder([]string{"umbrella", "app"}, paths)
		b.Hold(limit)
		terms := b.terms
		got := filesBy(t, b, docs, edges)
		if !maps.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("with %d bytes in memory the files differ", limit)
		}
		if limit < 10_000_000 && !terms.away.Spilled() {
			t.Errorf("with %d bytes in memory nothing was written to a file", limit)
		}
	}
}

// TestLongListsAreCut: a term that stands everywhere cannot make a piece that
// no reader takes, and what is cut is counted.
func TestLongListsAreCut(t *testing.T) {
	var cut Cut
	e := encoder{cut: &cut}
	list := make(postingList, mostPostings+3)
	for i := range list {
		list[i] = weighted{int32(i), 0, 1}
	}
	list[mostPostings+1].weight = 9
	got := e.heaviest(list, func(p weighted) int { return int(p.weight) })
	if len(got) != mostPostings || cut.Postings != 3 || !slices.ContainsFunc(got, func(p weighted) bool { return p.file == mostPostings+1 }) {
		t.Errorf("%d postings are left, %+v", len(got), cut)
	}
	if short := list[:5]; len(e.heaviest(short, nil)) != 5 || cut.Postings != 3 {
		t.Errorf("a short list is cut, %+v", cut)
	}

	b := NewBuilder([]string{"app"}, []string{"a.go", "b.go"})
	b.Add(Document{Path: "a.go"})
	b.Add(Document{Path: "b.go"})
	for i := range mostEdges + 2 {
		b.Link(1, i, 0, -1, calls, 1)
	}
	r := open(t, must(b.Files()))
	if b.Cut() != (Cut{Edges: 4}) {
		t.Errorf("cut %+v, want 2 edges out of one file and 2 into the other", b.Cut())
	}
	if in, err := record(t, r, 0).In(); err != nil || len(in) != mostEdges {
		t.Errorf("%d edges, %v", len(in), err)
	}

	pieces, cut := map[string][]byte{}, Cut{}
	words := &wordsWriter{cut: &cut, put: func(name string, data []byte) error { pieces[name] = data; return nil }}
	for i, size := range []int{2 << 20, mostPiece + 1, 2 << 20} {
		words.add(fmt.Sprintf("term%d", i), fmt.Appendf(nil, `"term%d":{"f":"%s"}`, i, strings.Repeat("A", size)))
	}
	if err := words.flush(); err != nil || cut != (Cut{Terms: 1}) || !slices.Equal(words.first, []string{"term0", "term2"}) || len(pieces) != 2 {
		t.Errorf("%d pieces from %q, cut %+v, %v", len(pieces), words.first, cut, err)
	}
}

func must(files map[string][]byte, err error) map[string][]byte {
	if err != nil {
		panic(err)
	}
	return files
}

func TestPieces(t *testing.T) {
	docs, edges := manyDocs(400)
	files := filesOf(t, docs, edges)
	r := open(t, files)
	if len(r.Header.Words) < 4 || len(r.Header.Nodes) < 4 {
		t.Fatalf("%d word pieces and %d node pieces", len(r.Header.Words), len(r.Header.Nodes))
	}
	words, nodes := 0, 0
	for name, data := range files {
		switch {
		case name == bundle.IndexName:
			continue
		case strings.HasPrefix(name, bundle.WordsDir):
			words++
			if len(data) > 2*wordsPiece {
				t.Errorf("%s has %d bytes", name, len(data))
			}
		case strings.HasPrefix(name, bundle.NodesDir):
			nodes++
			if len(data) > nodesPiece+4096 {
				t.Errorf("%s has %d bytes", name, len(data))
			}
		}
	}
	if words != len(r.Header.Words) || nodes != len(r.Header.Nodes) {
		t.Errorf("%d word pieces and %d node pieces; the header says %d and %d", words, nodes, len(r.Header.Words), len(r.Header.Nodes))
	}
	want := map[string]bool{}
	for _, d := range docs {
		want[d.Path] = true
	}
	for i := range r.Header.Files {
		rec := record(t, r, i)
		if !want[rec.Path] || rec.Len() != 8 {
			t.Errorf("file %d is %s with %d definitions", i, rec.Path, rec.Len())
		}
		delete(want, rec.Path)
	}
	if len(want) > 0 {
		t.Errorf("%d files are lost", len(want))
	}
}

func TestEmptyWorkspace(t *testing.T) {
	r := open(t, filesOf(t, nil, nil))
	p, err := r.Terms([]string{"word"})
	if err != nil || p[0].Files != "" {
		t.Errorf("got %+v, %v", p, err)
	}
	var refused *bundle.Refused
	if _, err := r.File(0); !errors.As(err, &refused) {
		t.Errorf("file 0 of none: %v", err)
	}
}

func TestFileOutOfRange(t *testing.T) {
	r := open(t, filesOf(t, smallDocs(), nil))
	for _, n := range []int{-1, 4, 1 << 40} {
		var refused *bundle.Refused
		if _, err := r.File(n); !errors.As(err, &refused) {
			t.Errorf("file %d: %v", n, err)
		}
	}
	r.Prefetch([]int{-1, 4, 1 << 40})
}

func BenchmarkOpen(b *testing.B) {
	docs, edges := manyDocs(500)
	bun := sealed(b, filesOf(b, docs, edges))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(bun); err != nil {
			b.Fatal(err)
		}
	}
}

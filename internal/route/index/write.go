package index

import (
	"math"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// Weights of the fields a term can stand in, as multiples of one occurrence
// in the contents, and BM25's constants. They are frozen into the impacts,
// so changing one changes the index, not the format.
const (
	pathWeight = 4.0 // a path is short and chosen with care
	nameWeight = 3.0 // a definition's name says what the file is for
	bodyWeight = 1.0

	saturation = 1.2 // k1: the tenth occurrence says little
	lengthNorm = 0.6 // b: long files match by chance, but not only by chance

	passageNorm = 0.5
	docNorm     = 0.5
	historyNorm = 0.5
)

// Sizes that pieces are cut for, in bytes. Smaller pieces mean more rows in
// the manifest, larger ones more bytes that a question reads for nothing.
const (
	wordsPiece = 24 << 10
	nodesPiece = 16 << 10
)

// commonShare is the share of files above which a term gets no passages: it
// cannot tell one from another, and its list would be the longest.
const commonShare = 0.05

// A Document is one file as the builder takes it.
type Document struct {
	Path     string // from the workspace's root
	Repo     int
	Lang     string
	Doc      string
	Defs     []Def
	Passages []Passage
	History  []string // what others say of it: subjects of the commits that changed it, names of its tests
}

// A Passage is a run of lines of one file.
type Passage struct {
	Line  int // its first
	Terms []TermCount
}

// A TermCount says how often a term stands in a passage.
type TermCount struct {
	Term  string
	Count int
}

// A Builder makes the index of a workspace.
type Builder struct {
	repos  []string
	number map[string]int // path → file number
	class  []int
	docs   []FileRecord
	terms  map[string]*termData

	fileLen, historyLen []float64
	passageLen          [][]float64
	docLen              [][]float64
	changes             [][]int32 // the files of each
	names               int
}

// termData is where one term stands, list by list as [Postings] has them.
type termData struct {
	files, history, passages, names, paths, docs, exact postingList
	changes                                             []int32
}

type postingList []weighted

// weighted is one posting: how heavily a term stands in a part of a file.
type weighted struct {
	file, part int32
	weight     float32
}

// NewBuilder returns a builder for the files of these paths, whose numbers
// it fixes.
func NewBuilder(repos, paths []string) *Builder {
	paths = slices.Clone(paths)
	slices.SortFunc(paths, func(a, b string) int {
		if ca, cb := ClassOfPath(a), ClassOfPath(b); ca != cb {
			return int(ca - cb)
		}
		return strings.Compare(a, b)
	})
	n := len(paths)
	b := &Builder{repos: append([]string{}, repos...), number: make(map[string]int, n), docs: make([]FileRecord, n), terms: map[string]*termData{},
		fileLen: make([]float64, n), historyLen: make([]float64, n), passageLen: make([][]float64, n), docLen: make([][]float64, n)}
	b.class = make([]int, Classes)
	for c := range b.class {
		b.class[c] = sort.Search(n, func(i int) bool { return int(ClassOfPath(paths[i])) >= c })
	}
	for i, p := range paths {
		b.number[p] = i
		b.docs[i].Path = p
	}
	return b
}

// Number returns the number of the file of this path.
func (b *Builder) Number(path string) (int, bool) { n, ok := b.number[path]; return n, ok }

func (b *Builder) term(t string) *termData {
	d := b.terms[t]
	if d == nil {
		d = &termData{}
		b.terms[strings.Clone(t)] = d
	}
	return d
}

// Add takes one file. Files may come in any order, each once.
func (b *Builder) Add(d Document) {
	n, ok := b.number[d.Path]
	if !ok {
		return
	}
	rec := &b.docs[n]
	rec.Repo, rec.Lang, rec.Doc, rec.Defs = d.Repo, d.Lang, d.Doc, d.Defs
	file := int32(n)

	base := ExactKey(lexicon.Fold(path.Base(d.Path)))
	b.term(base).exact.add(file, 0, 1)
	total := map[string]float64{}
	count := func(text string, weight float64) {
		lexicon.Words(text, func(t string) { total[t] += weight })
	}
	count(d.Path, pathWeight)
	for _, w := range lexicon.NameWords(pathName(d.Path)) {
		b.term(w).paths.add(file, 0, 1)
	}
	b.docLen[n] = make([]float64, len(d.Defs))
	for i, def := range d.Defs {
		b.names++
		if nameCounts(def) {
			count(def.Name, nameWeight)
		}
		for _, w := range lexicon.NameWords(def.Name) {
			b.term(w).names.add(file, int32(i), 1)
		}
		if f := lexicon.Fold(def.Name); f != "" {
			key := ExactKey(f)
			b.term(key).exact.add(file, int32(i)+1, 1)
		}
		if def.Entry {
			b.term(EntryKey).exact.add(file, int32(i)+1, 1)
		}
		doc := map[string]float64{}
		lexicon.Words(def.Doc, func(t string) { doc[t]++; b.docLen[n][i]++ })
		for t, c := range doc {
			b.term(t).docs.add(file, int32(i), c)
		}
	}
	b.passageLen[n] = make([]float64, len(d.Passages))
	for i, p := range d.Passages {
		rec.Cuts = append(rec.Cuts, p.Line)
		for _, tc := range p.Terms {
			c := float64(tc.Count)
			total[tc.Term] += bodyWeight * c
			b.passageLen[n][i] += c
			b.term(tc.Term).passages.add(file, int32(i), c)
		}
	}
	for t, w := range total {
		b.fileLen[n] += w
		b.term(t).files.add(file, 0, w)
	}
	subjects := map[string]float64{}
	for _, s := range d.History {
		lexicon.Words(s, func(t string) { subjects[t]++; b.historyLen[n]++ })
	}
	for t, c := range subjects {
		b.term(t).history.add(file, 0, c)
	}
}

// pathName is the part of a path that names the file: its last folder and
// its base name without ending.
func pathName(p string) string {
	dir, base := path.Split(p)
	return path.Base(dir) + "/" + strings.TrimSuffix(base, path.Ext(base))
}

// nameCounts says whether a name stands for what its file is about: fields
// and enum cases are many and small.
func nameCounts(d Def) bool { return d.Kind != "field" && d.Kind != "case" }

func (l *postingList) add(file, part int32, w float64) {
	*l = append(*l, weighted{file, part, float32(w)})
}

// Link adds an edge from one definition (or −1, the file) to another.
func (b *Builder) Link(from, fromDef, to, toDef int, rule Rule, line int) {
	b.docs[from].Out = append(b.docs[from].Out, Edge{rule, fromDef, to, toDef, line})
	b.docs[to].In = append(b.docs[to].In, Edge{rule, toDef, from, fromDef, line})
}

// Files returns the files of the bundle that hold the index.
func (b *Builder) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	h := Header{Lexicon: lexicon.Version, Files: len(b.docs), Names: b.names, Changes: len(b.changes), Classes: b.class, Repos: b.repos}
	h.Used = b.used()
	nodes, starts := b.encodeNodes(&h)
	h.Nodes = starts
	for i, data := range nodes {
		files[bundle.PieceName(bundle.NodesDir, i)] = data
	}
	for i, data := range b.encodeChanges() {
		files[bundle.PieceName(bundle.ChangesDir, i)] = data
	}
	words := b.encodeWords()
	h.Pieces = len(words)
	for i, data := range words {
		files[bundle.PieceName(bundle.WordsDir, i)] = data
	}
	data, err := bundle.Encode(h)
	files[bundle.IndexName] = data
	return files, err
}

// usedMean is the digit of a file that is used as much as the mean of its
// repository.
const usedMean = 2

// used writes a digit per file for what other files use of it, against the
// mean of its repository, for a large one has more edges and no more right.
// A file of a language without edges stands at the mean.
func (b *Builder) used() string {
	logs := make([]float64, len(b.docs))
	sum, count := map[int]float64{}, map[int]float64{}
	for i, d := range b.docs {
		n := 0
		for _, e := range d.In {
			if e.File != i && e.Relation != "contains" {
				n++
			}
		}
		logs[i] = math.Log1p(float64(n))
		if d.Lang != "" && ClassOfPath(d.Path) == Source {
			sum[d.Repo] += logs[i]
			count[d.Repo]++
		}
	}
	out := make([]byte, len(b.docs))
	for i, d := range b.docs {
		step := 0.0
		if d.Lang != "" {
			step = logs[i] - sum[d.Repo]/max(1, count[d.Repo])
		}
		out[i] = '0' + byte(max(0, min(9, math.Round(usedMean+step))))
	}
	return string(out)
}

// encodeWords cuts the terms into pieces of about wordsPiece.
func (b *Builder) encodeWords() [][]byte {
	terms := make([]string, 0, len(b.terms))
	for t := range b.terms {
		terms = append(terms, t)
	}
	slices.Sort(terms)
	norms := b.norms(terms)
	rows := make([][]byte, len(terms))
	size := 0
	for i, t := range terms {
		rows[i] = norms.row(t, b.terms[t])
		size += len(rows[i]) + 1
	}
	pieces := 1
	for pieces < 4096 && size/pieces > wordsPiece {
		pieces *= 2
	}
	out := make([][]byte, pieces)
	for i, t := range terms {
		if len(rows[i]) == 0 {
			continue
		}
		n := Shard(t, pieces)
		if out[n] == nil {
			out[n] = []byte("{\n")
		} else {
			out[n] = append(out[n], ",\n"...)
		}
		out[n] = append(out[n], rows[i]...)
	}
	for n := range out {
		if out[n] == nil {
			out[n] = []byte("{")
		}
		out[n] = append(out[n], "\n}\n"...)
	}
	return out
}

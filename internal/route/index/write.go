package index

import (
	"math"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/spool"
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
	docs   []doc
	terms  *termStore
	rules  []Rule         // of the edges, in the order in which they came
	rule   map[Rule]int32 // number of each
	kinds  map[string]bool
	room   int          // bytes of definitions that may still be held
	away   *spool.Spool // definitions that are not
	cut    Cut

	fileLen, historyLen []float64
	passageLen          [][]float64
	docLen              [][]float64
	changes             [][]int32 // the files of each
	names               int
}

// A doc is what the builder knows of one file.
type doc struct {
	FileRecord             // without edges, and without definitions where they are away
	away       spool.Place // definitions
	out, in    []link
}

// A link is one edge, without the definition's file.
type link struct{ rule, def, file, other, line int32 }

// Bounds on what a builder keeps in memory, in bytes; past them it uses
// temporary files.
const (
	heldTerms = 160 << 20
	heldDefs  = 48 << 20
)

// NewBuilder returns a builder for the files of these paths, whose numbers
// it fixes.
func NewBuilder(repos, paths []string) *Builder {
	paths = slices.Clone(paths)
	order.By(paths, func(a, b string) int {
		if ca, cb := ClassOfPath(a), ClassOfPath(b); ca != cb {
			return int(ca - cb)
		}
		return strings.Compare(a, b)
	})
	n := len(paths)
	b := &Builder{repos: append([]string{}, repos...), number: make(map[string]int, n), docs: make([]doc, n), terms: newTermStore(heldTerms),
		rule: map[Rule]int32{}, kinds: map[string]bool{}, room: heldDefs, away: spool.New(0),
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

// Hold says how many bytes the builder may keep in memory, about, of the
// postings and as many of the definitions, before it writes to temporary
// files. It is for before the first Add.
func (b *Builder) Hold(bytes int) { b.terms.limit, b.room = bytes, bytes }

// Number returns the number of the file of this path.
func (b *Builder) Number(path string) (int, bool) { n, ok := b.number[path]; return n, ok }

// Add takes one file. Files may come in any order, each once. It keeps the
// slices of d.
func (b *Builder) Add(d Document) {
	n, ok := b.number[d.Path]
	if !ok {
		return
	}
	rec := &b.docs[n]
	rec.Repo, rec.Lang, rec.Doc = d.Repo, d.Lang, d.Doc
	b.keep(rec, d.Defs)
	file := int32(n)

	base := ExactKey(lexicon.Fold(path.Base(d.Path)))
	terms := b.terms
	terms.add(base, inExact, file, 0, 1)
	total := map[string]float64{}
	count := func(text string, weight float64) {
		lexicon.Words(text, func(t string) { total[t] += weight })
	}
	count(d.Path, pathWeight)
	for _, w := range lexicon.NameWords(pathName(d.Path)) {
		terms.add(w, inPaths, file, 0, 1)
	}
	b.docLen[n] = make([]float64, len(d.Defs))
	for i, def := range d.Defs {
		b.names++
		if nameCounts(def) {
			count(def.Name, nameWeight)
		}
		for _, w := range lexicon.NameWords(def.Name) {
			terms.add(w, inNames, file, int32(i), 1)
		}
		if f := lexicon.Fold(def.Name); f != "" {
			terms.add(ExactKey(f), inExact, file, int32(i)+1, 1)
		}
		if def.Entry {
			terms.add(EntryKey, inExact, file, int32(i)+1, 1)
		}
		doc := map[string]float64{}
		lexicon.Words(def.Doc, func(t string) { doc[t]++; b.docLen[n][i]++ })
		for t, c := range doc {
			terms.add(t, inDocs, file, int32(i), c)
		}
	}
	b.passageLen[n] = make([]float64, len(d.Passages))
	for i, p := range d.Passages {
		rec.Cuts = append(rec.Cuts, p.Line)
		for _, tc := range p.Terms {
			c := float64(tc.Count)
			total[tc.Term] += bodyWeight * c
			b.passageLen[n][i] += c
			terms.add(tc.Term, inPassages, file, int32(i), c)
		}
	}
	for t, w := range total {
		b.fileLen[n] += w
		terms.add(t, inFiles, file, 0, w)
	}
	subjects := map[string]float64{}
	for _, s := range d.History {
		lexicon.Words(s, func(t string) { subjects[t]++; b.historyLen[n]++ })
	}
	for t, c := range subjects {
		terms.add(t, inHistory, file, 0, c)
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

// Link adds an edge from one definition (or −1, the file) to another.
func (b *Builder) Link(from, fromDef, to, toDef int, rule Rule, line int) {
	n, known := b.rule[rule]
	if !known {
		n = int32(len(b.rules))
		b.rule[rule] = n
		b.rules = append(b.rules, rule)
	}
	b.docs[from].out = append(b.docs[from].out, link{n, int32(fromDef), int32(to), int32(toDef), int32(line)})
	b.docs[to].in = append(b.docs[to].in, link{n, int32(toDef), int32(from), int32(fromDef), int32(line)})
}

// Files returns the files of the bundle that hold the index.
func (b *Builder) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := b.Write(func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	return files, err
}

// Write gives the files of the bundle that hold the index to put, one after
// the other, and ends with its error. The builder is done then.
func (b *Builder) Write(put func(name string, data []byte) error) error {
	defer b.away.Close()
	defer b.terms.close()
	h := Header{Lexicon: lexicon.Version, Files: len(b.docs), Names: b.names, Changes: len(b.changes), Classes: b.class, Repos: b.repos}
	h.Used = b.used()
	if err := b.writeNodes(&h, put); err != nil {
		return err
	}
	for i, data := range b.encodeChanges() {
		if err := put(bundle.PieceName(bundle.ChangesDir, i), data); err != nil {
			return err
		}
	}
	if err := b.writeWords(&h, put); err != nil {
		return err
	}
	data, err := bundle.Encode(h)
	if err != nil {
		return err
	}
	return put(bundle.IndexName, data)
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
		for _, e := range d.in {
			if int(e.file) != i && b.rules[e.rule].Relation != "contains" {
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

package index

import (
	"math"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

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
	History  []string // subjects of the commits that changed it
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

	pathTotal           []float64
	fileLen, historyLen []float64
	passageLen          [][]float64
	docLen              [][]float64
	names               int
}

type termData struct {
	files    []weighted
	history  []weighted
	passages []weighted
	names    []weighted
	paths    []weighted
	docs     []weighted
	exact    []weighted
}

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
	b := &Builder{repos: repos, number: make(map[string]int, n), docs: make([]FileRecord, n), terms: map[string]*termData{},
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
	b.term(base).add(&b.term(base).exact, file, 0, 1)
	total := map[string]float64{}
	count := func(text string, weight float64) {
		lexicon.Words(text, func(t string) { total[t] += weight })
	}
	count(d.Path, pathWeight)
	for _, w := range lexicon.NameWords(pathName(d.Path)) {
		b.term(w).add(&b.term(w).paths, file, 0, 1)
	}
	b.docLen[n] = make([]float64, len(d.Defs))
	for i, def := range d.Defs {
		b.names++
		if nameCounts(def) {
			count(def.Name, nameWeight)
		}
		for _, w := range lexicon.NameWords(def.Name) {
			b.term(w).add(&b.term(w).names, file, int32(i), 1)
		}
		if f := lexicon.Fold(def.Name); f != "" {
			key := ExactKey(f)
			b.term(key).add(&b.term(key).exact, file, int32(i)+1, 1)
		}
		if def.Entry {
			b.term(EntryKey).add(&b.term(EntryKey).exact, file, int32(i)+1, 1)
		}
		doc := map[string]float64{}
		lexicon.Words(def.Doc, func(t string) { doc[t]++; b.docLen[n][i]++ })
		for t, c := range doc {
			b.term(t).add(&b.term(t).docs, file, int32(i), c)
		}
	}
	b.passageLen[n] = make([]float64, len(d.Passages))
	for i, p := range d.Passages {
		rec.Cuts = append(rec.Cuts, p.Line)
		for _, tc := range p.Terms {
			c := float64(tc.Count)
			total[tc.Term] += bodyWeight * c
			b.passageLen[n][i] += c
			b.term(tc.Term).add(&b.term(tc.Term).passages, file, int32(i), c)
		}
	}
	for t, w := range total {
		b.fileLen[n] += w
		b.term(t).add(&b.term(t).files, file, 0, w)
	}
	subjects := map[string]float64{}
	for _, s := range d.History {
		lexicon.Words(s, func(t string) { subjects[t]++; b.historyLen[n]++ })
	}
	for t, c := range subjects {
		b.term(t).add(&b.term(t).history, file, 0, c)
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

func (*termData) add(list *[]weighted, file, part int32, w float64) {
	*list = append(*list, weighted{file, part, float32(w)})
}

// Link adds an edge from one definition (or −1, the file) to another.
func (b *Builder) Link(from, fromDef, to, toDef int, rule Rule, line int) {
	b.docs[from].Out = append(b.docs[from].Out, Edge{rule, fromDef, to, toDef, line})
	b.docs[to].In = append(b.docs[to].In, Edge{rule, toDef, from, fromDef, line})
}

// Files returns the files of the bundle that hold the index.
func (b *Builder) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	h := Header{Lexicon: lexicon.Version, Files: len(b.docs), Names: b.names, Classes: b.class, Repos: b.repos}
	h.Used = b.used()
	nodes, starts := b.encodeNodes(&h)
	h.Nodes = starts
	for i, data := range nodes {
		files[bundle.PieceName(bundle.NodesDir, i)] = data
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

// used writes a digit per file for what other files use of it.
func (b *Builder) used() string {
	out := make([]byte, len(b.docs))
	for i, d := range b.docs {
		n := 0
		for _, e := range d.In {
			if e.File != i && e.Relation != "contains" {
				n++
			}
		}
		out[i] = '0' + byte(min(9, math.Round(math.Log1p(float64(n)))))
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
	norms := b.norms()
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

// norms are what BM25 needs to know of the whole workspace.
type norms struct {
	b                           *Builder
	file, history, passage, doc float64 // mean lengths
	nameWeight                  map[string]float64
	nameTotal                   [][]float64 // per file, per definition
}

func (b *Builder) norms() *norms {
	n := &norms{b: b, nameWeight: map[string]float64{}}
	n.file, n.history = mean(b.fileLen), mean(b.historyLen)
	n.passage, n.doc = mean(b.passageLen...), mean(b.docLen...)
	b.pathTotal = make([]float64, len(b.docs))
	for _, d := range b.terms {
		for _, p := range d.paths {
			b.pathTotal[p.file] += Rarity(len(b.docs), len(d.paths))
		}
	}
	n.nameTotal = make([][]float64, len(b.docs))
	for i, d := range b.docs {
		n.nameTotal[i] = make([]float64, len(d.Defs))
	}
	for t, d := range b.terms {
		if len(d.names) == 0 {
			continue
		}
		w := Rarity(b.names, len(d.names))
		n.nameWeight[t] = w
		for _, p := range d.names {
			n.nameTotal[p.file][p.part] += w
		}
	}
	return n
}

// Rarity is the weight of a word that stands in df of n things: ln(1+n/df).
func Rarity(n, df int) float64 {
	if df <= 0 {
		return math.Log(1 + float64(n)*2)
	}
	return math.Log(1 + float64(n)/float64(df))
}

func mean(lists ...[]float64) float64 {
	sum, n := 0.0, 0
	for _, l := range lists {
		for _, x := range l {
			if x > 0 {
				sum += x
				n++
			}
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}

// impact is BM25's saturated term weight, 1 to steps−1.
func impact(steps int, weight float32, length, mean, norm float64) int {
	w := float64(weight)
	k := saturation * (1 - norm + norm*length/mean)
	return max(1, min(steps-1, int(math.Round(float64(steps)*w/(w+k)))))
}

// row encodes one term, or nothing when no list is left.
func (n *norms) row(t string, d *termData) []byte {
	e := encoder{}
	e.one("f", d.files, func(p weighted) int { return impact(Steps, p.weight, n.b.fileLen[p.file], n.file, lengthNorm) })
	e.one("h", d.history, func(p weighted) int { return impact(Coarse, p.weight, n.b.historyLen[p.file], n.history, historyNorm) })
	if float64(len(d.files)) <= commonShare*float64(len(n.b.docs))+8 {
		e.many("p", d.passages, func(p weighted) int {
			return impact(Coarse, p.weight, n.b.passageLen[p.file][p.part], n.passage, passageNorm)
		})
	}
	e.one("w", d.paths, func(p weighted) int {
		return max(1, int(math.Round(100*Rarity(len(n.b.docs), len(d.paths))/n.b.pathTotal[p.file])))
	})
	e.many("n", d.names, func(p weighted) int {
		return max(1, int(math.Round(100*n.nameWeight[t]/n.nameTotal[p.file][p.part])))
	})
	e.many("d", d.docs, func(p weighted) int { return impact(Coarse, p.weight, n.b.docLen[p.file][p.part], n.doc, docNorm) })
	e.exact("x", d.exact)
	if len(e.out) == 0 {
		return nil
	}
	row := AppendString(nil, t)
	row = append(row, ':', '{')
	row = append(row, e.out...)
	return append(row, '}')
}

type encoder struct{ out []byte }

func (e *encoder) open(key string) {
	if len(e.out) > 0 {
		e.out = append(e.out, ',')
	}
	e.out = append(e.out, '"')
	e.out = append(e.out, key...)
	e.out = append(e.out, '"', ':', '[')
}

func (e *encoder) int(n int) {
	if e.out[len(e.out)-1] != '[' {
		e.out = append(e.out, ',')
	}
	e.out = strconv.AppendInt(e.out, int64(n), 10)
}

func sorted(list []weighted) []weighted {
	slices.SortFunc(list, func(a, b weighted) int {
		if a.file != b.file {
			return int(a.file - b.file)
		}
		return int(a.part - b.part)
	})
	return list
}

// one writes (Δfile, value) pairs.
func (e *encoder) one(key string, list []weighted, value func(weighted) int) {
	if len(list) == 0 {
		return
	}
	e.open(key)
	last := -1
	for _, p := range sorted(list) {
		e.int(int(p.file) - last)
		e.int(value(p))
		last = int(p.file)
	}
	e.out = append(e.out, ']')
}

// many writes (Δfile, count, count × (part, value)).
func (e *encoder) many(key string, list []weighted, value func(weighted) int) {
	if len(list) == 0 {
		return
	}
	e.open(key)
	byFile(sorted(list), func(delta int, group []weighted) {
		e.int(delta)
		e.int(len(group))
		for _, p := range group {
			e.int(int(p.part))
			e.int(value(p))
		}
	})
	e.out = append(e.out, ']')
}

// exact writes (Δfile, count, count × part).
func (e *encoder) exact(key string, list []weighted) {
	if len(list) == 0 {
		return
	}
	e.open(key)
	byFile(sorted(list), func(delta int, group []weighted) {
		e.int(delta)
		e.int(len(group))
		for _, p := range group {
			e.int(int(p.part))
		}
	})
	e.out = append(e.out, ']')
}

func byFile(list []weighted, each func(delta int, group []weighted)) {
	last := int32(-1)
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].file == list[0].file {
			n++
		}
		each(int(list[0].file-last), list[:n])
		last = list[0].file
		list = list[n:]
	}
}

// AppendString writes a JSON string.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ' || r == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

package answer

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/order"
)

// A Why is one term of a score.
type Why struct {
	Signal string  `json:"signal"`
	Value  float64 `json:"value"`
}

// A candidate is a file with what speaks for it, each signal before its
// weight. A common word makes thousands of them, so they are small.
type candidate struct {
	file                            int32
	bestPassage, bestDef, bestDoc   int32 // −1 when there is none
	exactAt, entryAt                int32
	frameLine                       int32 // of the stack trace's place in exactAt, or 0
	content, history, path, passage float32
	like                            float32
	doc, name, exact, pathShare     float32
	score                           float32
	used                            int8 // index.Header.UsedOf
}

// A field holds the candidates of one question.
type field struct {
	slot []int32 // by file: 1 + its place in list; 0 is none
	list []candidate
}

func (f *field) at(file int) *candidate {
	if f.slot[file] == 0 {
		f.list = append(f.list, candidate{file: int32(file), bestPassage: -1, bestDef: -1, bestDoc: -1, exactAt: -1, entryAt: -1})
		f.slot[file] = int32(len(f.list))
	}
	return &f.list[f.slot[file]-1]
}

// rank returns the best files of a question that n lets in, at most limit,
// and how many of these have any of its words.
func (e *Engine) rank(q lexicon.Question, n Narrow, limit int) (best []candidate, total int, err error) {
	keys := slices.Clone(q.Terms)
	for _, n := range q.Names {
		keys = append(keys, index.ExactKey(lexicon.Fold(n)))
	}
	postings, err := e.index.Terms(keys)
	if err != nil {
		return nil, 0, err
	}
	f := &field{slot: make([]int32, e.index.Header.Files)}
	short, err := e.abbreviated(q)
	if err != nil {
		return nil, 0, err
	}
	sums := e.collect(f, postings[:len(q.Terms)], short)
	if byShape[q.Shape].like > 0 {
		if err := e.like(f, sums.changes); err != nil {
			return nil, 0, err
		}
	}
	for i, n := range q.Names {
		if err := e.exact(f, q, n, postings[len(q.Terms)+i].Exact); err != nil {
			return nil, 0, err
		}
	}
	if err := e.frames(f, q); err != nil {
		return nil, 0, err
	}
	if q.Wants.Entry && q.Shape <= lexicon.Sentence {
		if err := e.entries(f); err != nil {
			return nil, 0, err
		}
	}
	if err := e.narrow(f, q, n); err != nil {
		return nil, 0, err
	}
	w := byShape[q.Shape]
	for i := range f.list {
		c := &f.list[i]
		c.used = int8(e.index.Header.UsedOf(int(c.file)))
		c.score = float32(w.sum(c) * e.classFactor(q, int(c.file)))
	}
	return f.top(limit), len(f.list), nil
}

// abbreviated reads the postings of the short forms of each term of a
// sentence: its author wrote prose, and code abbreviates.
func (e *Engine) abbreviated(q lexicon.Question) ([][]index.Postings, error) {
	forms := make([][]index.Postings, len(q.Terms))
	if q.Shape < lexicon.Sentence {
		return forms, nil
	}
	for i, t := range q.Terms {
		var other []string
		for _, a := range lexicon.Abbreviations(t) {
			if !slices.Contains(q.Terms, a) {
				other = append(other, a)
			}
		}
		var err error
		if forms[i], err = e.index.Terms(other); err != nil {
			return nil, err
		}
	}
	return forms, nil
}

// collect sums the signals of the question's words. forms are postings of
// other forms of each word; they count for less, and are no rarer than it.
func (e *Engine) collect(f *field, postings []index.Postings, forms [][]index.Postings) *sums {
	sums := &sums{changes: make([]float32, e.index.Header.Changes)}
	for i, p := range postings {
		word := frequencyOf(p)
		sums.add(e, f, p, word, 1)
		for _, form := range forms[i] {
			sums.add(e, f, form, word.most(frequencyOf(form)), abbreviated)
		}
	}
	for i := range f.list {
		c := &f.list[i]
		c.path *= min(1, c.pathShare)
	}
	sums.passages.each(func(file, part int, v, _ float32) {
		if c := f.at(file); v > c.passage {
			c.passage, c.bestPassage = v, int32(part)
		}
	})
	sums.docs.each(func(file, part int, v, _ float32) {
		if c := f.at(file); v > c.doc {
			c.doc, c.bestDoc = v, int32(part)
		}
	})
	// A name counts by the question's words that it has and by how much of it
	// they are.
	sums.names.each(func(file, part int, covered, share float32) {
		v := covered * min(1, share)
		if c := f.at(file); v > c.name {
			c.name, c.bestDef = v, int32(part)
		}
	})
	return sums
}

// impact is what a word gives: its rarity times its saturated weight.
func impact(rarity float64, v, steps int) float32 {
	return float32(rarity * scale * float64(v) / float64(steps))
}

// idf is BM25's inverse document frequency, never below 0.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// parts sum a signal over the parts of files: passages or definitions.
type parts struct{ list []part }

type part struct {
	file, part   int32
	value, share float32
}

func (p *parts) add(file, n int, value, share float32) {
	p.list = append(p.list, part{int32(file), int32(n), value, share})
}

// each visits the sum of every part, in order of file and part.
func (p *parts) each(visit func(file, part int, value, share float32)) {
	order.By(p.list, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.part, b.part))
	})
	for i := 0; i < len(p.list); {
		sum := p.list[i]
		for i++; i < len(p.list) && p.list[i].file == sum.file && p.list[i].part == sum.part; i++ {
			sum.value += p.list[i].value
			sum.share += p.list[i].share
		}
		visit(int(sum.file), int(sum.part), sum.value, sum.share)
	}
}

// maxNamesakes bounds how many definitions of one name a question looks at.
const maxNamesakes = 50

// exact credits the definitions and files whose whole name is n.
func (e *Engine) exact(f *field, q lexicon.Question, n string, list string) error {
	var hits []ref
	var files []int
	e.index.Exact(list, func(file, def int) {
		if len(hits) < maxNamesakes {
			hits = append(hits, ref{file, def})
			files = append(files, file)
		}
	})
	e.index.Prefetch(files)
	for _, h := range hits {
		rec, err := e.index.File(h.file)
		if err != nil {
			return err
		}
		v := exactFile
		if h.def >= 0 && h.def < rec.Len() {
			d, err := rec.Def(h.def)
			if err != nil {
				return err
			}
			v = exactValue(d, n)
			if slices.Contains(q.Names, d.Container[strings.LastIndexByte(d.Container, '.')+1:]) {
				v += exactContainer
			}
		}
		switch q.Shape {
		case lexicon.Sentence, lexicon.Message:
			v /= sentenceExact
		case lexicon.Change:
			v /= changeExact
		}
		if c := f.at(h.file); float32(v) > c.exact {
			c.exact, c.exactAt = float32(v), int32(h.def)
		}
	}
	return nil
}

// entries marks the files with a place where a program starts. They are few,
// so one without a word of the question may be meant, too.
func (e *Engine) entries(f *field) error {
	postings, err := e.index.Terms([]string{index.EntryKey})
	if err != nil {
		return err
	}
	e.index.Exact(postings[0].Exact, func(file, def int) {
		if c := f.at(file); c.entryAt < 0 {
			c.entryAt = int32(def)
		}
	})
	return nil
}

// exactValue is what a definition gets whose folded name is that of n.
func exactValue(d index.Def, n string) float64 {
	v := exactName
	if d.Name == n {
		v += exactCase
	}
	if d.Kind == "field" || d.Kind == "case" || d.Kind == "key" {
		v -= exactMinor
	}
	return v
}

// sum weighs the signals of a candidate.
func (w weights) sum(c *candidate) float64 {
	return w.content*float64(c.content) + w.name*float64(c.name) + w.passage*float64(c.passage) + w.doc*float64(c.doc) +
		w.history*float64(c.history) + w.like*float64(c.like) + w.path*float64(c.path) + float64(c.exact) + c.entry() + w.used*float64(c.used)
}

// entry is what a place where a program starts gets, when one was asked for.
func (c *candidate) entry() float64 {
	if c.entryAt < 0 {
		return 0
	}
	return entryPoint
}

// better orders candidates: by score, then in the order of files.
func better(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.file, b.file))
}

// top returns the best candidates, at most n, best first.
func (f *field) top(n int) []candidate {
	if n <= 0 {
		return nil
	}
	best := make([]candidate, 0, min(n, len(f.list))+1)
	for _, c := range f.list {
		if len(best) == n && better(c, best[n-1]) > 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(best, c, better)
		best = slices.Insert(best, i, c)
		best = best[:min(len(best), n)]
	}
	return best
}

// classFactor lowers what is not source, unless the question asks for it.
func (e *Engine) classFactor(q lexicon.Question, file int) float64 {
	asked := true
	switch e.index.Header.ClassOf(file) {
	case index.Test:
		asked = q.Wants.Test
	case index.Doc:
		asked = q.Wants.Doc
	case index.Data:
		asked = q.Wants.Data
	}
	if asked {
		return 1
	}
	return lower
}

// why lists the terms of a score, largest first.
func (e *Engine) why(q lexicon.Question, c *candidate) []Why {
	w := byShape[q.Shape]
	all := []Why{{"exact name", float64(c.exact)}, {"name", w.name * float64(c.name)}, {"contents", w.content * float64(c.content)},
		{"passage", w.passage * float64(c.passage)}, {"doc sentence", w.doc * float64(c.doc)}, {"history", w.history * float64(c.history)}, {"like past changes", w.like * float64(c.like)},
		{"path", w.path * float64(c.path)}, {"entry point", c.entry()}, {"used by other files", w.used * float64(c.used)}}
	all = slices.DeleteFunc(all, func(x Why) bool { return x.Value < 0.005 })
	order.Stable(all, func(a, b Why) int { return cmp.Compare(b.Value, a.Value) })
	if factor := e.classFactor(q, int(c.file)); factor != 1 {
		all = append(all, Why{"kind of file, times", factor})
	}
	for i := range all {
		all[i].Value = round2(all[i].Value)
	}
	return all
}

func round2(x float64) float64 { return math.Round(x*100) / 100 }

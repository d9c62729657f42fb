package answer

import (
	"math"
	"slices"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// A Why is one term of a score.
type Why struct {
	Signal string  `json:"signal"`
	Value  float64 `json:"value"`
}

// candidate is a file with what speaks for it.
type candidate struct {
	file                                   int
	content, history, passage, doc, name   float64
	path, exact                            float64
	entry                                  bool
	bestPassage, bestDef, bestDoc, exactAt int
	score                                  float64
}

// accumulator sums one signal per (file, part) and keeps the best part.
type accumulator map[[2]int]float64

// rank scores every file that has a word of the question, best first.
func (e *Engine) rank(q lexicon.Question) ([]candidate, error) {
	keys := slices.Clone(q.Terms)
	exactFrom := len(keys)
	for _, n := range q.Names {
		keys = append(keys, index.ExactKey(lexicon.Fold(n)))
	}
	postings, err := e.index.Terms(keys)
	if err != nil {
		return nil, err
	}
	byFile := map[int]*candidate{}
	at := func(file int) *candidate {
		c := byFile[file]
		if c == nil {
			c = &candidate{file: file, bestPassage: -1, bestDef: -1, bestDoc: -1, exactAt: -1}
			byFile[file] = c
		}
		return c
	}
	passages, docs := accumulator{}, accumulator{}
	covered, shares := accumulator{}, accumulator{}
	pathShare := map[int]float64{}
	h := &e.index.Header
	questionWeight := 0.0
	for _, p := range postings[:exactFrom] {
		df := len(p.Files) / 2
		if df == 0 && len(p.History) == 0 {
			continue
		}
		rarity := idf(h.Files, df)
		e.index.Pairs(p.Files, func(f, v int) { at(f).content += rarity * scale * float64(v) / index.Steps })
		e.index.Pairs(p.History, func(f, v int) { at(f).history += idf(h.Files, len(p.History)/2) * scale * float64(v) / index.Coarse })
		e.index.Groups(p.Passages, func(f, part, v int) { passages[[2]int{f, part}] += rarity * scale * float64(v) / index.Coarse })
		e.index.Groups(p.Docs, func(f, part, v int) { docs[[2]int{f, part}] += rarity * scale * float64(v) / index.Coarse })
		inPath := index.Rarity(h.Files, len(p.Paths)/2)
		e.index.Pairs(p.Paths, func(f, v int) {
			at(f).path += inPath
			pathShare[f] += float64(v) / 100
		})
		names := 0
		e.index.Groups(p.Names, func(int, int, int) { names++ })
		w := index.Rarity(h.Names, names)
		if names == 0 {
			w = rarity
		}
		questionWeight += w
		e.index.Groups(p.Names, func(f, part, share int) {
			covered[[2]int{f, part}] += w
			shares[[2]int{f, part}] += float64(share) / 100
		})
	}
	for f, share := range pathShare {
		at(f).path *= math.Min(1, share)
	}
	best(passages, func(f, part int, v float64) {
		if c := at(f); v > c.passage || v == c.passage && part < c.bestPassage {
			c.passage, c.bestPassage = v, part
		}
	})
	best(docs, func(f, part int, v float64) {
		if c := at(f); v > c.doc || v == c.doc && part < c.bestDoc {
			c.doc, c.bestDoc = v, part
		}
	})
	best(covered, func(f, part int, v float64) {
		v *= math.Min(1, shares[[2]int{f, part}])
		if c := at(f); v > c.name || v == c.name && part < c.bestDef {
			c.name, c.bestDef = v, part
		}
	})
	for i, n := range q.Names {
		if err := e.exact(q, n, postings[exactFrom+i].Exact, at); err != nil {
			return nil, err
		}
	}
	return e.sorted(q, byFile), nil
}

// best visits an accumulator; the visitor must not depend on the order.
func best(a accumulator, visit func(file, part int, v float64)) {
	for k, v := range a {
		visit(k[0], k[1], v)
	}
}

// idf is BM25's inverse document frequency, never below 0.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// exactValue is what a definition gets whose folded name is that of n.
func exactValue(d index.Def, n string) float64 {
	v := exactName
	if d.Name == n {
		v += exactCase
	}
	if d.Kind == "field" || d.Kind == "case" {
		v -= exactMinor
	}
	return v
}

// maxNamesakes bounds how many definitions of one name are looked at.
const maxNamesakes = 200

// exact credits the definitions whose whole name is n.
func (e *Engine) exact(q lexicon.Question, n string, list []int, at func(int) *candidate) error {
	type hit struct{ file, def int }
	var hits []hit
	e.index.Exact(list, func(f, d int) {
		if len(hits) < maxNamesakes {
			hits = append(hits, hit{f, d})
		}
	})
	var files []int
	for _, h := range hits {
		files = append(files, h.file)
	}
	e.index.Prefetch(files)
	for _, h := range hits {
		rec, err := e.index.File(h.file)
		if err != nil {
			return err
		}
		v := exactFile
		if h.def >= 0 && h.def < len(rec.Defs) {
			v = exactValue(rec.Defs[h.def], n)
		}
		if q.Shape == lexicon.Sentence {
			v /= sentenceExact
		}
		if c := at(h.file); v > c.exact {
			c.exact, c.exactAt = v, h.def
		}
	}
	return nil
}

// sorted weighs the signals and orders the files.
func (e *Engine) sorted(q lexicon.Question, byFile map[int]*candidate) []candidate {
	w := byShape[q.Shape]
	out := make([]candidate, 0, len(byFile))
	for _, c := range byFile {
		c.score = w.content*c.content + w.name*c.name + w.passage*c.passage + w.doc*c.doc + w.history*c.history +
			w.path*c.path + c.exact
		c.score *= e.classFactor(q, c.file)
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.file - b.file
	})
	return out
}

func (e *Engine) classFactor(q lexicon.Question, file int) float64 {
	switch e.index.Header.ClassOf(file) {
	case index.Test:
		if q.Wants.Test {
			return 1
		}
	case index.Doc:
		if q.Wants.Doc {
			return 1
		}
	case index.Data:
		if q.Wants.Data {
			return 1
		}
	default:
		return 1
	}
	return lower
}

// why lists the terms of a score, largest first.
func (c *candidate) why(q lexicon.Question, factor float64) []Why {
	w := byShape[q.Shape]
	all := []Why{{"exact name", c.exact}, {"name", w.name * c.name}, {"contents", w.content * c.content}, {"passage", w.passage * c.passage},
		{"doc sentence", w.doc * c.doc}, {"history", w.history * c.history}, {"path", w.path * c.path}}
	all = slices.DeleteFunc(all, func(x Why) bool { return x.Value < 0.005 })
	slices.SortStableFunc(all, func(a, b Why) int { return compareFloat(b.Value, a.Value) })
	if factor != 1 {
		all = append(all, Why{"kind of file, times", factor})
	}
	for i := range all {
		all[i].Value = math.Round(all[i].Value*100) / 100
	}
	return all
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

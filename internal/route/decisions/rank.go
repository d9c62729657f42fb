package decisions

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/order"
)

// How words count: BM25 with the usual saturation. Rows have a sentence or
// two, so that their length tells little.
const (
	saturation  = 1.2
	lengthShare = 0.4

	inTitle = 1.5 // a word of the title, against one of the text
	inPath  = 0.7

	perFile = 3 // rows of one file among those that come first
)

// partWeight is a little more for what was decided than for what surrounds it.
var partWeight = map[string]float64{Decision: 1.15, Change: 1.0, Alternative: 1.0, Context: 0.95, Consequence: 0.95}

// askingWords are in most questions for a reason, and say nothing of it.
var askingWords = []string{"why", "not", "instead", "rather", "than", "no", "we", "did"}

// asked are the terms of a question, without those that only ask.
func asked(question string) []string {
	terms := lexicon.Parse(question + " ?").Terms
	var about []string
	for _, t := range terms {
		if !slices.Contains(askingWords, t) {
			about = append(about, t)
		}
	}
	if len(about) == 0 {
		return terms
	}
	return about
}

// Rank returns the rows that share words with a question, best first. Of one
// file, no more than three come before the best ones of others.
func (d *Decisions) Rank(question string) []Row {
	terms := asked(question)
	number := map[string]int{}
	for i, t := range terms {
		number[t] = i
	}
	// A name of several parts, such as SQLite, is one word to who asks.
	for word := range strings.FieldsSeq(question) {
		whole := lexicon.Fold(word)
		if i, ok := number[lexicon.Stem(strings.ToLower(word))]; ok {
			if _, known := number[whole]; !known {
				number[whole] = i
			}
		}
	}
	counts := make([][]float64, len(d.Rows))
	have := make([]int, len(terms))
	lengths, total := make([]float64, len(d.Rows)), 0.0
	for i, r := range d.Rows {
		n := make([]float64, len(terms))
		length := 0.0
		count := func(text string, weight float64) {
			lexicon.Words(text, func(term string) {
				length += weight
				if t, ok := number[term]; ok {
					n[t] += weight
				}
			})
		}
		count(r.Title, inTitle)
		count(r.Text, 1)
		count(path.Base(r.File), inPath)
		for t, v := range n {
			if v > 0 {
				have[t]++
			}
		}
		counts[i], lengths[i] = n, length
		total += length
	}
	mean := max(1, total/float64(max(1, len(d.Rows))))
	type scored struct {
		row    Row
		points float64
	}
	var found []scored
	for i, n := range counts {
		points, shared := 0.0, 0
		for t, v := range n {
			if v == 0 {
				continue
			}
			shared++
			rarity := math.Log(1 + (float64(len(d.Rows)-have[t])+0.5)/(float64(have[t])+0.5))
			points += rarity * v * (saturation + 1) / (v + saturation*(1-lengthShare+lengthShare*lengths[i]/mean))
		}
		if points > 0 {
			points *= (0.5 + 0.5*float64(shared)/float64(len(terms))) * cmp.Or(partWeight[d.Rows[i].Part], 1)
			found = append(found, scored{d.Rows[i], points})
		}
	}
	order.Stable(found, func(a, b scored) int { return cmp.Compare(b.points, a.points) })
	var first, rest []Row
	of := map[string]int{}
	for _, f := range found {
		if of[f.row.File]++; of[f.row.File] <= perFile {
			first = append(first, f.row)
		} else {
			rest = append(rest, f.row)
		}
	}
	return append(first, rest...)
}

package lexical

import (
	"math"
	"sync"
	"sync/atomic"
)

// BM25's constants.
const (
	saturation = 1.2
	lengthNorm = 0.5
)

// halfPerRarity times the rarity of a word that one skill has is the BM25
// score that [Scorer.Scores] calls a half: two such words, in a skill's name
// or description.
const halfPerRarity = 3.5

// A Scorer compares texts with a pool of skills. It is safe for concurrent
// use.
type Scorer struct {
	profiles []Profile
	mean     float64 // of their lengths

	asked    atomic.Int32
	once     sync.Once
	postings atomic.Pointer[map[string][]posting]
}

// A posting is what one profile says of a word.
type posting struct {
	at     int // of the profile
	weight float64
}

// NewScorer takes the profiles of a pool.
func NewScorer(profiles []Profile) *Scorer {
	s := &Scorer{profiles: profiles}
	for i := range profiles {
		s.mean += float64(profiles[i].Length)
	}
	s.mean /= max(1, float64(len(profiles)))
	return s
}

// Scores is how well each profile fits a text, 0 to 1: BM25 over weighted
// words (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25
// and Beyond, 2009), saturated.
func (s *Scorer) Scores(text string) []float64 {
	if s.asked.Add(1) > fewTexts {
		s.once.Do(s.invert)
	}
	scores := make([]float64, len(s.profiles))
	seen := map[string]bool{}
	var found []posting
	Words(text, func(w string) {
		if seen[w] {
			return
		}
		seen[w] = true
		if found = s.with(w, found[:0]); len(found) == 0 {
			return
		}
		rarity := s.rarity(len(found))
		for _, p := range found {
			norm := 1 - lengthNorm + lengthNorm*float64(s.profiles[p.at].Length)/s.mean
			scores[p.at] += rarity * p.weight * (saturation + 1) / (p.weight + saturation*norm)
		}
	})
	half := halfPerRarity * s.rarity(1)
	for i, x := range scores {
		if x > 0 {
			scores[i] = x / (x + half)
		}
	}
	return scores
}

// fewTexts is how many texts are compared with a pool before its words are
// sorted by word: for a few that costs more than it saves.
const fewTexts = 8

// invert sorts the profiles' words by word.
func (s *Scorer) invert() {
	postings := map[string][]posting{}
	for i := range s.profiles {
		for _, w := range s.profiles[i].Words {
			if w.Weight > 0 {
				postings[w.Word] = append(postings[w.Word], posting{i, float64(w.Weight)})
			}
		}
	}
	s.postings.Store(&postings)
}

// with appends what the profiles say of a word, in their order.
func (s *Scorer) with(word string, list []posting) []posting {
	if all := s.postings.Load(); all != nil {
		return append(list, (*all)[word]...)
	}
	for i := range s.profiles {
		if w := s.profiles[i].weight(word); w > 0 {
			list = append(list, posting{i, w})
		}
	}
	return list
}

// rarity is the inverse document frequency of a word that df skills have.
func (s *Scorer) rarity(df int) float64 {
	n := float64(len(s.profiles))
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}

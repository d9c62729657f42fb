package lexical

import (
	"slices"
	"strings"
)

// Weights of the parts of a skill, in occurrences of a word in its
// description twice over: a name is chosen with care, a description says when
// to use the skill, a body has everything else.
const (
	nameWeight        = 4.0
	descriptionWeight = 2.0
	bodyWeight        = 0.5

	// bodyWords is how much of a body is read: what comes later is reference.
	bodyWords = 600
	// plainBody is the length, in words, up to which a body's word counts
	// whole: in a long body it is there by chance.
	plainBody = 150.0
)

// A Profile is a skill as words: each once, sorted, with its weight.
type Profile struct {
	Words  []Weighted
	Length float32 // sum of the weights
}

// A Weighted is one word of a profile.
type Weighted struct {
	Word   string
	Weight float32
}

// NewProfile reads a skill's words.
func NewProfile(name, description, body string) Profile {
	weights := map[string]float64{}
	Words(name, func(w string) { weights[w] += nameWeight })
	Words(description, func(w string) { weights[w] += descriptionWeight })
	counts, n := map[string]int{}, 0
	Words(firstWords(body, bodyWords), func(w string) {
		counts[w]++
		n++
	})
	each := bodyWeight / max(1, float64(n)/plainBody)
	for w, c := range counts {
		weights[w] += each * float64(c)
	}
	p := Profile{Words: make([]Weighted, 0, len(weights))}
	for w, weight := range weights {
		p.Words = append(p.Words, Weighted{w, float32(weight)})
	}
	slices.SortFunc(p.Words, func(a, b Weighted) int { return strings.Compare(a.Word, b.Word) })
	for _, w := range p.Words {
		p.Length += w.Weight
	}
	return p
}

func firstWords(text string, n int) string {
	inWord := false
	for i := range len(text) {
		space := text[i] == ' ' || text[i] == '\n' || text[i] == '\t'
		if !space && !inWord {
			if n--; n < 0 {
				return text[:i]
			}
		}
		inWord = !space
	}
	return text
}

// weight is how much the profile says of a word.
func (p *Profile) weight(word string) float64 {
	i, ok := slices.BinarySearchFunc(p.Words, word, func(w Weighted, word string) int { return strings.Compare(w.Word, word) })
	if !ok {
		return 0
	}
	return float64(p.Words[i].Weight)
}

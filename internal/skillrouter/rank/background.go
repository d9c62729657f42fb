package rank

import (
	"math"

	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Idle are prompts that no skill helps with. How near they come to a pool is
// what chance gives: a larger pool, or another model, is nearer to everything.
// Their vectors are kept in the index.
var Idle = []string{
	"what is the capital of australia", "tell me a joke about cats", "how tall is mount everest", "who wrote pride and prejudice",
	"what should i cook tonight", "is it going to rain tomorrow", "thanks, that was helpful", "good morning, how are you",
	"what does CPU stand for", "who invented the world wide web", "is python faster than ruby", "what is the difference between TCP and UDP",
	"which programming language should i learn first", "why do programmers count from zero", "what year was linux released",
	"are monoliths making a comeback", "what is a closure in one sentence", "recommend a book about the roman empire",
	"translate hello into french", "how many planets are there", "what is the best keyboard for coding", "what are the rules of chess",
	"explain what an API is to a child", "do you prefer light or dark mode", "how do vaccines work", "what is the square root of 144",
	"name three famous painters", "what is technical debt", "why is the sky blue", "which is better, mysql or postgres",
	"convert 30 celsius to fahrenheit", "what did we talk about yesterday",
}

// A background is what the best skill for an idle prompt scores.
type background struct {
	headMean, headSpread   float64 // cosine with name and description
	wordsMean, wordsSpread float64
}

// Spreads below these would make a pool of few skills, which chance hardly
// touches, sure of everything.
const (
	leastHeadSpread  = 0.03
	leastWordsSpread = 0.06
)

// backgroundOf takes the background from the index, or measures it and leaves
// it there.
func (p *Pool) backgroundOf(skills []skill.Skill, x *index.Index) background {
	idle := make([]index.Vector, len(Idle))
	embedded := float32(0)
	for i, prompt := range Idle {
		if idle[i] = x.Text(prompt, true); !idle[i].Empty() {
			embedded++
		}
	}
	key := x.PoolKey(skills)
	if m := x.Measures(key); len(m) == 5 && m[4] == embedded {
		return background{float64(m[0]), float64(m[1]), float64(m[2]), float64(m[3])}
	}
	b := p.newBackground(idle)
	x.KeepMeasures(key, []float32{float32(b.headMean), float32(b.headSpread), float32(b.wordsMean), float32(b.wordsSpread), embedded})
	return b
}

func (p *Pool) newBackground(vectors []index.Vector) (b background) {
	heads, words := make([]float64, 0, len(Idle)), make([]float64, 0, len(Idle))
	for i, prompt := range Idle {
		words = append(words, best(p.words.Scores(prompt)))
		if i >= len(vectors) || vectors[i].Empty() {
			continue
		}
		top := 0.0
		for k := range p.items {
			top = max(top, vectors[i].Cosine(p.items[k].Content.Head))
		}
		heads = append(heads, top)
	}
	b.headMean, b.headSpread = moments(heads)
	b.wordsMean, b.wordsSpread = moments(words)
	b.headSpread, b.wordsSpread = max(b.headSpread, leastHeadSpread), max(b.wordsSpread, leastWordsSpread)
	return b
}

func best(scores []float64) (top float64) {
	for _, s := range scores {
		top = max(top, s)
	}
	return top
}

// moments are the mean and the standard deviation of a population.
func moments(list []float64) (mean, spread float64) {
	if len(list) == 0 {
		return 0, 0
	}
	for _, x := range list {
		mean += x
	}
	mean /= float64(len(list))
	for _, x := range list {
		spread += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(spread / float64(len(list)))
}

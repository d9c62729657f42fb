package rank

// A Need is what decides whether a prompt needs a skill at all: how far its
// best skill stands above what chance gives, in spreads of the [Idle] prompts,
// and what kind of utterance it is.
type Need struct {
	Head, Words float64
	Model       bool // Head is known
	Fact, Task  bool
	Chat        bool
}

type needWeights struct{ head, words, fact, task, bias float64 }

// Weights of a need, fitted by evaluation/skills on one half of its prompts;
// that program prints how they do on the other half.
var (
	withModel    = needWeights{head: 1, words: 1, fact: -1.3, task: 0.6, bias: -3.2}
	withoutModel = needWeights{words: 2, fact: -1.6, task: 0.8, bias: -2.2}
)

// mostWords bounds what words alone can say: a long prompt shares many.
const mostWords = 6.0

// Value is above 0 when a skill is likely to help.
func (n Need) Value() float64 {
	w := withoutModel
	if n.Model {
		w = withModel
	}
	v := w.bias + w.head*n.Head + w.words*min(n.Words, mostWords)
	switch {
	case n.Task:
		v += w.task
	case n.Fact:
		v += w.fact
	}
	return v
}

// need measures a prompt against the pool.
func (p *Pool) need(prompt string, picks []Pick, model bool) Need {
	f := formOf(prompt)
	n := Need{Model: model, Fact: f.Fact, Task: f.Task, Chat: f.Chat}
	head, words := 0.0, 0.0
	for i := range picks {
		head, words = max(head, picks[i].Terms.Head), max(words, picks[i].Terms.Words)
	}
	b := p.background
	n.Words = (words - b.wordsMean) / b.wordsSpread
	if model {
		n.Head = (head - b.headMean) / b.headSpread
	}
	return n
}

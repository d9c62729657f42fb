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
	withModel    = needWeights{head: 1.51, words: 0.44, fact: -2.44, task: 0.76, bias: -0.65}
	withoutModel = needWeights{words: 1.31, fact: -2.50, task: 0.63, bias: 0.52}
)

// caution is taken from what the weights say, which is a log-odds: skills are
// shown when one helps with a probability of 0.73. A block that nobody needs
// costs every later turn, and a skill that is not shown can be searched for.
const caution = 1.0

// mostWords bounds what words alone can say: a long prompt shares many.
const mostWords = 6.0

// Value is above 0 when a skill is likely to help: the log-odds of that, less
// caution.
func (n Need) Value() float64 {
	w := withoutModel
	if n.Model {
		w = withModel
	}
	v := w.bias - caution + w.head*n.Head + w.words*min(n.Words, mostWords)
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

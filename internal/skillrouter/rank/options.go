package rank

// Weights of the evidence, as the environment may set them.
type Weights struct {
	Count   float64 // MEGA_EVAL_COUNT_W
	Context float64 // MEGA_EVAL_CONTEXT_W
	Harm    float64 // MEGA_EVAL_HARM_W: how much more a harmful reason counts
	Related float64 // MEGA_EVAL_RELATED_W
	Silence float64 // MEGA_SILENCE_PENALTY_ALPHA
}

// DefaultWeights are the seed's.
var DefaultWeights = Weights{Count: 0.10, Context: 0.15, Harm: 1.5, Related: 0.10, Silence: 0.02}

// Options say how to rank. The zero value is not useful; start with
// [Defaults].
type Options struct {
	TopK    int     // at most so many are shown
	Blend   bool    // evidence counts
	Lexical bool    // words count
	Dynamic bool    // show fewer than TopK, or none, when that is what helps
	Weights Weights // of the evidence

	// Prefilter, above 0, lets evidence count for so many of the nearest only.
	Prefilter int
}

// Defaults are the options of search and hooks.
func Defaults() Options {
	return Options{TopK: 5, Blend: true, Lexical: true, Dynamic: true, Weights: DefaultWeights}
}

func (o Options) withDefaults() Options {
	if o.TopK <= 0 {
		o.TopK = Defaults().TopK
	}
	return o
}

// Constants of the likeness, on the scale of a cosine. They were chosen on
// public prompts and checked on others; docs/skill-routing.md has the figures.
const (
	// headWeight and bodyWeight: what a skill says of itself counts more than
	// the section that happens to be near.
	headWeight = 1.0
	bodyWeight = 0.4

	// wordsWeight and partWeight: a product's name decides between skills that
	// a model finds alike; a prompt that wants two things is near to neither.
	wordsWeight = 0.6
	partWeight  = 0.4

	// nameHandicap is taken from the cosine with a bare name: short texts are
	// near to many.
	nameHandicap = 0.05

	// suspectFactor is the seed's.
	suspectFactor = 0.5

	// mentionBonus puts a skill that was asked for by name before all others.
	mentionBonus = 10.0
)

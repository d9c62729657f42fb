package answer

import "github.com/marola-dev/marola-routing/internal/route/lexicon"

// Every constant of the ranking that a question is asked with stands in this
// file, with its reason; those that are frozen into an index stand in package
// index. docs/ranking.md has the formulas, and the golden answers of
// internal/ci/golden show what a change does.

// weights say how much each signal of a file counts against its contents,
// which count 1. All signals are on BM25's scale: a few units a word.
type weights struct {
	content float64 // words of the path, names and contents
	name    float64 // the definition whose name covers the question best
	passage float64 // the part of the file that covers the question best
	doc     float64 // the definition whose doc sentence covers it best
	history float64 // subjects of past commits that changed the file
	like    float64 // past changes described like the question, and what they changed
	path    float64 // how well the question covers the folder and base name
	used    float64 // each step of how much other files use the file: of two that fit alike, it is the one meant
}

// byShape chooses the weights by the question's shape.
var byShape = map[lexicon.Shape]weights{
	// A bare name: its definition decides, contents break ties. Past
	// subjects would pull towards files that were changed with it.
	lexicon.Identifier: {content: 1, name: 1, passage: 0.5, doc: 0.2, history: 0, path: 0.25, used: 0},
	// A few words: most often those of a name, in order or not.
	lexicon.Phrase: {content: 1, name: 1, passage: 0.3, doc: 0.4, history: 0.1, path: 0.25, used: 0.25},
	// A sentence speaks of what code does: names, the best passage and the doc
	// sentence have its words.
	lexicon.Sentence: {content: 1, name: 0.8, passage: 0.2, doc: 0.4, history: 0.1, path: 0.3, used: 0.35},
	// A message stands in the source as it was printed, but for what was put
	// into it: contents decide, and names hardly count.
	lexicon.Message: {content: 1, name: 0.2, passage: 0.3, doc: 0.1, history: 0.15, path: 0.2, used: 0.4},
	// What is to be changed is told in the words of earlier changes, and
	// people name the part it is about as its folder is named.
	lexicon.Change: {content: 1, name: 0.3, passage: 0.3, doc: 0.3, history: 0.8, like: 0.3, path: 1.1, used: 0.25},
}

const (
	// scale is BM25's k1+1: what a word can give at the most, times its
	// rarity.
	scale = 2.2

	// exactName is what a definition gets whose whole name stands in the
	// question: nothing may stand before it (Zoekt does the same).
	exactName = 100.0
	// exactCase is added where the spelling agrees too.
	exactCase = 20.0
	// exactContainer is added where the question names the container, too:
	// Server.Serve is the Serve of Server, and more than Server.
	exactContainer = 10.0
	// exactMinor is taken from fields and enum cases: they repeat names of
	// what they hold.
	exactMinor = 15.0
	// exactFile is what a file gets whose base name stands in the question:
	// whoever knows the file's name wants the file.
	exactFile = 90.0
	// exactFrame is what the first place of a stack trace gets that is in the
	// workspace: more than any name, for the line says where it happened.
	exactFrame = 250.0
	// nextFrame is how much less each further one gets. What is said beside
	// the trace gives less than that, so the trace's order stays.
	nextFrame = 15.0

	// changeExact divides exactName in the description of a change, where a
	// name may be what is changed or what is used by it.
	changeExact = 12.0
	// sentenceExact divides it in a sentence, where a name is most often what
	// is used, not what is asked for.
	sentenceExact = 48.0

	// abbreviated is how much a short form counts of the word itself: "cfg"
	// may be the configuration of something else.
	abbreviated = 0.35

	// likeChanges is how many past changes have a say: fewer miss kin, more
	// bring in strangers, and each may cost a piece of the bundle.
	likeChanges = 20

	// lower is the factor of tests, documents and data, unless the question
	// asks for them: they speak of code, they are not it.
	lower = 0.5

	// entryPoint is added for a file where a program starts, when the question
	// asks for the entry, start or main: about what one rare word gives.
	entryPoint = 5.0

	// maxPerFile is how many definitions of one file stand among the first
	// hits: an agent opens the file, not the line.
	maxPerFile = 2
)

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
	path    float64 // how well the question covers the folder and base name
	used    float64 // each step of how much other files use the file: of two that fit alike, it is the one meant
}

// byShape chooses the weights by the question's shape.
var byShape = map[lexicon.Shape]weights{
	// A bare name: its definition decides, contents break ties. Past
	// subjects would pull towards files that were changed with it.
	lexicon.Identifier: {content: 1, name: 1, passage: 0.5, doc: 0.2, history: 0, path: 0.25, used: 0},
	// A few words: most often those of a name, in order or not.
	lexicon.Phrase: {content: 1, name: 1, passage: 0.3, doc: 0.4, history: 0.1, path: 0.25, used: 0.5},
	// A sentence speaks of what code does: the best passage and the doc
	// sentence know its words, names cover only some of them.
	lexicon.Sentence: {content: 1, name: 0.5, passage: 0.5, doc: 0.7, history: 0.3, path: 0.6, used: 0.3},
	// What is to be changed is told in the words of earlier changes, and
	// people name the part it is about as its folder is named.
	lexicon.Change: {content: 1, name: 0.3, passage: 0.3, doc: 0.4, history: 1, path: 1, used: 0.3},
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
	// sentenceExact divides exactName in a sentence, where a name is often
	// the thing that is used, not the thing to change.
	sentenceExact = 12.0

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

package lexicon

import (
	"slices"
	"strings"
	"unicode"
)

// A Shape tells how a question was put. It decides how much each signal
// counts: a bare name should find its definition, a sentence may use words
// that no name has.
type Shape int

// The shapes of questions.
const (
	Identifier Shape = iota // one name as it stands in code
	Phrase                  // a few words of a name or subject
	Sentence                // words with grammar between them
)

func (s Shape) String() string { return [...]string{"identifier", "phrase", "sentence"}[s] }

// A Question is a question cut into what the index can be asked.
type Question struct {
	Shape Shape
	Terms []string // stemmed, each once, in order
	Names []string // identifiers as written, for exact matches, each once
	Wants Wants
}

// Wants are kinds of files that the question asks for in so many words.
type Wants struct{ Test, Doc, Data, Entry bool }

// maxTerms bounds what one question asks of the index. A pasted log holds
// thousands of words; the first ones say what it is about.
const (
	maxTerms    = 40
	maxNames    = 12
	maxQuestion = 4096 // bytes
)

// Parse cuts a question.
func Parse(text string) Question {
	if len(text) > maxQuestion {
		text = strings.ToValidUTF8(text[:maxQuestion], "")
	}
	var q Question
	tokens, grammar, code := 0, 0, 0
	add := func(term string) {
		if len(q.Terms) < maxTerms && !slices.Contains(q.Terms, term) {
			q.Terms = append(q.Terms, term)
		}
	}
	identifiers(text, func(id string) {
		tokens++
		lower := strings.ToLower(id)
		if stopWords[lower] && id == lower {
			grammar++
			return
		}
		q.note(lower)
		parts := appendParts(nil, id)
		looksLikeCode := len(parts) > 1
		if looksLikeCode {
			code++
		}
		for _, p := range parts {
			if keep(p) {
				add(Stem(strings.ToLower(p)))
			}
		}
		if whole := Fold(id); looksLikeCode && len(whole) <= maxTerm {
			add(whole)
		}
		if len(q.Names) < maxNames && !slices.Contains(q.Names, id) {
			q.Names = append(q.Names, id)
		}
	})
	if len(q.Terms) == 0 { // nothing but stop words: then they are the question
		identifiers(text, func(id string) {
			if keep(id) {
				add(Stem(strings.ToLower(id)))
				q.Names = append(q.Names, id)
			}
		})
	}
	content := tokens - grammar
	switch {
	case len(strings.Fields(text)) == 1 && content > 0:
		q.Shape = Identifier
	case grammar == 0 && content <= maxPhrase && !hasSentenceMarks(text):
		q.Shape = Phrase
	default:
		q.Shape = Sentence
	}
	if q.Shape != Identifier {
		// In a phrase or sentence a plain word is not a name, unless it is
		// spelled like one.
		q.Names = slices.DeleteFunc(q.Names, func(id string) bool { return !spelledLikeCode(id) })
	}
	return q
}

// maxPhrase is the longest phrase, in words: names seldom have more.
const maxPhrase = 6

func hasSentenceMarks(text string) bool { return strings.ContainsAny(text, ",;:?!'\"`()") }

// spelledLikeCode reports whether an identifier has a shape that prose has
// not: an inner capital, an underscore or a digit among letters.
func spelledLikeCode(id string) bool {
	inner := strings.TrimLeft(id, "_$")
	for i, r := range inner {
		if r == '_' || r == '$' || i > 0 && unicode.IsUpper(r) && strings.ToUpper(inner) != inner {
			return true
		}
	}
	return false
}

// note records that the question asks for a kind of file.
func (q *Question) note(word string) {
	switch word {
	case "test", "tests", "tested", "testing", "unittest", "spec", "fixture", "fixtures":
		q.Wants.Test = true
	case "readme", "docs", "documentation", "changelog", "documented", "guide", "manual":
		q.Wants.Doc = true
	case "workflow", "workflows", "yaml", "yml", "json", "toml", "config", "dockerfile", "css", "html", "template", "lockfile", "manifest":
		q.Wants.Data = true
	case "entrypoint", "main", "startup":
		q.Wants.Entry = true
	}
}

// stopWords are words that hold a question together and say nothing about
// what it is after.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an and are as at be been being but by can could did do does doing for from had has have
		having he her his how i if in into is it its just me my of off on onto or our out over should so some such than that the
		their them then there these they this those to too under until up upon us was we were what when where which while who whose
		why will with within without would you your also any each both via etc please shall may might must not no only very`) {
		m[w] = true
	}
	return m
}()

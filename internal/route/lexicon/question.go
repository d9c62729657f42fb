package lexicon

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/marola-dev/marola-routing/internal/route/pattern"
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
	Change                  // a sentence that says what is to be done, as commit subjects do
	Message                 // what a program says when something is wrong
)

func (s Shape) String() string {
	return [...]string{"identifier", "phrase", "sentence", "change", "message"}[s]
}

// A Question is a question cut into what the index can be asked.
type Question struct {
	Shape Shape
	Terms []string // stemmed, each once, in order
	Names []string // identifiers as written, for exact matches, each once
	Wants Wants

	// Frames are the places that the question names by file and line, nearest
	// to the fault first. Their words are not among Terms.
	Frames []Frame
}

// Wants are kinds of files that the question asks for in so many words.
type Wants struct{ Test, Doc, Data, Entry bool }

// maxTerms bounds what one question asks of the index. A pasted log holds
// thousands of words; the first ones say what it is about.
const (
	maxTerms    = 40
	maxNames    = 12
	maxName     = 256  // bytes: no file system has a longer base name
	maxQuestion = 4096 // bytes
)

// Parse cuts a question.
func Parse(text string) Question {
	text = strings.ToValidUTF8(text[:min(len(text), maxQuestion)], "")
	places, text := frames(text)
	var tokens []string
	identifiers(text, func(_ int, id string) { tokens = append(tokens, id) })
	if len(tokens) == 0 { // nothing but places: their words help where no such file is
		for _, f := range places {
			identifiers(f.Path[strings.LastIndexByte(f.Path, '/')+1:]+" "+f.Name, func(_ int, id string) { tokens = append(tokens, id) })
		}
	}
	q := Question{Shape: shapeOf(text, tokens), Frames: places}
	if q.Shape == Identifier && len(tokens) > 1 {
		whole := strings.TrimSpace(text)
		q.name(whole[strings.LastIndexByte(whole, '/')+1:]) // perhaps a file
	}
	content := 0
	for i, id := range tokens {
		if q.Shape >= Sentence && (isGrammar(id) || q.Shape == Change && changeVerbs[strings.ToLower(id)] && i < 3) {
			continue
		}
		content++
		q.add(id)
	}
	for f := range strings.FieldsSeq(text) {
		f = strings.Trim(f, "-`'\"(),.:;!?[]{}<>*=")
		if strings.Contains(f, "-") && strings.IndexFunc(f, notInCompound) < 0 && len(f) <= maxTerm {
			q.term(Fold(f))
		}
	}
	if content == 0 { // nothing but grammar: then that is the question
		for _, id := range tokens {
			q.add(id)
		}
	}
	return q
}

func notInCompound(r rune) bool {
	return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func (q *Question) term(t string) {
	if t != "" && len(q.Terms) < maxTerms && !slices.Contains(q.Terms, t) {
		q.Terms = append(q.Terms, t)
	}
}

func (q *Question) add(id string) {
	q.note(strings.ToLower(id))
	parts := appendParts(nil, id)
	for _, p := range parts {
		if keep(p) {
			q.term(Stem(strings.ToLower(p)))
		}
	}
	if whole := Fold(id); len(parts) > 1 && len(whole) <= maxTerm {
		q.term(whole)
	}
	// In a phrase or sentence a plain word is not a name, unless it is
	// spelled like one.
	if q.Shape == Identifier || spelledLikeCode(id) {
		q.name(id)
	}
}

func (q *Question) name(id string) {
	if id != "" && len(id) <= maxName && len(q.Names) < maxNames && !slices.Contains(q.Names, id) {
		q.Names = append(q.Names, id)
	}
}

// maxPhrase is the longest phrase, in words: names seldom have more.
const maxPhrase = 4

func shapeOf(text string, tokens []string) Shape {
	switch {
	case len(tokens) == 0:
		return Phrase // nothing to look for
	case len(strings.Fields(text)) == 1:
		return Identifier
	case len(tokens) < maxPhrase && !hasSentenceMarks(text):
		return Phrase
	case len(tokens) >= 3 && trouble().Match(text):
		return Message
	case scope().Match(text) || changeVerbs[strings.ToLower(tokens[0])] || len(tokens) > maxPhrase && order().Match(text):
		return Change
	case len(tokens) > maxPhrase || hasSentenceMarks(text):
		return Sentence
	}
	return Phrase
}

// trouble begins what programs say when something is wrong, perhaps behind
// their own name or that of an exception.
var trouble = sync.OnceValue(func() *pattern.Pattern {
	return pattern.Must(`^\s*([\w.]+: )?(?i:error|fatal|panic|exception|warning|failed|failure|cannot|can't|could not|couldn't|unable to|invalid|illegal|` +
		`unknown|unexpected|unsupported|undefined|no such|missing)\b|^\s*(Exception in thread "[^"]*" )?[\w.$]+(Error|Exception|Panic)\b:? `)
})

// scope is the part of a project that a commit subject may begin with:
// "parser: keep comments", "fix(parser): keep comments", "lexer,parser: …".
var scope = sync.OnceValue(func() *pattern.Pattern {
	return pattern.Must(`^[\w./,-]+(\([\w./ -]+\))?!?: `)
})

// order is what else begins the description of a change and hardly ever that
// of a thing: documentation says "ignores" and "is preserved". Its verbs tell
// what to look for, so they stay among the terms. A few words may be a name.
var order = sync.OnceValue(func() *pattern.Pattern {
	return pattern.Must(`^(?i:don['’]?t|do not|never|no longer|stop|skip|ignore|preserve|reduce|increase|bump|revert|reinstate|restore|warn|show|hide|` +
		`exclude|include|deprecate|migrate|move|reuse|tweak|` +
		`(?:add|fix|remov|updat|replac|chang|implement|improv|introduc|refactor|renam|mov)ed) `)
})

func isGrammar(id string) bool { return stopWords[id] || stopWords[strings.ToLower(id)] && len(id) > 1 }

// changeVerbs begin the description of a change. They say that something is
// to be done, not where.
var changeVerbs = wordSet(`add allow avoid change correct disable drop enable ensure fix fixed fixes handle implement improve introduce
	make prevent refactor remove rename replace resolve simplify support update use`)

func hasSentenceMarks(text string) bool { return strings.ContainsAny(text, ",;:?!'\"`()") }

// spelledLikeCode reports whether an identifier has a shape that prose has
// not: a capital after a small letter, or an underscore.
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
	case "test", "tests", "unittest", "unittests":
		q.Wants.Test = true
	case "readme", "docs", "documentation", "changelog", "documented", "guide", "manual":
		q.Wants.Doc = true
	case "workflow", "workflows", "yaml", "yml", "json", "toml", "config", "dockerfile", "css", "html", "template", "lockfile", "manifest":
		q.Wants.Data = true
	case "entry", "entrypoint", "main", "start", "starts", "startup":
		q.Wants.Entry = true
	}
}

// stopWords hold a question together and say nothing about what it is after.
var stopWords = wordSet(`a an and are as at be been being but by can could did do does doing for from had has have having he her
	his how i if in into is it its just me my of off on onto or our out over should so some such than that the their them then there
	these they this those to too under until up upon us was we were what when where which while who whose why will with within
	without would you your also any each both via etc please shall may might must not no only very`)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

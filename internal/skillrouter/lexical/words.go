// Package lexical scores skills by the words that they share with a prompt.
// It needs no model, and is never wrong about a product's name.
package lexical

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// maxWord bounds a word, in bytes: a longer run is data.
const maxWord = 40

// Words calls yield for each word of a text that can tell one skill from
// another: lower case, without its ending, identifiers cut at their capitals.
// Digits are words too ("429"), and so are C++ and C#.
func Words(text string, yield func(word string)) {
	start := -1
	flush := func(end int) {
		if start >= 0 {
			word := strings.TrimRight(text[start:end], ".")
			if plus := strings.TrimRight(word, "+#"); plus != "" && len(word)-len(plus) <= 2 {
				parts(word, yield)
			}
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			if start < 0 {
				start = i
			}
		case start >= 0 && (r == '+' || r == '#' || r == '.' && nextIsWord(text[i+1:])):
		default:
			flush(i)
		}
	}
	flush(len(text))
}

func nextIsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// parts cuts a word at its capitals and yields what is kept.
func parts(word string, yield func(string)) {
	start, last := 0, rune(0)
	for i, r := range word {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			one(word[start:i], yield)
			start = i
		}
		last = r
	}
	one(word[start:], yield)
}

func one(word string, yield func(string)) {
	word = strings.ToLower(word)
	if len(word) > maxWord || len(word) == 1 && word[0] < utf8.RuneSelf && !(word[0] >= '0' && word[0] <= '9') || stopWords()[word] {
		return
	}
	if word = lexicon.Stem(word); word != "" {
		yield(word)
	}
}

// stopWords are the grammar of English and of asking: what every prompt has,
// whatever it wants.
var stopWords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`a about again all also am an and any anyone anything are aren around as at be been before being
		both but by can cannot could couldn did didn do does doesn doing don done down each either else every everyone everything few for from
		further get gets getting give given gives go goes going gonna got had has hasn have haven having he help her here hers him his how
		however i if im in instead into is isn it its itself just kind know let lets like little ll look looking lot lots make makes making
		many may maybe me might more most much must my need needed needs neither no nor not now of off often ok okay on once one ones only
		onto or other others our ours out over own per please quite rather re really same see seem several shall she should shouldn
		show since so some someone something somehow sort still such sure take tell than thank thanks that the their them then there these
		they thing things think this those though through to together too toward try trying under until up upon us use used user uses using ve
		very via want wanted wants was wasn way we well were weren what whatever when whenever where whether which while who whole whom
		whose why will with within without won would wouldn yes yet you your yours`) {
		set[w] = true
	}
	return set
})

// Package plaintext makes foreign text safe to print.
//
// Names, sentences and messages that come from a repository, a bundle or a
// remote may hold what a terminal obeys or what a reader does not see. Every
// tool of this module passes them through [Line] before it prints them.
package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ellipsis stands where text was cut.
const ellipsis = "…"

// Line returns s as one line of at most limit bytes of valid UTF-8. White
// space that breaks or moves a line becomes a space. What is not seen goes:
// control characters, marks that turn the direction of writing, other
// formatting and filler characters, private ones. Longer text is cut between
// characters and ends in "…".
func Line(s string, limit int) string {
	if len(s) <= limit && isPrintableASCII(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return ' '
		case unseen(r):
			return -1
		}
		return r
	}, s)
	if len(s) <= limit {
		return s
	}
	cut := limit - len(ellipsis)
	if cut < 0 {
		return ""
	}
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + ellipsis
}

func isPrintableASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// unseen reports a character that has no shape of its own. Text can be
// hidden in runs of them.
func unseen(r rune) bool {
	return r == utf8.RuneError ||
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

package bench

import (
	"strings"
	"unicode/utf8"
)

// Clean makes foreign text safe to print on one line: control characters
// and those that reorder the text around them become "?", and what passes
// maxText bytes is cut.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r >= 0x7f && r <= 0x9f, r == utf8.RuneError:
			return '?'
		case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
			return '?'
		}
		return r
	}, s)
	if len(s) > maxText {
		cut := maxText
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}

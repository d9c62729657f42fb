package assemble

import "unicode"

// What parts of a text cost, in quarters of a token. Chat models' tokenizers
// take a piece of a name for one word, three digits, a sign with what follows.
const (
	pieceCost   = 4 // of so many letters:
	pieceSize   = 5
	digitsCost  = 4 // for each three digits
	signCost    = 4
	leadingCost = 2 // of a sign before a letter: most are one with the piece
)

// tokens is how many tokens of a chat model a text has at most, about. A test
// holds it to a real tokenizer's count.
func tokens(text string) int {
	quarters, run := 0, 0
	kind, last := ' ', ' '
	end := func() {
		switch kind {
		case 'a':
			quarters += (run + pieceSize - 1) / pieceSize * pieceCost
		case '0':
			quarters += (run + 2) / 3 * digitsCost
		}
		run = 0
	}
	for _, r := range text {
		now := '.'
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			now = 'a'
		case r >= '0' && r <= '9':
			now = '0'
		case r == ' ':
			now = ' '
		}
		if now != kind || now == 'a' && unicode.IsUpper(r) && !unicode.IsUpper(last) {
			end()
		}
		switch {
		case now == 'a' || now == '0':
			if now == 'a' && kind == '.' && last <= unicode.MaxASCII && last != '\n' {
				quarters -= signCost - leadingCost
			}
			run++
		case r > unicode.MaxASCII: // as many as it has bytes
			quarters += len(string(r)) * signCost
		case now == '.', kind == ' ': // a single blank is part of what follows
			quarters += signCost
		}
		kind, last = now, r
	}
	end()
	return (quarters + 3) / 4
}

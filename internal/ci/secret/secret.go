// Package secret tells keys and tokens from words, so that what stands in a
// source by mistake is not published a second time.
//
// It goes by looks alone, and errs to either side: a password that is a word
// passes, a hash that is no secret does not. Both are cheap here.
package secret

import "strings"

// least is the length in bytes below which nothing is taken for a secret.
const least = 20

// mark stands in place of a secret.
const mark = "…"

// Mask replaces every run of text that looks like a key or a token.
func Mask(text string) string {
	var out []byte // nil while nothing was replaced
	done := 0
	for i := 0; i < len(text); {
		if !inRun[text[i]] {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && inRun[text[end]] {
			end++
		}
		if end-i >= least {
			if masked := maskRun(text[i:end]); len(masked) < end-i {
				out = append(append(out, text[done:i]...), masked...)
				done = end
			}
		}
		i = end
	}
	if out == nil {
		return text
	}
	return string(append(out, text[done:]...))
}

// inRun has the bytes of base64, of hexadecimal digits and of what services
// give out. A slash may be one of base64, or part a path.
var inRun = func() (t [256]bool) {
	for c := range t {
		t[c] = isDigit(byte(c)) || isLower(byte(c)) || isUpper(byte(c)) || c == '+' || c == '/' || c == '_' || c == '-'
	}
	return t
}()

// maskRun masks the segments of a run that look like secrets, or the whole.
func maskRun(run string) string {
	segments := strings.Split(run, "/")
	masked := false
	for i, s := range segments {
		if len(s) >= least && looks(s) {
			segments[i], masked = mark, true
		}
	}
	switch {
	case len(segments) > 1 && len(run)/len(segments) >= longSegment && looks(run):
		return mark // base64 has a slash here and there
	case masked:
		return strings.Join(segments, "/")
	}
	return run
}

// longSegment is the mean length in bytes of what stands between the slashes
// of base64; paths have shorter names.
const longSegment = 12

func looks(s string) bool { return issued(s) || random(s) }

// prefixes begin what services give out; plain is how many letters and
// digits must follow at once. The short ones could begin a name, so they ask
// for more.
var prefixes = []struct {
	text  string
	plain int
}{
	{"AKIA", 12}, {"ASIA", 12}, {"AIza", 12}, {"eyJ", 12},
	{"ghp_", 12}, {"gho_", 12}, {"ghs_", 12}, {"ghu_", 12}, {"ghr_", 12}, {"github_pat_", 12},
	{"glpat-", 12}, {"xoxb-", 10}, {"xoxp-", 10}, {"sk_live_", 12}, {"rk_live_", 12}, {"dop_v1_", 12},
	{"sk-", 20}, {"npm_", 20}, {"pypi-", 20}, {"hf_", 20},
}

func issued(s string) bool {
	for _, p := range prefixes {
		rest, ok := strings.CutPrefix(s, p.text)
		if !ok || len(rest) < p.plain {
			continue
		}
		plain := strings.IndexFunc(rest[:p.plain], func(r rune) bool { return r == '_' || r == '-' || r == '+' || r == '/' }) < 0
		if plain && strings.ContainsAny(rest, "0123456789") {
			return true
		}
	}
	return false
}

// random reports whether s is built as no name is: hexadecimal digits of a
// key's length, digits strewn among letters of one case, or letters of both
// cases in shorter words than any language has.
func random(s string) bool {
	f := measure(s)
	switch {
	case f.digits+f.lower+f.upper == 0:
		return false
	case f.hex && len(s) >= 32:
		return f.digits >= 6 && f.lower+f.upper > 0
	case f.lower == 0 || f.upper == 0:
		return f.other == 0 && len(s) >= 24 && f.digits >= 5 && 10*f.strewn >= 3*len(s)
	}
	const shortWord = 3.2 // letters; chance makes words of about 1.9
	return f.digits >= 2 && f.words >= 6 && float64(f.lower+f.upper) <= shortWord*float64(f.words)
}

// features are what tells chance from names.
type features struct {
	digits, lower, upper, other int
	words                       int  // as in camelCase
	strewn                      int  // changes between digits and letters
	hex                         bool // digits and a to f, of one case
}

func measure(s string) features {
	f := features{hex: true}
	hexLower, hexUpper := false, false
	var before, last byte // of the two bytes before: their kind
	for i := 0; i < len(s); i++ {
		c := s[i]
		kind := byte('o')
		switch {
		case isDigit(c):
			f.digits++
			kind = 'd'
		case isLower(c):
			f.lower++
			kind = 'l'
			hexLower = true
			f.hex = f.hex && c <= 'f'
			if last != 'l' && last != 'u' || last == 'u' && before == 'u' {
				f.words++
			}
		case isUpper(c):
			f.upper++
			kind = 'u'
			hexUpper = true
			f.hex = f.hex && c <= 'F'
			if last != 'u' {
				f.words++
			}
		default:
			f.other++
			f.hex = false
		}
		if letter := kind == 'l' || kind == 'u'; letter && last == 'd' || kind == 'd' && (last == 'l' || last == 'u') {
			f.strewn++
		}
		before, last = last, kind
	}
	f.hex = f.hex && !(hexLower && hexUpper)
	return f
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

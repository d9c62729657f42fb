package source

import (
	"slices"
	"strings"
	"unicode"
)

// clean makes one line of foreign text: no control or formatting characters
// (those that turn the direction of writing among them), no invalid UTF-8,
// at most max runes.
func clean(s string, max int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
			continue
		}
		if n == max {
			b.WriteRune('…')
			break
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// getenv returns the last value of a variable, or "".
func getenv(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// short is the abbreviation of a commit.
func short(hash string) string { return hash[:min(7, len(hash))] }

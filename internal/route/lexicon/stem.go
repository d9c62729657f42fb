package lexicon

import "strings"

// Stem takes the endings from an English word that programmers add and drop
// freely: "parses", "parsing", "parsed" and "parser" give "pars". It is
// light on purpose: two words that differ in meaning must seldom meet. The
// word must be in lower case.
func Stem(w string) string {
	if len(w) < 4 || !isASCIILetters(w) {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case hasAnySuffix(w, "sses", "xes", "ches", "shes", "zes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !hasAnySuffix(w, "ss", "us", "is"):
		w = w[:len(w)-1]
	}
	switch {
	case strings.HasSuffix(w, "ing") && stemmable(w[:len(w)-3]):
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ed") && stemmable(w[:len(w)-2]):
		w = undouble(w[:len(w)-2])
	case hasAnySuffix(w, "er", "or") && len(w) > 5 && stemmable(w[:len(w)-2]):
		w = undouble(w[:len(w)-2])
	case strings.HasSuffix(w, "tion") && len(w) > 6:
		w = w[:len(w)-3]
	}
	if strings.HasSuffix(w, "e") && len(w) > 4 {
		w = w[:len(w)-1]
	}
	return w
}

func isASCIILetters(w string) bool {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

func hasAnySuffix(w string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}

// stemmable reports whether what is left of a word can stand alone: three
// letters with a vowel among them.
func stemmable(w string) bool { return len(w) >= 3 && strings.ContainsAny(w, "aeiouy") }

// undouble turns "formatt" into "format", but leaves "call" and "pass".
func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// Package lexicon turns text and questions into the terms of the word index.
//
// Builder and client must agree on every rule here: a change of [Words],
// [Fold] or [Stem] is a change of the index and needs a new [Version].
package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Version names the rules of this package; an index made by other rules is
// refused.
const Version = 1

// maxTerm bounds a term, in bytes: a longer run is data, not a word.
const maxTerm = 48

// Words calls yield for every term of text: each part of an identifier,
// stemmed, and, where an identifier has several parts, also the whole of it
// folded. "branchNamesEqual" gives branch, name, equal and branchnamesequal,
// and so does "branch-names-equal".
func Words(text string, yield func(term string)) {
	compound := "" // what a chain of hyphens joins
	end := 0       // where the last identifier ended
	flush := func() {
		if whole := Fold(compound); strings.IndexByte(compound, '-') > 0 && len(whole) <= maxTerm {
			yield(whole)
		}
		compound = ""
	}
	identifiers(text, func(start int, id string) {
		if compound != "" && start == end+1 && text[end] == '-' {
			compound = text[start-1-len(compound) : start+len(id)]
		} else {
			flush()
			compound = id
		}
		end = start + len(id)

		var parts [16]string
		list := appendParts(parts[:0], id)
		for _, p := range list {
			if keep(p) {
				yield(Stem(strings.ToLower(p)))
			}
		}
		if len(list) > 1 {
			if whole := Fold(id); len(whole) <= maxTerm {
				yield(whole)
			}
		}
	})
	flush()
}

// NameWords returns the stemmed parts of one name, each once, in order.
func NameWords(name string) []string {
	var out []string
	identifiers(name, func(_ int, id string) {
		for _, p := range appendParts(nil, id) {
			if !keep(p) {
				continue
			}
			t := Stem(strings.ToLower(p))
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	})
	return out
}

// keep drops what is too short to tell files apart or too long to be a word.
func keep(part string) bool { return len(part) >= 2 && len(part) <= maxTerm }

// Fold brings every spelling of a name to one: "branchNamesEqual",
// "branch_names_equal" and "BranchNamesEqual" all give "branchnamesequal".
func Fold(name string) string {
	plain := true
	for i := 0; i < len(name); i++ {
		if c := name[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '-' {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '$' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// identifiers yields the runs of letters, digits, '_' and '$' of text, each
// with where it starts.
func identifiers(text string, yield func(start int, id string)) {
	start := -1
	for i := 0; i < len(text); {
		c := text[i]
		size, in := 1, isWordByte[c]
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			in = unicode.IsLetter(r) || unicode.IsDigit(r)
		}
		if in && start < 0 {
			start = i
		}
		if !in && start >= 0 {
			yield(start, text[start:i])
			start = -1
		}
		i += size
	}
	if start >= 0 {
		yield(start, text[start:])
	}
}

var isWordByte = func() (t [256]bool) {
	for c := range t[:utf8.RuneSelf] {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
	}
	return t
}()

// appendParts splits an identifier at '_', '$' and changes of case:
// HTTPServer is HTTP and Server, utf8 and sha256 stay whole.
func appendParts(dst []string, id string) []string {
	start := 0
	flush := func(end int) {
		if end > start {
			dst = append(dst, id[start:end])
		}
		start = end
	}
	var prev rune
	for i, r := range id {
		switch {
		case r == '_' || r == '$':
			flush(i)
			start = i + 1
		case unicode.IsUpper(r) && (unicode.IsLower(prev) || unicode.IsDigit(prev)):
			flush(i)
		case unicode.IsLower(r) && unicode.IsUpper(prev) && i-utf8.RuneLen(prev) > start:
			flush(i - utf8.RuneLen(prev))
		}
		prev = r
	}
	flush(len(id))
	return dst
}

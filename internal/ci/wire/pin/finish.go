package pin

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finish orders the facts, drops what is said twice on a line, and makes
// every text fit to be printed.
func (f *file) finish() []Fact {
	for i := range f.facts {
		x := &f.facts[i]
		x.Name, x.Home, x.Version, x.Note = plain(x.Name, maxName), plain(x.Home, maxName), plain(x.Version, maxName), plain(x.Note, maxEvidence)
		x.Evidence = plain(x.Evidence, maxEvidence)
	}
	f.facts = slices.DeleteFunc(f.facts, func(x Fact) bool { return x.Name == "" })
	slices.SortStableFunc(f.facts, func(a, b Fact) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(string(a.Role), string(b.Role)), strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Name, b.Name))
	})
	return slices.CompactFunc(f.facts, func(a, b Fact) bool {
		return a.Line == b.Line && a.Role == b.Role && a.Kind == b.Kind && a.Name == b.Name && a.Version == b.Version && a.Home == b.Home
	})
}

// plain makes one line of a text: no control characters, spaces joined, at
// most limit bytes.
func plain(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	clean := strings.IndexFunc(s, func(r rune) bool { return r != ' ' && (unicode.IsSpace(r) || !unicode.IsPrint(r)) }) < 0
	if !clean || strings.Contains(s, "  ") {
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	}
	s = strings.TrimSpace(s)
	for len(s) > limit {
		_, size := utf8.DecodeLastRuneInString(s[:limit+1])
		s = s[:max(0, min(limit, limit+1-size))]
	}
	return s
}

package lexicon

import (
	"slices"
	"testing"
)

func TestAbbreviations(t *testing.T) {
	for word, want := range map[string][]string{
		"configurations": {"config", "conf", "cfg"},
		"cfg":            {"config"},
		"directories":    {"dir", Stem("folder")},
		"authenticated":  {"auth"},
		"serializing":    {Stem("serialization")},
	} {
		got := Abbreviations(Stem(word))
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%q is abbreviated as %q, want also %q", word, got, w)
			}
		}
		if slices.Contains(got, Stem(word)) {
			t.Errorf("%q is its own abbreviation", word)
		}
	}
	if got := Abbreviations("berth"); got != nil {
		t.Errorf("a word of no family is abbreviated as %q", got)
	}
}

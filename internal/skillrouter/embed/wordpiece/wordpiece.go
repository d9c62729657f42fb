// Package wordpiece cuts text into the pieces of a BERT model's vocabulary,
// as the model's own tokenizer does: clean, fold, split at spaces and
// punctuation, then the longest pieces first.
//
// Start with [New]. Names of special tokens that stand in a text, such as
// "[SEP]", are text here: what a person types never steers the model.
package wordpiece

import (
	"fmt"
	"unicode/utf8"
)

// Settings say how a model's vocabulary wants its text.
type Settings struct {
	Lowercase    bool   `json:"lowercase"`
	StripAccents bool   `json:"strip_accents"`
	SplitHan     bool   `json:"split_han"`  // Chinese characters are words of their own
	CleanText    bool   `json:"clean_text"` // control characters go, every space is a blank
	Prefix       string `json:"prefix"`     // what pieces inside a word begin with: "##"
	MaxWord      int    `json:"max_word"`   // a word of more characters is unknown
	Unknown      string `json:"unknown"`    // "[UNK]"
	Begin        string `json:"begin"`      // "[CLS]"; "" where the model wants none
	End          string `json:"end"`        // "[SEP]"; "" where the model wants none
}

// BERT is the settings of the published uncased models.
func BERT() Settings {
	return Settings{
		Lowercase: true, StripAccents: true, SplitHan: true, CleanText: true,
		Prefix: "##", MaxWord: 100, Unknown: "[UNK]", Begin: "[CLS]", End: "[SEP]",
	}
}

// Bounds of settings from a foreign file.
const (
	maxWordLimit = 1000
	maxPrefix    = 16
)

// A Tokenizer is safe for concurrent use.
type Tokenizer struct {
	vocabulary          *Vocabulary
	settings            Settings
	unknown, begin, end int32
	hasBegin, hasEnd    bool
}

// New joins a vocabulary with its settings. A special token that the
// vocabulary lacks is an error.
func New(v *Vocabulary, s Settings) (*Tokenizer, error) {
	if s.MaxWord < 1 || s.MaxWord > maxWordLimit {
		return nil, fmt.Errorf("the tokenizer's longest word has %d characters; from 1 to %d can be used", s.MaxWord, maxWordLimit)
	}
	if len(s.Prefix) > maxPrefix {
		return nil, fmt.Errorf("the tokenizer's prefix has %d bytes; up to %d can be used", len(s.Prefix), maxPrefix)
	}
	t := &Tokenizer{vocabulary: v, settings: s}
	for _, special := range []struct {
		text     string
		id       *int32
		has      *bool
		optional bool
	}{{s.Unknown, &t.unknown, new(bool), false}, {s.Begin, &t.begin, &t.hasBegin, true}, {s.End, &t.end, &t.hasEnd, true}} {
		if special.text == "" && special.optional {
			continue
		}
		id, ok := v.ID(special.text)
		if !ok {
			return nil, fmt.Errorf("the vocabulary lacks the token %q that its settings name", special.text)
		}
		*special.id, *special.has = id, true
	}
	return t, nil
}

// Settings returns what the tokenizer was made with.
func (t *Tokenizer) Settings() Settings { return t.settings }

// Vocabulary returns what the tokenizer was made with.
func (t *Tokenizer) Vocabulary() *Vocabulary { return t.vocabulary }

// Unknown is the id of what the vocabulary has no pieces for.
func (t *Tokenizer) Unknown() int32 { return t.unknown }

// Encode returns the ids of a text, with the special tokens around them, at
// most limit of them all in all. What is beyond is cut off, and not read.
func (t *Tokenizer) Encode(text string, limit int) []int32 {
	if t.hasEnd {
		limit--
	}
	ids := make([]int32, 0, min(max(limit, 1), 64)+2)
	if t.hasBegin {
		ids = append(ids, t.begin)
	}
	w := words{settings: t.settings}
	for len(ids) < limit {
		field, rest, ok := w.nextField(text)
		if !ok {
			break
		}
		text = rest
		w.reset(field)
		for len(ids) < limit {
			word, ok := w.next()
			if !ok {
				break
			}
			ids = t.appendPieces(ids, word)
		}
	}
	ids = ids[:min(len(ids), max(limit, 0))]
	if t.hasEnd {
		ids = append(ids, t.end)
	}
	return ids
}

// appendPieces cuts a word into the longest pieces, from its beginning. A
// word with a part that no piece covers is unknown as a whole.
func (t *Tokenizer) appendPieces(ids []int32, word string) []int32 {
	if utf8.RuneCountInString(word) > t.settings.MaxWord {
		return append(ids, t.unknown)
	}
	before := len(ids)
	prefix := ""
	for len(word) > 0 {
		id, n := t.longest(prefix, word)
		if n == 0 {
			return append(ids[:before], t.unknown)
		}
		ids = append(ids, id)
		word = word[n:]
		prefix = t.settings.Prefix
	}
	return ids
}

func (t *Tokenizer) longest(prefix, word string) (id int32, n int) {
	for n = len(word); n > 0; {
		if id, ok := t.vocabulary.find(prefix, word[:n]); ok {
			return id, n
		}
		_, size := utf8.DecodeLastRuneInString(word[:n])
		n -= size
	}
	return 0, 0
}

package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/wordpiece"
)

// maxIDs bounds a vocabulary before memory is taken for it.
const maxIDs = 1 << 20

// A tokenizerFile is the part of tokenizer.json that is used.
type tokenizerFile struct {
	Normalizer *struct {
		Type    string `json:"type"`
		Clean   bool   `json:"clean_text"`
		Han     bool   `json:"handle_chinese_chars"`
		Accents *bool  `json:"strip_accents"`
		Lower   bool   `json:"lowercase"`
	} `json:"normalizer"`
	PreTokenizer struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	PostProcessor *struct {
		Type   string `json:"type"`
		Single []struct {
			Special *struct {
				ID string `json:"id"`
			} `json:"SpecialToken"`
		} `json:"single"`
		Begin [2]json.RawMessage `json:"cls"`
		End   [2]json.RawMessage `json:"sep"`
	} `json:"post_processor"`
	Model struct {
		Type    string           `json:"type"`
		Unknown string           `json:"unk_token"`
		Prefix  string           `json:"continuing_subword_prefix"`
		MaxWord int              `json:"max_input_chars_per_word"`
		Vocab   map[string]int64 `json:"vocab"`
	} `json:"model"`
}

// tokenizer reads the vocabulary and its settings: tokenizer.json, or else
// vocab.txt.
func (c *Checkpoint) tokenizer() (*wordpiece.Vocabulary, wordpiece.Settings, error) {
	data, err := c.read(c.words)
	if err != nil {
		return nil, wordpiece.Settings{}, err
	}
	if data == nil {
		return c.vocabText()
	}
	var f tokenizerFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, wordpiece.Settings{}, &Error{fmt.Sprintf("tokenizer.json: %v", err), "get the model's files again"}
	}
	s, err := f.settings()
	if err != nil {
		return nil, s, &Error{"tokenizer.json: " + err.Error(), "models with BERT's WordPiece tokenizer can be used"}
	}
	pieces, err := f.pieces()
	if err != nil {
		return nil, s, &Error{"tokenizer.json: " + err.Error(), "get the model's files again"}
	}
	v, err := wordpiece.NewVocabulary(pieces)
	return v, s, err
}

func (f *tokenizerFile) settings() (wordpiece.Settings, error) {
	s := wordpiece.BERT()
	m, n := f.Model, f.Normalizer
	switch {
	case m.Type != "WordPiece" && m.Type != "":
		return s, fmt.Errorf("its model is %q", m.Type)
	case n == nil || n.Type != "BertNormalizer":
		return s, errors.New("its normalizer is not BertNormalizer")
	case f.PreTokenizer.Type != "BertPreTokenizer":
		return s, fmt.Errorf("its pre-tokenizer is %q", f.PreTokenizer.Type)
	}
	s.CleanText, s.SplitHan, s.Lowercase, s.StripAccents = n.Clean, n.Han, n.Lower, n.Lower
	if n.Accents != nil {
		s.StripAccents = *n.Accents
	}
	s.Unknown, s.Prefix = m.Unknown, m.Prefix
	if m.MaxWord != 0 {
		s.MaxWord = m.MaxWord
	}
	s.Begin, s.End = f.around()
	return s, nil
}

// around is the special tokens before and after a text.
func (f *tokenizerFile) around() (begin, end string) {
	p := f.PostProcessor
	if p == nil {
		return "", ""
	}
	if p.Type == "BertProcessing" {
		_ = json.Unmarshal(p.Begin[0], &begin)
		_ = json.Unmarshal(p.End[0], &end)
		return begin, end
	}
	for i, part := range p.Single {
		if part.Special == nil {
			continue
		}
		if i == 0 {
			begin = part.Special.ID
		} else {
			end = part.Special.ID
		}
	}
	return begin, end
}

func (f *tokenizerFile) pieces() ([]string, error) {
	largest := int64(-1)
	for piece, id := range f.Model.Vocab {
		if id < 0 || id >= maxIDs || piece == "" {
			return nil, fmt.Errorf("piece %q has the id %d", piece, id)
		}
		largest = max(largest, id)
	}
	pieces := make([]string, largest+1)
	for piece, id := range f.Model.Vocab {
		if pieces[id] != "" {
			return nil, fmt.Errorf("two pieces have the id %d", id)
		}
		pieces[id] = piece
	}
	return pieces, nil
}

// vocabText reads vocab.txt, one piece a line, and what
// tokenizer_config.json says about it.
func (c *Checkpoint) vocabText() (*wordpiece.Vocabulary, wordpiece.Settings, error) {
	s := wordpiece.BERT()
	data, err := c.read("vocab.txt")
	if err != nil {
		return nil, s, err
	}
	if data == nil {
		return nil, s, &Error{"the model has neither tokenizer.json nor vocab.txt", "put the model's tokenizer beside its weights"}
	}
	var conf struct {
		Lower   *bool `json:"do_lower_case"`
		Accents *bool `json:"strip_accents"`
		Han     *bool `json:"tokenize_chinese_chars"`
	}
	if _, err := c.unmarshal("tokenizer_config.json", &conf); err != nil {
		return nil, s, err
	}
	if conf.Lower != nil {
		s.Lowercase, s.StripAccents = *conf.Lower, *conf.Lower
	}
	if conf.Accents != nil {
		s.StripAccents = *conf.Accents
	}
	if conf.Han != nil {
		s.SplitHan = *conf.Han
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	v, err := wordpiece.NewVocabulary(strings.Split(text, "\n"))
	return v, s, err
}

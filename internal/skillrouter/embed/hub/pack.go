package hub

import (
	"fmt"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/bert"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/static"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/wordpiece"
)

// staticMax is how many tokens of a text count for a static table, whose files
// do not say it.
const staticMax = 512

// What the encoders of English that take the first token's vector (BGE, Arctic
// Embed, mxbai) were trained to find before a query. Their cards say it, their
// files of settings often do not; without it they find a twentieth less.
const (
	englishVocabulary = 30522 // of BERT, uncased
	retrievalPrefix   = "Represent this sentence for searching relevant passages: "
)

// Pack reads the whole model and lays it out. The same files and options give
// the same pack.
func (c *Checkpoint) Pack(o Options) (*pack.Builder, pack.Meta, error) {
	tensors, done, err := c.open()
	if err != nil {
		return nil, pack.Meta{}, err
	}
	defer done()
	m, vocabulary, err := c.meta(o, tensors)
	if err != nil {
		return nil, m, err
	}
	b := &pack.Builder{}
	table, err := vocabulary.AppendBinary(nil)
	if err != nil {
		return nil, m, err
	}
	b.Bytes("vocabulary", table)
	if m.Kind == pack.Static {
		err = writeStatic(b, &m, tensors)
	} else {
		err = writeBERT(b, &m, tensors, o.Step)
	}
	if err != nil {
		return nil, m, err
	}
	if vocabulary.Len() > m.Shape.Vocabulary {
		return nil, m, &Error{fmt.Sprintf("the vocabulary has %d pieces, and the model has vectors for %d", vocabulary.Len(), m.Shape.Vocabulary), "get the tokenizer that belongs to these weights"}
	}
	return b, m, nil
}

// meta is what the model's files of settings say, with the options on top.
func (c *Checkpoint) meta(o Options, f tensors) (m pack.Meta, v *wordpiece.Vocabulary, err error) {
	conf, err := c.config(f, o.Heads)
	if err != nil {
		return m, nil, err
	}
	m = pack.Meta{Name: c.name, Kind: kindOf(conf), Precision: "int8", Pooling: pack.Mean, Inputs: c.inputs}
	m.Shape = pack.Shape{Vocabulary: conf.Vocabulary}
	m.MaxTokens = staticMax
	if m.Kind == pack.BERT {
		m.Shape = pack.Shape{
			Vocabulary: conf.Vocabulary, Hidden: conf.Hidden, Layers: conf.Layers, Heads: conf.Heads,
			Intermediate: conf.Intermediate, Positions: conf.Positions, Epsilon: conf.Epsilon,
		}
		if m.Pooling = o.Pooling; m.Pooling == "" {
			if m.Pooling, err = c.pooling(); err != nil {
				return m, nil, err
			}
		}
		if m.MaxTokens, err = c.longest(conf.Positions); err != nil {
			return m, nil, err
		}
	}
	if o.MaxTokens > 0 {
		m.MaxTokens = min(o.MaxTokens, m.MaxTokens)
	}
	if m.Prefix, err = c.queryPrefix(); err != nil {
		return m, nil, err
	}
	if m.Prefix == "" && m.Kind == pack.BERT && m.Pooling == pack.CLS && m.Shape.Vocabulary == englishVocabulary {
		m.Prefix = retrievalPrefix
	}
	if o.Prefix != nil {
		m.Prefix = *o.Prefix
	}
	if m.Licence, err = c.licence(); err != nil {
		return m, nil, err
	}
	for _, set := range []struct{ to, from *string }{{&m.Name, &o.Name}, {&m.Licence, &o.Licence}, {&m.Precision, &o.Precision}} {
		if *set.from != "" {
			*set.to = *set.from
		}
	}
	v, m.Tokenizer, err = c.tokenizer()
	if err != nil {
		return m, nil, err
	}
	if m.Kind == pack.Static {
		m.Tokenizer.Begin, m.Tokenizer.End = "", ""
	}
	_, err = wordpiece.New(v, m.Tokenizer)
	return m, v, err
}

func writeBERT(b *pack.Builder, m *pack.Meta, f tensors, step func(done, total int)) error {
	if err := m.Check(); err != nil {
		return &Error{err.Error(), "the model's config.json says so; models of BERT's shape can be used"}
	}
	w, err := unprefixed(f)
	if err != nil {
		return err
	}
	return bert.Write(b, *m, w, step)
}

// writeStatic finds the table, whose name depends on what wrote it, and takes
// its sizes from it.
func writeStatic(b *pack.Builder, m *pack.Meta, f tensors) error {
	if _, shared := f.Shape("mapping"); shared {
		return &Error{"the table's vectors are shared between tokens, by a tensor named mapping", "a static table with one vector a token can be used"}
	}
	for _, name := range []string{"embeddings", "embedding.weight"} {
		shape, ok := f.Shape(name)
		if !ok || len(shape) != 2 {
			continue
		}
		m.Shape.Vocabulary, m.Shape.Hidden = shape[0], shape[1]
		if err := m.Check(); err != nil {
			return err
		}
		table, err := f.Floats(name, shape...)
		if err != nil {
			return err
		}
		if _, weighted := f.Shape("weights"); weighted {
			weights, err := f.Floats("weights", shape[0])
			if err != nil {
				return err
			}
			for i := range table {
				table[i] *= weights[i/shape[1]]
			}
		}
		return static.Write(b, *m, table)
	}
	return &Error{"the weights hold no table of vectors named embeddings", "models of type bert and model2vec can be used"}
}

// Package embed turns text into vectors whose dot product says how alike two
// texts are. The model comes from a pack, which [Open] maps; see package hub
// for how a pack is made.
//
//	m, err := embed.Open("bge-small-en-v1.5.pack")
//	vectors, err := m.Embed(ctx, []string{"write release notes"})
//
// Vectors of different packs cannot be compared: keep [Model.Hash] with them.
package embed

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/bert"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/static"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/wordpiece"
)

// A Model is an open pack. It is safe for concurrent use, up to Close.
type Model struct {
	pack      *pack.Pack
	meta      pack.Meta
	tokenizer *wordpiece.Tokenizer
	net       *bert.Net     // either this
	table     *static.Table // or this
	threads   int
	active    atomic.Int64 // texts that are being embedded
}

// Open maps the pack at path and checks everything that it will rely on, but
// not the weights themselves: see [Model.Verify].
func Open(path string) (*Model, error) {
	p, err := pack.Open(path)
	if err != nil {
		return nil, fmt.Errorf("model pack %s: %w", path, err)
	}
	m, err := New(p)
	if err != nil {
		_ = p.Close()
		return nil, fmt.Errorf("model pack %s: %w", path, err)
	}
	return m, nil
}

// New is the model of an open pack, which Close closes.
func New(p *pack.Pack) (*Model, error) {
	m := &Model{pack: p, threads: runtime.GOMAXPROCS(0)}
	if err := p.Meta(&m.meta); err != nil {
		return nil, err
	}
	if err := m.meta.Check(); err != nil {
		return nil, err
	}
	table, err := p.Bytes("vocabulary")
	if err != nil {
		return nil, err
	}
	vocabulary, err := wordpiece.ReadVocabulary(table)
	if err != nil {
		return nil, err
	}
	if vocabulary.Len() > m.meta.Shape.Vocabulary {
		return nil, errors.New("the vocabulary has more pieces than the model has vectors")
	}
	if m.tokenizer, err = wordpiece.New(vocabulary, m.meta.Tokenizer); err != nil {
		return nil, err
	}
	if m.meta.Kind == pack.Static {
		m.table, err = static.Load(p, m.meta, m.tokenizer.Unknown())
	} else {
		m.net, err = bert.Load(p, m.meta)
	}
	return m, err
}

// Name is what the model is called, as its maker wrote it.
func (m *Model) Name() string { return m.meta.Name }

// Hash is 64 hexadecimal digits that stand for the weights, the vocabulary and
// every setting: vectors of two models with one hash can be compared.
func (m *Model) Hash() string { return m.pack.Hash() }

// Dim is the length of a vector.
func (m *Model) Dim() int { return m.meta.Shape.Hidden }

// MaxTokens is how many tokens of a text count, the special ones among them.
func (m *Model) MaxTokens() int { return m.meta.MaxTokens }

// QueryPrefix is what the model wants before a query, and not before a text
// that is searched; "" for most.
func (m *Model) QueryPrefix() string { return m.meta.Prefix }

// Meta is all that the pack says about the model.
func (m *Model) Meta() pack.Meta { return m.meta }

// Kernels names the implementation of the inner loops that is in use.
func (m *Model) Kernels() string {
	if m.net == nil {
		return "table"
	}
	return m.net.Kernels()
}

// SetThreads bounds how many texts are embedded at a time, and how many threads
// share one text when it is alone; at first it is the number of processors.
// Call it before Embed.
func (m *Model) SetThreads(n int) { m.threads = max(1, n) }

// Tokens is the number of tokens of a text, special ones included, at most
// limit.
func (m *Model) Tokens(text string, limit int) int { return len(m.tokenizer.Encode(text, limit)) }

// Embed returns a unit vector of Dim values for each text. What is beyond
// MaxTokens of a text does not count. The work ends early, with the context's
// error, once that is done.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var next atomic.Int64
	var group sync.WaitGroup
	var once sync.Once
	var first error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(texts); i = int(next.Add(1)) - 1 {
			v, err := m.vector(ctx, texts[i])
			if err != nil {
				once.Do(func() { first = err; stop() })
				return
			}
			vectors[i] = v
		}
	}
	for range min(m.threads, len(texts)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if first != nil {
		return nil, first
	}
	return vectors, nil
}

// mostForOne is how many threads share one text: more wait for each other.
const mostForOne = 4

func (m *Model) vector(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ids := m.tokenizer.Encode(text, m.meta.MaxTokens)
	if m.table != nil {
		return m.table.Vector(ids)
	}
	alone := int(m.active.Add(1))
	defer m.active.Add(-1)
	return m.net.Vector(ids, max(1, min(m.threads/alone, mostForOne)), ctx.Err)
}

// Verify checks every byte of the pack against the hashes in its header.
func (m *Model) Verify() error { return m.pack.Verify() }

// Close unmaps the pack.
func (m *Model) Close() error { return m.pack.Close() }

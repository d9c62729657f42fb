// Package bert is the forward pass of an encoder of BERT's shape, one text at
// a time: ids in, one vector out.
//
// [Write] puts a checkpoint's weights into a pack, [Load] takes them out of
// one without copying them.
package bert

import (
	"fmt"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/kernel"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
)

// Weights are the named tensors of a checkpoint, by the names that BERT
// checkpoints give them, without a prefix before "embeddings" and "encoder".
type Weights interface {
	Floats(name string, shape ...int) ([]float32, error)
}

// A matrix is the weights and the bias of x·W+b, in panels.
type matrix struct {
	k, n  int
	float []float32 // either these
	bytes []int8    // or these, with a scale per column
	scale []float32
	bias  []float32
}

type norm struct{ gamma, beta []float32 }

type layer struct {
	qkv, out, up, down matrix
	attended, finished norm
}

type table struct {
	float []float32 // either these
	bytes []int8    // or these, with a scale per row
	scale []float32
}

// Write puts the weights into b: the large ones in bytes where the precision
// is int8. step is called before each layer.
func Write(b *pack.Builder, m pack.Meta, w Weights, step func(done, total int)) error {
	s, small := m.Shape, m.Precision == "int8"
	h := s.Hidden
	words, err := w.Floats("embeddings.word_embeddings.weight", s.Vocabulary, h)
	if err != nil {
		return err
	}
	if small {
		bytes, scale := make([]int8, len(words)), make([]float32, s.Vocabulary)
		for i := range scale {
			scale[i] = kernel.QuantiseRow(bytes[i*h:(i+1)*h], words[i*h:(i+1)*h])
		}
		b.Int8s("words", bytes)
		b.Floats("words.scale", scale)
	} else {
		b.Floats("words", words)
	}
	positions, err := w.Floats("embeddings.position_embeddings.weight", s.Positions, h)
	if err != nil {
		return err
	}
	// A text is one segment, the first: its vector is part of every position.
	segments, err := w.Floats("embeddings.token_type_embeddings.weight", segmentsOf(w, h), h)
	if err != nil {
		return err
	}
	for i := range positions {
		positions[i] += segments[i%h]
	}
	b.Floats("positions", positions)
	if err := writeNorm(b, w, "norm", "embeddings.LayerNorm", h); err != nil {
		return err
	}
	for i := range s.Layers {
		if step != nil {
			step(i, s.Layers)
		}
		if err := writeLayer(b, w, i, s, small); err != nil {
			return err
		}
	}
	return nil
}

// segmentsOf is how many segment vectors the checkpoint holds: two, or one.
func segmentsOf(w Weights, h int) int {
	if _, err := w.Floats("embeddings.token_type_embeddings.weight", 2, h); err == nil {
		return 2
	}
	return 1
}

func writeLayer(b *pack.Builder, w Weights, i int, s pack.Shape, small bool) error {
	from, to := fmt.Sprintf("encoder.layer.%d.", i), fmt.Sprintf("%d.", i)
	h, f := s.Hidden, s.Intermediate
	for _, m := range []struct {
		to   string
		from []string
		n, k int
	}{
		{"qkv", []string{"attention.self.query", "attention.self.key", "attention.self.value"}, h, h},
		{"out", []string{"attention.output.dense"}, h, h},
		{"up", []string{"intermediate.dense"}, f, h},
		{"down", []string{"output.dense"}, h, f},
	} {
		var weights, bias []float32
		for _, name := range m.from {
			part, err := w.Floats(from+name+".weight", m.n, m.k)
			if err != nil {
				return err
			}
			partBias, err := w.Floats(from+name+".bias", m.n)
			if err != nil {
				return err
			}
			weights, bias = append(weights, part...), append(bias, partBias...)
		}
		if small {
			panels, scale := kernel.PackBytes(weights, len(bias), m.k)
			b.Int8s(to+m.to, panels)
			b.Floats(to+m.to+".scale", scale)
		} else {
			b.Floats(to+m.to, kernel.PackFloat(weights, len(bias), m.k))
		}
		b.Floats(to+m.to+".bias", bias)
	}
	if err := writeNorm(b, w, to+"attended", from+"attention.output.LayerNorm", h); err != nil {
		return err
	}
	return writeNorm(b, w, to+"finished", from+"output.LayerNorm", h)
}

// writeNorm also takes the names that the first checkpoints used.
func writeNorm(b *pack.Builder, w Weights, to, from string, h int) error {
	for _, part := range [][3]string{{"gamma", "weight", "gamma"}, {"beta", "bias", "beta"}} {
		values, err := w.Floats(from+"."+part[1], h)
		if err != nil {
			old, oldErr := w.Floats(from+"."+part[2], h)
			if oldErr != nil {
				return err
			}
			values = old
		}
		b.Floats(to+"."+part[0], values)
	}
	return nil
}

// Load uses the weights of a pack in place. m must have passed its check.
func Load(p *pack.Pack, m pack.Meta) (*Net, error) {
	l := loader{p: p, small: m.Precision == "int8"}
	s := m.Shape
	h := s.Hidden
	n := &Net{meta: m, kernels: kernel.Best(), positions: l.floats("positions", s.Positions*h), norm: l.norm("norm", h)}
	if l.small {
		n.words = table{bytes: l.int8s("words", s.Vocabulary*h), scale: l.smallFloats("words.scale", s.Vocabulary)}
	} else {
		n.words = table{float: l.floats("words", s.Vocabulary*h)}
	}
	for i := range s.Layers {
		at := fmt.Sprintf("%d.", i)
		n.layers = append(n.layers, layer{
			qkv: l.matrix(at+"qkv", h, 3*h), out: l.matrix(at+"out", h, h),
			up: l.matrix(at+"up", h, s.Intermediate), down: l.matrix(at+"down", s.Intermediate, h),
			attended: l.norm(at+"attended", h), finished: l.norm(at+"finished", h),
		})
	}
	return n, l.err
}

// A loader keeps the first error.
type loader struct {
	p     *pack.Pack
	small bool
	err   error
}

func keep[T any](l *loader, values T, err error) T {
	if l.err == nil {
		l.err = err
	}
	return values
}

func (l *loader) floats(name string, n int) []float32 {
	v, err := l.p.Floats(name, n)
	return keep(l, v, err)
}

func (l *loader) smallFloats(name string, n int) []float32 {
	v, err := l.p.Small(name, n)
	return keep(l, v, err)
}

func (l *loader) int8s(name string, n int) []int8 {
	v, err := l.p.Int8s(name, n)
	return keep(l, v, err)
}

func (l *loader) norm(name string, n int) norm {
	return norm{l.smallFloats(name+".gamma", n), l.smallFloats(name+".beta", n)}
}

func (l *loader) matrix(name string, k, n int) matrix {
	m := matrix{k: k, n: n, bias: l.smallFloats(name+".bias", n)}
	if l.small {
		m.bytes, m.scale = l.int8s(name, k*n), l.smallFloats(name+".scale", n)
	} else {
		m.float = l.floats(name, k*n)
	}
	return m
}

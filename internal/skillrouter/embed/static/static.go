// Package static is a model without layers: one vector a token, and the mean
// of a text's tokens is the text's. It knows less than a transformer, and
// costs next to nothing.
package static

import (
	"errors"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/bert"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/kernel"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
)

// Write puts a table of one vector a token into b.
func Write(b *pack.Builder, m pack.Meta, table []float32) error {
	h, v := m.Shape.Hidden, m.Shape.Vocabulary
	if len(table) != h*v {
		return errors.New("the table of vectors is not as long as its shape says")
	}
	if m.Precision != "int8" {
		b.Floats("words", table)
		return nil
	}
	bytes, scale := make([]int8, len(table)), make([]float32, v)
	for i := range scale {
		scale[i] = kernel.QuantiseRow(bytes[i*h:(i+1)*h], table[i*h:(i+1)*h])
	}
	b.Int8s("words", bytes)
	b.Floats("words.scale", scale)
	return nil
}

// A Table is a loaded model. It is safe for concurrent use.
type Table struct {
	hidden, rows int
	float        []float32 // either these
	bytes        []int8    // or these, with a scale per row
	scale        []float32
	unknown      int32
}

// Load uses the table of a pack in place. m must have passed its check. The
// unknown token says nothing about a text, and is left out of its mean.
func Load(p *pack.Pack, m pack.Meta, unknown int32) (*Table, error) {
	t := &Table{hidden: m.Shape.Hidden, rows: m.Shape.Vocabulary, unknown: unknown}
	var err error
	if m.Precision != "int8" {
		t.float, err = p.Floats("words", t.hidden*t.rows)
		return t, err
	}
	if t.bytes, err = p.Int8s("words", t.hidden*t.rows); err != nil {
		return nil, err
	}
	t.scale, err = p.Small("words.scale", t.rows)
	return t, err
}

// Vector returns the unit vector of a text of ids: zeros where it has no token
// that the table knows.
func (t *Table) Vector(ids []int32) ([]float32, error) {
	v := make([]float32, t.hidden)
	known := false
	for _, id := range ids {
		if id == t.unknown || id < 0 || int(id) >= t.rows {
			continue
		}
		known = true
		at := int(id) * t.hidden
		for j := range v {
			if t.float != nil {
				v[j] += t.float[at+j]
			} else {
				v[j] += float32(t.bytes[at+j]) * t.scale[id]
			}
		}
	}
	if known && !bert.Normalise(v) {
		return nil, bert.ErrNotFinite
	}
	return v, nil
}

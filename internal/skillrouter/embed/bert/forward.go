package bert

import (
	"errors"
	"math"
	"sync"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/kernel"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
)

// A Net is a loaded model. It is safe for concurrent use.
type Net struct {
	meta      pack.Meta
	kernels   *kernel.Set
	words     table
	positions []float32
	norm      norm
	layers    []layer
	rooms     sync.Pool
}

// Use makes the net run on the given kernels rather than the best ones.
func (n *Net) Use(s *kernel.Set) { n.kernels = s }

// Kernels names what the net runs on.
func (n *Net) Kernels() string { return n.kernels.Name }

// A room is the memory of one forward pass.
type room struct {
	x, qkv, context, wide []float32
	keys, values, scores  []float32
	rows                  kernel.Rows
	threads               int
}

// ErrNotFinite is a forward pass whose result is no vector: the weights are
// damaged.
var ErrNotFinite = errors.New("the model's weights give no vector: the pack is damaged; verify it")

// Vector returns the unit vector of a text of ids, of which there are from 1
// to the model's longest text. An id outside the vocabulary counts as id 0.
// threads share the work; the result is the same for any number of them. done
// ends the work early, between two layers.
func (n *Net) Vector(ids []int32, threads int, done func() error) ([]float32, error) {
	s := n.meta.Shape
	h, t := s.Hidden, len(ids)
	if t == 0 || t > n.meta.MaxTokens {
		return nil, errors.New("a text has from 1 to the model's longest number of tokens")
	}
	r, _ := n.rooms.Get().(*room)
	if r == nil {
		r = &room{}
	}
	defer n.rooms.Put(r)
	r.threads = threads
	r.x = size(r.x, t*h)
	n.embed(r.x, ids)
	for i := range n.layers {
		if err := done(); err != nil {
			return nil, err
		}
		// The last layer owes the other tokens nothing where only the first
		// one's vector is asked for.
		rows := t
		if i == len(n.layers)-1 && n.meta.Pooling == pack.CLS {
			rows = 1
		}
		n.layer(&n.layers[i], r, t, rows)
	}
	return n.pool(r.x, t)
}

func (n *Net) embed(x []float32, ids []int32) {
	h := n.meta.Shape.Hidden
	for i, id := range ids {
		if id < 0 || int(id) >= n.meta.Shape.Vocabulary {
			id = 0
		}
		row, at := x[i*h:(i+1)*h], n.positions[i*h:(i+1)*h]
		if n.words.float != nil {
			for j, v := range n.words.float[int(id)*h : (int(id)+1)*h] {
				row[j] = v + at[j]
			}
		} else {
			scale := n.words.scale[id]
			for j, v := range n.words.bytes[int(id)*h : (int(id)+1)*h] {
				row[j] = float32(v)*scale + at[j]
			}
		}
		n.kernels.LayerNorm(row, row, nil, n.norm.gamma, n.norm.beta, n.meta.Shape.Epsilon)
	}
}

// layer takes the vectors of t tokens through a layer; the first rows of them
// are what is wanted.
func (n *Net) layer(l *layer, r *room, t, rows int) {
	h, f := n.meta.Shape.Hidden, n.meta.Shape.Intermediate
	r.qkv, r.context, r.wide = size(r.qkv, t*3*h), size(r.context, t*h), size(r.wide, t*max(f, h))
	n.multiply(r.qkv, &l.qkv, r, r.x, t)
	n.attend(r, t, rows)
	n.multiply(r.wide, &l.out, r, r.context, rows)
	for i := range rows {
		x := r.x[i*h : (i+1)*h]
		n.kernels.LayerNorm(x, x, r.wide[i*h:(i+1)*h], l.attended.gamma, l.attended.beta, n.meta.Shape.Epsilon)
	}
	n.multiply(r.wide, &l.up, r, r.x, rows)
	n.kernels.GELU(r.wide[:rows*f])
	n.multiply(r.context, &l.down, r, r.wide, rows)
	for i := range rows {
		x := r.x[i*h : (i+1)*h]
		n.kernels.LayerNorm(x, x, r.context[i*h:(i+1)*h], l.finished.gamma, l.finished.beta, n.meta.Shape.Epsilon)
	}
}

func (n *Net) multiply(to []float32, m *matrix, r *room, x []float32, rows int) {
	if m.float != nil {
		share(r.threads, rows, m, func(j, width int) {
			n.kernels.Float(to[j:], m.n, x, m.k, rows, m.k, m.float[j*m.k:], width, m.bias[j:])
		})
		return
	}
	n.kernels.Quantise(&r.rows, x, m.k, rows, m.k)
	share(r.threads, rows, m, func(j, width int) {
		n.kernels.Bytes(to[j:], m.n, &r.rows, rows, m.bytes[j*m.k:], width, m.scale[j:], m.bias[j:])
	})
}

// attend writes to r.context, for each of the first rows tokens, the mean of
// all tokens' values, weighted head by head by how its query meets their keys.
func (n *Net) attend(r *room, t, rows int) {
	const width = kernel.Width
	h, heads := n.meta.Shape.Hidden, n.meta.Shape.Heads
	d := h / heads
	padded := (t + width - 1) &^ (width - 1)
	r.keys, r.values, r.scores = size(r.keys, padded*d), size(r.values, t*d), size(r.scores, rows*padded)
	scale := float32(1 / math.Sqrt(float64(d)))
	for head := range heads {
		n.panels(r, t, head)
		query := r.qkv[head*d:]
		n.kernels.Float(r.scores, padded, query, 3*h, rows, d, r.keys, padded, nil)
		for i := range rows {
			n.kernels.Softmax(r.scores[i*padded:(i+1)*padded], t, scale)
		}
		n.kernels.Float(r.context[head*d:], h, r.scores, padded, rows, t, r.values, d, nil)
	}
}

// panels lays a head's keys out as the columns of one matrix, and its values
// as the rows of another.
func (n *Net) panels(r *room, t, head int) {
	const width = kernel.Width
	h := n.meta.Shape.Hidden
	d := h / n.meta.Shape.Heads
	for i := range t {
		key := r.qkv[i*3*h+h+head*d:][:d]
		at := r.keys[i/width*width*d+i%width:]
		for j, v := range key {
			at[j*width] = v
		}
		value := r.qkv[i*3*h+2*h+head*d:][:d]
		for p := 0; p < d; p += width {
			copy(r.values[p*t+i*width:][:width], value[p:p+width])
		}
	}
	for i := t; i%width != 0; i++ {
		at := r.keys[i/width*width*d+i%width:]
		for j := range d {
			at[j*width] = 0
		}
	}
}

func (n *Net) pool(x []float32, t int) ([]float32, error) {
	h := n.meta.Shape.Hidden
	v := make([]float32, h)
	if n.meta.Pooling == pack.CLS {
		t = 1
	}
	for i := range t {
		for j, y := range x[i*h : (i+1)*h] {
			v[j] += y
		}
	}
	if !Normalise(v) {
		return nil, ErrNotFinite
	}
	return v, nil
}

// Normalise makes v a unit vector; ok is false where it has no direction.
func Normalise(v []float32) (ok bool) {
	var squares float64
	for _, y := range v {
		squares += float64(y) * float64(y)
	}
	if !(squares > 0) || math.IsInf(squares, 0) {
		return false
	}
	inverse := float32(1 / math.Sqrt(squares))
	for j := range v {
		v[j] *= inverse
	}
	return true
}

func size(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

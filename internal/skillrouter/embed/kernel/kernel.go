// Package kernel has the few inner loops that a transformer's forward pass
// spends its time in: two matrix products and the steps between them.
//
// A [Set] is one implementation of all of them. [Best] picks the quickest
// that the processor can run; [Available] lists all that it can, plain Go
// being the last. They give the same numbers: exactly the same for integers,
// within rounding for floats.
//
// Weights stand in panels of [Width] columns, one panel after the other, so
// that every implementation reads them from front to back. A row-major matrix
// of K rows becomes, for floats, K runs of [Width] values; for bytes, K/2 runs
// of [Width] pairs, a pair being two rows of one column. All of a matrix's
// dimensions are multiples of [Width].
package kernel

import "math"

//go:generate go run ./gen

// Width is the number of columns of a panel.
const Width = 16

// A Set is one implementation of the inner loops. Every function trusts the
// lengths that it is given: see the checks in [Set.Float] and its fellows,
// which are the way to call them.
type Set struct {
	Name string // "avx512-vnni", "avx2", "neon", "go", …

	// float: c = a·b + bias, of n columns.
	float func(c []float32, ldc int, a []float32, lda, rows, k int, b []float32, n int, bias []float32)
	// bytes: the same of quantised rows of k integers, scaled back.
	bytes func(c []float32, ldc int, q []int16, rowScale []float32, rows, k int, b []int8, n int, scale, bias []float32)
	// quantise: one row of floats to integers; see rowScale for the result.
	quantise func(q []int16, x []float32) float32

	gelu      func(x []float32)
	softmax   func(x []float32, scale float32)
	layerNorm func(out, x, residual, gamma, beta []float32, epsilon float32)
}

// Best is the quickest set that this processor can run.
func Best() *Set { return Available()[0] }

// Available lists the sets that this processor can run, quickest first. The
// last is plain Go.
func Available() []*Set { return append(native(), &portable) }

// Float multiplies: c = a·b + bias, for a of rows×k with stride lda, b of k×n
// in panels, c of rows×n with stride ldc. A nil bias is zero.
func (s *Set) Float(c []float32, ldc int, a []float32, lda, rows, k int, b []float32, n int, bias []float32) {
	if rows == 0 {
		return
	}
	check(n%Width == 0 && n > 0 && k > 0 && len(b) >= k*n && len(a) >= (rows-1)*lda+k && len(c) >= (rows-1)*ldc+n && (bias == nil || len(bias) >= n))
	s.float(c, ldc, a, lda, rows, k, b, n, bias)
}

// Rows are quantised rows of one matrix product's left side.
type Rows struct {
	k      int
	values []int16
	scale  []float32 // a row: what 1 stands for
}

// levels is the largest integer of a quantised row of k values. Twelve bits
// and a sign cost no more than eight where the weights are widened to 16 bits
// anyway, and lose a fifth as much; and the sum of k products of them with
// weights of ±127 stays within 32 bits.
func levels(k int) float32 { return float32(min(4095, (1<<31-1)/127/k)) }

// Quantise turns rows of k floats, with stride lda, into integers. It reuses q.
func (s *Set) Quantise(q *Rows, a []float32, lda, rows, k int) {
	if rows == 0 {
		return
	}
	check(k%Width == 0 && k > 0 && k <= 1<<20 && len(a) >= (rows-1)*lda+k)
	q.k, q.values, q.scale = k, grow(q.values, rows*k), grow(q.scale, rows)
	for i := range rows {
		q.scale[i] = s.quantise(q.values[i*k:(i+1)*k], a[i*lda:i*lda+k])
	}
}

// Bytes multiplies quantised rows by b of k×n bytes in panels: c = q·b·scale +
// bias, with a scale and a bias per column.
func (s *Set) Bytes(c []float32, ldc int, q *Rows, rows int, b []int8, n int, scale, bias []float32) {
	if rows == 0 {
		return
	}
	check(n%Width == 0 && n > 0 && len(b) >= q.k*n && len(c) >= (rows-1)*ldc+n && len(scale) >= n && len(bias) >= n && len(q.scale) >= rows)
	s.bytes(c, ldc, q.values, q.scale, rows, q.k, b, n, scale, bias)
}

// GELU applies x·Φ(x) in place, to a multiple of [Width] values.
func (s *Set) GELU(x []float32) {
	check(len(x)%Width == 0)
	if len(x) > 0 {
		s.gelu(x)
	}
}

// Softmax replaces the first n of x by the softmax of x·scale, with a scale
// above zero. The rest of x, whose length is a multiple of [Width], is lost.
func (s *Set) Softmax(x []float32, n int, scale float32) {
	check(n > 0 && n <= len(x) && len(x)%Width == 0)
	for i := n; i < len(x); i++ {
		x[i] = float32(math.Inf(-1))
	}
	s.softmax(x, scale)
}

// LayerNorm writes the normalised x+residual to out, which may be x; a nil
// residual is zero.
func (s *Set) LayerNorm(out, x, residual, gamma, beta []float32, epsilon float32) {
	n := len(x)
	check(n > 0 && n%Width == 0 && len(out) >= n && (residual == nil || len(residual) >= n) && len(gamma) >= n && len(beta) >= n)
	if residual == nil {
		check(n <= len(none))
		residual = none[:n]
	}
	s.layerNorm(out[:n], x, residual, gamma[:n], beta[:n], epsilon)
}

// none is a residual or a bias of zeros.
var none [1 << 12]float32

func check(ok bool) {
	if !ok {
		panic("kernel: the sizes do not fit")
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func random(r *rand.Rand, n int, scale float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = (r.Float32()*2 - 1) * scale
	}
	return x
}

// guarded is a slice of n values with others around it that must not change.
type guarded struct {
	all []float32
	n   int
}

const (
	margin = 64
	mark   = 12345.5
)

func guard(n int) guarded {
	g := guarded{make([]float32, n+2*margin), n}
	for i := range g.all {
		g.all[i] = mark
	}
	return g
}

func (g guarded) slice() []float32 { return g.all[margin : margin+g.n : margin+g.n] }

func (g guarded) check(t *testing.T) {
	t.Helper()
	for i, v := range g.all {
		if (i < margin || i >= margin+g.n) && v != mark {
			t.Fatalf("a value at %d of %d was written", i-margin, g.n)
		}
	}
}

func far(got, want []float32, tolerance float64) string {
	for i := range want {
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= tolerance*(1+math.Abs(float64(want[i])))) {
			return fmt.Sprintf("at %d %v, want %v", i, got[i], want[i])
		}
	}
	return ""
}

// sizes of products: every height of a tile and beyond, one panel and several,
// every remainder of the loops.
var sizes = []struct{ k, n int }{{16, 16}, {1, 16}, {17, 32}, {39, 48}, {64, 80}, {1536, 32}}

func TestFloatIsTheSameEverywhere(t *testing.T) {
	for _, s := range Available() {
		t.Run(s.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for _, size := range sizes {
				for rows := 1; rows <= 27; rows++ {
					k, n, lda, ldc := size.k, size.n, size.k+rows%3, size.n+rows%5
					a, b, bias := random(r, rows*lda, 1), random(r, k*n, 1), random(r, n, 1)
					if rows%4 == 0 {
						bias = nil
					}
					got := guard((rows-1)*ldc + n)
					s.Float(got.slice(), ldc, a[:(rows-1)*lda+k], lda, rows, k, b, n, bias)
					got.check(t)
					want := make([]float64, n)
					for i := range rows {
						for j := range n {
							want[j] = 0
							if bias != nil {
								want[j] = float64(bias[j])
							}
							for kk := range k {
								want[j] += float64(a[i*lda+kk]) * float64(b[j/Width*Width*k+kk*Width+j%Width])
							}
							if d := math.Abs(want[j] - float64(got.slice()[i*ldc+j])); d > 2e-5*math.Sqrt(float64(k)) {
								t.Fatalf("%d rows of %d by %d columns: at %d,%d off by %v", rows, k, n, i, j, d)
							}
						}
					}
				}
			}
		})
	}
}

func TestBytesAreTheSameEverywhere(t *testing.T) {
	for _, s := range Available() {
		t.Run(s.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			for _, size := range sizes {
				if size.k%Width != 0 {
					continue
				}
				for rows := 1; rows <= 27; rows++ {
					k, n, lda, ldc := size.k, size.n, size.k+rows%3, size.n+rows%5
					a, scale, bias := random(r, rows*lda, 3), random(r, n, 0.01), random(r, n, 1)
					b := make([]int8, k*n)
					for i := range b {
						b[i] = int8(r.IntN(255) - 127)
					}
					var q, same Rows
					s.Quantise(&q, a, lda, rows, k)
					portable.Quantise(&same, a, lda, rows, k)
					for i := range same.values[:rows*k] {
						if q.values[i] != same.values[i] {
							t.Fatalf("%d rows of %d: integer %d is %d, want %d", rows, k, i, q.values[i], same.values[i])
						}
					}
					got, want := guard((rows-1)*ldc+n), make([]float32, (rows-1)*ldc+n)
					s.Bytes(got.slice(), ldc, &q, rows, b, n, scale, bias)
					got.check(t)
					portable.Bytes(want, ldc, &same, rows, b, n, scale, bias)
					for i := range rows {
						if where := far(got.slice()[i*ldc:i*ldc+n], want[i*ldc:i*ldc+n], 1e-6); where != "" {
							t.Fatalf("%d rows of %d by %d columns: row %d %s", rows, k, n, i, where)
						}
					}
				}
			}
		})
	}
}

// TestBytesAtTheLimit: the largest integers in the longest rows do not run over.
func TestBytesAtTheLimit(t *testing.T) {
	for _, s := range Available() {
		for _, k := range []int{16, 1536, 4096, 16384} {
			x, b, one := make([]float32, k), make([]int8, k*Width), make([]float32, Width)
			for i := range x {
				x[i] = -2
			}
			for i := range b {
				b[i] = -127
			}
			for i := range one {
				one[i] = 1
			}
			var q Rows
			s.Quantise(&q, x, k, 1, k)
			got := make([]float32, Width)
			s.Bytes(got, Width, &q, 1, b, Width, one, one)
			if where := far(got, []float32{float32(k)*254 + 1}, 1e-4); where != "" {
				t.Errorf("%s, %d values: %s", s.Name, k, where)
			}
		}
	}
}

func TestQuantiseOddRows(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, s := range Available() {
		for _, c := range []struct {
			name  string
			value float32
			want  func(scale float32) bool
		}{
			{"zeros", 0, func(scale float32) bool { return scale == 0 }},
			{"denormals", 1e-40, func(scale float32) bool { return scale == 0 }},
			{"no number", nan, func(scale float32) bool { return scale != scale }},
			{"infinity", inf, func(scale float32) bool { return scale != scale }},
			{"huge", 1e35, func(scale float32) bool { return scale != scale }},
		} {
			x := make([]float32, 48)
			x[37] = c.value
			var q Rows
			s.Quantise(&q, x, 48, 1, 48)
			if !c.want(q.scale[0]) {
				t.Errorf("%s: %s: scale %v", s.Name, c.name, q.scale[0])
			}
			for i, v := range q.values {
				if v != 0 {
					t.Errorf("%s: %s: integer %d is %d", s.Name, c.name, i, v)
				}
			}
		}
	}
}

func TestStepsAreTheSameEverywhere(t *testing.T) {
	for _, s := range Available() {
		t.Run(s.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			for n := Width; n <= 12*Width; n += Width {
				for _, scale := range []float32{0.01, 1, 12} {
					x := random(r, n, scale)
					got, want := guard(n), make([]float32, n)
					copy(got.slice(), x)
					copy(want, x)
					s.GELU(got.slice())
					portable.GELU(want)
					got.check(t)
					if where := far(got.slice(), want, 2e-7); where != "" {
						t.Fatalf("GELU of %d: %s", n, where)
					}
					for valid := n - Width + 1; valid <= n; valid++ {
						copy(got.slice(), x)
						copy(want, x)
						s.Softmax(got.slice(), valid, 0.7)
						portable.Softmax(want, valid, 0.7)
						got.check(t)
						if where := far(got.slice()[:valid], want[:valid], 1e-6); where != "" {
							t.Fatalf("softmax of %d: %s", valid, where)
						}
					}
					residual, gamma, beta := random(r, n, scale), random(r, n, 1), random(r, n, 1)
					for _, residual := range [][]float32{nil, residual} {
						copy(got.slice(), x)
						s.LayerNorm(got.slice(), got.slice(), residual, gamma, beta, 1e-12)
						portable.LayerNorm(want, x, residual, gamma, beta, 1e-12)
						got.check(t)
						if where := far(got.slice(), want, 1e-5); where != "" {
							t.Fatalf("layer norm of %d: %s", n, where)
						}
					}
				}
			}
		})
	}
}

// TestGELUEverywhere walks over the whole line, where the polynomials end too.
func TestGELUEverywhere(t *testing.T) {
	for _, s := range Available() {
		x, at := make([]float32, Width), make([]float32, Width)
		for v := float32(-20); v < 20; v += 0.0137 {
			for i := range x {
				at[i] = v + float32(i)/4
			}
			copy(x, at)
			s.GELU(x)
			for i, got := range x {
				want := 0.5 * float64(at[i]) * math.Erfc(-float64(at[i])*math.Sqrt2/2)
				if math.Abs(float64(got)-want) > 1e-7*(1+math.Abs(want)) {
					t.Fatalf("%s: GELU(%v) = %v, want %v", s.Name, at[i], got, want)
				}
			}
		}
	}
}

// TestNoNumberStaysOne: a damaged weight must show in the result.
func TestNoNumberStaysOne(t *testing.T) {
	nan := float32(math.NaN())
	for _, s := range Available() {
		x := make([]float32, Width)
		x[3] = nan
		s.GELU(x)
		if x[3] == x[3] {
			t.Errorf("%s: GELU makes %v of what is no number", s.Name, x[3])
		}
		ones := make([]float32, Width)
		for i := range ones {
			ones[i] = 1
		}
		s.LayerNorm(x, x, nil, ones, ones, 1e-12)
		if x[0] == x[0] {
			t.Errorf("%s: layer norm makes %v of what is no number", s.Name, x[0])
		}
	}
}

func TestSizesThatDoNotFit(t *testing.T) {
	for name, call := range map[string]func(){
		"columns": func() {
			Best().Float(make([]float32, 99), 20, make([]float32, 99), 4, 1, 4, make([]float32, 99), 20, nil)
		},
		"right side": func() {
			Best().Float(make([]float32, 99), 16, make([]float32, 99), 4, 1, 4, make([]float32, 63), 16, nil)
		},
		"left side": func() {
			Best().Float(make([]float32, 99), 16, make([]float32, 7), 4, 2, 4, make([]float32, 64), 16, nil)
		},
		"result": func() {
			Best().Float(make([]float32, 31), 16, make([]float32, 8), 4, 2, 4, make([]float32, 64), 16, nil)
		},
		"bias": func() {
			Best().Float(make([]float32, 32), 16, make([]float32, 8), 4, 2, 4, make([]float32, 64), 16, make([]float32, 15))
		},
		"gelu":    func() { Best().GELU(make([]float32, 17)) },
		"softmax": func() { Best().Softmax(make([]float32, 16), 17, 1) },
		"layer norm": func() {
			Best().LayerNorm(make([]float32, 16), make([]float32, 16), nil, make([]float32, 15), make([]float32, 16), 0)
		},
		"quantise": func() { Best().Quantise(&Rows{}, make([]float32, 40), 20, 2, 20) },
		"bytes": func() {
			Best().Bytes(make([]float32, 16), 16, &Rows{k: 16, values: make([]int16, 16)}, 1, make([]int8, 256), 16, make([]float32, 16), make([]float32, 16))
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("sizes that do not fit are used")
				}
			}()
			call()
		})
	}
}

// BenchmarkProducts multiplies a text of 20 tokens by a layer's widest weights.
func BenchmarkProducts(b *testing.B) {
	const rows, k, n = 20, 384, 1536
	r := rand.New(rand.NewPCG(9, 10))
	x, w, bias, c := random(r, rows*k, 1), random(r, k*n, 1), make([]float32, n), make([]float32, rows*n)
	panels, scale := PackBytes(w, n, k)
	for _, s := range Available() {
		b.Run(s.Name+"/floats", func(b *testing.B) {
			for b.Loop() {
				s.Float(c, n, x, k, rows, k, w, n, bias)
			}
		})
		b.Run(s.Name+"/bytes", func(b *testing.B) {
			var q Rows
			for b.Loop() {
				s.Quantise(&q, x, k, rows, k)
				s.Bytes(c, n, &q, rows, panels, n, scale, bias)
			}
		})
	}
}

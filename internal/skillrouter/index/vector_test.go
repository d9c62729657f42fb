package index

import (
	"math/rand/v2"
	"testing"
)

func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		a, b, want := make([]int8, n), make([]int8, n), int32(0)
		for i := range n {
			a[i], b[i] = int8(r.IntN(255)-127), int8(r.IntN(255)-127)
			want += int32(a[i]) * int32(b[i])
		}
		if got := dot(a, b); got != want {
			t.Errorf("%d values: %d, want %d", n, got, want)
		}
	}
}

func BenchmarkCosine(b *testing.B) {
	v := Vector{Scale: 1, Steps: make([]int8, 384)}
	for b.Loop() {
		v.Cosine(v)
	}
}

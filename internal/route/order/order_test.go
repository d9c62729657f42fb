package order

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLikePackageSlices: both sort as package slices does.
func TestLikePackageSlices(t *testing.T) {
	type pair struct{ key, place int }
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 11, 12, 13, 100, 1000} {
		list := make([]pair, n)
		for i := range list {
			list[i] = pair{random.IntN(n/3 + 1), i}
		}
		byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
		want, stable, any := slices.Clone(list), slices.Clone(list), slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		if Stable(stable, byKey); !slices.Equal(stable, want) {
			t.Errorf("Stable of %d: %v, want %v", n, stable, want)
		}
		if By(any, byKey); !slices.EqualFunc(any, want, func(a, b pair) bool { return a.key == b.key }) {
			t.Errorf("By of %d: %v, want %v", n, any, want)
		}
	}
}

package kernel

import "math"

// PackFloat writes a matrix of n rows and k columns, the way a checkpoint
// holds the weights of x·Wᵀ, as panels of its transpose. It may be called for
// parts of n, each a multiple of [Width].
func PackFloat(w []float32, n, k int) []float32 {
	check(n%Width == 0 && k%Width == 0 && len(w) == n*k)
	panels := make([]float32, 0, n*k)
	for j := 0; j < n; j += Width {
		for kk := range k {
			for jj := range Width {
				panels = append(panels, w[(j+jj)*k+kk])
			}
		}
	}
	return panels
}

// PackBytes does the same in bytes: a column's largest weight becomes 127, and
// scale says what 1 stands for.
func PackBytes(w []float32, n, k int) (panels []int8, scale []float32) {
	check(n%Width == 0 && k%Width == 0 && len(w) == n*k)
	scale = make([]float32, n)
	panels = make([]int8, n*k)
	for j := range n {
		row := w[j*k : (j+1)*k]
		s, factor := rowScale(magnitude(row), 127)
		scale[j] = s
		panel := panels[(j/Width)*Width*k:]
		for kk, v := range row {
			panel[(kk/2)*2*Width+2*(j%Width)+kk%2] = int8(math.RoundToEven(float64(v * factor)))
		}
	}
	return panels, scale
}

// QuantiseRow writes x in bytes, its largest value as ±127, and returns what 1
// stands for.
func QuantiseRow(to []int8, x []float32) (scale float32) {
	scale, factor := rowScale(magnitude(x), 127)
	for i, v := range x {
		to[i] = int8(math.RoundToEven(float64(v * factor)))
	}
	return scale
}

package kernel

import "math"

// portable is every loop in plain Go: what the others are compared with, and
// what runs where there is nothing better.
var portable = Set{
	Name:      "go",
	float:     floatGo,
	bytes:     bytesGo,
	quantise:  quantiseGo,
	gelu:      geluGo,
	softmax:   softmaxGo,
	layerNorm: layerNormGo,
}

func floatGo(c []float32, ldc int, a []float32, lda, rows, k int, b []float32, n int, bias []float32) {
	for j := 0; j < n; j += Width {
		panel := b[j*k : (j+Width)*k]
		for i := range rows {
			var sum [Width]float32
			if bias != nil {
				copy(sum[:], bias[j:j+Width])
			}
			for kk, x := range a[i*lda : i*lda+k] {
				w := (*[Width]float32)(panel[kk*Width:])
				for jj := range sum {
					sum[jj] += x * w[jj]
				}
			}
			copy(c[i*ldc+j:i*ldc+j+Width], sum[:])
		}
	}
}

func bytesGo(c []float32, ldc int, q []int16, rowScale []float32, rows, k int, b []int8, n int, scale, bias []float32) {
	for j := 0; j < n; j += Width {
		panel := b[j*k : (j+Width)*k]
		for i := range rows {
			var sum [Width]int32
			row := q[i*k : (i+1)*k]
			for kk := 0; kk < k; kk += 2 {
				w := (*[2 * Width]int8)(panel[kk*Width:])
				x, y := int32(row[kk]), int32(row[kk+1])
				for jj := range sum {
					sum[jj] += x*int32(w[2*jj]) + y*int32(w[2*jj+1])
				}
			}
			out := c[i*ldc+j : i*ldc+j+Width]
			for jj := range out {
				out[jj] = float32(sum[jj])*(rowScale[i]*scale[j+jj]) + bias[j+jj]
			}
		}
	}
}

func quantiseGo(q []int16, x []float32) float32 {
	scale, factor := rowScale(magnitude(x), levels(len(x)))
	if factor == 0 {
		clear(q)
		return scale
	}
	for i, v := range x {
		q[i] = int16(math.RoundToEven(float64(v * factor)))
	}
	return scale
}

// magnitude is the largest |x|; where one is no number, so is the result.
func magnitude(x []float32) float32 {
	largest := uint32(0)
	for _, v := range x {
		largest = max(largest, math.Float32bits(v)&0x7fffffff)
	}
	return math.Float32frombits(largest)
}

// rowScale is what 1 stands for in a row whose largest magnitude becomes
// levels, and what turns the row's values into integers. A factor of 0 is a row
// of zeros, or, where the scale is no number either, one that cannot be had.
func rowScale(largest, levels float32) (scale, factor float32) {
	switch {
	case largest < 1e-30:
		return 0, 0
	case largest < 1e30:
		return largest / levels, levels / largest
	}
	return float32(math.NaN()), 0
}

func geluGo(x []float32) {
	for i, v := range x {
		x[i] = float32(0.5 * float64(v) * math.Erfc(-float64(v)*math.Sqrt2/2))
	}
}

func softmaxGo(x []float32, scale float32) {
	largest := float32(math.Inf(-1))
	for _, v := range x {
		largest = max(largest, v*scale)
	}
	var sum float64
	for i, v := range x {
		e := math.Exp(float64(v*scale - largest))
		sum += e
		x[i] = float32(e)
	}
	for i := range x {
		x[i] = float32(float64(x[i]) / sum)
	}
}

func layerNormGo(out, x, residual, gamma, beta []float32, epsilon float32) {
	var sum float64
	for i, v := range x {
		v += residual[i]
		out[i] = v
		sum += float64(v)
	}
	mean := float32(sum / float64(len(x)))
	var squares float64
	for _, v := range out {
		squares += float64(v-mean) * float64(v-mean)
	}
	inverse := float32(1 / math.Sqrt(squares/float64(len(x))+float64(epsilon)))
	for i, v := range out {
		out[i] = (v-mean)*inverse*gamma[i] + beta[i]
	}
}

package kernel

import "math"

// portable is every loop in plain Go: what the others are compared with, and
// what runs where there is nothing better.
var portable = Set{
	Name:      "go",
	float:     floatGo,
	bytes:     bytesGo,
	quantise:  quantiseGo,
	bias:      biasGo,
	gelu:      geluGo,
	softmax:   softmaxGo,
	layerNorm: layerNormGo,
}

func floatGo(c []float32, ldc int, a []float32, lda, rows, k int, panel []float32) {
	for i := range rows {
		var sum [Width]float32
		for kk, x := range a[i*lda : i*lda+k] {
			b := (*[Width]float32)(panel[kk*Width:])
			for j := range sum {
				sum[j] += x * b[j]
			}
		}
		copy(c[i*ldc:i*ldc+Width], sum[:])
	}
}

func bytesGo(c []float32, ldc int, q []int16, rowScale []float32, rows, k int, panel []int8, scale, bias []float32) {
	for i := range rows {
		var sum [Width]int32
		row := q[i*k : (i+1)*k]
		for kk := 0; kk < k; kk += 2 {
			b := (*[2 * Width]int8)(panel[kk*Width:])
			x, y := int32(row[kk]), int32(row[kk+1])
			for j := range sum {
				sum[j] += x*int32(b[2*j]) + y*int32(b[2*j+1])
			}
		}
		out := c[i*ldc : i*ldc+Width]
		for j := range out {
			out[j] = float32(sum[j])*(rowScale[i]*scale[j]) + bias[j]
		}
	}
}

func quantiseGo(q []int16, x []float32) float32 {
	scale, factor := rowScale(x, levels(len(x)))
	for i, v := range x {
		q[i] = int16(math.RoundToEven(float64(v * factor)))
	}
	return scale
}

// rowScale is what 1 stands for in a row whose largest value becomes levels,
// and what turns the row's values into integers. A row of zeros, or one with a
// value that is no number, becomes zeros.
func rowScale(x []float32, levels float32) (scale, factor float32) {
	var largest float32
	for _, v := range x {
		if v < 0 {
			v = -v
		}
		if !(v <= largest) { // also where v is no number
			largest = v
		}
	}
	if !(largest >= 1e-30) || largest > 1e30 {
		return 0, 0
	}
	return largest / levels, levels / largest
}

func biasGo(c, bias []float32) {
	for i, b := range bias {
		c[i] += b
	}
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
		if residual != nil {
			v += residual[i]
		}
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

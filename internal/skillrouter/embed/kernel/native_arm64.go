package kernel

func native() []*Set {
	return []*Set{{
		Name: "neon", float: floatBy([][]floatTile{floatNEON[0][:]}), bytes: bytesBy([][]bytesTile{bytesNEON[0][:]}),
		quantise: quantiseNEON, gelu: func(x []float32) { geluNEON(&x[0], len(x)) }, softmax: softmaxNEON, layerNorm: layerNormNEON,
	}}
}

//go:noescape
func geluNEON(x *float32, n int)

//go:noescape
func largestNEON(x *float32, n int) float32

//go:noescape
func exponentialsNEON(x *float32, n int, largest, scale float32) float32

//go:noescape
func scaleNEON(x *float32, n int, factor float32)

//go:noescape
func magnitudeNEON(x *float32, n int) float32

//go:noescape
func roundNEON(q *int16, x *float32, n int, factor float32)

//go:noescape
func normNEON(out, x, residual, gamma, beta *float32, n int, inverse, epsilon float32)

func quantiseNEON(q []int16, x []float32) float32 {
	scale, factor := rowScale(magnitudeNEON(&x[0], len(x)), levels(len(x)))
	if factor == 0 {
		clear(q)
		return scale
	}
	roundNEON(&q[0], &x[0], len(x), factor)
	return scale
}

func softmaxNEON(x []float32, scale float32) {
	sum := exponentialsNEON(&x[0], len(x), largestNEON(&x[0], len(x)), scale)
	scaleNEON(&x[0], len(x), 1/sum)
}

func layerNormNEON(out, x, residual, gamma, beta []float32, epsilon float32) {
	normNEON(&out[0], &x[0], &residual[0], &gamma[0], &beta[0], len(x), 1/float32(len(x)), epsilon)
}

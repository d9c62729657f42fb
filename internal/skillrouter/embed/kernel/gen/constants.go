package main

import "math"

// Constants of exp and of x·Φ(x), which all implementations share.
//
// e^x is 2^n·e^r with n the integer nearest to x/ln 2, and e^r is Taylor's
// polynomial of degree 6: |r| ≤ ln2/2, so that what it leaves out is below
// 1.2e-7 of the value. ln 2 is split in two, the first part so short that its
// products with n are exact.
//
// x·Φ(x) is max(x,0) − |x|·h(|x|) with h(a) = Φ(−a) = e^−g(a). g is a
// polynomial of degree 7, fitted on 0 ≤ a ≤ 8 with weight a·h(a) by Lawson's
// iteration over Chebyshev nodes: the result is within 5e-8 everywhere. Beyond
// 8 it is 0 to this precision.
var (
	expPolynomial  = []float64{1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1}
	tailPolynomial = []float64{
		-2.185682205890771e-06, -1.9324228617279005e-07, 0.0004407453816384077, -0.005413859151303768,
		0.03682247921824455, 0.31810498237609863, 0.7979252934455872, 0.6931445002555847,
	}
)

const (
	log2e   = math.Log2E
	ln2High = 0.693359375
	ln2Low  = math.Ln2 - ln2High
	expLow  = -87 // e^−87 is the smallest value that is not denormal, nearly
	tailEnd = 8
)

func bits(v float64) uint32 { return math.Float32bits(float32(v)) }

// sorted walks over a table in the order of its places.
func sorted(index map[uint32]int) func(yield func(uint32, int) bool) {
	order := make([]uint32, len(index))
	for bits, i := range index {
		order[i] = bits
	}
	return func(yield func(uint32, int) bool) {
		for i, bits := range order {
			if !yield(bits, i) {
				return
			}
		}
	}
}

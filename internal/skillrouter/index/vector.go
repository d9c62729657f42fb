package index

import "math"

// A Vector is an embedding of length one in steps of Scale: 8 bits a
// dimension lose less than a thousandth of a cosine, and four times as many
// vectors are read in the same time.
type Vector struct {
	Scale float32
	Steps []int8
}

// NewVector quantises an embedding, of any length but zero. One that is zero,
// or not a number, gives the vector without direction, whose cosines are 0.
func NewVector(embedding []float32) Vector {
	sum, most := 0.0, 0.0
	for _, x := range embedding {
		sum += float64(x) * float64(x)
		most = max(most, math.Abs(float64(x)))
	}
	v := Vector{Steps: make([]int8, len(embedding))}
	norm := math.Sqrt(sum)
	if norm == 0 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return v
	}
	step := most / 127
	for i, x := range embedding {
		v.Steps[i] = int8(math.Round(float64(x) / step))
	}
	v.Scale = float32(step / norm)
	return v
}

// Cosine is the cosine of two vectors, 0 when either is missing.
func (v Vector) Cosine(w Vector) float64 {
	if len(v.Steps) != len(w.Steps) {
		return 0
	}
	return max(-1, min(1, float64(dot(v.Steps, w.Steps))*float64(v.Scale)*float64(w.Scale)))
}

// dot is in four sums, which do not wait for each other: a prompt is compared
// with thousands of vectors.
func dot(a, b []int8) int32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 int32
	for len(a) >= 4 && len(b) >= 4 {
		s0 += int32(a[0]) * int32(b[0])
		s1 += int32(a[1]) * int32(b[1])
		s2 += int32(a[2]) * int32(b[2])
		s3 += int32(a[3]) * int32(b[3])
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += int32(x) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}

// Empty reports whether the vector was never computed.
func (v Vector) Empty() bool { return len(v.Steps) == 0 }

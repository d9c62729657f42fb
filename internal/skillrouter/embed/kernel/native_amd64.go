package kernel

import "golang.org/x/sys/cpu"

func native() (sets []*Set) {
	x := cpu.X86
	if !x.HasAVX2 || !x.HasFMA {
		return nil
	}
	steps := Set{quantise: quantiseAVX2, gelu: func(x []float32) { geluAVX2(&x[0], len(x)) }, softmax: softmaxAVX2, layerNorm: layerNormAVX2}
	add := func(name string, float [][]floatTile, bytes [][]bytesTile) {
		s := steps
		s.Name, s.float, s.bytes = name, floatBy(float), bytesBy(bytes)
		sets = append(sets, &s)
	}
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL {
		float := [][]floatTile{floatAVX512[0][:], floatAVX512[1][:]}
		if x.HasAVX512VNNI {
			add("avx512-vnni", float, [][]bytesTile{bytesVNNI[0][:], bytesVNNI[1][:]})
		}
		add("avx512", float, [][]bytesTile{bytesAVX512[0][:], bytesAVX512[1][:]})
	}
	add("avx2", [][]floatTile{floatAVX2[0][:]}, [][]bytesTile{bytesAVX2[0][:]})
	return sets
}

//go:noescape
func geluAVX2(x *float32, n int)

//go:noescape
func largestAVX2(x *float32, n int) float32

//go:noescape
func exponentialsAVX2(x *float32, n int, largest, scale float32) float32

//go:noescape
func scaleAVX2(x *float32, n int, factor float32)

//go:noescape
func magnitudeAVX2(x *float32, n int) float32

//go:noescape
func roundAVX2(q *int16, x *float32, n int, factor float32)

//go:noescape
func normAVX2(out, x, residual, gamma, beta *float32, n int, inverse, epsilon float32)

func quantiseAVX2(q []int16, x []float32) float32 {
	scale, factor := rowScale(magnitudeAVX2(&x[0], len(x)), levels(len(x)))
	if factor == 0 {
		clear(q)
		return scale
	}
	roundAVX2(&q[0], &x[0], len(x), factor)
	return scale
}

func softmaxAVX2(x []float32, scale float32) {
	sum := exponentialsAVX2(&x[0], len(x), largestAVX2(&x[0], len(x)), scale)
	scaleAVX2(&x[0], len(x), 1/sum)
}

func layerNormAVX2(out, x, residual, gamma, beta []float32, epsilon float32) {
	normAVX2(&out[0], &x[0], &residual[0], &gamma[0], &beta[0], len(x), 1/float32(len(x)), epsilon)
}

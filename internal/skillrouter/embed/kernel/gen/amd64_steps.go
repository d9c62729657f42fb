package main

import "fmt"

// table is constants in memory, each repeated over a register.
type table struct {
	f     *file
	index map[uint32]int
}

// at is the place of a constant.
func (t *table) at(v float64) string { return t.raw(bits(v)) }

func (t *table) raw(bits uint32) string {
	i, ok := t.index[bits]
	if !ok {
		i = len(t.index)
		t.index[bits] = i
	}
	return fmt.Sprintf("constants<>+%d(SB)", 32*i)
}

func (t *table) write() {
	t.f.line("")
	for bits, i := range sorted(t.index) {
		for j := range 4 {
			t.f.line("DATA constants<>+%d(SB)/8, $0x%08x%08x", 32*i+8*j, bits, bits)
		}
	}
	t.f.line("GLOBL constants<>(SB), RODATA|NOPTR, $%d", 32*len(t.index))
}

func amd64Steps(f *file) {
	t := &table{f, map[uint32]int{}}
	geluStep(f, t)
	largestStep(f)
	exponentials(f, t)
	scaleStep(f)
	magnitudeStep(f, t)
	roundStep(f)
	normStep(f)
	t.write()
}

// exp turns the register x into e^x, for values from expLow up to 0; n and p
// are clobbered, p is the result.
func exp(f *file, t *table, x, n, p string) {
	f.op("VMAXPS %s, %s, %s", t.at(expLow), x, x)
	f.op("VMULPS %s, %s, %s", t.at(log2e), x, n)
	f.op("VROUNDPS $0, %s, %s", n, n)
	f.op("VFNMADD231PS %s, %s, %s", t.at(ln2High), n, x)
	f.op("VFNMADD231PS %s, %s, %s", t.at(ln2Low), n, x)
	f.op("VMOVUPS %s, %s", t.at(expPolynomial[0]), p)
	for _, c := range expPolynomial[1:] {
		f.op("VFMADD213PS %s, %s, %s", t.at(c), x, p)
	}
	f.op("VCVTPS2DQ %s, %s", n, n)
	f.op("VPSLLD $23, %s, %s", n, n)
	f.op("VPADDD %s, %s, %s", n, p, p)
}

// geluStep: x·Φ(x) in place, of a multiple of 16 values.
func geluStep(f *file, t *table) {
	f.function("geluAVX2", 16, "MOVQ", [2]string{"x", "DI"}, [2]string{"n", "CX"})
	f.label("loop")
	for u := range 2 {
		x, a, p, n, e := fmt.Sprintf("Y%d", 8*u), fmt.Sprintf("Y%d", 8*u+1), fmt.Sprintf("Y%d", 8*u+2), fmt.Sprintf("Y%d", 8*u+3), fmt.Sprintf("Y%d", 8*u+4)
		f.op("VMOVUPS %d(DI), %s", 32*u, x)
		f.op("VANDPS %s, %s, %s", t.raw(0x7fffffff), x, a)
		f.op("VMINPS %s, %s, %s", t.at(tailEnd), a, n)
		f.op("VMOVUPS %s, %s", t.at(-tailPolynomial[0]), p)
		for _, c := range tailPolynomial[1:] {
			f.op("VFMADD213PS %s, %s, %s", t.at(-c), n, p)
		}
		exp(f, t, p, n, e)
		f.op("VXORPS %[1]s, %[1]s, %[1]s", n)
		f.op("VMAXPS %s, %s, %s", x, n, x) // of two, the second where one is no number
		f.op("VFNMADD231PS %s, %s, %s", a, e, x)
		f.op("VMOVUPS %s, %d(DI)", x, 32*u)
	}
	f.op("ADDQ $64, DI")
	f.op("SUBQ $16, CX")
	f.op("JNE loop")
	f.op("VZEROUPPER")
	f.op("RET")
}

// fold reduces a register to its first lane with an instruction.
func fold(f *file, instruction, y, x, spare string) {
	f.op("VEXTRACTF128 $1, %s, %s", y, spare)
	f.op("%s %s, %s, %s", instruction, spare, x, x)
	f.op("VPSHUFD $0x4e, %s, %s", x, spare)
	f.op("%s %s, %s, %s", instruction, spare, x, x)
	f.op("VPSHUFD $0xb1, %s, %s", x, spare)
	f.op("%s %s, %s, %s", instruction, spare, x, x)
}

// largestStep: the largest of a multiple of 16 values.
func largestStep(f *file) {
	f.function("largestAVX2", 20, "MOVQ", [2]string{"x", "DI"}, [2]string{"n", "CX"})
	f.op("VMOVUPS (DI), Y0")
	f.op("VMOVAPS Y0, Y1")
	f.label("loop")
	f.op("VMAXPS (DI), Y0, Y0")
	f.op("VMAXPS 32(DI), Y1, Y1")
	f.op("ADDQ $64, DI")
	f.op("SUBQ $16, CX")
	f.op("JNE loop")
	f.op("VMAXPS Y1, Y0, Y0")
	fold(f, "VMAXPS", "Y0", "X0", "X1")
	f.op("VMOVSS X0, ret+16(FP)")
	f.op("VZEROUPPER")
	f.op("RET")
}

// exponentials: x becomes e^((x − largest)·scale), of a multiple of 16 values;
// the result is their sum.
func exponentials(f *file, t *table) {
	f.function("exponentialsAVX2", 28, "MOVQ", [2]string{"x", "DI"}, [2]string{"n", "CX"})
	f.op("VBROADCASTSS largest+16(FP), Y14")
	f.op("VBROADCASTSS scale+20(FP), Y15")
	f.op("VXORPS Y12, Y12, Y12")
	f.op("VXORPS Y13, Y13, Y13")
	f.label("loop")
	for u := range 2 {
		x, n, p := fmt.Sprintf("Y%d", 4*u), fmt.Sprintf("Y%d", 4*u+1), fmt.Sprintf("Y%d", 4*u+2)
		f.op("VMOVUPS %d(DI), %s", 32*u, x)
		f.op("VSUBPS Y14, %s, %s", x, x)
		f.op("VMULPS Y15, %s, %s", x, x)
		exp(f, t, x, n, p)
		f.op("VADDPS %s, Y%d, Y%d", p, 12+u, 12+u)
		f.op("VMOVUPS %s, %d(DI)", p, 32*u)
	}
	f.op("ADDQ $64, DI")
	f.op("SUBQ $16, CX")
	f.op("JNE loop")
	f.op("VADDPS Y13, Y12, Y0")
	fold(f, "VADDPS", "Y0", "X0", "X1")
	f.op("VMOVSS X0, ret+24(FP)")
	f.op("VZEROUPPER")
	f.op("RET")
}

// scaleStep: x becomes x·factor, of a multiple of 16 values.
func scaleStep(f *file) {
	f.function("scaleAVX2", 20, "MOVQ", [2]string{"x", "DI"}, [2]string{"n", "CX"})
	f.op("VBROADCASTSS factor+16(FP), Y2")
	f.label("loop")
	f.op("VMULPS (DI), Y2, Y0")
	f.op("VMULPS 32(DI), Y2, Y1")
	f.op("VMOVUPS Y0, (DI)")
	f.op("VMOVUPS Y1, 32(DI)")
	f.op("ADDQ $64, DI")
	f.op("SUBQ $16, CX")
	f.op("JNE loop")
	f.op("VZEROUPPER")
	f.op("RET")
}

// magnitudeStep: the largest |x| of a multiple of 16 values. They are compared
// as integers, so that what is no number is larger than all that are.
func magnitudeStep(f *file, t *table) {
	f.function("magnitudeAVX2", 20, "MOVQ", [2]string{"x", "DI"}, [2]string{"n", "CX"})
	f.op("VMOVUPS %s, Y4", t.raw(0x7fffffff))
	f.op("VPXOR Y0, Y0, Y0")
	f.op("VPXOR Y1, Y1, Y1")
	f.label("loop")
	f.op("VPAND (DI), Y4, Y2")
	f.op("VPAND 32(DI), Y4, Y3")
	f.op("VPMAXSD Y2, Y0, Y0")
	f.op("VPMAXSD Y3, Y1, Y1")
	f.op("ADDQ $64, DI")
	f.op("SUBQ $16, CX")
	f.op("JNE loop")
	f.op("VPMAXSD Y1, Y0, Y0")
	fold(f, "VPMAXSD", "Y0", "X0", "X1")
	f.op("VMOVSS X0, ret+16(FP)")
	f.op("VZEROUPPER")
	f.op("RET")
}

// roundStep: q becomes x·factor, rounded to the nearest integer, of a multiple
// of 16 values.
func roundStep(f *file) {
	f.function("roundAVX2", 28, "MOVQ", [2]string{"q", "DX"}, [2]string{"x", "DI"}, [2]string{"n", "CX"})
	f.op("VBROADCASTSS factor+24(FP), Y2")
	f.label("loop")
	f.op("VMULPS (DI), Y2, Y0")
	f.op("VMULPS 32(DI), Y2, Y1")
	f.op("VCVTPS2DQ Y0, Y0")
	f.op("VCVTPS2DQ Y1, Y1")
	f.op("VPACKSSDW Y1, Y0, Y0")
	f.op("VPERMQ $0xd8, Y0, Y0")
	f.op("VMOVDQU Y0, (DX)")
	f.op("ADDQ $64, DI")
	f.op("ADDQ $32, DX")
	f.op("SUBQ $16, CX")
	f.op("JNE loop")
	f.op("VZEROUPPER")
	f.op("RET")
}

// normStep: out becomes (x + residual − mean)·gamma/σ + beta, of a multiple of
// 16 values; σ² is the mean square plus epsilon.
func normStep(f *file) {
	f.function("normAVX2", 56, "MOVQ", [2]string{"out", "DX"}, [2]string{"x", "DI"}, [2]string{"residual", "SI"},
		[2]string{"gamma", "R8"}, [2]string{"beta", "R9"}, [2]string{"n", "CX"})
	f.op("VXORPS Y0, Y0, Y0")
	f.op("VXORPS Y1, Y1, Y1")
	f.op("XORQ AX, AX")
	f.op("SHLQ $2, CX")
	f.label("sum")
	for u := range 2 {
		f.op("VMOVUPS %d(DI)(AX*1), Y%d", 32*u, 2+u)
		f.op("VADDPS %d(SI)(AX*1), Y%d, Y%d", 32*u, 2+u, 2+u)
		f.op("VMOVUPS Y%d, %d(DX)(AX*1)", 2+u, 32*u)
		f.op("VADDPS Y%d, Y%d, Y%d", 2+u, u, u)
	}
	f.op("ADDQ $64, AX")
	f.op("CMPQ AX, CX")
	f.op("JLT sum")
	f.op("VADDPS Y1, Y0, Y0")
	fold(f, "VADDPS", "Y0", "X0", "X1")
	f.op("VMULSS inverse+48(FP), X0, X0")
	f.op("VBROADCASTSS X0, Y15") // mean
	f.op("VXORPS Y0, Y0, Y0")
	f.op("VXORPS Y1, Y1, Y1")
	f.op("XORQ AX, AX")
	f.label("squares")
	for u := range 2 {
		f.op("VMOVUPS %d(DX)(AX*1), Y%d", 32*u, 2+u)
		f.op("VSUBPS Y15, Y%d, Y%d", 2+u, 2+u)
		f.op("VFMADD231PS Y%d, Y%d, Y%d", 2+u, 2+u, u)
	}
	f.op("ADDQ $64, AX")
	f.op("CMPQ AX, CX")
	f.op("JLT squares")
	f.op("VADDPS Y1, Y0, Y0")
	fold(f, "VADDPS", "Y0", "X0", "X1")
	f.op("VMULSS inverse+48(FP), X0, X0")
	f.op("VADDSS epsilon+52(FP), X0, X0")
	f.op("VSQRTSS X0, X0, X0")
	f.op("MOVL $0x3f800000, BX")
	f.op("VMOVD BX, X1")
	f.op("VDIVSS X0, X1, X0")
	f.op("VBROADCASTSS X0, Y14") // 1/σ
	f.op("XORQ AX, AX")
	f.label("write")
	for u := range 2 {
		f.op("VMOVUPS %d(DX)(AX*1), Y%d", 32*u, 2+u)
		f.op("VSUBPS Y15, Y%d, Y%d", 2+u, 2+u)
		f.op("VMULPS Y14, Y%d, Y%d", 2+u, 2+u)
		f.op("VMOVUPS %d(R8)(AX*1), Y%d", 32*u, 4+u)
		f.op("VFMADD213PS %d(R9)(AX*1), Y%d, Y%d", 32*u, 4+u, 2+u)
		f.op("VMOVUPS Y%d, %d(DX)(AX*1)", 2+u, 32*u)
	}
	f.op("ADDQ $64, AX")
	f.op("CMPQ AX, CX")
	f.op("JLT write")
	f.op("VZEROUPPER")
	f.op("RET")
}

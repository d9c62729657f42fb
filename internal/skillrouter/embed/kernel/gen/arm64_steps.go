package main

// neonTable is constants in memory, each once: a loop loads what it needs into
// registers before it begins, each into all four parts.
type neonTable struct {
	f     *file
	index map[uint32]int
}

func (t *neonTable) load(bits uint32, register int) {
	i, ok := t.index[bits]
	if !ok {
		i = len(t.index)
		t.index[bits] = i
	}
	t.f.op("ADD $%d, R20, R21", 4*i)
	t.f.op("VLD1R (R21), [V%d.S4]", register)
}

func (t *neonTable) write() {
	t.f.line("")
	for bits, i := range sorted(t.index) {
		t.f.line("DATA constants<>+%d(SB)/4, $0x%08x", 4*i, bits)
	}
	t.f.line("GLOBL constants<>(SB), RODATA|NOPTR, $%d", 4*len(t.index))
}

// table begins a function that uses constants.
func (t *neonTable) begin() { t.f.op("MOVD $constants<>(SB), R20") }

// expConstants loads what neonExp needs to V18 and above.
func (t *neonTable) expConstants() {
	t.load(bits(expLow), 18)
	t.load(bits(log2e), 19)
	t.load(bits(ln2High), 20)
	t.load(bits(ln2Low), 21)
	for i, c := range expPolynomial[:6] {
		t.load(bits(c), 22+i)
	}
}

// neonExp turns x into e^x, in place, for values from expLow up to 0; n and s
// are clobbered. The last two coefficients are both 1.
func neonExp(f *file, x, n, s int) {
	f.word("fmax", fmax, x, x, 18)
	f.word("fmul", fmul, n, x, 19)
	f.word("frintn", frintn, n, n)
	f.word("fmls", fmls, x, n, 20)
	f.word("fmls", fmls, x, n, 21)
	p := 22
	for i := range 6 {
		c := 23 + i
		if i >= 5 {
			c = 27
		}
		target := s + i%2
		f.op("VMOV V%d.B16, V%d.B16", c, target)
		f.word("fmla", fmla, target, p, x)
		p = target
	}
	f.word("fcvtns", fcvtns, n, n)
	f.word("shl #23", shl23, n, n)
	f.word("add", addInt, x, p, n)
}

func arm64Steps(f *file) {
	t := &neonTable{f, map[uint32]int{}}
	neonGELU(f, t)
	neonLargest(f)
	neonExponentials(f, t)
	neonScale(f)
	neonMagnitude(f)
	neonRound(f)
	neonNorm(f)
	t.write()
}

const neonFour = "[V0.S4, V1.S4, V2.S4, V3.S4]"

// next closes a loop over 16 values at a time.
func neonNext(f *file, label string) {
	f.op("SUBS $16, R1, R1")
	f.op("BNE %s", label)
}

func neonGELU(f *file, t *neonTable) {
	f.function("geluNEON", 16, "MOVD", [2]string{"x", "R0"}, [2]string{"n", "R1"})
	t.begin()
	t.expConstants()
	t.load(bits(tailEnd), 28)
	for i, c := range tailPolynomial {
		t.load(bits(-c), 8+i)
	}
	f.op("VEOR V29.B16, V29.B16, V29.B16")
	f.label("loop")
	for range 4 {
		f.op("VLD1 (R0), [V0.S4]")
		f.word("fabs", fabs, 1, 0)
		f.word("fmin", fmin, 2, 1, 28)
		p := 8
		for i := range 7 {
			target := 3 + i%2
			f.op("VMOV V%d.B16, V%d.B16", 9+i, target)
			f.word("fmla", fmla, target, p, 2)
			p = target
		}
		neonExp(f, p, 5, 6)
		f.word("fmax", fmax, 0, 0, 29)
		f.word("fmls", fmls, 0, 1, p)
		f.op("VST1.P [V0.S4], 16(R0)")
	}
	neonNext(f, "loop")
	f.op("RET")
}

func neonLargest(f *file) {
	f.function("largestNEON", 20, "MOVD", [2]string{"x", "R0"}, [2]string{"n", "R1"})
	f.op("VLD1 (R0), [V4.S4]")
	f.label("loop")
	f.op("VLD1.P 64(R0), %s", neonFour)
	for j := range 4 {
		f.word("fmax", fmax, 4, 4, j)
	}
	neonNext(f, "loop")
	f.word("fmaxv", fmaxv, 0, 4)
	f.op("FMOVS F0, ret+16(FP)")
	f.op("RET")
}

func neonExponentials(f *file, t *neonTable) {
	f.function("exponentialsNEON", 28, "MOVD", [2]string{"x", "R0"}, [2]string{"n", "R1"})
	t.begin()
	t.expConstants()
	f.op("FMOVS largest+16(FP), F14")
	f.word("dup", dupS, 14, 14)
	f.op("FMOVS scale+20(FP), F15")
	f.word("dup", dupS, 15, 15)
	f.op("VEOR V16.B16, V16.B16, V16.B16")
	f.label("loop")
	for range 4 {
		f.op("VLD1 (R0), [V0.S4]")
		f.word("fsub", fsub, 0, 0, 14)
		f.word("fmul", fmul, 0, 0, 15)
		neonExp(f, 0, 1, 2)
		f.word("fadd", fadd, 16, 16, 0)
		f.op("VST1.P [V0.S4], 16(R0)")
	}
	neonNext(f, "loop")
	f.word("faddp", faddp, 0, 16, 16)
	f.word("faddp", faddp, 0, 0, 0)
	f.op("FMOVS F0, ret+24(FP)")
	f.op("RET")
}

func neonScale(f *file) {
	f.function("scaleNEON", 20, "MOVD", [2]string{"x", "R0"}, [2]string{"n", "R1"})
	f.op("FMOVS factor+16(FP), F4")
	f.word("dup", dupS, 4, 4)
	f.label("loop")
	f.op("VLD1 (R0), %s", neonFour)
	for j := range 4 {
		f.word("fmul", fmul, j, j, 4)
	}
	f.op("VST1.P %s, 64(R0)", neonFour)
	neonNext(f, "loop")
	f.op("RET")
}

// neonMagnitude compares as integers, so that what is no number is larger than
// all that are.
func neonMagnitude(f *file) {
	f.function("magnitudeNEON", 20, "MOVD", [2]string{"x", "R0"}, [2]string{"n", "R1"})
	f.op("VEOR V4.B16, V4.B16, V4.B16")
	f.label("loop")
	f.op("VLD1.P 64(R0), %s", neonFour)
	for j := range 4 {
		f.word("fabs", fabs, j, j)
		f.word("umax", umax, 4, 4, j)
	}
	neonNext(f, "loop")
	f.word("umaxv", umaxv, 0, 4)
	f.op("FMOVS F0, ret+16(FP)")
	f.op("RET")
}

func neonRound(f *file) {
	f.function("roundNEON", 28, "MOVD", [2]string{"q", "R2"}, [2]string{"x", "R0"}, [2]string{"n", "R1"})
	f.op("FMOVS factor+24(FP), F8")
	f.word("dup", dupS, 8, 8)
	f.label("loop")
	f.op("VLD1.P 64(R0), %s", neonFour)
	for j := range 4 {
		f.word("fmul", fmul, j, j, 8)
		f.word("fcvtns", fcvtns, j, j)
	}
	for j := range 2 {
		f.word("sqxtn", sqxtn, 4+j, 2*j)
		f.word("sqxtn2", sqxtn2, 4+j, 2*j+1)
	}
	f.op("VST1.P [V4.H8, V5.H8], 32(R2)")
	neonNext(f, "loop")
	f.op("RET")
}

func neonNorm(f *file) {
	f.function("normNEON", 56, "MOVD", [2]string{"out", "R2"}, [2]string{"x", "R0"}, [2]string{"residual", "R3"},
		[2]string{"gamma", "R4"}, [2]string{"beta", "R5"}, [2]string{"n", "R6"})
	f.op("FMOVS inverse+48(FP), F28")
	f.op("FMOVS epsilon+52(FP), F29")
	pass := func(label string, body func()) {
		f.op("MOVD R6, R1")
		f.op("MOVD R2, R7")
		f.op("VEOR V16.B16, V16.B16, V16.B16")
		f.label(label)
		body()
		neonNext(f, label)
		f.word("faddp", faddp, 16, 16, 16)
		f.word("faddp", faddp, 16, 16, 16)
	}
	pass("sum", func() {
		f.op("VLD1.P 64(R0), %s", neonFour)
		f.op("VLD1.P 64(R3), [V4.S4, V5.S4, V6.S4, V7.S4]")
		for j := range 4 {
			f.word("fadd", fadd, j, j, 4+j)
			f.word("fadd", fadd, 16, 16, j)
		}
		f.op("VST1.P %s, 64(R7)", neonFour)
	})
	f.op("FMULS F28, F16, F30")
	f.word("dup", dupS, 30, 30) // mean
	pass("squares", func() {
		f.op("VLD1.P 64(R7), %s", neonFour)
		for j := range 4 {
			f.word("fsub", fsub, j, j, 30)
			f.word("fmla", fmla, 16, j, j)
		}
	})
	f.op("FMULS F28, F16, F31")
	f.op("FADDS F29, F31, F31")
	f.op("FSQRTS F31, F31")
	f.op("FMOVS $1.0, F0")
	f.op("FDIVS F31, F0, F31")
	f.word("dup", dupS, 31, 31) // 1/σ
	pass("write", func() {
		f.op("VLD1 (R7), %s", neonFour)
		f.op("VLD1.P 64(R4), [V4.S4, V5.S4, V6.S4, V7.S4]")
		f.op("VLD1.P 64(R5), [V8.S4, V9.S4, V10.S4, V11.S4]")
		for j := range 4 {
			f.word("fsub", fsub, j, j, 30)
			f.word("fmul", fmul, j, j, 31)
			f.word("fmla", fmla, 8+j, j, 4+j)
		}
		f.op("VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], 64(R7)")
	})
	f.op("RET")
}

func arm64Tiles(f *file) {
	f.line("package kernel")
	tiles(f, "float", "NEON", neonRows, 1)
	tiles(f, "bytes", "NEON", neonRows, 1)
}

package main

import "fmt"

// neonRows is the rows of the largest tile: 24 of 32 registers hold its sums.
const neonRows = 6

// neonRow are the registers that walk along the rows.
var neonRow = []string{"R1", "R6", "R7", "R8", "R9", "R10"}

// word writes an instruction that the assembler has no name for.
func (f *file) word(what string, opcode uint32, registers ...int) {
	for i, r := range registers {
		opcode |= uint32(r) << []int{0, 5, 16}[i]
	}
	f.op("WORD $0x%08x // %s", opcode, what)
}

// Instructions on four floats or integers of 32 bits. Operands are the result,
// then the first, then the second.
const (
	smlal  = 0x0e608000 // widening multiply and add, of the lower halves
	smlal2 = 0x4e608000 // of the upper halves
	sxtl   = 0x0f08a400 // bytes to 16 bits, of the lower halves
	sxtl2  = 0x4f08a400
	scvtf  = 0x4e21d800
	fmul   = 0x6e20dc00
	fmla   = 0x4e20cc00
	fmls   = 0x4ea0cc00
	fadd   = 0x4e20d400
	fsub   = 0x4ea0d400

	fmax   = 0x4e20f400
	fmin   = 0x4ea0f400
	fabs   = 0x4ea0f800
	frintn = 0x4e218800
	fcvtns = 0x4e21a800
	addInt = 0x4ea08400
	shl23  = 0x4f375400
	faddp  = 0x6e20d400
	fmaxv  = 0x6e30f800
	umax   = 0x6ea06400
	umaxv  = 0x6eb0a800
	sqxtn  = 0x0e614800 // 32 to 16 bits, into the lower half
	sqxtn2 = 0x4e614800 // into the upper half
	dupS   = 0x4e040400 // the first of four, into all
)

func arm64Products(f *file) {
	for rows := 1; rows <= neonRows; rows++ {
		neonFloat(f, rows)
		neonBytes(f, rows)
	}
}

func neonBases(f *file, rows int) {
	for r := 1; r < rows; r++ {
		f.op("ADD R4, %s, %s", neonRow[r-1], neonRow[r])
	}
}

func neonFloat(f *file, rows int) {
	f.function(fmt.Sprintf("floatNEON_%dx1", rows), 56, "MOVD", [2]string{"c", "R0"}, [2]string{"ldc", "R3"}, [2]string{"a", "R1"}, [2]string{"lda", "R4"},
		[2]string{"k", "R5"}, [2]string{"b", "R2"}, [2]string{"bias", "R11"})
	neonBases(f, rows)
	f.op("VLD1 (R11), [V0.S4, V1.S4, V2.S4, V3.S4]")
	for i := 4; i < 4*rows; i++ {
		f.op("VMOV V%d.B16, V%d.B16", i%4, i)
	}
	f.label("loop")
	f.op("VLD1.P 64(R2), [V24.S4, V25.S4, V26.S4, V27.S4]")
	for r := range rows {
		x := 28 + r%4
		f.op("VLD1R.P 4(%s), [V%d.S4]", neonRow[r], x)
		for j := range 4 {
			f.op("VFMLA V%d.S4, V%d.S4, V%d.S4", x, 24+j, 4*r+j)
		}
	}
	f.op("SUBS $1, R5, R5")
	f.op("BNE loop")
	neonStore(f, rows)
}

func neonStore(f *file, rows int) {
	for r := range rows {
		f.op("VST1 [V%d.S4, V%d.S4, V%d.S4, V%d.S4], (R0)", 4*r, 4*r+1, 4*r+2, 4*r+3)
		if r < rows-1 {
			f.op("ADD R3, R0, R0")
		}
	}
	f.op("RET")
}

// neonBytes widens a pair of the panel's rows to 16 bits, then multiplies four
// columns at a time.
func neonBytes(f *file, rows int) {
	f.function(fmt.Sprintf("bytesNEON_%dx1", rows), 72, "MOVD", [2]string{"c", "R0"}, [2]string{"ldc", "R3"}, [2]string{"q", "R1"}, [2]string{"rowScale", "R12"},
		[2]string{"ldq", "R4"}, [2]string{"k", "R5"}, [2]string{"b", "R2"}, [2]string{"scale", "R13"}, [2]string{"bias", "R11"})
	neonBases(f, rows)
	for i := range 4 * rows {
		f.op("VEOR V%[1]d.B16, V%[1]d.B16, V%[1]d.B16", i)
	}
	f.label("loop")
	f.op("VLD2.P 32(R2), [V24.B16, V25.B16]")
	for i := range 2 {
		f.word("sxtl", sxtl, 26+2*i, 24+i)
		f.word("sxtl2", sxtl2, 27+2*i, 24+i)
	}
	for r := range rows {
		for i := range 2 {
			x := 30 + i
			f.op("VLD1R.P 2(%s), [V%d.H8]", neonRow[r], x)
			for j := range 4 {
				opcode, what := uint32(smlal), "smlal"
				if j%2 == 1 {
					opcode, what = smlal2, "smlal2"
				}
				f.word(what, opcode, 4*r+j, 26+2*i+j/2, x)
			}
		}
	}
	f.op("SUBS $2, R5, R5")
	f.op("BNE loop")
	f.op("VLD1 (R13), [V24.S4, V25.S4, V26.S4, V27.S4]")
	for r := range rows {
		f.op("VLD1R.P 4(R12), [V28.S4]")
		for j := range 4 {
			f.op("VMOV V%d.B16, V%d.B16", 4*r+j, 29)
			f.word("scvtf", scvtf, 29, 29)
			f.word("fmul", fmul, 30, 28, 24+j)
			f.op("FMOVQ %d(R11), F%d", 16*j, 4*r+j)
			f.word("fmla", fmla, 4*r+j, 29, 30)
		}
	}
	neonStore(f, rows)
}

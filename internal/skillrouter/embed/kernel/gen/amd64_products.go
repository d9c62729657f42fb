package main

import "fmt"

// A vector is an extension of amd64.
type vector struct {
	suffix   string // of the functions' names
	register string
	rows     int // of the largest tile
	panels   int // that a tile spans, at the most
	wide     int // registers that hold a panel's row
}

var (
	avx2   = vector{"AVX2", "Y", 6, 1, 2}
	avx512 = vector{"AVX512", "Z", 12, 2, 1}
)

// Registers of a tile's loop: bases of three rows each, and the panels.
var (
	rowBase   = []string{"AX", "BX", "SI", "R11"}
	panelBase = []string{"DI", "R12"}
)

func (v vector) reg(n int) string { return fmt.Sprintf("%s%d", v.register, n) }

// columns is how many registers hold a row of a tile.
func (v vector) columns(panels int) int { return v.wide * panels }

// size is the bytes of a register.
func (v vector) size() int {
	if v.register == "Z" {
		return 64
	}
	return 32
}

// unroll is how many steps of k a loop's body takes: more where a step is
// short.
func (v vector) unroll(rows, panels int) int {
	if rows*v.columns(panels) < 6 {
		return 4
	}
	return 2
}

// row addresses the value at offset of a row.
func row(r, offset int) string {
	return fmt.Sprintf("%d(%s)%s", offset, rowBase[r/3], []string{"", "(R8*1)", "(R8*2)"}[r%3])
}

func amd64Products(f *file) {
	for _, v := range []vector{avx2, avx512} {
		for panels := 1; panels <= v.panels; panels++ {
			for rows := 1; rows <= v.rows; rows++ {
				floatTile(f, v, rows, panels)
				bytesTile(f, v, rows, panels, false)
				if v.register == "Z" {
					bytesTile(f, v, rows, panels, true)
				}
			}
		}
	}
}

// bases fills the registers that address the rows and the panels. A row of a
// panel of floats has 64 bytes, one of bytes 16.
func bases(f *file, rows, panels, panelRow int) {
	for i := 1; 3*i < rows; i++ {
		f.op("LEAQ (%s)(R8*2), %s", rowBase[i-1], rowBase[i])
		f.op("ADDQ R8, %s", rowBase[i])
	}
	if panels == 2 {
		f.op("MOVQ CX, R12")
		f.op("IMULQ $%d, R12", panelRow)
		f.op("ADDQ DI, R12")
	}
}

// advance moves the bases by bytes of a row and of a panel.
func advance(f *file, rows, panels, rowBytes, panelBytes int) {
	for i := 0; 3*i < rows; i++ {
		f.op("ADDQ $%d, %s", rowBytes, rowBase[i])
	}
	for p := range panels {
		f.op("ADDQ $%d, %s", panelBytes, panelBase[p])
	}
}

// floatTile: a tile of rows × panels of float products. Sums begin with the
// bias.
func floatTile(f *file, v vector, rows, panels int) {
	name := fmt.Sprintf("float%s_%dx%d", v.suffix, rows, panels)
	f.function(name, 56, "MOVQ", [2]string{"c", "DX"}, [2]string{"ldc", "R9"}, [2]string{"a", "AX"}, [2]string{"lda", "R8"},
		[2]string{"k", "CX"}, [2]string{"b", "DI"}, [2]string{"bias", "R10"})
	n := v.columns(panels)
	for j := range n {
		f.op("VMOVUPS %d(R10), %s", j*v.size(), v.reg(j))
	}
	for i := n; i < rows*n; i++ {
		f.op("VMOVAPS %s, %s", v.reg(i%n), v.reg(i))
	}
	bases(f, rows, panels, 64)
	step := func(u int) {
		weights, x := rows*n, rows*n+n
		for j := range n {
			f.op("VMOVUPS %d(%s), %s", 64*u+j%v.wide*v.size(), panelBase[j/v.wide], v.reg(weights+j))
		}
		for r := range rows {
			f.op("VBROADCASTSS %s, %s", row(r, 4*u), v.reg(x+r%2))
			for j := range n {
				f.op("VFMADD231PS %s, %s, %s", v.reg(weights+j), v.reg(x+r%2), v.reg(r*n+j))
			}
		}
	}
	unroll := v.unroll(rows, panels)
	f.op("SUBQ $%d, CX", unroll)
	f.op("JLT tail")
	f.label("loop")
	for u := range unroll {
		step(u)
	}
	advance(f, rows, panels, 4*unroll, 64*unroll)
	f.op("SUBQ $%d, CX", unroll)
	f.op("JGE loop")
	f.label("tail")
	f.op("ADDQ $%d, CX", unroll)
	f.op("JEQ done")
	f.label("one")
	step(0)
	advance(f, rows, panels, 4, 64)
	f.op("DECQ CX")
	f.op("JNE one")
	f.label("done")
	store(f, v, rows, n)
}

func store(f *file, v vector, rows, n int) {
	for r := range rows {
		for j := range n {
			f.op("VMOVUPS %s, %d(DX)", v.reg(r*n+j), j*v.size())
		}
		if r < rows-1 {
			f.op("ADDQ R9, DX")
		}
	}
	f.op("VZEROUPPER")
	f.op("RET")
}

// bytesTile: a tile of rows × panels of products of integers of 16 bits with
// bytes. fused is for processors that multiply, add the pair and add to the
// sum in one step.
func bytesTile(f *file, v vector, rows, panels int, fused bool) {
	suffix := v.suffix
	if fused {
		suffix = "VNNI"
	}
	name := fmt.Sprintf("bytes%s_%dx%d", suffix, rows, panels)
	f.function(name, 72, "MOVQ", [2]string{"c", "DX"}, [2]string{"ldc", "R9"}, [2]string{"q", "AX"}, [2]string{"rowScale", "R13"},
		[2]string{"ldq", "R8"}, [2]string{"k", "CX"}, [2]string{"b", "DI"}, [2]string{"scale", "R10"}, [2]string{"bias", "R14"})
	n := v.columns(panels)
	for i := range rows * n {
		if v.register == "Z" {
			f.op("VPXORD %[1]s, %[1]s, %[1]s", v.reg(i))
		} else {
			f.op("VPXOR %[1]s, %[1]s, %[1]s", v.reg(i))
		}
	}
	bases(f, rows, panels, 16)
	weights, x, product := rows*n, rows*n+n, rows*n+n+1
	unroll := v.unroll(rows, panels) // pairs, of which there are a multiple of 8
	f.label("loop")
	for u := range unroll {
		for j := range n {
			f.op("VPMOVSXBW %d(%s), %s", 32*u+j%v.wide*v.size()/2, panelBase[j/v.wide], v.reg(weights+j))
		}
		for r := range rows {
			f.op("VPBROADCASTD %s, %s", row(r, 4*u), v.reg(x))
			for j := range n {
				if fused {
					f.op("VPDPWSSD %s, %s, %s", v.reg(weights+j), v.reg(x), v.reg(r*n+j))
					continue
				}
				f.op("VPMADDWD %s, %s, %s", v.reg(weights+j), v.reg(x), v.reg(product))
				f.op("VPADDD %s, %s, %s", v.reg(product), v.reg(r*n+j), v.reg(r*n+j))
			}
		}
	}
	advance(f, rows, panels, 4*unroll, 32*unroll)
	f.op("SUBQ $%d, CX", 2*unroll)
	f.op("JNE loop")
	for j := range n {
		f.op("VMOVUPS %d(R10), %s", j*v.size(), v.reg(weights+j))
	}
	for r := range rows {
		f.op("VBROADCASTSS %d(R13), %s", 4*r, v.reg(x))
		for j := range n {
			sum := v.reg(r*n + j)
			f.op("VMULPS %s, %s, %s", v.reg(weights+j), v.reg(x), v.reg(product))
			f.op("VCVTDQ2PS %[1]s, %[1]s", sum)
			f.op("VFMADD213PS %d(R14), %s, %s", j*v.size(), v.reg(product), sum)
		}
	}
	store(f, v, rows, n)
}

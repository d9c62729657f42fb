package main

import "fmt"

// tiles declares the functions of one kind of tile, and lists them: the first
// index is panels-1, the second rows-1.
func tiles(f *file, kind, suffix string, rows, panels int) {
	signature := "(c *float32, ldc uintptr, a *float32, lda uintptr, k int, b *float32, bias *float32)"
	if kind == "bytes" {
		signature = "(c *float32, ldc uintptr, q *int16, rowScale *float32, ldq uintptr, k int, b *int8, scale, bias *float32)"
	}
	name := func(p, r int) string { return fmt.Sprintf("%s%s_%dx%d", kind, suffix, r, p) }
	f.line("\nvar %s%s = [%d][%d]%sTile{", kind, suffix, panels, rows, kind)
	for p := 1; p <= panels; p++ {
		f.line("\t{")
		for r := 1; r <= rows; r++ {
			f.line("\t\t%s,", name(p, r))
		}
		f.line("\t},")
	}
	f.line("}\n")
	for p := 1; p <= panels; p++ {
		for r := 1; r <= rows; r++ {
			f.line("//go:noescape\nfunc %s%s\n", name(p, r), signature)
		}
	}
}

func amd64Tiles(f *file) {
	f.line("package kernel")
	tiles(f, "float", avx2.suffix, avx2.rows, avx2.panels)
	tiles(f, "bytes", avx2.suffix, avx2.rows, avx2.panels)
	tiles(f, "float", avx512.suffix, avx512.rows, avx512.panels)
	tiles(f, "bytes", avx512.suffix, avx512.rows, avx512.panels)
	tiles(f, "bytes", "VNNI", avx512.rows, avx512.panels)
}

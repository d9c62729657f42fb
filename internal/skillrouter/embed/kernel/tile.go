//go:build amd64 || arm64

package kernel

// A floatTile multiplies a few rows by one or two panels. Strides are bytes; c
// begins as bias.
type floatTile func(c *float32, ldc uintptr, a *float32, lda uintptr, k int, b *float32, bias *float32)

// A bytesTile does the same in integers, which it scales back at the end.
type bytesTile func(c *float32, ldc uintptr, q *int16, rowScale *float32, ldq uintptr, k int, b *int8, scale, bias *float32)

// block bounds the values of the left side that are multiplied by all panels
// before the next rows come: they stay in a core's own cache.
const block = 48 << 10

// floatBy makes a product of tiles. tiles[p-1][r-1] takes p panels and r rows.
func floatBy(tiles [][]floatTile) func(c []float32, ldc int, a []float32, lda, rows, k int, b []float32, n int, bias []float32) {
	return func(c []float32, ldc int, a []float32, lda, rows, k int, b []float32, n int, bias []float32) {
		each(rows, k, n, len(tiles), len(tiles[0]), func(i, height, j, panels int) {
			start := &none[0]
			if bias != nil {
				start = &bias[j]
			}
			tiles[panels-1][height-1](&c[i*ldc+j], uintptr(4*ldc), &a[i*lda], uintptr(4*lda), k, &b[j*k], start)
		})
	}
}

// bytesBy does the same for quantised rows.
func bytesBy(tiles [][]bytesTile) func(c []float32, ldc int, q []int16, rowScale []float32, rows, k int, b []int8, n int, scale, bias []float32) {
	return func(c []float32, ldc int, q []int16, rowScale []float32, rows, k int, b []int8, n int, scale, bias []float32) {
		each(rows, k, n, len(tiles), len(tiles[0]), func(i, height, j, panels int) {
			tiles[panels-1][height-1](&c[i*ldc+j], uintptr(4*ldc), &q[i*k], &rowScale[i], uintptr(2*k), k, &b[j*k], &scale[j], &bias[j])
		})
	}
}

// each cuts a product of rows by n columns into tiles, none higher than height
// nor wider than panels: i and j are a tile's first row and column. Rows are
// shared out evenly, since a low tile waits for its own sums.
func each(rows, k, n, panels, height int, tile func(i, height, j, panels int)) {
	step := max(height, block/k/height*height)
	for from := 0; from < rows; from += step {
		rows := min(step, rows-from)
		count := (rows + height - 1) / height
		for j := 0; j < n; {
			wide := min(panels, (n-j)/Width)
			for t := range count {
				first, next := t*rows/count, (t+1)*rows/count
				tile(from+first, next-first, j, wide)
			}
			j += wide * Width
		}
	}
}

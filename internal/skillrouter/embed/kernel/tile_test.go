//go:build amd64 || arm64

package kernel

import "testing"

// TestEveryTileOnce: the tiles cover the product, and none another's part.
func TestEveryTileOnce(t *testing.T) {
	for _, shape := range []struct{ panels, height int }{{1, 6}, {2, 12}} {
		for rows := 1; rows <= 150; rows += 1 + rows/20 {
			for _, k := range []int{1, 384, 1536, 16384} {
				for n := Width; n <= 5*Width; n += Width {
					seen := map[[2]int]int{}
					each(rows, k, n, shape.panels, shape.height, func(i, height, j, panels int) {
						if height < 1 || height > shape.height || panels < 1 || panels > shape.panels {
							t.Fatalf("a tile of %d rows and %d panels", height, panels)
						}
						for r := range height {
							for p := range panels {
								seen[[2]int{i + r, j + p*Width}]++
							}
						}
					})
					for i := range rows {
						for j := 0; j < n; j += Width {
							if seen[[2]int{i, j}] != 1 {
								t.Fatalf("%d rows by %d columns: %d,%d is in %d tiles", rows, n, i, j, seen[[2]int{i, j}])
							}
						}
					}
					if len(seen) != rows*n/Width {
						t.Fatalf("%d rows by %d columns: %d parts", rows, n, len(seen))
					}
				}
			}
		}
	}
}

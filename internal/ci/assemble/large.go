package assemble

import (
	"cmp"
	"compress/zlib"
	"runtime"
	"slices"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// BranchCap is the size above which a bundle's large files leave the branch,
// in bytes, packed. Every plain clone of the umbrella downloads the branch,
// asked or not, again after each publish; this is what it may cost.
const BranchCap = 10 << 20

// markLarge marks files until those that are left for the branch have at most
// the cap: the graph in its form for other tools, which no question reads,
// those first that take most. Sizes are estimated as git stores a file that
// it finds nothing like.
func (r *Result) markLarge(m *bundle.Manifest) {
	r.large = nil
	limit := r.BranchCap
	if limit == 0 {
		limit = BranchCap
	}
	raw := int64(0)
	for _, f := range m.Files {
		raw += f.Size
	}
	if raw <= limit {
		return // packed they are not more, so there is nothing to measure
	}
	r.measure(m.Files)
	total := int64(0)
	var large []int // candidates, by their place in the manifest
	for i, f := range m.Files {
		total += r.packed[f.SHA256]
		if bundle.MayBeLarge(f.Name) {
			large = append(large, i)
		}
	}
	slices.SortStableFunc(large, func(a, b int) int {
		return cmp.Compare(r.packed[m.Files[b].SHA256], r.packed[m.Files[a].SHA256])
	})
	for _, i := range large {
		if total <= limit {
			break
		}
		m.Files[i].Large = true
		r.large = append(r.large, m.Files[i].Name)
		total -= r.packed[m.Files[i].SHA256]
	}
	slices.Sort(r.large)
}

// Large returns the names of the large files, after Seal.
func (r *Result) Large() []string { return r.large }

// measure packs each file that was not measured before.
func (r *Result) measure(files []bundle.File) {
	sizes := make([]int64, len(files))
	todo := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			n := new(counter)
			z := zlib.NewWriter(n) // at git's own default level
			for i := range todo {
				*n = 0
				z.Reset(n)
				// A counter takes everything, so nothing can fail.
				_, _ = z.Write(r.Files[files[i].Name])
				_ = z.Close()
				sizes[i] = int64(*n)
			}
		})
	}
	for i, f := range files {
		if size, known := r.packed[f.SHA256]; known {
			sizes[i] = size
			continue
		}
		todo <- i
	}
	close(todo)
	workers.Wait()
	r.packed = make(map[string]int64, len(files))
	for i, f := range files {
		r.packed[f.SHA256] = sizes[i]
	}
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

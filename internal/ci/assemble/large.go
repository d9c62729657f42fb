package assemble

import (
	"cmp"
	"compress/zlib"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

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
func (r *Result) markLarge(m *bundle.Manifest) error {
	r.large = nil
	limit := r.BranchCap
	if limit == 0 {
		limit = BranchCap
	}
	raw := int64(0)
	var bound, free []int // what must stay and what may go, by place in the manifest
	for i, f := range m.Files {
		raw += f.Size
		if bundle.MayBeLarge(f.Name) {
			free = append(free, i)
		} else {
			bound = append(bound, i)
		}
	}
	if raw <= limit {
		return nil // packed they are not more, so there is nothing to measure
	}
	// What must stay is measured first: if that alone is too much, all the
	// rest goes, and its size does not matter.
	total, over, err := r.measure(m.Files, bound, limit)
	if err != nil {
		return err
	}
	if !over {
		more, _, err := r.measure(m.Files, free, math.MaxInt64)
		if err != nil {
			return err
		}
		total += more
		slices.SortStableFunc(free, func(a, b int) int {
			return cmp.Compare(r.packed[m.Files[b].SHA256], r.packed[m.Files[a].SHA256])
		})
	}
	for _, i := range free {
		if total <= limit {
			break
		}
		m.Files[i].Large = true
		r.large = append(r.large, m.Files[i].Name)
		if !over {
			total -= r.packed[m.Files[i].SHA256]
		}
	}
	slices.Sort(r.large)
	return nil
}

// Large returns the names of the large files, after Seal.
func (r *Result) Large() []string { return r.large }

// measure packs the files at these places that were not measured before, and
// adds up their sizes. It stops above the limit, and says so; which of the
// files are measured by then is chance, but not whether it stops.
func (r *Result) measure(files []bundle.File, places []int, limit int64) (total int64, over bool, err error) {
	var todo []int
	for _, i := range places {
		if size, known := r.packed[files[i].SHA256]; known {
			total += size
		} else {
			todo = append(todo, i)
		}
	}
	var sum, next atomic.Int64
	var failed atomic.Pointer[error]
	sum.Store(total)
	sizes := make([]int64, len(todo))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			n := new(counter)
			z := zlib.NewWriter(n) // at git's own default level
			for sum.Load() <= limit {
				at := int(next.Add(1)) - 1
				if at >= len(todo) {
					return
				}
				*n = 0
				z.Reset(n)
				data, err := r.Files.ReadFile(files[todo[at]].Name)
				if err != nil {
					failed.CompareAndSwap(nil, &err)
					return
				}
				// A counter takes everything, so nothing can fail.
				_, _ = z.Write(data)
				_ = z.Close()
				sizes[at] = int64(*n)
				sum.Add(sizes[at])
			}
		})
	}
	workers.Wait()
	if err := failed.Load(); err != nil {
		return 0, false, *err
	}
	if r.packed == nil {
		r.packed = map[string]int64{}
	}
	for at, i := range todo {
		if sizes[at] > 0 { // even of nothing, zlib makes a few bytes
			r.packed[files[i].SHA256] = sizes[at]
		}
	}
	return sum.Load(), sum.Load() > limit, nil
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

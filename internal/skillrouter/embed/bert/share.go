package bert

import (
	"sync"
	"sync/atomic"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/kernel"
)

// shareFrom is how many multiplications are worth waking another thread for:
// about a tenth of a millisecond of them.
var shareFrom = 1 << 21

// piecesEach is how many pieces there are for each thread: whoever is held up
// by other processes takes fewer.
const piecesEach = 3

// share calls part for pieces of a product's columns: column j and width - 1
// that follow it. Threads take them as they come.
func share(threads, rows int, m *matrix, part func(j, width int)) {
	if threads < 2 || rows*m.k*m.n < shareFrom {
		part(0, m.n)
		return
	}
	const unit = 2 * kernel.Width // the widest tile
	width := max(unit, m.n/(threads*piecesEach)/unit*unit)
	var next atomic.Int64
	work := func() {
		for {
			j := int(next.Add(1)-1) * width
			if j >= m.n {
				return
			}
			part(j, min(width, m.n-j))
		}
	}
	var group sync.WaitGroup
	for range threads - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}

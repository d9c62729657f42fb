package command

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A Progress is one line that tells a person at a terminal how far the work
// is, rewritten in place. Elsewhere it prints nothing. It is safe for
// concurrent use.
type Progress struct {
	w    io.Writer // nil: quiet
	mu   sync.Mutex
	last time.Time
}

// often is how long a line stands at least.
const often = 100 * time.Millisecond

// Progress returns the process's progress line.
func (p Process) Progress() *Progress {
	if !p.Terminal() {
		return &Progress{}
	}
	return &Progress{w: p.Stderr}
}

// Step says that done of total parts of the named work are done. A total
// below 2 is work that is not counted.
func (p *Progress) Step(name string, done, total int) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.last) < often && done > 0 {
		return
	}
	p.last = now
	if total > 1 {
		fmt.Fprintf(p.w, "\r\x1b[K%s %d of %d", name, done, total)
	} else {
		fmt.Fprintf(p.w, "\r\x1b[K%s …", name)
	}
}

// Done takes the line away.
func (p *Progress) Done() {
	if p.w != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

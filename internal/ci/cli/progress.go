package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
)

// A progress line is shown on a terminal only, rewritten in place.
type progress struct {
	w    io.Writer // nil: quiet
	mu   sync.Mutex
	last time.Time
}

func newProgress(p command.Process) *progress {
	if !p.Terminal() {
		return &progress{}
	}
	return &progress{w: p.Stderr}
}

func (p *progress) step(name string, done, total int) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); now.Sub(p.last) > 100*time.Millisecond || done == 0 {
		p.last = now
		if total > 1 {
			fmt.Fprintf(p.w, "\r\x1b[K%s %d of %d", name, done, total)
		} else {
			fmt.Fprintf(p.w, "\r\x1b[K%s …", name)
		}
	}
}

func (p *progress) done() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

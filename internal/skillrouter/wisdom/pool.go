package wisdom

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// Bounds of a pool.
const (
	atOnce   = 2  // curators that run
	waiting  = 8  // prompts that wait for one of them
	remember = 64 // prompts, for not asking twice
)

// A Status says what became of a prompt.
type Status string

// The states.
const (
	Skipped Status = "skipped" // no curator is set, or too many prompts wait
	Cached  Status = "cached"  // the same was asked not long ago, or is being asked
	Queued  Status = "queued"
	Fired   Status = "fired"
)

// A Pool runs curators behind others' backs. Its zero value is ready.
type Pool struct {
	// Done is told of each run that ended, from its own goroutine.
	Done func(added []string, err error)

	mu      sync.Mutex
	asked   map[[32]byte]time.Time
	running int
	queue   []job
	busy    sync.WaitGroup
}

type job struct {
	curator Curator
	task    Task
	key     [32]byte
}

// Ignite asks the curator about a task, unless it was asked the same within
// again. It returns at once. The end of ctx ends what runs.
func (p *Pool) Ignite(ctx context.Context, c Curator, task Task, again time.Duration) Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	key, now := sha256.Sum256([]byte(task.Prompt)), time.Now()
	if p.asked == nil {
		p.asked = map[[32]byte]time.Time{}
	}
	for k, at := range p.asked {
		if now.Sub(at) >= again && !at.IsZero() {
			delete(p.asked, k)
		}
	}
	if _, ok := p.asked[key]; ok {
		return Cached
	}
	j := job{c, task, key}
	switch {
	case len(p.asked) >= remember || p.running >= atOnce && len(p.queue) >= waiting:
		return Skipped
	case p.running >= atOnce:
		p.asked[key] = time.Time{} // until it ran
		p.queue = append(p.queue, j)
		return Queued
	}
	p.asked[key] = time.Time{}
	p.running++
	p.busy.Go(func() { p.work(ctx, j) })
	return Fired
}

// work runs a job, and then those that wait.
func (p *Pool) work(ctx context.Context, j job) {
	for {
		added, err := j.curator.Run(ctx, j.task)
		if p.Done != nil {
			p.Done(added, err)
		}
		p.mu.Lock()
		if err != nil {
			delete(p.asked, j.key) // it may be asked again
		} else {
			p.asked[j.key] = time.Now()
		}
		if len(p.queue) == 0 || ctx.Err() != nil {
			for _, q := range p.queue {
				delete(p.asked, q.key)
			}
			p.queue = nil
			p.running--
			p.mu.Unlock()
			return
		}
		j, p.queue = p.queue[0], p.queue[1:]
		p.mu.Unlock()
	}
}

// Busy reports whether a curator runs.
func (p *Pool) Busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running > 0
}

// Wait returns when none runs any more.
func (p *Pool) Wait() { p.busy.Wait() }

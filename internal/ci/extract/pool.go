package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// What can go wrong with a parser process. The first two cost one file.
var (
	ErrCrashed = errors.New("parser crashed")
	ErrTooLong = errors.New("parser ran longer than") // the error's text goes on with the limit
	ErrStart   = errors.New("cannot start a parser process")
)

// DefaultLimit is how long one file may take. A file of [MaxSize] takes a
// second or two; the rest is for a machine that does much else, because what
// a bundle holds is not to depend on how busy a machine was.
const DefaultLimit = 30 * time.Second

// largeShell is the size in bytes from which a shell script is parsed in a
// child: nested deeply enough, it could cost much time or stack.
const largeShell = 8 << 10

// A Pool parses files in child processes, which are this program again (see
// [WorkerMain]), because grammars in C can crash or run away: that costs the
// file, not the run. Languages whose parser is Go are read in this process.
type Pool struct {
	ctx   context.Context
	limit time.Duration
	start func() (*worker, error)
	free  chan *worker // nil: a place for a process that is not started yet

	mu      sync.Mutex
	closed  bool
	running map[*worker]struct{}
}

// NewPool makes a pool of at most jobs processes (at least one), each
// started when it is first needed. One file may take as long as limit;
// zero means [DefaultLimit]. The end of ctx ends all processes.
func NewPool(ctx context.Context, jobs int, limit time.Duration) *Pool {
	p := newPool(ctx, jobs, limit)
	p.start = func() (*worker, error) { return startWorker(p.ctx, workerEnv()) }
	if os.Getenv(workerVariable) != "" {
		// A program that did not call WorkerMain would start itself again
		// and again.
		p.start = func() (*worker, error) {
			return nil, fmt.Errorf("%w: this process is one itself", ErrStart)
		}
	}
	return p
}

func newPool(ctx context.Context, jobs int, limit time.Duration) *Pool {
	jobs = max(jobs, 1)
	if limit <= 0 {
		limit = DefaultLimit
	}
	p := &Pool{ctx: ctx, limit: limit, free: make(chan *worker, jobs), running: make(map[*worker]struct{})}
	for range jobs {
		p.free <- nil
	}
	return p
}

// Parse is as the function [Parse], but apart from this process. It is safe
// for concurrent use. The error is [ErrCrashed], [ErrTooLong], what the
// parser says, or, where the file is not to blame, [ErrStart] or the
// context's error.
func (p *Pool) Parse(ctx context.Context, name string, data []byte) (*File, error) {
	switch Language(name, data) {
	case "":
		return &File{}, nil
	case "go":
		return Parse(name, data)
	case "shell":
		if len(data) < largeShell {
			return Parse(name, data)
		}
	}
	var w *worker
	select {
	case w = <-p.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.ctx.Done():
		return nil, p.ctx.Err()
	}
	defer func() { p.free <- w }()
	msg := appendRequest(make([]byte, 0, len(name)+len(data)+4), name, data)
	for {
		var err error
		if p.isClosed() {
			return nil, errClosed
		}
		if w == nil {
			if w, err = p.hire(); err != nil {
				return nil, err
			}
		}
		fresh := w.files == 0
		f, err := p.ask(ctx, w, msg)
		if err == nil {
			return f, nil
		}
		var said parserError
		if errors.As(err, &said) {
			return nil, err
		}
		p.dismiss(w)
		w = nil
		// A process that has read other files may have been damaged by one
		// of them: only a fresh one's crash is this file's.
		if !errors.Is(err, ErrCrashed) || fresh {
			return nil, err
		}
	}
}

// A parserError is what a parser process says of a file; the process itself
// is well.
type parserError string

func (e parserError) Error() string { return string(e) }

// Is reports a parse that a process ended by itself, before it had to be
// ended: which of the two comes first says nothing of the file.
func (e parserError) Is(target error) bool {
	switch target {
	case ErrTooLong:
		return strings.HasPrefix(string(e), grammar.ErrTooLong.Error())
	case ErrCrashed:
		return string(e) == grammar.ErrMemory.Error()
	}
	return false
}

func (p *Pool) ask(ctx context.Context, w *worker, msg []byte) (*File, error) {
	slow := time.AfterFunc(p.limit, w.kill)
	cancelled := context.AfterFunc(ctx, w.kill)
	answer, err := w.exchange(msg)
	inTime := slow.Stop()
	cancelled()
	switch {
	case err == nil && inTime:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case p.ctx.Err() != nil:
		return nil, p.ctx.Err()
	case !inTime:
		return nil, fmt.Errorf("%w %v", ErrTooLong, p.limit)
	default:
		return nil, ErrCrashed
	}
	w.files++
	switch {
	case len(answer) > 0 && answer[0] == answerFile:
		f, err := decodeFile(answer[1:])
		if err != nil {
			return nil, ErrCrashed
		}
		return f, nil
	case len(answer) > 0 && answer[0] == answerError:
		return nil, parserError(oneLine(clip(strings.ToValidUTF8(string(answer[1:]), ""), maxDoc)))
	}
	return nil, ErrCrashed
}

var errClosed = fmt.Errorf("%w: the pool is closed", ErrStart)

func (p *Pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// hire starts a process unless the pool is closed.
func (p *Pool) hire() (*worker, error) {
	w, err := p.start()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		w.stop()
		return nil, errClosed
	}
	p.running[w] = struct{}{}
	return w, nil
}

func (p *Pool) dismiss(w *worker) {
	p.mu.Lock()
	delete(p.running, w)
	p.mu.Unlock()
	w.stop()
}

// Close ends all processes and returns when they are gone. A file that is
// being parsed fails.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	running := p.running
	p.running = make(map[*worker]struct{})
	p.mu.Unlock()
	for w := range running {
		w.stop()
	}
}

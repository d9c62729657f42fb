package daemon

import (
	"context"
	"errors"
	"time"
)

// Waiting for a daemon that ends.
const (
	takeTimeout = 5 * time.Second
	takeEvery   = 50 * time.Millisecond
)

// take takes the directory for this daemon. One of the same build keeps it;
// one of another build, or one that does not answer, is asked to end and
// waited for a while.
func (s *Server) take(ctx context.Context, dir string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, takeTimeout)
	defer cancel()
	for {
		if unlock, err = lockDir(dir); !errors.Is(err, ErrRunning) {
			return unlock, err
		}
		if a, err := Ask(ctx, dir, Request{Op: "ping"}); err == nil && a.Build == s.Build {
			return nil, ErrRunning
		}
		_, _ = Ask(ctx, dir, Request{Op: "shutdown"})
		select {
		case <-ctx.Done():
			return nil, ErrRunning
		case <-time.After(takeEvery):
		}
	}
}

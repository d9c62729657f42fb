//go:build unix

package assemble

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// lockDir keeps other builds from writing to a directory until the returned
// function runs. The lock is on the directory itself and ends with the
// process: it leaves no file behind, whatever happens.
func lockDir(ctx context.Context, dir string) (unlock func(), err error) {
	for {
		f, err := openDir(ctx, dir)
		if err != nil {
			return nil, err
		}
		for {
			err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
			if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
				break
			}
			if err := pause(ctx); err != nil {
				f.Close()
				return nil, err
			}
		}
		unlock := func() { f.Close() }
		if err != nil { // a file system without locks
			return unlock, nil
		}
		// The build that was waited for may have put another directory here.
		mine, err1 := f.Stat()
		now, err2 := os.Stat(dir)
		if err1 == nil && err2 == nil && os.SameFile(mine, now) {
			return unlock, nil
		}
		f.Close()
	}
}

// openDir opens a directory that may be gone for the moment in which another
// takes its place.
func openDir(ctx context.Context, dir string) (*os.File, error) {
	for tries := 0; ; tries++ {
		f, err := os.Open(dir)
		if err == nil || !errors.Is(err, os.ErrNotExist) || tries == 20 {
			return f, err
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(20 * time.Millisecond):
		return nil
	}
}

//go:build !unix

package index

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// Waiting for a lock that was left behind ends after staleAfter.
const (
	staleAfter = 30 * time.Second
	pollEvery  = 20 * time.Millisecond
)

// TryLock takes the lock of a path for as long as the process lives, unless
// another has it. A file that is open cannot be removed here, so that of a
// process that was killed can.
func TryLock(path string) (unlock func(), ok bool) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, false
	}
	return func() { f.Close(); os.Remove(path) }, true
}

// lock waits until no other process saves.
func lock(path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			return func() { f.Close(); os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if st, err := os.Stat(path); err == nil && time.Since(st.ModTime()) > staleAfter {
			if os.Remove(path) != nil {
				return nil, errBusy // it is open: somebody lives, and hangs
			}
			continue
		}
		time.Sleep(pollEvery)
	}
}

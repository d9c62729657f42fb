//go:build unix

package index

import (
	"os"
	"syscall"
	"time"
)

// TryLock takes the lock of a path for as long as the process lives, unless
// another has it.
func TryLock(path string) (unlock func(), ok bool) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return nil, false
	}
	return func() { f.Close() }, true
}

// lock waits until no other process saves, for lockTimeout at the most: one
// that was stopped while it saves must not stop the others. The lock ends with
// the process.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(lockTimeout); ; time.Sleep(lockEvery) {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EINTR && err != syscall.EWOULDBLOCK {
			break
		}
		if time.Now().After(end) {
			f.Close()
			return nil, errBusy
		}
	}
	// A file system without locks has one writer or loses a vector: it is
	// computed again.
	return func() { f.Close() }, nil
}

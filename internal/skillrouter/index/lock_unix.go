//go:build unix

package index

import (
	"os"
	"syscall"
)

// lock waits until no other process saves. The lock ends with the process.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			break
		}
	}
	// A file system without locks has one writer or loses a vector: it is
	// computed again.
	return func() { f.Close() }, nil
}

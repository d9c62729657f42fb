//go:build unix

package hostfile

import (
	"os"
	"syscall"
)

// lock waits for the lock of a path, which ends with the process. The file may
// have been removed by whoever had the lock: then another is taken.
func lock(path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		for {
			if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
				break
			}
		}
		have, err1 := f.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(have, there) {
			return func() { f.Close() }, nil
		}
		f.Close()
	}
}

// dropLock ends a lock and removes its file: in this order nobody can take the
// lock of a file that is about to go.
func dropLock(path string, unlock func()) {
	os.Remove(path)
	unlock()
}

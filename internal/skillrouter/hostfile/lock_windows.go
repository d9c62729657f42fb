package hostfile

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock waits for the lock of a path, which ends with the process.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped)); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// dropLock ends a lock and removes its file, which cannot be removed while it
// is open.
func dropLock(path string, unlock func()) {
	unlock()
	os.Remove(path)
}

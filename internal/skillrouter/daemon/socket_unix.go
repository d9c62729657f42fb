//go:build unix

package daemon

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

func userID() string { return strconv.Itoa(os.Getuid()) }

// private reports whether a directory is this person's and closed to others.
func private(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Getuid() && st.Mode().Perm()&0o077 == 0
}

// lockDir takes the directory for one daemon, as long as the process lives.
func lockDir(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrRunning
		}
		return nil, err
	}
	return func() { f.Close() }, nil
}

// umask is the process's: between the two calls no other file may be made.
var umask sync.Mutex

// listen makes the socket, closed to others from its first moment. What a
// daemon that was killed left there is removed; the lock says that none runs.
func listen(dir string) (net.Listener, error) {
	path := filepath.Join(dir, socketName)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	umask.Lock()
	defer umask.Unlock()
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return net.Listen("unix", path)
}

func dial(dir string, timeout time.Duration) (net.Conn, string, error) {
	c, err := net.DialTimeout("unix", filepath.Join(dir, socketName), timeout)
	return c, "", err
}

// secret is "": the socket is this person's, and the peer is asked for.
func secret() string { return "" }

package daemon

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"
)

func userID() string { return "user" }

// private: a directory below the person's own for temporary files is closed
// to others by the system.
func private(fs.FileInfo) bool { return true }

// door is where a daemon listens, and what proves that one may read its file.
type door struct {
	Address string `json:"address"`
	Secret  string `json:"secret"`
}

var own = rand.Text()

func secret() string { return own }

func lockDir(dir string) (unlock func(), err error) {
	path := filepath.Join(dir, lockName)
	// A file that is open cannot be removed here: the lock of a daemon that
	// was killed can.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, ErrRunning
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, ErrRunning
	}
	return func() { f.Close(); os.Remove(path) }, nil
}

// listen opens a port of this machine alone, and writes where it is and the
// secret into a file that only this person can read.
func listen(dir string) (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(door{l.Addr().String(), own})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, secretName), data, 0o600)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func dial(dir string, timeout time.Duration) (net.Conn, string, error) {
	data, err := os.ReadFile(filepath.Join(dir, secretName))
	if err != nil {
		return nil, "", err
	}
	var d door
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, "", err
	}
	c, err := net.DialTimeout("tcp", d.Address, timeout)
	return c, d.Secret, err
}

// trusted: the secret is the proof.
func trusted(net.Conn) bool { return true }

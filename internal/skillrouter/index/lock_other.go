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
			os.Remove(path)
			continue
		}
		time.Sleep(pollEvery)
	}
}

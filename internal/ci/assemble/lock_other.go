//go:build !unix

package assemble

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// lockDir keeps other builds from writing to a directory until the returned
// function runs. The lock is a file beside it; a process that was killed
// leaves it, and the next build names it.
func lockDir(_ context.Context, dir string) (unlock func(), err error) {
	name := dir + ".lock"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, fmt.Errorf("another build writes to %s; if none does, remove %s", dir, name)
	case err != nil:
		return func() {}, nil // the directory above may not be written
	}
	f.Close()
	return func() { _ = os.Remove(name) }, nil
}

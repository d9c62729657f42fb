package command

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
)

// Abs makes a path given on the command line absolute; "" is the working
// directory.
func (p Process) Abs(path string) string {
	switch {
	case path == "":
		return p.Dir
	case filepath.IsAbs(path):
		return path
	}
	return filepath.Join(p.Dir, path)
}

// WriteJSON prints a value as one line of JSON, without HTML escapes.
func (p Process) WriteJSON(v any) error {
	e := json.NewEncoder(p.Stdout)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// catchBrokenPipe makes a write to a pipe that nobody reads any more an
// error of that write, rather than the end of the process.
var catchBrokenPipe = sync.OnceFunc(func() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) })

// untilClosed writes until nobody reads any more. Whoever stopped reading
// wants no more text; what the command does, and its exit code, stay.
type untilClosed struct {
	w      io.Writer
	closed bool
}

func (u *untilClosed) Write(data []byte) (int, error) {
	if u.closed {
		return len(data), nil
	}
	n, err := u.w.Write(data)
	if err != nil && isBrokenPipe(err) {
		u.closed = true
		return len(data), nil
	}
	return n, err
}

func isBrokenPipe(err error) bool {
	const (
		windowsBrokenPipe = syscall.Errno(109)
		windowsNoData     = syscall.Errno(232)
	)
	if runtime.GOOS == "windows" && (errors.Is(err, windowsBrokenPipe) || errors.Is(err, windowsNoData)) {
		return true
	}
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

//go:build unix

package publish

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A hook of a repository on this machine is our grandchild: when the time is
// over it has to end, too, with all that it started.
func TestNoHookOutlivesTheTimeout(t *testing.T) {
	dir := bare(t)
	fifo := filepath.Join(t.TempDir(), "alive")
	must(t, syscall.Mkfifo(fifo, 0o600))
	hook(t, dir, "pre-receive", "cat >/dev/null\nexec 9>'"+fifo+"'\necho running >&9\nsleep 30 &\nsleep 30\n")
	running, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		f, err := os.Open(fifo)
		if err != nil {
			ended <- err
			return
		}
		defer f.Close()
		if _, err := io.ReadFull(f, make([]byte, len("running\n"))); err != nil {
			ended <- err
			return
		}
		close(running)
		_, err = io.Copy(io.Discard, f) // until every process that holds it is gone
		ended <- err
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	go func() {
		<-running
		cancel()
	}()
	start := time.Now()
	_, err := Publish(ctx, open(t, dir), snapshot(t, sample(1)), options())
	if unreached := (*Unreached)(nil); !errors.As(err, &unreached) || tip(t, dir) != "" {
		t.Errorf("got %v", err)
	}
	select {
	case err := <-ended:
		must(t, err)
	case <-time.After(5 * time.Second):
		t.Error("a process of the hook is still there")
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
}

package extract

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// startLimit is how long a parser process may take to say hello.
const startLimit = 20 * time.Second

// A worker is a running parser process.
type worker struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	files int // answered so far
	once  sync.Once
}

// workerEnv is all that a parser process gets to know of its surroundings.
func workerEnv() []string {
	env := []string{workerVariable + "=1", "GOTRACEBACK=none"}
	if runtime.GOOS == "windows" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"))
	}
	return env
}

func startWorker(ctx context.Context, env []string) (*worker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	keepDescriptors()
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = env
	cmd.Dir = os.TempDir() // it reads no file, so it holds no directory of the user's
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	w := &worker{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64<<10)}
	slow := time.AfterFunc(startLimit, w.kill)
	hello := make([]byte, len(workerHello))
	_, err = io.ReadFull(w.out, hello)
	slow.Stop()
	if err != nil || string(hello) != workerHello {
		w.stop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: it did not answer as one", ErrStart)
	}
	return w, nil
}

// exchange sends one request and waits for its answer.
func (w *worker) exchange(msg []byte) ([]byte, error) {
	if err := writeMessage(w.in, msg); err != nil {
		return nil, err
	}
	return readMessage(w.out)
}

func (w *worker) kill() { w.cmd.Process.Kill() }

// stop ends the process and waits until it is gone.
func (w *worker) stop() {
	w.once.Do(func() {
		w.in.Close()
		w.kill()
		w.cmd.Wait()
	})
}

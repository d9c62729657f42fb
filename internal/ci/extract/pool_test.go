package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// oddPool is a pool of processes that do what misbehave says.
func oddPool(t *testing.T, jobs int, limit time.Duration) *Pool {
	t.Helper()
	p := newPool(t.Context(), jobs, limit)
	p.start = func() (*worker, error) {
		return startWorker(p.ctx, []string{oddWorker + "=1", "GOTRACEBACK=none"})
	}
	t.Cleanup(p.Close)
	return p
}

func TestPoolParsesLikeParse(t *testing.T) {
	p := NewPool(t.Context(), 2, 0)
	defer p.Close()
	for _, name := range []string{"testdata/python/shop.py", "testdata/typescript/service.ts", "testdata/scala/Shop.scala", "testdata/java/Cart.java", "testdata/rust/lib.rs", "testdata/go/server.go", "testdata/shell/build.sh"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Parse(t.Context(), name, data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: a child reads it differently:\n%s", name, firstDifference(listing(got), listing(want)))
		}
	}
	if f, err := p.Parse(t.Context(), "README.md", []byte("# x")); err != nil || f.Lang != "" || len(f.Definitions) != 0 {
		t.Errorf("a file that is not parsed gave %+v, %v", f, err)
	}
}

func TestPoolSurvivesOneFile(t *testing.T) {
	cases := []struct {
		word string
		want error
		text string
	}{
		{"crash", ErrCrashed, "parser crashed"},
		{"overflow", ErrCrashed, "parser crashed"},
		{"garbage", ErrCrashed, "parser crashed"},
		{"nonsense", ErrCrashed, "parser crashed"},
		{"huge", ErrCrashed, "parser crashed"},
		{"hang", ErrTooLong, "parser ran longer than 2s"},
		{"spin", ErrTooLong, "parser ran longer than 2s"},
		{"refuse", parserError("parser says[31m no"), "parser says[31m no"},
	}
	for _, c := range cases {
		t.Run(c.word, func(t *testing.T) {
			t.Parallel()
			limit := 2 * time.Second
			if c.want == ErrCrashed {
				limit = time.Minute // a busy machine takes long to die
			}
			p := oddPool(t, 1, limit)
			if _, err := p.Parse(t.Context(), "a.py", []byte("x = 1\n")); err != nil {
				t.Fatal(err)
			}
			_, err := p.Parse(t.Context(), "b.py", []byte(c.word+" = 1\n"))
			if !errors.Is(err, c.want) || err.Error() != c.text {
				t.Errorf("the file gave %v, want %q", err, c.text)
			}
			f, err := p.Parse(t.Context(), "c.py", []byte("y = 1\n"))
			if err != nil || len(f.Definitions) != 1 {
				t.Errorf("the file after it gave %+v, %v", f, err)
			}
		})
	}
}

func TestPoolConcurrent(t *testing.T) {
	p := oddPool(t, 2, 10*time.Second)
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			name := fmt.Sprintf("v%d", i)
			src := name + " = 1\n"
			if i%6 == 5 {
				src = "crash = 1\n"
			}
			f, err := p.Parse(t.Context(), "a.py", []byte(src))
			switch {
			case i%6 == 5:
				if !errors.Is(err, ErrCrashed) {
					t.Errorf("file %d gave %v", i, err)
				}
			case err != nil:
				t.Errorf("file %d gave %v", i, err)
			case f.Definitions[0].Name != name:
				t.Errorf("file %d got the answer of %s", i, f.Definitions[0].Name)
			}
		})
	}
	wg.Wait()
}

func TestPoolCancelled(t *testing.T) {
	p := oddPool(t, 1, time.Minute)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := p.Parse(ctx, "a.py", []byte("hang = 1\n")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a cancelled parse gave %v", err)
	}
	if _, err := p.Parse(t.Context(), "a.py", []byte("x = 1\n")); err != nil {
		t.Errorf("the parse after it gave %v", err)
	}
}

func TestPoolClosed(t *testing.T) {
	p := NewPool(t.Context(), 1, 0)
	if _, err := p.Parse(t.Context(), "a.py", []byte("x = 1\n")); err != nil {
		t.Fatal(err)
	}
	p.Close()
	p.Close()
	if _, err := p.Parse(t.Context(), "a.py", []byte("x = 1\n")); !errors.Is(err, ErrStart) {
		t.Errorf("a closed pool gave %v", err)
	}
}

func TestPoolNeedsWorkerMain(t *testing.T) {
	p := newPool(t.Context(), 1, 0)
	p.start = func() (*worker, error) { return startWorker(p.ctx, []string{oddWorker + "=mute"}) }
	if _, err := p.Parse(t.Context(), "a.py", []byte("x = 1\n")); !errors.Is(err, ErrStart) {
		t.Errorf("a program that is no parser process gave %v", err)
	}
	t.Setenv(workerVariable, "1")
	if _, err := NewPool(t.Context(), 1, 0).Parse(t.Context(), "a.py", []byte("x = 1\n")); !errors.Is(err, ErrStart) {
		t.Errorf("a parser process started another one: %v", err)
	}
}

func TestPoolChildKnowsNothing(t *testing.T) {
	t.Setenv("MAROLA_TOKEN", "secret")
	p := oddPool(t, 1, 0)
	f, err := p.Parse(t.Context(), "a.py", []byte("environment = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(f.Doc, "secret") || strings.Contains(f.Doc, "HOME=") || strings.Contains(f.Doc, "PATH=") {
		t.Errorf("a child's environment is %q", f.Doc)
	}
	for _, kv := range workerEnv() {
		if k, _, _ := strings.Cut(kv, "="); k != workerVariable && k != "GOTRACEBACK" && k != "SYSTEMROOT" {
			t.Errorf("a child is given %q", kv)
		}
	}
}

func TestPoolChildInheritsNoDescriptor(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("the descriptors of a process can be listed on Linux only")
		return
	}
	// A descriptor as a parent leaves it: open across exec.
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fds[0])
	defer syscall.Close(fds[1])
	markInherited()
	p := oddPool(t, 1, 0)
	f, err := p.Parse(t.Context(), "a.py", []byte("descriptors = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Doc != "" {
		t.Errorf("a child has open: %s", f.Doc)
	}
}

func TestWorkerEndsWithItsParent(t *testing.T) {
	w, err := startWorker(t.Context(), []string{oddWorker + "=1"})
	if err != nil {
		t.Fatal(err)
	}
	// A parent that dies closes the pipe, here in the middle of a file.
	if err := writeMessage(w.in, appendRequest(nil, "a.py", []byte("spin = 1\n"))); err != nil {
		t.Fatal(err)
	}
	w.in.Close()
	ended := make(chan error, 1)
	go func() { ended <- w.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the process ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		w.kill()
		t.Error("the process lives on without its parent")
	}
}

//go:build unix

package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// stubborn is a tool whose verb ends with its context, or does not.
func stubborn(ended chan<- struct{}) Tool {
	return Tool{Name: "tool", Verbs: []Verb{{Name: "wait", Setup: func(fs *flag.FlagSet) Run {
		deaf := fs.Bool("deaf", false, "go on after an interrupt")
		return func(ctx context.Context, p Process, _ []string) error {
			_, _ = p.Stdout.Write([]byte("ready\n"))
			<-ctx.Done()
			_, _ = p.Stdout.Write([]byte("told\n"))
			if *deaf {
				time.Sleep(time.Minute)
			}
			close(ended)
			return ctx.Err()
		}
	}}}}
}

// TestInterrupt: the first cancels the context, the second ends the process,
// whatever the verb does meanwhile.
func TestInterrupt(t *testing.T) {
	if len(os.Getenv("STUBBORN")) > 0 {
		os.Exit(stubborn(make(chan struct{})).Main(Process{Args: []string{"wait", os.Getenv("STUBBORN")}, Stdout: os.Stdout, Stderr: os.Stderr}))
	}
	for _, tt := range []struct {
		flag    string
		signals int
		code    int // -1: ended by the signal
	}{{"--deaf=false", 1, 1}, {"--deaf", 2, -1}} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
		cmd.Env = append(os.Environ(), "STUBBORN="+tt.flag)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		giveUp := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		line := make([]byte, 64)
		for range tt.signals {
			if _, err := out.Read(line); err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond) // the handler goes just after the context
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
		_ = cmd.Wait()
		if !giveUp.Stop() || cmd.ProcessState.ExitCode() != tt.code {
			t.Errorf("%s: %v", tt.flag, cmd.ProcessState)
		}
	}
}

func TestAbandon(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if n, err := Abandon(ctx, func() (int, error) { return 3, nil }); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	hold := make(chan struct{})
	defer close(hold)
	started := time.Now()
	_, err := Abandon(ctx, func() (*bytes.Buffer, error) { cancel(); <-hold; return nil, nil })
	if !errors.Is(err, context.Canceled) || time.Since(started) > 10*time.Second {
		t.Errorf("work that goes on: %v", err)
	}
	if _, err := Abandon(ctx, func() (int, error) { t.Error("it was begun"); return 0, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

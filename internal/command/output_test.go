package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// broken is a pipe whose reader went away after some writes.
type broken struct {
	left int
	err  error
}

func (b *broken) Write(data []byte) (int, error) {
	if b.left == 0 {
		return 0, &os.PathError{Op: "write", Path: "|1", Err: b.err}
	}
	b.left--
	return len(data), nil
}

// TestBrokenPipe: whoever stopped reading gets no more text and no
// complaint, and the command's own result stays.
func TestBrokenPipe(t *testing.T) {
	failed := errors.New("an answer was lost")
	for _, tt := range []struct {
		name   string
		write  error
		result error
		code   int
		stderr string
	}{
		{"done", syscall.EPIPE, nil, 0, ""},
		{"failed", syscall.EPIPE, failed, 1, "tool: an answer was lost\n"},
		{"a full disk", syscall.ENOSPC, nil, 1, "no space left"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			worked := false
			tool := Tool{Name: "tool", Verbs: []Verb{{Name: "do", Setup: func(*flag.FlagSet) Run {
				return func(_ context.Context, p Process, _ []string) error {
					for range 3 {
						if _, err := fmt.Fprintln(p.Stdout, "text"); err != nil {
							return err
						}
					}
					worked = true
					return tt.result
				}
			}}}}
			var errs bytes.Buffer
			code := tool.Main(Process{Args: []string{"do"}, Stdout: &broken{1, tt.write}, Stderr: &errs})
			if code != tt.code || !strings.Contains(errs.String(), tt.stderr) || tt.stderr == "" && errs.Len() > 0 {
				t.Errorf("exit %d, stderr %q", code, errs.String())
			}
			if worked != (tt.write == syscall.EPIPE) {
				t.Errorf("worked on: %t", worked)
			}
		})
	}
}

func TestAbs(t *testing.T) {
	dir := t.TempDir()
	p := Process{Dir: dir}
	for path, want := range map[string]string{"": dir, "a/b": filepath.Join(dir, "a", "b"), dir: dir, "..": filepath.Dir(dir)} {
		if got := p.Abs(path); got != want {
			t.Errorf("%q is %s, want %s", path, got, want)
		}
	}
}

func TestWriteJSON(t *testing.T) {
	var out bytes.Buffer
	p := Process{Stdout: &out}
	if err := p.WriteJSON(map[string]string{"a": "<b> & ü"}); err != nil || out.String() != `{"a":"<b> & ü"}`+"\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out}
	p.Step("parse", 0, 10)
	p.Step("parse", 1, 10) // at once after the first: not shown
	p.last = time.Time{}
	p.Step("parse", 5, 10)
	p.Step("write", 0, 1)
	p.Done()
	const clear = "\r\x1b[K"
	if want := clear + "parse 0 of 10" + clear + "parse 5 of 10" + clear + "write …" + clear; out.String() != want {
		t.Errorf("progress is %q, want %q", out.String(), want)
	}

	out.Reset()
	quiet := Process{Stderr: &out}.Progress()
	quiet.Step("parse", 0, 10)
	quiet.Done()
	if out.Len() > 0 {
		t.Errorf("in a pipe it prints %q", out.String())
	}
}

func TestVersion(t *testing.T) {
	tool := Tool{Name: "tool", Version: func() string { return "1.2.3 (format 4)" }}
	for _, arg := range []string{"--version", "version"} {
		var out bytes.Buffer
		if code := tool.Main(Process{Args: []string{arg}, Stdout: &out, Stderr: io.Discard}); code != 0 || out.String() != "tool 1.2.3 (format 4)\n" {
			t.Errorf("%s: exit %d, %q", arg, code, out.String())
		}
	}
}

package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
)

// hooking is a process whose home is empty.
func hooking(t *testing.T, in io.Reader, args ...string) (p command.Process, out, errs *bytes.Buffer) {
	dir := t.TempDir()
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return command.Process{Args: args, Stdin: in, Stdout: out, Stderr: errs, Dir: dir,
		Env: []string{"HOME=" + dir, "USERPROFILE=" + dir, "XDG_RUNTIME_DIR=" + dir}}, out, errs
}

func TestHookWithAnInputThatNeverCloses(t *testing.T) {
	for _, verb := range []string{"hook", "claude-hook", "gemini-hook", "hermes-hook"} {
		in, open := io.Pipe()
		defer open.Close()
		p, out, errs := hooking(t, in, verb)
		begin := time.Now()
		if code := Main(p); code != 0 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%s: code %d, %q, %q", verb, code, out, errs)
		}
		if d := time.Since(begin); d > 30*time.Second {
			t.Errorf("%s waited %v", verb, d)
		}
	}
}

func TestHookEndsAtItsDeadline(t *testing.T) {
	defer func(d time.Duration) { hookDeadline = d }(hookDeadline)
	hookDeadline = 20 * time.Millisecond
	in, open := io.Pipe()
	defer open.Close()
	p, out, errs := hooking(t, in, "hook")
	if code := Main(p); code != 0 || out.Len() > 0 || !strings.Contains(errs.String(), "were not found within 20ms") {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}
}

// bad is a stream that fails.
type bad struct{}

func (bad) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
func (bad) Read([]byte) (int, error)  { panic("the stream is broken") }

func TestHookWhoseAnswerCannotBeWritten(t *testing.T) {
	p, _, errs := hooking(t, strings.NewReader(`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"write a test"}`), "hook")
	p.Stdout = bad{}
	if code := Main(p); code != 0 || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("code %d, %q", code, errs)
	}
}

func TestIsHook(t *testing.T) {
	for words, want := range map[string]bool{"hook": true, "claude-stop-hook --x": true, "search hook": false, "hooks": false, "": false} {
		if got := isHook(strings.Fields(words)); got != want {
			t.Errorf("%q: %t", words, got)
		}
	}
}

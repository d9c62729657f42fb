package session

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// build makes the program as it is vendored and returns its path, under the
// name of the hook.
func build(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session-check")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", path, "../../../cmd/route")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// run runs the program and fails the test unless it ends well and silently.
// On a busy machine a git may pass its time; what is said then is tested
// apart, so the run is repeated.
func run(t testing.TB, program, dir string, env []string, stdin io.Reader, args ...string) string {
	t.Helper()
	text, again := stdin.(*strings.Reader)
	for range 5 {
		out := once(t, program, dir, env, stdin, args...)
		if !again || !strings.Contains(out, "git did not answer in time") {
			return out
		}
		if _, err := text.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("git has not answered in time five times")
	return ""
}

// once runs the program once.
func once(t testing.TB, program, dir string, env []string, stdin io.Reader, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, env, stdin, &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("%v, stderr %q", err, errs.String())
	}
	return out.String()
}

// quickest is the shortest of a few runs: on a busy machine one of them is
// as quick as they all are elsewhere.
func quickest(runs int, f func()) time.Duration {
	best := time.Hour
	for range runs {
		begin := time.Now()
		f()
		best = min(best, time.Since(begin))
	}
	return best
}

// TestProcess runs the built program, as the client does.
func TestProcess(t *testing.T) {
	program := build(t)
	f := newFixture(t)
	env := f.With("MAROLA_PLUGIN_OPTOUT=1")
	routing := fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old)\n", f.build.Head)
	start := func() io.Reader { return strings.NewReader(startup) }

	t.Run("H01 an input that never ends", func(t *testing.T) {
		open(t, program, f.dir, env, startup, routing)
	})
	t.Run("H02 an input without a byte", func(t *testing.T) { open(t, program, f.dir, env, "", "") })
	t.Run("H02 half a message", func(t *testing.T) { open(t, program, f.dir, env, startup[:40], "") })
	t.Run("H02 no input at all", func(t *testing.T) {
		if got := run(t, program, f.dir, env, nil); got != "" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("H02 standard input closed", func(t *testing.T) {
		if got := run(t, "sh", f.dir, env, nil, "-c", `exec "$0" <&-`, program); got != "" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("H02 a terminal", func(t *testing.T) {
		terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
		if err != nil {
			t.Logf("there are no terminals here: %v", err)
			return
		}
		defer terminal.Close()
		if got := run(t, program, f.dir, env, terminal); got != "" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("10 MB, garbage, a mark", func(t *testing.T) {
		for name, c := range map[string]struct{ in, want string }{
			"10 MB behind the message": {startup + strings.Repeat(" x", 5<<20), routing},
			"10 MB before it":          {strings.Repeat(" ", 10<<20) + startup, ""},
			"10 MB in the message":     {`{"x":"` + strings.Repeat("y", 10<<20) + `","source":"startup"}`, ""},
			"a mark":                   {"\xef\xbb\xbf" + startup, routing},
			"bytes":                    {"\x00\xff\xfe{", ""},
			"a list":                   {`["startup"]`, ""},
			"another type":             {`{"source":1}`, ""},
		} {
			// The rest of the input is not read, which is no fault of the writer.
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.WriteString(out, c.in); out.Close() }()
			if got := run(t, program, f.dir, env, in); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
			in.Close()
		}
	})
	t.Run("H20 nobody reads", func(t *testing.T) {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		in.Close()
		cmd := exec.Command(program)
		cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout = f.dir, env, start(), out
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Run(); err != nil || errs.Len() > 0 {
			t.Errorf("%v, %q", err, errs.String())
		}
		out.Close()
	})
	t.Run("H07 the working directory is not the root", func(t *testing.T) {
		deeper := filepath.Join(f.dir, "a", "b")
		f.Write(deeper, map[string][]byte{"x": nil})
		if got := run(t, program, deeper, env, start()); got != routing {
			t.Errorf("deeper: %q", got)
		}
		if got := run(t, program, f.Home, append(env, "CLAUDE_PROJECT_DIR="+f.dir), start()); got != routing {
			t.Errorf("elsewhere: %q", got)
		}
		copied := filepath.Join(f.dir, ".claude", "skills", "routing", "bin", "x", "session-check")
		data, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		f.Write(f.dir, map[string][]byte{".claude/skills/routing/bin/x/session-check": data})
		if err := os.Chmod(copied, 0o755); err != nil {
			t.Fatal(err)
		}
		other := f.Repo("other")
		if got := run(t, copied, other, append(env, "CLAUDE_PROJECT_DIR="+other), start()); got != routing {
			t.Errorf("from among the skills: %q", got)
		}
		personal := filepath.Join(f.Home, ".claude", "skills", "routing", "session-check")
		f.client("skills/routing/session-check", string(data))
		if err := os.Chmod(personal, 0o755); err != nil {
			t.Fatal(err)
		}
		f.Git(f.Home, "init", "-q", ".") // a home directory under git
		if got := run(t, personal, f.dir, env, start()); got != routing {
			t.Errorf("from among a person's skills: %q", got)
		}
	})
	t.Run("G08 another git's environment", func(t *testing.T) {
		other := f.Repo("decoy")
		dirty := append(slices.Clone(env), "GIT_DIR="+filepath.Join(other, ".git"), "GIT_WORK_TREE="+other, "GIT_INDEX_FILE="+filepath.Join(other, ".git/index"),
			"GIT_COMMON_DIR="+filepath.Join(other, ".git"), "GIT_OBJECT_DIRECTORY="+filepath.Join(other, ".git/objects"))
		if got := run(t, program, f.dir, dirty, start()); got != routing {
			t.Errorf("got %q", got)
		}
	})
	t.Run("H12 how often git is started", func(t *testing.T) {
		counted := &fixture{World: gittest.New(t), dir: f.dir}
		log := counted.CountingGit()
		if got := run(t, program, f.dir, append(counted.Env, "MAROLA_PLUGIN_OPTOUT=1"), start()); got != routing {
			t.Errorf("got %q", got)
		}
		if lines := gittest.Lines(log); len(lines) != 0 {
			t.Errorf("git was started %d times: %q", len(lines), lines)
		}
		counted.Write(counted.dir, map[string][]byte{".git/reftable/x": nil}) // refs that are not files
		if got := run(t, program, f.dir, append(counted.Env, "MAROLA_PLUGIN_OPTOUT=1"), start()); got != routing {
			t.Errorf("got %q", got)
		}
		if lines := gittest.Lines(log); len(lines) == 0 || len(lines) > 3 {
			t.Errorf("git was started %d times: %q", len(lines), lines)
		}
	})
	t.Run("H03 a git that hangs", func(t *testing.T) {
		hung := gittest.New(t)
		hung.Script("bin/git", "sleep 60 & sleep 61")
		set := append(slices.Clone(env), "PATH="+filepath.Join(hung.Home, "bin")+":"+os.Getenv("PATH"))
		var got string
		if took := quickest(3, func() { got = once(t, program, f.dir, set, start()) }); took > 1500*time.Millisecond {
			t.Errorf("it took %v", took)
		}
		if want := "▸ routing: the bundle here was not read: git did not answer in time"; !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if left := survivors(t, hung.Home); len(left) > 0 {
			t.Errorf("what it started goes on: %q", left)
		}
	})
	t.Run("no git", func(t *testing.T) {
		want := "▸ routing: the bundle here was not read: git is not installed, or not on the PATH\n"
		if got := run(t, program, f.dir, append(slices.Clone(env), "PATH="+f.Home), start()); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("self-test", func(t *testing.T) {
		tmp := t.TempDir()
		got := run(t, program, f.Home, append(slices.Clone(env), "TMPDIR="+tmp), nil, "--self-test")
		for _, name := range []string{"plugin_installed_silent", "plugin_missing_asks", "optout_env_silent", "remote_session_silent", "resume_source_silent",
			"stale_bundle_line", "uninitialised_submodule_line", "no_network_calls", "under_100ms"} {
			if !strings.Contains(got, "ok   "+name+"\n") {
				t.Errorf("%s did not pass:\n%s", name, got)
			}
		}
		if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
			t.Errorf("it leaves %v, %v", left, err)
		}
	})
}

// open runs the program with an input that begins like this and does not end.
func open(t *testing.T, program, dir string, env []string, begin, want string) {
	t.Helper()
	const limit = inputLimit + 100*time.Millisecond
	took := quickest(5, func() {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		defer out.Close()
		if _, err := io.WriteString(out, begin); err != nil {
			t.Fatal(err)
		}
		if got := run(t, program, dir, env, in); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	if took > limit {
		t.Errorf("the quickest took %v, more than %v", took, limit)
	}
}

// survivors are the processes whose environment names a directory.
func survivors(t *testing.T, dir string) (found []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(dir)) {
			found = append(found, file)
		}
	}
	return found
}

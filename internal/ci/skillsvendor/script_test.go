package skillsvendor_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/marola-dev/marola-routing/internal/ci/skillbuild"
	"github.com/marola-dev/marola-routing/internal/ci/skillsvendor"
	"github.com/marola-dev/marola-routing/internal/command"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"skills-vendor": func() { os.Exit(skillsvendor.Main(command.OS())) }})
}

// TestScripts runs the real program over real repositories, as the files of
// testdata/script tell.
func TestScripts(t *testing.T) {
	cache := goCache(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "commit": commit, "expand": expand, "program": program},
		Setup: func(e *testscript.Env) error {
			for k, v := range map[string]string{
				"HOME": e.WorkDir, "GIT_CONFIG_GLOBAL": filepath.Join(e.WorkDir, "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1",
				"GIT_AUTHOR_NAME": "A Person", "GIT_AUTHOR_EMAIL": "person@example.org", "GIT_COMMITTER_NAME": "A Person", "GIT_COMMITTER_EMAIL": "person@example.org",
				"MAROLA_NOW": "2026-10-20T10:00:00Z", "GORACE": "atexit_sleep_ms=10",
				"TOOLCHAIN": strings.Fields(runtime.Version())[0], "GOCACHE": cache, // rather than another Go and an empty cache
			} {
				e.Setenv(k, v)
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "gitconfig"),
				[]byte("[init]\n\tdefaultBranch = main\n[core]\n\tfsync = none\n\tautocrlf = false\n[uploadpack]\n\tallowFilter = true\n[url \"file://"+filepath.ToSlash(e.WorkDir)+"/github/\"]\n\tinsteadOf = https://github.com/\n"), 0o644)
		},
	})
}

// exits is the command `exits CODE PROGRAM ARGS…`.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		code = exit.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%s ended with %d, not %s", args[1], code, args[0])
	}
}

// commit is the command `commit DIR DATE VARIABLE`: everything in a
// repository, made if it is not there, is committed, and the commit's hash
// goes into a variable.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: commit DIR DATE VARIABLE")
	}
	dir := ts.MkAbs(args[0])
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		ts.Check(ts.Exec("git", "init", "-q", dir))
	}
	ts.Setenv("GIT_AUTHOR_DATE", args[1])
	ts.Setenv("GIT_COMMITTER_DATE", args[1])
	ts.Check(ts.Exec("git", "-C", dir, "add", "-A"))
	ts.Check(ts.Exec("git", "-C", dir, "commit", "-q", "-m", "x"))
	out, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	ts.Check(err)
	ts.Setenv(args[2], string(out[:40]))
}

// program is the command `program MODULE PLATFORM`: a skill's program is built
// and put beside the source, as a release's commit has it.
func program(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: program MODULE PLATFORM")
	}
	dir, p := ts.MkAbs(args[0]), skillbuild.Platform(args[1])
	out := filepath.Join(dir, filepath.FromSlash(skillbuild.Dir), filepath.FromSlash(p.Program()))
	ts.Check(os.MkdirAll(filepath.Dir(out), 0o777))
	ts.Check(skillbuild.BuildProgram(context.Background(), dir, out, p, os.Environ()))
}

// goCache is where this machine's Go keeps what it has compiled.
func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// expand is the command `expand FILE…`: variables in files are replaced.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		data, err := os.ReadFile(ts.MkAbs(name))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(os.Expand(string(data), ts.Getenv)), 0o644))
	}
}

package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/marola-dev/marola-routing/internal/ci/cli"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/page"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	routecli "github.com/marola-dev/marola-routing/internal/route/cli"
)

// TestMain makes the test binary be the programs that scripts run, and the
// parser process that a build starts.
func TestMain(m *testing.M) {
	if code, ok := extract.WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	testscript.Main(m, map[string]func(){
		"bundle-publish": func() { os.Exit(cli.Main(command.OS())) },
		"route":          func() { os.Exit(routecli.Main(command.OS())) },
		"peak":           func() { os.Exit(peak()) },
	})
}

// TestScripts runs the real programs over real repositories, as the files
// of testdata/script tell.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "seal": seal, "enlarge": enlarge},
		Condition: func(name string) (bool, error) {
			if name != "engine" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			_, err := page.Engine() // make test builds it
			return err == nil, nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Setenv("GORACE", "atexit_sleep_ms=10") // rather than a second, each time a program of these ends
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "A Person")
				e.Setenv("GIT_"+who+"_EMAIL", "person@example.org")
				e.Setenv("GIT_"+who+"_DATE", "2026-10-20T08:00:00Z")
			}
			return nil
		},
	})
}

// exits is the command `exits CODE PROGRAM ARGS…`: the program ends with just
// this code.
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
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("%s ended with %d, not %s", args[1], code, want)
	}
}

// seal is the command `seal DIR`: it writes the manifest of whatever bundle
// files lie in the directory, so that only their contents are wrong.
func seal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: seal DIR")
	}
	dir := bundle.Dir(ts.MkAbs(args[0]))
	names, err := dir.List()
	ts.Check(err)
	files := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(string(dir), filepath.FromSlash(name)))
		ts.Check(err)
		files[name] = data
	}
	m, err := bundle.NewManifest(files)
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(string(dir), bundle.ManifestName), m.Encode(), 0o644))
}

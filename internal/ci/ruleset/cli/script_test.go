package cli_test

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset/cli"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/testkit/rulesets"
)

// TestMain makes the test binary be the program that scripts run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ruleset-sync": func() { os.Exit(cli.Main(command.OS())) },
	})
}

// TestScripts runs the real program against a service with the repositories
// o/a, o/b, o/old (archived), o/fork (a fork) and other/c, as the files of
// testdata/script tell.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "live": addLive, "enforce": enforce, "hide": hide, "asked": asked, "names": names,
		},
		Setup: func(e *testscript.Env) error {
			service, err := rulesets.New(
				rulesets.Repository{FullName: "o/a"}, rulesets.Repository{FullName: "o/b"}, rulesets.Repository{FullName: "o/old", Archived: true},
				rulesets.Repository{FullName: "o/fork", Fork: true}, rulesets.Repository{FullName: "other/c"},
			)
			if err != nil {
				return err
			}
			service.Apps = map[string]int{"bundle-bot": 4242, "ci-bot": 77}
			service.Installed = map[string][]string{"o": {"bundle-bot", "ci-bot"}}
			server := httptest.NewServer(service)
			e.Defer(server.Close)
			e.Values["service"] = service
			e.Setenv("GITHUB_API_URL", server.URL)
			e.Setenv("GH_TOKEN", "secret-token")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Setenv("GORACE", "atexit_sleep_ms=10")
			return nil
		},
	})
}

func serviceOf(ts *testscript.TestScript) *rulesets.Service {
	return ts.Value("service").(*rulesets.Service)
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
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%s ended with %d, not %s", args[1], code, args[0])
	}
}

// addLive is the command `live TARGET FILE`: the service has the ruleset.
func addLive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: live TARGET FILE")
	}
	if _, err := serviceOf(ts).Add(args[0], []byte(ts.ReadFile(args[1]))); err != nil {
		ts.Fatalf("%v", err)
	}
}

// enforce is the command `enforce TARGET NAME LEVEL`: somebody changes the
// live ruleset by hand.
func enforce(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: enforce TARGET NAME LEVEL")
	}
	serviceOf(ts).Change(args[0], args[1], func(o rulesets.Object) { o["enforcement"] = args[2] })
}

// hide is the command `hide`: the service does not show bypass actors any
// more.
func hide(ts *testscript.TestScript, _ bool, _ []string) { serviceOf(ts).HideActors() }

// asked is the command `asked READS WRITES`: so much was asked since the last
// time.
func asked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: asked READS WRITES")
	}
	reads, writes := 0, 0
	var all []string
	for _, r := range serviceOf(ts).Requests() {
		all = append(all, r.Method+" "+r.Path)
		if r.Method == "GET" {
			reads++
		} else {
			writes++
		}
	}
	if fmt.Sprint(reads) != args[0] || fmt.Sprint(writes) != args[1] {
		ts.Fatalf("%d reads and %d writes: %v", reads, writes, all)
	}
}

// names is the command `names TARGET NAME…`: the target has these rulesets.
func names(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: names TARGET NAME…")
	}
	if got := serviceOf(ts).Names(args[0]); strings.Join(got, " ") != strings.Join(args[1:], " ") {
		ts.Fatalf("%s has %v", args[0], got)
	}
}

// in runs the program in a directory with files, against a service.
func in(t *testing.T, service *rulesets.Service, files map[string]string, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	server := httptest.NewServer(service)
	defer server.Close()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	env = append([]string{"GITHUB_API_URL=" + server.URL, "GH_TOKEN=secret-token"}, env...)
	code = cli.Main(command.Process{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Env: env, Dir: dir})
	return code, out.String(), errs.String()
}

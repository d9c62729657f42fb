package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/cli"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/tiny"
)

// TestMain makes the test binary be the programs that scripts run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mega-tron":      func() { knowTestModels(); os.Exit(cli.Main(command.OS())) },
		"backend":        backend,
		"curator":        curator,
		"mega-tron-wait": func() { os.Exit(waitForDaemon()) },
	})
}

// backend is an agent that answers with what it is called with.
func backend() {
	switch os.Args[1] {
	case "fail":
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	}
	fmt.Println(os.Args[1])
}

// curator answers with a skill of the name that it is called with.
func curator() {
	fmt.Printf(`{"skills": [{"name": %q, "content": "---\nname: %s\ndescription: Words of a changelog.\n---\nBe brief.\n"}]}`, os.Args[2], os.Args[2])
}

// waitFor waits until a file is there.
func waitFor(ts *testscript.TestScript, _ bool, args []string) {
	for range 500 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("%s does not come", args[0])
}

// waitForDaemon waits until a daemon answers.
func waitForDaemon() int {
	for range 500 {
		p := command.OS()
		p.Args, p.Stdout = []string{"daemon", "status"}, io.Discard
		if cli.Main(p) == 0 {
			return 0
		}
		time.Sleep(20 * time.Millisecond)
	}
	return 1
}

// TestScripts runs the real program as the files of testdata/script tell.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"tiny": tinyModel, "damage": damage, "event": event,
			"tree":     tree,
			"wait-for": waitFor,
		},
		Setup: func(e *testscript.Env) error {
			for _, kv := range os.Environ() {
				if name, _, _ := cut(kv); len(name) > 5 && name[:5] == "MEGA_" {
					e.Setenv(name, "")
				}
			}
			e.Setenv("HOME", e.WorkDir+"/home")
			for _, dir := range []string{"CONFIG", "DATA", "CACHE", "RUNTIME"} {
				e.Setenv("XDG_"+dir+"_HOME", "")
			}
			run, err := os.MkdirTemp("", "mt") // the system bounds how long a socket's name may be
			if err != nil {
				return err
			}
			e.Defer(func() { os.RemoveAll(run) })
			e.Setenv("XDG_RUNTIME_DIR", run)
			e.Setenv("GORACE", "atexit_sleep_ms=10")
			return os.MkdirAll(e.WorkDir+"/home", 0o755)
		},
	})
}

// tinyModel makes a model's directory: tiny encoder DIR POOLING, tiny table DIR.
func tinyModel(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[1])
	if args[0] == "table" {
		ts.Check(tiny.WriteTable(dir))
		return
	}
	ts.Check(tiny.WriteEncoder(dir, args[2]))
}

// event puts a directory into an event, event FILE DIR: as the system writes it.
func event(ts *testscript.TestScript, _ bool, args []string) {
	file := ts.MkAbs(args[0])
	data, err := os.ReadFile(file)
	ts.Check(err)
	dir, err := json.Marshal(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(file, bytes.ReplaceAll(data, []byte(`"CWD"`), dir), 0o644))
}

// damage changes a byte of a file, the last one or that of a share of its
// length in percent: damage FILE [PERCENT].
func damage(ts *testscript.TestScript, _ bool, args []string) {
	file := ts.MkAbs(args[0])
	data, err := os.ReadFile(file)
	ts.Check(err)
	at := len(data) - 1
	if len(args) > 1 {
		percent, err := strconv.Atoi(args[1])
		ts.Check(err)
		at = at * percent / 100
	}
	data[at] ^= 1
	ts.Check(os.WriteFile(file, data, 0o644))
}

func cut(kv string) (name, value string, ok bool) {
	for i := range kv {
		if kv[i] == '=' {
			return kv[:i], kv[i+1:], true
		}
	}
	return kv, "", false
}

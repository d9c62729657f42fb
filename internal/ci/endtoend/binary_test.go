//go:build unix

package endtoend

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/runner"
)

// A stage is a machine with an action of which only the script that chooses
// the program is ours; the program is a script that says its name.
type stage struct {
	t      *testing.T
	runner *runner.Runner
	action string
	work   string // a step that runs first
}

func newStage(t *testing.T) *stage {
	s := &stage{t: t, action: filepath.Join(t.TempDir(), "the action")}
	for _, name := range []string{"action.yml", "scripts/action/binary.sh", "go.mod"} {
		data, err := os.ReadFile(filepath.Join(module(t), name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(s.action, name), string(data), 0o644)
	}
	s.runner = &runner.Runner{
		Dir: t.TempDir(), Env: machine(t), Actions: map[string]string{ours: s.action},
		GitHub: map[string]string{"server_url": "https://example.org", "repository": "o/r", "api_url": "https://api.example.org"},
		Uses: map[string]func(*runner.Machine, map[string]string) error{
			"actions/setup-go": func(_ *runner.Machine, with map[string]string) error {
				if with["go-version"] != "1.26.x" || with["cache"] != "false" {
					return fmt.Errorf("it is asked for %v", with)
				}
				return nil
			},
		},
	}
	return s
}

// program puts a program on the machine's path.
func (s *stage) program(name, text string) {
	s.t.Helper()
	dir := s.t.TempDir()
	write(s.t, filepath.Join(dir, name), text, 0o755)
	for i, kv := range s.runner.Env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			s.runner.Env[i] = "PATH=" + dir + ":" + path
		}
	}
}

// publish runs the action with the inputs, and a token.
func (s *stage) publish(inputs map[string]string) runner.Result {
	with := map[string]string{"command": "publish", "bundle": "b", "token": "ghs_secret"}
	for key, text := range inputs {
		with[key] = text
	}
	return s.runner.Run(&runner.Workflow{Jobs: map[string]*runner.Job{"job": {Steps: []runner.Step{
		{Run: "true\n" + s.work}, {Uses: ours + "@main", With: with, Env: map[string]string{"GH_TOKEN": "ghs_secret"}},
	}}}}, "job", nil)
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

const (
	program  = "#!/bin/sh\necho \"ran $1 with $INPUT_COMMAND\"\n"
	toHold   = "printf '%s' '" + program + "' >program\n"
	dispatch = "ran action with publish"
)

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func TestBinaryHandedOver(t *testing.T) {
	for _, c := range []struct {
		name   string
		inputs map[string]string
		want   string // in the log
		fails  bool
	}{
		{"the one that was meant", map[string]string{"binary": "program", "binary-sha256": sum(program)}, dispatch, false},
		{"another one", map[string]string{"binary": "program", "binary-sha256": sum("x")}, "is not the binary that was meant", true},
		{"without a hash", map[string]string{"binary": "program"}, "binary-sha256 is no SHA-256", true},
		{"a short hash", map[string]string{"binary": "program", "binary-sha256": sum(program)[:10]}, "binary-sha256 is no SHA-256", true},
		{"a pattern for a hash", map[string]string{"binary": "program", "binary-sha256": ".*"}, "binary-sha256 is no SHA-256", true},
		{"a hash without a binary", map[string]string{"binary-sha256": sum(program)}, "there is no file", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			s.work = toHold // without the mode to execute it: an artifact has none
			got := s.publish(c.inputs)
			if (got.Status == "failure") != c.fails || !strings.Contains(got.Log, c.want) {
				t.Errorf("it ends with %s (%v):\n%s", got.Status, got.Err, got.Log)
			}
			if c.fails && strings.Contains(got.Log, dispatch) {
				t.Errorf("it ran:\n%s", got.Log)
			}
		})
	}
}

// TestBinaryOfARelease: what is downloaded is held to the table in the pinned
// commit, and nothing of the job's environment goes along ("T17 old verifier
// leaks the token to mirrors").
func TestBinaryOfARelease(t *testing.T) {
	const base = "https://example.org/releases/v1"
	name := fmt.Sprintf("bundle-publish-%s-%s", runtime.GOOS, runtime.GOARCH)
	for _, c := range []struct {
		name, table, serves, want string
		fails                     bool
	}{
		{"T17 the one of the table", "# from " + base + "\n" + sum(program) + "  " + name + "\n" + sum("x") + "  other\n", program, dispatch, false},
		{"T14 another one under its name", "# from " + base + "\n" + sum(program) + "  " + name + "\n", "#!/bin/sh\necho stolen\n", "is not the binary that was meant", true},
		{"none to be had", "# from " + base + "\n" + sum(program) + "  " + name + "\n", "", "could not be downloaded", true},
		{"not over https", "# from http://example.org\n" + sum(program) + "  " + name + "\n", program, "could not be downloaded", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			write(t, filepath.Join(s.action, "scripts/action/release.sha256"), c.table, 0o644)
			served, seen := filepath.Join(t.TempDir(), "served"), filepath.Join(t.TempDir(), "environment")
			write(t, served, c.serves, 0o644)
			s.program("curl", fmt.Sprintf(`#!/bin/sh
env >%q
while [ $# -gt 1 ]; do
  if [ "$1" = --output ]; then to=$2; fi
  if [ "$1" = --proto ]; then proto=$2; fi
  shift
done
[ "$proto" = "=https" ] && [ "$1" = %q ] && [ -s %q ] && cp %[3]q "$to"
`, seen, base+"/"+name, served))
			got := s.publish(nil)
			if (got.Status == "failure") != c.fails || !strings.Contains(got.Log, c.want) {
				t.Errorf("it ends with %s (%v):\n%s", got.Status, got.Err, got.Log)
			}
			if c.fails && (strings.Contains(got.Log, dispatch) || strings.Contains(got.Log, "stolen")) {
				t.Errorf("it ran:\n%s", got.Log)
			}
			data, err := os.ReadFile(seen)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(data), "ghs_secret") || strings.Contains(string(data), "INPUT_") || strings.Contains(string(data), "GITHUB_") {
				t.Errorf("the download sees the environment of the job:\n%s", data)
			}
		})
	}
}

// TestBinaryIsBuilt: without a release and without a binary, go builds the
// action's own checkout, from its own modules, and sees no secret.
func TestBinaryIsBuilt(t *testing.T) {
	s := newStage(t)
	seen := filepath.Join(t.TempDir(), "environment")
	s.program("go", fmt.Sprintf(`#!/bin/sh
env >%q
pwd >>%[1]q
[ "$1 $2 $3 $4 $6" = "build -trimpath -buildvcs=false -o ./cmd/bundle-publish" ] || exit 9
printf '%%s' '%s' >"$5" && chmod 755 "$5"
`, seen, program))
	got := s.publish(nil)
	if got.Status != "success" || !strings.Contains(got.Log, dispatch) {
		t.Fatalf("it ends with %s (%v):\n%s", got.Status, got.Err, got.Log)
	}
	data, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nGOFLAGS=-mod=readonly\n", "\nGOWORK=off\n", "\nGOTOOLCHAIN=local\n", "\n" + s.action + "\n"} {
		if !strings.Contains("\n"+string(data), want) {
			t.Errorf("the build lacks %q:\n%s", want, data)
		}
	}
	if strings.Contains(string(data), "INPUT_TOKEN") {
		t.Errorf("the build sees the token:\n%s", data)
	}
}

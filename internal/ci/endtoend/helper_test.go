//go:build unix

package endtoend

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/runner"
)

// module is the top of this module.
func module(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// machine is the environment of every machine: this one's programs, and
// nothing of its configuration.
func machine(t *testing.T) []string {
	t.Helper()
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=A Person", "GIT_AUTHOR_EMAIL=person@example.org", "GIT_AUTHOR_DATE=2026-10-20T08:00:00Z",
		"GIT_COMMITTER_NAME=A Person", "GIT_COMMITTER_EMAIL=person@example.org", "GIT_COMMITTER_DATE=2026-10-20T08:00:00Z",
	}
	// What go has fetched and built already is not built again.
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(string(out), "\n")
	for i, name := range []string{"GOMODCACHE", "GOCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS"} {
		env = append(env, name+"="+values[i])
	}
	return env
}

// copyModule copies this module's own files to dir, without test data.
func copyModule(t *testing.T, dir string) {
	t.Helper()
	from := module(t)
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := e.Name(); e.IsDir() && (name == ".git" || name == "bin" || name == "dist" || name == "testdata") {
			return fs.SkipDir
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, data, info.Mode())
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	programs = map[string]string{}
	building sync.Mutex
)

// TestMain removes the programs that were built.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, file := range programs {
		_ = os.RemoveAll(filepath.Dir(file))
	}
	os.Exit(code)
}

// built is a program of this module, built once, as a release is.
func built(t *testing.T, program string) string {
	t.Helper()
	building.Lock()
	defer building.Unlock()
	if programs[program] == "" {
		dir, err := os.MkdirTemp("", "built")
		if err != nil {
			t.Fatal(err)
		}
		command(t, module(t), machine(t), "sh", "scripts/release/dist.sh", dir, program)
		programs[program] = filepath.Join(dir, fmt.Sprintf("%s-%s-%s", program, runtime.GOOS, runtime.GOARCH))
	}
	return programs[program]
}

// command runs a program and fails the test if it fails.
func command(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func workflow(t *testing.T, path ...string) *runner.Workflow {
	t.Helper()
	w, err := runner.ReadWorkflow(filepath.Join(append([]string{module(t)}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

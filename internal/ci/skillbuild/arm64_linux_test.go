package skillbuild

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// emulators run programs for arm64 on another machine.
var emulators = []string{"qemu-aarch64-static", "qemu-aarch64"}

// TestARM64 runs the program for linux-arm64 under an emulator: a hook's
// start, and an answer from a bundle. An emulator is large, so only a soak on
// a machine that has one does it.
func TestARM64(t *testing.T) {
	emulator := ""
	for _, name := range emulators {
		if path, err := exec.LookPath(name); err == nil && emulator == "" {
			emulator = path
		}
	}
	if emulator == "" || os.Getenv("MAROLA_SOAK") == "" {
		t.Logf("not a soak, or none of %q is here", emulators)
		return
	}
	w := gittest.New(t)
	source, program := filepath.Join(w.Home, "source"), filepath.Join(w.Home, "route")
	copyModule(t, source)
	if err := BuildProgram(context.Background(), source, program, "linux-arm64", os.Environ()); err != nil {
		t.Fatal(err)
	}
	dir := w.Repo("umbrella")
	w.Commit(dir, "refs/marola/routing-bundle", answers(t, w, bundle.Build{Repo: "umbrella", Branch: "main", Head: w.Head(dir)}))
	for _, c := range []struct {
		stdin, want string
		args        []string
	}{
		{`{"source":"startup"}`, "▸ routing: bundle main@", []string{"session-check"}},
		{"", "parts/app/src/board.go:3", []string{"query", "water board"}},
		{"", "program: route ", []string{"status"}},
	} {
		cmd := exec.Command(emulator, append([]string{program}, c.args...)...)
		cmd.Dir, cmd.Env, cmd.Stdin = dir, w.Env, strings.NewReader(c.stdin)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%q: %v, %s; want %q", c.args, err, out, c.want)
		}
	}
}

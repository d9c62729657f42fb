package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/tiny"
)

// A person has a home with two skills and a model, and runs the real program.
type person struct {
	t    *testing.T
	home string
	env  []string
}

func newPerson(t *testing.T) *person {
	t.Helper()
	run, err := os.MkdirTemp("", "mt") // the system bounds how long a socket's name may be
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, home: t.TempDir()}
	p.env = []string{"HOME=" + p.home, "XDG_RUNTIME_DIR=" + run, "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=10", "MEGA_TRON_WARMUP_BACKGROUND=0"}
	t.Cleanup(func() {
		_, _ = p.run("daemon", "stop")
		os.RemoveAll(run)
	})
	for name, description := range map[string]string{"webhook-signer": "Sign and verify webhook payloads.", "release-notes": "Write the changelog of a release."} {
		d := filepath.Join(p.home, ".claude", "skills", name)
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "SKILL.md"), []byte("---\nname: "+name+"\ndescription: "+description+"\n---\nBody.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	model := filepath.Join(t.TempDir(), "thumb")
	if err := tiny.WriteEncoder(model, "cls"); err != nil {
		t.Fatal(err)
	}
	if out, err := p.run("model", "import", model, "--name", "bge-small-en-v1.5"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

func (p *person) run(args ...string) (string, error) {
	cmd := exec.Command("mega-tron", args...)
	cmd.Env, cmd.Dir = p.env, p.home
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	err := cmd.Run()
	return both.String(), err
}

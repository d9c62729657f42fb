//go:build unix

package skillbuild

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSkillRoutingLauncher: it starts an installed mega-tron, and without one
// says how to get it, which is no failure.
func TestSkillRoutingLauncher(t *testing.T) {
	script, err := filepath.Abs("../../../skills/skill-routing/scripts/mega-tron")
	if err != nil {
		t.Fatal(err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	run := func(path string) string {
		cmd := exec.Command(sh, script, "search", "a b")
		cmd.Env = []string{"HOME=" + home, "PATH=" + path}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if out := run(home); !strings.HasPrefix(out, "mega-tron is not installed; ") {
		t.Errorf("got %q", out)
	}
	for _, dir := range []string{"go/bin", ".local/bin", "path"} {
		at := filepath.Join(home, dir)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "mega-tron"), []byte("#!"+sh+"\necho "+dir+" \"$1\" \"$2\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if out := run(filepath.Join(home, "path")); out != dir+" search a b\n" {
			t.Errorf("got %q", out)
		}
	}
}

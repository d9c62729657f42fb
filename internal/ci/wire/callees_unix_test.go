//go:build unix

package wire

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestCalleeThatIsAPipe(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "far", "away", "v1")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(at, "action.yml"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree{"app/.github/workflows/a.yml": workflowText("", "      - uses: far/away@v1\n")}.
		extract(t, Options{Callees: os.DirFS(dir)}).wants(t, "unresolved",
		"unresolved action far/away v1: it is not in the workspace, so what it does is not known: at app/.github/workflows/a.yml:6")
}

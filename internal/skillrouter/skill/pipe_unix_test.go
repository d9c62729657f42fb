//go:build unix

package skill

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// pipe makes a named pipe that nobody writes to where a SKILL.md belongs.
func pipe(t *testing.T, dir string) bool {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, FileName), 0o644); err != nil {
		t.Fatal(err)
	}
	return true
}

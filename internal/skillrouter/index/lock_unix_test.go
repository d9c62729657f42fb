//go:build unix

package index

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestSaverThatHangs: who holds the lock and never lets go costs the others
// what they have learnt, and no more.
func TestSaverThatHangs(t *testing.T) {
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "index.bin")
	write(t, dir, "alpha", "Does alpha.", "Body")
	x := New("m")
	fill(t, x, &letters{}, dir)
	unlock, err := lock(path + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Save(path); !errors.Is(err, errBusy) {
		t.Errorf("saved while another saves: %v", err)
	}
	unlock()
	if err := x.Save(path); err != nil {
		t.Errorf("and afterwards: %v", err)
	}
	if y, err := Load(path, "m"); err != nil || len(y.contents) != 1 {
		t.Errorf("%d contents, %v", len(y.contents), err)
	}
}

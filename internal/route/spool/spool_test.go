package spool

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestPiecesComeBack(t *testing.T) {
	piece := func(i int) []byte { return bytes.Repeat([]byte{byte(i), byte(i >> 8)}, i%700) }
	for _, tt := range []struct {
		name    string
		limit   int
		spilled bool
	}{{"in memory", 10 << 20, false}, {"in a file", 0, true}, {"in both", 100_000, true}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			s := New(tt.limit)
			places := make([]Place, 5000)
			var all sync.WaitGroup
			for worker := range 4 {
				all.Go(func() {
					for i := worker; i < len(places); i += 4 {
						places[i] = s.Put(piece(i))
					}
				})
			}
			all.Wait()
			for i, p := range places {
				data, err := s.Get(p)
				if err != nil || !bytes.Equal(data, piece(i)) || p.Size() != len(data) {
					t.Fatalf("piece %d came back as %d bytes, %v", i, len(data), err)
				}
			}
			if s.Spilled() != tt.spilled || s.Err() != nil {
				t.Errorf("spilled %v, %v", s.Spilled(), s.Err())
			}
			s.Close()
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

func TestTheEmptyPlace(t *testing.T) {
	s := New(0)
	defer s.Close()
	if data, err := s.Get(Place{}); len(data) > 0 || err != nil || s.Spilled() {
		t.Errorf("%q, %v, %v", data, err, s.Spilled())
	}
}

// A disk that is full, or a directory that is not there, must end a build and
// not a part of its data.
func TestNoFileToBeHad(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	s := New(3)
	defer s.Close()
	if kept := s.Put([]byte("abc")); s.Err() != nil {
		t.Fatal(s.Err())
	} else if data, err := s.Get(kept); string(data) != "abc" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	lost := s.Put(bytes.Repeat([]byte("x"), 2*chunk))
	if _, err := s.Get(lost); err == nil || s.Err() == nil || !strings.Contains(err.Error(), os.TempDir()) {
		t.Errorf("a piece that was lost gives %v; the spool says %v", err, s.Err())
	}
}

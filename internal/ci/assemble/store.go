package assemble

import (
	"io/fs"
	"maps"
	"slices"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/spool"
)

// storeBytes is how much of a bundle is kept in memory before the rest goes
// to a temporary file, in bytes.
const storeBytes = 64 << 20

// A Store is the files of a bundle that is being made. It is a [bundle.Files].
type Store struct {
	away *spool.Spool
	at   map[string]spool.Place
}

// NewStore returns a store without files.
func NewStore() *Store { return &Store{away: spool.New(storeBytes), at: map[string]spool.Place{}} }

// Put keeps a file, in the place of an earlier one of the name. The data must
// not change any more.
func (s *Store) Put(name string, data []byte) error {
	s.at[name] = s.away.Put(data)
	return s.away.Err()
}

// Delete gives up a file.
func (s *Store) Delete(name string) { delete(s.at, name) }

// ReadFile implements [bundle.Files].
func (s *Store) ReadFile(name string) ([]byte, error) {
	p, ok := s.at[name]
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	case p.Size() > bundle.MaxFile:
		return nil, bundle.TooLarge(name, int64(p.Size()))
	}
	return s.away.Get(p)
}

// List implements [bundle.Files].
func (s *Store) List() ([]string, error) { return slices.Sorted(maps.Keys(s.at)), nil }

// Size is the number of files and of their bytes.
func (s *Store) Size() (files int, bytes int64) {
	for _, p := range s.at {
		bytes += int64(p.Size())
	}
	return len(s.at), bytes
}

// Close gives up all files.
func (s *Store) Close() { s.away.Close() }

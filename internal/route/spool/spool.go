// Package spool puts bytes away until they are asked for: in memory up to a
// bound, past it in a temporary file. What builds a large bundle needs no more
// memory for it than for a small one.
package spool

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// chunk is how much is gathered before it is written to the file, in bytes.
const chunk = 256 << 10

// A Spool keeps pieces of bytes. It is safe for concurrent use. Close ends it.
type Spool struct {
	limit int

	mu     sync.Mutex
	kept   [][]byte // pieces in memory
	held   int      // bytes of kept
	file   *os.File // nil as long as all is in memory
	spills bool     // there is or was a file
	size   int64    // bytes that were written to file
	tail   []byte   // what comes next in file
	failed error    // of the first write or read that went wrong, or errClosed
}

// A Place is where a Spool keeps one piece. The zero Place is an empty piece.
type Place struct {
	at   int64 // in the file; of a piece in memory, −1 less its number
	size int32
}

// Size is the number of bytes of the piece.
func (p Place) Size() int { return int(p.size) }

// New returns a spool that holds about limit bytes in memory before it makes
// a file.
func New(limit int) *Spool { return &Spool{limit: limit} }

// Put keeps a piece. The spool may hold on to data, which must not change any
// more. A write that fails shows in Get and in Err.
func (s *Spool) Put(data []byte) Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(data) == 0 || errors.Is(s.failed, errClosed) {
		return Place{}
	}
	size := int32(len(data))
	if s.file == nil && s.held+len(data) <= s.limit {
		s.kept = append(s.kept, data)
		s.held += len(data)
		return Place{-int64(len(s.kept)), size}
	}
	if s.file == nil {
		s.create()
	}
	p := Place{s.size + int64(len(s.tail)), size}
	if s.tail = append(s.tail, data...); len(s.tail) >= chunk {
		s.flush()
	}
	return p
}

// create makes the file, without a name where the system allows that, so that
// nothing is left of it however the program ends.
func (s *Spool) create() {
	f, err := os.CreateTemp("", "bundle-*.spool")
	if err != nil {
		s.fail(err)
		return
	}
	_ = os.Remove(f.Name()) // Windows keeps an open file; Close removes it
	s.file, s.spills = f, true
	s.tail = make([]byte, 0, 2*chunk)
}

func (s *Spool) flush() {
	if s.file == nil {
		s.tail = s.tail[:0] // there is no file to be had, and Err says so
		return
	}
	n, err := s.file.WriteAt(s.tail, s.size)
	s.fail(err)
	s.size += int64(n)
	s.tail = s.tail[:0]
}

func (s *Spool) fail(err error) {
	if err != nil && s.failed == nil {
		s.failed = fmt.Errorf("a temporary file in %s, which holds what does not fit into memory: %w", os.TempDir(), err)
	}
}

// Get returns a piece, which must not be changed.
func (s *Spool) Get(p Place) ([]byte, error) {
	if p.size == 0 {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(s.failed, errClosed), s.failed != nil && p.at >= 0:
		return nil, s.failed
	case p.at < 0:
		return s.kept[-p.at-1], nil
	}
	data := make([]byte, p.size)
	if p.at >= s.size {
		copy(data, s.tail[p.at-s.size:])
		return data, nil
	}
	if _, err := s.file.ReadAt(data, p.at); err != nil {
		s.fail(err)
		return nil, s.failed
	}
	return data, nil
}

var errClosed = errors.New("the spool is closed")

// Err is what went wrong so far.
func (s *Spool) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// Spilled reports whether there is or was a file.
func (s *Spool) Spilled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spills
}

// Close gives up all pieces. Who still asks for one gets an error.
func (s *Spool) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
	s.kept, s.file, s.tail, s.limit, s.failed = nil, nil, nil, 0, errClosed
}

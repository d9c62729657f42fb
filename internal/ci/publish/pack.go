package publish

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// limits bound what is taken from a remote into memory.
type limits struct {
	packed  int64 // bytes of a pack
	objects int64 // in a pack
	object  int64 // bytes of one object
	total   int64 // bytes of all objects
}

var packLimits = limits{packed: 64 << 20, objects: 2 * bundle.MaxFiles, object: bundle.MaxFile, total: 2 * MaxTotal}

// tooLarge is a pack that is not taken into memory. Fetching it again would
// not make it smaller.
type tooLarge struct{ text string }

func (e *tooLarge) Error() string { return e.text }

// unpack reads a pack into memory. A pack is a small thing that can say that
// it is a huge one, so its claims are checked before any object is built.
func unpack(r io.Reader, l limits) (*memory.Storage, error) {
	data, err := io.ReadAll(io.LimitReader(r, l.packed+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > l.packed {
		return nil, &tooLarge{fmt.Sprintf("it has more than %d bytes packed", l.packed)}
	}
	if err := checkPack(data, l); err != nil {
		return nil, err
	}
	objects := memory.NewStorage()
	parser, err := packfile.NewParserWithStorage(packfile.NewScanner(bytes.NewReader(data)), objects)
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(); err != nil {
		return nil, err
	}
	return objects, nil
}

// checkPack adds up the sizes that a pack declares, those of delta results
// included. An object whose content is longer than it declares is an error of
// the scanner.
func checkPack(data []byte, l limits) error {
	s := packfile.NewScanner(bytes.NewReader(data))
	_, count, err := s.Header()
	if err != nil {
		return err
	}
	if int64(count) > l.objects {
		return &tooLarge{fmt.Sprintf("it holds %d objects; at most %d are read", count, l.objects)}
	}
	total := int64(0)
	add := func(size int64) error {
		if total += size; size < 0 || size > l.object || total > l.total {
			return &tooLarge{fmt.Sprintf("it holds an object of %d bytes, and %d so far; at most %d and %d are read", size, total, l.object, l.total)}
		}
		return nil
	}
	for range count {
		h, err := s.NextObjectHeader()
		if err != nil {
			return err
		}
		if err := add(h.Length); err != nil {
			return err
		}
		head := &prefix{}
		if _, _, err := s.NextObject(head); err != nil {
			return err
		}
		if h.Type == plumbing.OFSDeltaObject || h.Type == plumbing.REFDeltaObject {
			if err := add(deltaSize(head.kept)); err != nil {
				return err
			}
		}
	}
	return nil
}

// prefix keeps the first bytes that are written to it: enough for the two
// sizes at the head of a delta.
type prefix struct{ kept []byte }

func (p *prefix) Write(b []byte) (int, error) {
	if room := 20 - len(p.kept); room > 0 {
		p.kept = append(p.kept, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

// deltaSize reads the size of a delta's result from its head: two numbers of
// seven bits a byte, the second of which is the one. A number that is too
// long for any size is negative.
func deltaSize(head []byte) int64 {
	size := int64(0)
	for range 2 {
		size = 0
		for shift := 0; ; shift += 7 {
			if len(head) == 0 || shift > 49 {
				return -1
			}
			b := head[0]
			head = head[1:]
			size |= int64(b&0x7f) << shift
			if b&0x80 == 0 {
				break
			}
		}
	}
	return size
}

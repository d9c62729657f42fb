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

// Limits on what is taken from a remote into memory.
const (
	maxPack     = 64 << 20            // compressed bytes
	maxObjects  = 2 * bundle.MaxFiles // blobs, trees and a commit
	maxInflated = 2 * MaxTotal
)

// tooLarge is a pack that is not taken into memory. Fetching it again would
// not make it smaller.
type tooLarge struct{ text string }

func (e *tooLarge) Error() string { return e.text }

// unpack reads a pack into memory. A pack is a small thing that can say that
// it is a huge one, so its claims are checked before any object is built.
func unpack(r io.Reader) (*memory.Storage, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPack+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxPack {
		return nil, &tooLarge{fmt.Sprintf("it is larger than %d MB packed", maxPack>>20)}
	}
	if err := checkPack(data); err != nil {
		return nil, err
	}
	objects := memory.NewStorage()
	parser, err := packfile.NewParserWithStorage(packfile.NewScanner(bytes.NewReader(data)), objects)
	if err != nil {
		return nil, err
	}
	_, err = parser.Parse()
	return objects, err
}

// checkPack adds up the sizes that a pack declares, those of delta results
// included.
func checkPack(data []byte) error {
	s := packfile.NewScanner(bytes.NewReader(data))
	_, count, err := s.Header()
	if err != nil {
		return err
	}
	if count > maxObjects {
		return &tooLarge{fmt.Sprintf("it holds %d objects", count)}
	}
	total := int64(0)
	for range count {
		h, err := s.NextObjectHeader()
		if err != nil {
			return err
		}
		head := &prefix{limit: h.Length}
		if _, _, err := s.NextObject(head); err != nil {
			return err
		}
		size := h.Length
		if h.Type == plumbing.OFSDeltaObject || h.Type == plumbing.REFDeltaObject {
			size = max(size, deltaSize(head.kept))
		}
		if total += size; size > bundle.MaxFile || total > maxInflated {
			return &tooLarge{fmt.Sprintf("it holds an object of %d bytes, and %d bytes so far; at most %d and %d are read", size, total, bundle.MaxFile, maxInflated)}
		}
	}
	return nil
}

// prefix keeps the first bytes that are written to it and counts the rest.
type prefix struct {
	kept  []byte
	n     int64
	limit int64
}

func (p *prefix) Write(b []byte) (int, error) {
	if p.n += int64(len(b)); p.n > p.limit || p.n > bundle.MaxFile {
		return 0, &tooLarge{fmt.Sprintf("it holds an object that is larger than it says, or than %d bytes", bundle.MaxFile)}
	}
	if room := 20 - len(p.kept); room > 0 {
		p.kept = append(p.kept, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

// deltaSize reads the size of a delta's result from its head: two numbers of
// seven bits a byte, the second of which is the one.
func deltaSize(head []byte) int64 {
	size := int64(0)
	for range 2 {
		size = 0
		for shift := 0; len(head) > 0 && shift < 56; shift += 7 {
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

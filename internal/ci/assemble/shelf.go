package assemble

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/spool"
)

// heldBytes is how much of references and passages stays in memory as it is,
// in bytes. They are most of what files give, and each is asked for once more
// only; past this they wait in a spool.
const heldBytes = 96 << 20

// spoolBytes is how much one spool keeps in memory.
const spoolBytes = 16 << 20

// A shelf keeps what files gave until it is joined.
type shelf struct {
	room atomic.Int64 // bytes that may still be held
	away *spool.Spool
}

// noBound is a shelf's size for what is not to leave memory.
const noBound = math.MaxInt64

func newShelf(held int64) *shelf {
	s := &shelf{away: spool.New(spoolBytes)}
	s.room.Store(held)
	return s
}

// Sizes of what is held, in bytes, with what their texts take.
const (
	referenceSize = 160
	termSize      = 32
)

// put takes what one file gave.
func (s *shelf) put(p parsed) parsed {
	if p.file == nil {
		return p
	}
	size := int64(len(p.file.References)) * referenceSize
	for _, passage := range p.passages {
		size += int64(len(passage.Terms)) * termSize
	}
	if s.room.Add(-size) >= 0 {
		return p
	}
	s.room.Add(size)
	p.references = s.away.Put(extract.AppendReferences(nil, p.file.References))
	p.words = s.away.Put(encodeExtra("", p.passages))
	p.file, p.passages, p.shelved = extract.Outline(p.file), nil, true
	return p
}

// referencesOf returns the function that package resolve calls for a file's
// references; nil where the file has them.
func (s *shelf) referencesOf(p *parsed) func() ([]extract.Reference, error) {
	if !p.shelved {
		return nil
	}
	place, definitions := p.references, len(p.file.Definitions)
	return func() ([]extract.Reference, error) {
		data, err := s.away.Get(place)
		if err != nil {
			return nil, err
		}
		return extract.DecodeReferences(data, definitions)
	}
}

func (s *shelf) passagesOf(p *parsed) ([]index.Passage, error) {
	if !p.shelved {
		return p.passages, nil
	}
	data, err := s.away.Get(p.words)
	if err != nil {
		return nil, err
	}
	_, list, ok := decodeExtra(data)
	if !ok {
		return nil, fmt.Errorf("the words that were put away in a temporary file came back damaged")
	}
	return list, nil
}

package wordpiece

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// A Vocabulary maps pieces to ids. It is a table that can be written to a
// file and used from there as it lies, without being built again: starting a
// process that reads it costs nothing per piece.
type Vocabulary struct {
	ends  []byte // little-endian uint32 a piece: where it ends in text
	text  []byte // the pieces, one after the other, in the order of their ids
	slots []byte // little-endian uint32: id+1, or 0; a power of two of them
}

// Bounds of what a vocabulary may be: far above any that is in use.
const (
	maxPieces = 1 << 20
	maxText   = 64 << 20
)

// NewVocabulary builds the table of pieces whose ids are their places. Two
// equal pieces are an error, as is an empty list.
func NewVocabulary(pieces []string) (*Vocabulary, error) {
	if len(pieces) == 0 || len(pieces) > maxPieces {
		return nil, fmt.Errorf("a vocabulary of %d pieces; from 1 to %d can be used", len(pieces), maxPieces)
	}
	v := &Vocabulary{slots: make([]byte, 4<<bits.Len(uint(2*len(pieces))))}
	for id, piece := range pieces {
		if _, dup := v.ID(piece); dup && piece != "" {
			return nil, fmt.Errorf("the vocabulary holds %q twice", piece)
		}
		if len(v.text)+len(piece) > maxText {
			return nil, fmt.Errorf("the vocabulary holds more than %d bytes of text", maxText)
		}
		v.text = append(v.text, piece...)
		v.ends = binary.LittleEndian.AppendUint32(v.ends, uint32(len(v.text)))
		if piece == "" {
			continue // a hole in the numbering: it has an id and no text
		}
		mask := uint32(len(v.slots)/4 - 1)
		i := hash(hashStart, piece) & mask
		for v.slot(i) != 0 {
			i = (i + 1) & mask
		}
		binary.LittleEndian.PutUint32(v.slots[4*i:], uint32(id)+1)
	}
	return v, nil
}

// Len is the number of ids.
func (v *Vocabulary) Len() int { return len(v.ends) / 4 }

// Piece is the text of an id below Len.
func (v *Vocabulary) Piece(id int) string {
	start := uint32(0)
	if id > 0 {
		start = binary.LittleEndian.Uint32(v.ends[4*id-4:])
	}
	return string(v.text[start:binary.LittleEndian.Uint32(v.ends[4*id:])])
}

// ID is the id of a piece.
func (v *Vocabulary) ID(piece string) (int32, bool) { return v.find("", piece) }

// find looks for prefix+piece without joining them.
func (v *Vocabulary) find(prefix, piece string) (int32, bool) {
	mask := uint32(len(v.slots)/4 - 1)
	i := hash(hash(hashStart, prefix), piece) & mask
	// A table from a file may have no empty slot: a round is the end.
	for range mask + 1 {
		s := v.slot(i)
		if s == 0 {
			return 0, false
		}
		if v.is(int(s-1), prefix, piece) {
			return int32(s - 1), true
		}
		i = (i + 1) & mask
	}
	return 0, false
}

// is compares the text of an id, which may be foreign, with prefix+piece.
func (v *Vocabulary) is(id int, prefix, piece string) bool {
	if id >= v.Len() {
		return false
	}
	start := uint32(0)
	if id > 0 {
		start = binary.LittleEndian.Uint32(v.ends[4*id-4:])
	}
	text := v.text[start:binary.LittleEndian.Uint32(v.ends[4*id:])]
	return len(text) == len(prefix)+len(piece) && string(text[:len(prefix)]) == prefix && string(text[len(prefix):]) == piece
}

func (v *Vocabulary) slot(i uint32) uint32 { return binary.LittleEndian.Uint32(v.slots[4*i:]) }

// FNV-1a: short keys, no state, the same on every machine.
const hashStart = 2166136261

func hash(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// header is the sizes that stand before the tables: pieces, bytes of text,
// slots, and a zero that keeps what follows aligned.
const header = 16

// AppendBinary writes the table as [ReadVocabulary] reads it.
func (v *Vocabulary) AppendBinary(data []byte) ([]byte, error) {
	data = binary.LittleEndian.AppendUint32(data, uint32(v.Len()))
	data = binary.LittleEndian.AppendUint32(data, uint32(len(v.text)))
	data = binary.LittleEndian.AppendUint32(data, uint32(len(v.slots)/4))
	data = binary.LittleEndian.AppendUint32(data, 0)
	data = append(data, v.ends...)
	data = append(data, v.slots...)
	return append(data, v.text...), nil
}

var errVocabulary = errors.New("the vocabulary's table is damaged")

// ReadVocabulary uses a table that AppendBinary wrote, in place: data must
// not change afterwards. Whatever data holds, looking pieces up stays within
// it and ends.
func ReadVocabulary(data []byte) (*Vocabulary, error) {
	if len(data) < header {
		return nil, errVocabulary
	}
	pieces, text, slots := uint64(binary.LittleEndian.Uint32(data)), uint64(binary.LittleEndian.Uint32(data[4:])), uint64(binary.LittleEndian.Uint32(data[8:]))
	if pieces == 0 || pieces > maxPieces || text > maxText || slots == 0 || slots&(slots-1) != 0 || uint64(len(data)-header) != 4*pieces+4*slots+text {
		return nil, errVocabulary
	}
	data = data[header:]
	v := &Vocabulary{ends: data[:4*pieces], slots: data[4*pieces : 4*(pieces+slots)], text: data[4*(pieces+slots):]}
	before := uint32(0)
	for i := range v.Len() {
		end := binary.LittleEndian.Uint32(v.ends[4*i:])
		if end < before || uint64(end) > text {
			return nil, errVocabulary
		}
		before = end
	}
	return v, nil
}

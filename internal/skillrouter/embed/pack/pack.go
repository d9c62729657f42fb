// Package pack is the file that a model is used from: everything that a
// process needs, laid out as it is needed, mapped read-only and shared by all
// processes that use it.
//
//	8 bytes   magic
//	4 bytes   version, little endian
//	4 bytes   length of the header, little endian
//	32 bytes  SHA-256 of the header
//	header    JSON: what the model is, and its sections with their SHA-256
//	sections  each at a multiple of 64 bytes; numbers are little endian
//
// The hash of the header stands for the whole file, since the header holds
// the hashes of all that follows. Vectors of two packs can be compared only
// where that hash is the same.
package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"unsafe"
)

const (
	magic   = "MEGAPACK"
	version = 1
	prelude = 8 + 4 + 4 + sha256.Size
	align   = 64
)

// Bounds of what is opened.
const (
	maxHeader   = 4 << 20
	maxSections = 4096
	maxFile     = 8 << 30
)

// ErrDamaged is a file that is not a pack, or not the one that was written.
var ErrDamaged = errors.New("the model pack is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// A Section is one run of values of one kind.
type Section struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // "f32", "i8" or "bytes"
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

type header struct {
	Meta     json.RawMessage `json:"meta"`
	Sections []Section       `json:"sections"`
}

// A Builder collects a model's sections.
type Builder struct {
	sections []Section
	data     [][]byte
}

// Floats adds a section of floats.
func (b *Builder) Floats(name string, values []float32) {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	b.add(name, "f32", data)
}

// Int8s adds a section of signed bytes.
func (b *Builder) Int8s(name string, values []int8) {
	data := make([]byte, len(values))
	for i, v := range values {
		data[i] = byte(v)
	}
	b.add(name, "i8", data)
}

// Bytes adds a section of bytes.
func (b *Builder) Bytes(name string, data []byte) { b.add(name, "bytes", data) }

func (b *Builder) add(name, kind string, data []byte) {
	sum := sha256.Sum256(data)
	b.sections = append(b.sections, Section{Name: name, Kind: kind, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])})
	b.data = append(b.data, data)
}

// WriteTo writes the pack, with meta as JSON in its header. The same model
// gives the same bytes.
func (b *Builder) WriteTo(w io.Writer, meta any) error {
	head, err := b.header(meta)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(head)
	start := []byte(magic)
	start = binary.LittleEndian.AppendUint32(start, version)
	start = binary.LittleEndian.AppendUint32(start, uint32(len(head)))
	start = append(append(start, sum[:]...), head...)
	if _, err := w.Write(start); err != nil {
		return err
	}
	at := int64(len(start))
	for i, s := range b.sections {
		offset := aligned(int64(len(start))) + s.Offset
		if _, err := w.Write(make([]byte, offset-at)); err != nil {
			return err
		}
		if _, err := w.Write(b.data[i]); err != nil {
			return err
		}
		at = offset + s.Size
	}
	return nil
}

// header lays the sections out; an offset counts from where they begin, so
// that it does not depend on the header's own length.
func (b *Builder) header(meta any) ([]byte, error) {
	raw, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	offset := int64(0)
	for i := range b.sections {
		b.sections[i].Offset = offset
		offset = aligned(offset + b.sections[i].Size)
	}
	head, err := json.Marshal(header{Meta: raw, Sections: b.sections})
	if err == nil && (len(head) > maxHeader || len(b.sections) > maxSections || offset > maxFile) {
		err = errors.New("the model is too large for a pack")
	}
	return head, err
}

func aligned(n int64) int64 { return (n + align - 1) &^ (align - 1) }

// A Pack is an open pack.
type Pack struct {
	data     []byte // of the sections
	hash     string
	meta     json.RawMessage
	sections map[string]Section
	order    []Section
	close    func() error
}

// Parse reads a pack that lies in memory, which must not change afterwards;
// where it does not lie as its numbers need, it is copied first. It checks
// everything but the contents of the sections: small ones are checked when
// they are asked for, all of them in [Pack.Verify].
func Parse(data []byte) (*Pack, error) {
	if !littleEndian() {
		return nil, errors.New("model packs are for little-endian machines")
	}
	if len(data) < prelude || string(data[:8]) != magic {
		return nil, damaged("it does not begin as one")
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != version {
		return nil, fmt.Errorf("the model pack has version %d, and this program reads %d", v, version)
	}
	n := int64(binary.LittleEndian.Uint32(data[12:]))
	if n > maxHeader || prelude+n > int64(len(data)) {
		return nil, damaged("its header has %d bytes, of a file of %d", n, len(data))
	}
	head := data[prelude : prelude+n]
	sum := sha256.Sum256(head)
	if !bytes.Equal(sum[:], data[16:prelude]) {
		return nil, damaged("its header does not have its hash")
	}
	if uintptr(unsafe.Pointer(&data[0]))%align != 0 {
		data = moved(data)
		head = data[prelude : prelude+n]
	}
	p := &Pack{hash: hex.EncodeToString(sum[:])}
	if at := aligned(prelude + n); at < int64(len(data)) {
		p.data = data[at:]
	}
	return p, p.parse(head)
}

func (p *Pack) parse(head []byte) error {
	var h header
	if err := json.Unmarshal(head, &h); err != nil {
		return damaged("its header: %v", err)
	}
	if len(h.Sections) > maxSections {
		return damaged("it has %d sections", len(h.Sections))
	}
	p.meta, p.order = h.Meta, h.Sections
	p.sections = make(map[string]Section, len(h.Sections))
	for _, s := range h.Sections {
		if s.Offset < 0 || s.Size < 0 || s.Offset%align != 0 || s.Offset > int64(len(p.data)) || s.Size > int64(len(p.data))-s.Offset {
			return damaged("section %q lies outside of it: %d bytes at %d of %d; is the file cut off?", s.Name, s.Size, s.Offset, len(p.data))
		}
		if s.Kind == "f32" && s.Size%4 != 0 {
			return damaged("section %q has %d bytes", s.Name, s.Size)
		}
		if _, twice := p.sections[s.Name]; twice {
			return damaged("it has section %q twice", s.Name)
		}
		p.sections[s.Name] = s
	}
	return nil
}

// Hash is the SHA-256 that stands for the whole pack, in hexadecimal.
func (p *Pack) Hash() string { return p.hash }

// Meta decodes what the builder was given as meta.
func (p *Pack) Meta(to any) error {
	if err := json.Unmarshal(p.meta, to); err != nil {
		return damaged("its header: %v", err)
	}
	return nil
}

// Verify checks the contents of every section.
func (p *Pack) Verify() error {
	for _, s := range p.order {
		if err := p.verify(s); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pack) verify(s Section) error {
	sum := sha256.Sum256(p.data[s.Offset : s.Offset+s.Size])
	if hex.EncodeToString(sum[:]) != s.SHA256 {
		return damaged("section %q does not have its hash", s.Name)
	}
	return nil
}

// Floats returns a section of count floats, in place.
func (p *Pack) Floats(name string, count int) ([]float32, error) {
	data, err := p.section(name, "f32", 4*int64(count))
	if err != nil || count == 0 {
		return nil, err
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&data[0])), count), nil
}

// Small returns a section of count floats after checking its hash, and that
// every value is a number.
func (p *Pack) Small(name string, count int) ([]float32, error) {
	values, err := p.Floats(name, count)
	if err != nil {
		return nil, err
	}
	if err := p.verify(p.sections[name]); err != nil {
		return nil, err
	}
	for i, v := range values {
		if v-v != 0 {
			return nil, damaged("section %q holds at %d what is no finite number", name, i)
		}
	}
	return values, nil
}

// Int8s returns a section of count signed bytes, in place.
func (p *Pack) Int8s(name string, count int) ([]int8, error) {
	data, err := p.section(name, "i8", int64(count))
	if err != nil || count == 0 {
		return nil, err
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(&data[0])), count), nil
}

// Bytes returns a section of bytes after checking its hash, in place.
func (p *Pack) Bytes(name string) ([]byte, error) {
	data, err := p.section(name, "bytes", -1)
	if err != nil {
		return nil, err
	}
	return data, p.verify(p.sections[name])
}

// Has reports whether there is a section of that name.
func (p *Pack) Has(name string) bool { _, ok := p.sections[name]; return ok }

// section finds a section of a size, or of any where size is negative.
func (p *Pack) section(name, kind string, size int64) ([]byte, error) {
	s, ok := p.sections[name]
	if !ok {
		return nil, damaged("it has no section %q", name)
	}
	if s.Kind != kind || size >= 0 && s.Size != size {
		return nil, damaged("section %q has %d bytes of %s, and the model wants %d of %s", name, s.Size, s.Kind, size, kind)
	}
	return p.data[s.Offset : s.Offset+s.Size], nil
}

// Close unmaps the file. No slice of the pack may be used afterwards.
func (p *Pack) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}

func littleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

// Package safetensors reads a file of named tensors: eight bytes that give the
// length of a header in JSON, the header, and the tensors' bytes. Nothing of
// the file is believed before it is checked.
package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Bounds of what is read.
const (
	maxHeader  = 16 << 20
	maxTensors = 100_000
	maxDims    = 8
)

// An Error is a file that is not what it should be.
type Error struct{ Text string }

func (e *Error) Error() string { return "the safetensors file is damaged: " + e.Text }

func damaged(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// A File is an open set of tensors.
type File struct {
	r       io.ReaderAt
	data    int64 // where the tensors' bytes begin
	tensors map[string]tensor
}

type tensor struct {
	Type    string  `json:"dtype"`
	Shape   []int64 `json:"shape"`
	Offsets []int64 `json:"data_offsets"`
}

// width is the bytes of a value, for the types that can be read.
var width = map[string]int64{"F32": 4, "F16": 2, "BF16": 2}

// others are types that a file may hold beside them, and which nobody asks
// for: position ids are integers.
var others = map[string]int64{"F64": 8, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1, "U64": 8, "U32": 4, "U16": 2, "F8_E4M3": 1, "F8_E5M2": 1}

// Read reads the header of a file of size bytes and checks it: every tensor
// lies within the file, is as long as its shape says, and no two overlap.
func Read(r io.ReaderAt, size int64) (*File, error) {
	var length [8]byte
	if size < 8 {
		return nil, damaged("it has %d bytes", size)
	}
	if _, err := r.ReadAt(length[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n < 2 || n > maxHeader || n > uint64(size-8) {
		return nil, damaged("it says that its header has %d bytes, of a file of %d", n, size)
	}
	header := make([]byte, n)
	if _, err := r.ReadAt(header, 8); err != nil {
		return nil, err
	}
	f := &File{r: r, data: 8 + int64(n)}
	return f, f.parse(header, size-f.data)
}

func (f *File) parse(header []byte, size int64) error {
	d := json.NewDecoder(bytes.NewReader(header))
	var entries map[string]json.RawMessage
	if err := d.Decode(&entries); err != nil {
		return damaged("its header is not JSON: %v", err)
	}
	if len(entries) > maxTensors {
		return damaged("it names %d tensors", len(entries))
	}
	delete(entries, "__metadata__")
	f.tensors = make(map[string]tensor, len(entries))
	spans := make([][2]int64, 0, len(entries))
	for name, raw := range entries {
		var t tensor
		if err := json.Unmarshal(raw, &t); err != nil {
			return damaged("tensor %q: %v", name, err)
		}
		if err := t.check(size); err != nil {
			return damaged("tensor %q: %v", name, err)
		}
		f.tensors[name] = t
		if t.Offsets[0] < t.Offsets[1] {
			spans = append(spans, [2]int64{t.Offsets[0], t.Offsets[1]})
		}
	}
	slices.SortFunc(spans, func(a, b [2]int64) int { return int(min(max(a[0]-b[0], -1), 1)) })
	for i := 1; i < len(spans); i++ {
		if spans[i][0] < spans[i-1][1] {
			return damaged("two tensors overlap at byte %d", spans[i][0])
		}
	}
	return nil
}

func (t tensor) check(size int64) error {
	bytes, known := width[t.Type]
	if !known {
		if bytes, known = others[t.Type]; !known {
			return fmt.Errorf("type %q is not known", t.Type)
		}
	}
	if len(t.Offsets) != 2 || t.Offsets[0] < 0 || t.Offsets[1] < t.Offsets[0] || t.Offsets[1] > size {
		return fmt.Errorf("it lies at %v of %d bytes", t.Offsets, size)
	}
	if len(t.Shape) > maxDims {
		return fmt.Errorf("it has %d dimensions", len(t.Shape))
	}
	for _, d := range t.Shape {
		if d < 0 || d > 0 && bytes > math.MaxInt64/d {
			return fmt.Errorf("its shape is %v", t.Shape)
		}
		bytes *= d
	}
	if bytes != t.Offsets[1]-t.Offsets[0] {
		return fmt.Errorf("its shape %v wants %d bytes, and it has %d", t.Shape, bytes, t.Offsets[1]-t.Offsets[0])
	}
	return nil
}

// Names lists the tensors, sorted.
func (f *File) Names() []string {
	names := make([]string, 0, len(f.tensors))
	for name := range f.tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Shape is a tensor's shape; ok says whether the file holds it.
func (f *File) Shape(name string) (shape []int, ok bool) {
	t, ok := f.tensors[name]
	for _, d := range t.Shape {
		shape = append(shape, int(d))
	}
	return shape, ok
}

// ErrMissing is a tensor that the file does not hold.
var ErrMissing = errors.New("the file does not hold the tensor")

// Floats reads a tensor of the given shape as float32. A value that is not a
// finite number is an error.
func (f *File) Floats(name string, shape ...int) ([]float32, error) {
	t, ok := f.tensors[name]
	if !ok {
		return nil, fmt.Errorf("%w %q", ErrMissing, name)
	}
	got, _ := f.Shape(name)
	if !slices.Equal(got, shape) {
		return nil, fmt.Errorf("tensor %q has the shape %v, not %v", name, got, shape)
	}
	if width[t.Type] == 0 {
		return nil, fmt.Errorf("tensor %q is of type %s; F32, F16 and BF16 can be read", name, t.Type)
	}
	data := make([]byte, t.Offsets[1]-t.Offsets[0])
	if _, err := f.r.ReadAt(data, f.data+t.Offsets[0]); err != nil && (err != io.EOF || len(data) > 0) {
		return nil, fmt.Errorf("tensor %q: %w", name, err)
	}
	out := decode(t.Type, data)
	for i, v := range out {
		if v-v != 0 {
			return nil, damaged("tensor %q holds at %d what is no finite number", name, i)
		}
	}
	return out, nil
}

func decode(kind string, data []byte) []float32 {
	out := make([]float32, int64(len(data))/width[kind])
	for i := range out {
		switch kind {
		case "F32":
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		case "BF16":
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*i:])) << 16)
		case "F16":
			out[i] = half(binary.LittleEndian.Uint16(data[2*i:]))
		}
	}
	return out
}

// half turns an IEEE 754 half into a float: one bit of sign, five of
// exponent, ten of fraction.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch exponent {
	case 0:
		v := float32(fraction) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(v))
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/tiny"
)

func read(data []byte) (*File, error) { return Read(bytes.NewReader(data), int64(len(data))) }

// file is a file with a header and data.
func file(header string, data []byte) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

func TestTensorsInEveryType(t *testing.T) {
	tensors := []tiny.Tensor{
		{Name: "a", Shape: []int{2, 3}, Values: []float32{0, 1, -2.5, 0.125, 1000, -0.0078125}},
		{Name: "b.weight", Shape: []int{4}, Values: []float32{1.5, 2, -65504, 0.00006103515625}},
		{Name: "empty", Shape: []int{0, 5}},
		{Name: "scalar", Shape: []int{}, Values: []float32{7}},
	}
	for _, kind := range []string{"F32", "F16"} {
		f, err := read(tiny.Safetensors(tensors, kind))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Names(); !slices.Equal(got, []string{"a", "b.weight", "empty", "scalar"}) {
			t.Errorf("%s: names %q", kind, got)
		}
		for _, want := range tensors {
			got, err := f.Floats(want.Name, want.Shape...)
			if err != nil || !slices.Equal(got, want.Values) {
				t.Errorf("%s: %s = %v, %v, want %v", kind, want.Name, got, err, want.Values)
			}
		}
	}
	f, err := read(tiny.Safetensors(tensors[:1], "BF16"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Floats("a", 2, 3); err != nil || !slices.Equal(got, tensors[0].Values) {
		t.Errorf("BF16: %v, %v", got, err)
	}
	if shape, ok := f.Shape("a"); !ok || !slices.Equal(shape, []int{2, 3}) {
		t.Errorf("shape %v, %v", shape, ok)
	}
}

func TestHalves(t *testing.T) {
	for h, want := range map[uint16]float32{0x3c00: 1, 0xc000: -2, 0x0001: 1.0 / (1 << 24), 0x8000: 0, 0x03ff: 1023.0 / (1 << 24), 0x0400: 1.0 / (1 << 14), 0x7bff: 65504, 0x3555: 0.333251953125} {
		if got := half(h); got != want {
			t.Errorf("half(%#04x) = %v, want %v", h, got, want)
		}
	}
	if !math.IsInf(float64(half(0xfc00)), -1) || half(0x7e00) == half(0x7e00) {
		t.Error("infinity and what is no number are not kept")
	}
}

func TestAskedForWhatIsNotThere(t *testing.T) {
	f, err := read(file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"i":{"dtype":"I64","shape":[1],"data_offsets":[8,16]}}`, make([]byte, 16)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Floats("b", 2); !errors.Is(err, ErrMissing) {
		t.Errorf("a missing tensor: %v", err)
	}
	if _, err := f.Floats("a", 1, 2); err == nil || !strings.Contains(err.Error(), "[2], not [1 2]") {
		t.Errorf("another shape: %v", err)
	}
	if _, err := f.Floats("i", 1); err == nil || !strings.Contains(err.Error(), "I64") {
		t.Errorf("integers: %v", err)
	}
}

func TestDamagedFiles(t *testing.T) {
	entry := func(dtype, shape, offsets string) []byte {
		return file(fmt.Sprintf(`{"a":{"dtype":%q,"shape":%s,"data_offsets":%s}}`, dtype, shape, offsets), make([]byte, 64))
	}
	for name, data := range map[string][]byte{
		"nothing":             nil,
		"seven bytes":         make([]byte, 7),
		"no header":           make([]byte, 8),
		"header of 2^63":      append([]byte{0, 0, 0, 0, 0, 0, 0, 0x80}, make([]byte, 100)...),
		"header past the end": append([]byte{200, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 100)...),
		"header of 1 GB":      append([]byte{0, 0, 0, 0x40, 0, 0, 0, 0}, make([]byte, 100)...),
		"no JSON":             file("{{{", nil),
		"list":                file("[]", nil),
		"no entry":            file(`{"a":3}`, nil),
		"unknown type":        entry("F31", "[2]", "[0,8]"),
		"too long":            entry("F32", "[16]", "[4,68]"),
		"negative":            entry("F32", "[2]", "[-8,0]"),
		"backwards":           entry("F32", "[2]", "[8,0]"),
		"one offset":          entry("F32", "[2]", "[8]"),
		"shape of another":    entry("F32", "[3]", "[0,8]"),
		"negative dimensions": entry("F32", "[-1,-2]", "[0,8]"),
		"overflow":            entry("F32", "[4611686018427387904,4]", "[0,8]"),
		"overflow to zero":    entry("F32", "[9223372036854775807,9223372036854775807,4]", "[0,0]"),
		"nine dimensions":     entry("F32", "[1,1,1,1,1,1,1,1,2]", "[0,8]"),
		"overlap":             file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, make([]byte, 16)),
	} {
		_, err := read(data)
		if e := new(Error); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bits := range []uint32{0x7fc00000, 0x7f800000, 0xff800000} {
		f, err := read(file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, binary.LittleEndian.AppendUint64(nil, uint64(bits)<<32)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Floats("a", 2); err == nil || !strings.Contains(err.Error(), "no finite number") {
			t.Errorf("%#x: %v", bits, err)
		}
	}
}

// FuzzRead: whatever the bytes, reading ends without a crash, and a tensor
// that can be read is as long as its shape says.
func FuzzRead(f *testing.F) {
	whole := tiny.Safetensors([]tiny.Tensor{{Name: "a", Shape: []int{2, 2}, Values: []float32{1, 2, 3, 4}}, {Name: "b", Shape: []int{1}, Values: []float32{5}}}, "F32")
	f.Add(whole)
	f.Add(whole[:len(whole)-3])
	f.Add(tiny.Safetensors([]tiny.Tensor{{Name: "h", Shape: []int{3}, Values: []float32{1, 2, 3}}}, "F16"))
	f.Add(file(`{"a":{"dtype":"BF16","shape":[4611686018427387904,4],"data_offsets":[0,8]}}`, make([]byte, 8)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := read(data)
		if err != nil {
			return
		}
		for _, name := range file.Names() {
			shape, _ := file.Shape(name)
			values, err := file.Floats(name, shape...)
			if err != nil {
				continue
			}
			want := 1
			for _, d := range shape {
				want *= d
			}
			if len(values) != want || 2*len(values) > len(data) {
				t.Fatalf("%q of shape %v has %d values, in a file of %d bytes", name, shape, len(values), len(data))
			}
		}
	})
}

package onnx

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// message is a message in the making.
type message []byte

func (m message) number(field, n uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, field<<3), n)
}

func (m message) bytes(field uint64, value []byte) message {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, field<<3|2), uint64(len(value))), value...)
}

func floats(name string, values []float32, shape ...uint64) message {
	var m message
	for _, d := range shape {
		m = m.number(1, d)
	}
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return m.number(2, typeFloat).bytes(8, []byte(name)).bytes(9, raw)
}

func operation(op string, output string, inputs ...string) message {
	var m message
	for _, in := range inputs {
		m = m.bytes(1, []byte(in))
	}
	return m.bytes(2, []byte(output)).bytes(4, []byte(op))
}

func graph(nodes, tensors []message) []byte {
	var g message
	for _, n := range nodes {
		g = g.bytes(1, n)
	}
	for _, t := range tensors {
		g = g.bytes(5, t)
	}
	return message{}.number(1, 8).bytes(2, []byte("a tool")).bytes(7, g)
}

func example() []byte {
	return graph(
		[]message{operation("MatMul", "p", "x", "onnx::MatMul_7"), operation("Add", "y", "dense.bias", "p"), operation("Relu", "z", "y")},
		[]message{floats("onnx::MatMul_7", []float32{1, 2, 3, 4, 5, 6}, 2, 3), floats("dense.bias", []float32{7, 8, 9}, 3),
			floats("table", []float32{1, -1}, 1, 2)},
	)
}

func TestLinearLayersGetTheirNamesBack(t *testing.T) {
	f, err := Read(example())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Floats("dense.weight", 3, 2); err != nil || !slices.Equal(got, []float32{1, 4, 2, 5, 3, 6}) {
		t.Errorf("weight %v, %v", got, err)
	}
	if got, err := f.Floats("table", 1, 2); err != nil || !slices.Equal(got, []float32{1, -1}) {
		t.Errorf("table %v, %v", got, err)
	}
	if shape, ok := f.Shape("dense.weight"); !ok || !slices.Equal(shape, []int{3, 2}) {
		t.Errorf("shape %v, %v", shape, ok)
	}
	if _, err := f.Floats("dense.weight", 2, 3); err == nil {
		t.Error("another shape is accepted")
	}
	if _, err := f.Floats("none", 1); err == nil {
		t.Error("what is not there is read")
	}
	if !slices.Contains(f.Names(), "dense.weight") {
		t.Errorf("names %q", f.Names())
	}
}

func TestDamagedGraphs(t *testing.T) {
	whole := example()
	for name, data := range map[string][]byte{
		"nothing":        nil,
		"text":           []byte("no graph at all"),
		"cut off":        whole[:len(whole)-5],
		"no weights":     graph([]message{operation("Relu", "z", "y")}, nil),
		"short tensor":   graph(nil, []message{floats("a", []float32{1, 2}, 3)}),
		"huge shape":     graph(nil, []message{floats("a", []float32{1}, 1<<40, 1<<40)}),
		"many sides":     graph(nil, []message{floats("a", []float32{1}, 1, 1, 1, 1, 1, 1, 1, 1, 1)}),
		"huge length":    binary.AppendUvarint([]byte{7<<3 | 2}, 1<<63),
		"unknown kind":   {7<<3 | 3},
		"endless number": slices.Repeat([]byte{0xff}, 20),
	} {
		if _, err := Read(data); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := Read(graph(nil, []message{floats("a", []float32{float32(math.Inf(1))}, 1), message{}.number(1, 1).number(2, 3).bytes(8, []byte("q"))}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Floats("a", 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("infinity: %v", err)
	}
	if _, err := f.Floats("q", 1); err == nil || !strings.Contains(err.Error(), "without quantising") {
		t.Errorf("quantised: %v", err)
	}
}

// FuzzRead: whatever the bytes, reading ends without a crash, and a tensor is as
// long as its shape says.
func FuzzRead(f *testing.F) {
	f.Add(example())
	f.Add(graph(nil, []message{message{}.bytes(1, []byte{2, 3}).number(2, 1).bytes(8, []byte("packed")).bytes(9, make([]byte, 24))}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data)
		if err != nil {
			return
		}
		for _, name := range file.Names() {
			shape, _ := file.Shape(name)
			values, err := file.Floats(name, shape...)
			if err == nil && 4*len(values) > len(data) {
				t.Fatalf("%q has %d values, in a file of %d bytes", name, len(values), len(data))
			}
		}
	})
}

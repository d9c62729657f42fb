// Package onnx reads the weights out of a model that was exported as a graph,
// where nothing else of it is to be had. The graph itself is not run: it is
// looked at only to find the names that the export took from the weights of
// linear layers.
//
// An exporter writes x·Wᵀ + b as MatMul(x, V), with V transposed and without a
// name, and Add(…, b), where b keeps its name: "….bias". So V is "….weight".
package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Bounds of what is read.
const (
	maxTensors = 100_000
	maxNodes   = 1_000_000
	maxDims    = 8
)

// ErrDamaged is a file that is no such graph.
var ErrDamaged = errors.New("the ONNX file is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// A File is the weights of a graph.
type File struct {
	tensors map[string]tensor
}

type tensor struct {
	shape      []int
	kind       uint64
	raw        []byte
	transposed bool
}

// typeFloat is how the format numbers float32.
const typeFloat = 1

type node struct {
	op              string
	inputs, outputs []string
}

// Read reads a file, whose bytes must not change afterwards.
func Read(data []byte) (*File, error) {
	f := &File{tensors: map[string]tensor{}}
	var nodes []node
	err := fields(data, func(number uint64, value []byte, _ uint64) error {
		if number != 7 || value == nil {
			return nil
		}
		return fields(value, func(number uint64, value []byte, _ uint64) error {
			switch {
			case number == 5 && value != nil:
				return f.add(value)
			case number == 1 && value != nil:
				n, err := readNode(value)
				nodes = append(nodes, n)
				if err == nil && len(nodes) > maxNodes {
					err = damaged("it has more than %d nodes", maxNodes)
				}
				return err
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if len(f.tensors) == 0 {
		return nil, damaged("it holds no weights")
	}
	f.nameLayers(nodes)
	return f, nil
}

// add reads one tensor.
func (f *File) add(data []byte) error {
	var t tensor
	var name string
	err := fields(data, func(number uint64, value []byte, n uint64) error {
		switch {
		case number == 1 && value == nil:
			t.shape = append(t.shape, int(min(n, math.MaxInt32)))
		case number == 1: // packed
			for len(value) > 0 {
				d, size := binary.Uvarint(value)
				if size <= 0 || len(t.shape) >= maxDims {
					return damaged("a tensor's shape cannot be read")
				}
				t.shape, value = append(t.shape, int(min(d, math.MaxInt32))), value[size:]
			}
		case number == 2:
			t.kind = n
		case number == 8:
			name = string(value)
		case number == 9:
			t.raw = value
		}
		if len(t.shape) > maxDims {
			return damaged("a tensor has more than %d dimensions", maxDims)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if t.kind == typeFloat && !t.fits() {
		return damaged("tensor %q of shape %v has %d bytes", name, t.shape, len(t.raw))
	}
	f.tensors[name] = t
	if len(f.tensors) > maxTensors {
		return damaged("it has more than %d tensors", maxTensors)
	}
	return nil
}

func (t tensor) fits() bool {
	size := 4
	for _, d := range t.shape {
		if d > 0 && size > math.MaxInt32*64/d {
			return false
		}
		size *= d
	}
	return size == len(t.raw)
}

func readNode(data []byte) (n node, err error) {
	err = fields(data, func(number uint64, value []byte, _ uint64) error {
		switch number {
		case 1:
			n.inputs = append(n.inputs, string(value))
		case 2:
			n.outputs = append(n.outputs, string(value))
		case 4:
			n.op = string(value)
		}
		return nil
	})
	return n, err
}

// nameLayers gives the weights of linear layers their names back.
func (f *File) nameLayers(nodes []node) {
	products := map[string]string{} // result → its right side
	for _, n := range nodes {
		if n.op == "MatMul" && len(n.inputs) == 2 && len(n.outputs) == 1 {
			products[n.outputs[0]] = n.inputs[1]
		}
	}
	for _, n := range nodes {
		if n.op != "Add" || len(n.inputs) != 2 {
			continue
		}
		for i, bias := range n.inputs {
			layer, ok := strings.CutSuffix(bias, ".bias")
			if _, known := f.tensors[bias]; !ok || !known {
				continue
			}
			t, ok := f.tensors[products[n.inputs[1-i]]]
			if _, taken := f.tensors[layer+".weight"]; ok && !taken && len(t.shape) == 2 {
				f.tensors[layer+".weight"] = tensor{[]int{t.shape[1], t.shape[0]}, t.kind, t.raw, true}
			}
		}
	}
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
	return slices.Clone(t.shape), ok
}

// Floats reads a tensor of the given shape. A value that is not a finite number
// is an error.
func (f *File) Floats(name string, shape ...int) ([]float32, error) {
	t, ok := f.tensors[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("the file does not hold the tensor %q", name)
	case !slices.Equal(t.shape, shape):
		return nil, fmt.Errorf("tensor %q has the shape %v, not %v", name, t.shape, shape)
	case t.kind != typeFloat:
		return nil, fmt.Errorf("tensor %q is not of float32: export the model without quantising it", name)
	}
	out := make([]float32, len(t.raw)/4)
	for i := range out {
		v := math.Float32frombits(binary.LittleEndian.Uint32(t.raw[4*i:]))
		if v-v != 0 {
			return nil, damaged("tensor %q holds at %d what is no finite number", name, i)
		}
		at := i
		if t.transposed {
			at = i%shape[0]*shape[1] + i/shape[0]
		}
		out[at] = v
	}
	return out, nil
}

// fields calls for each field of a message in the protocol buffers' encoding:
// with its bytes, or, where it is a number, with nil and the number.
func fields(data []byte, each func(number uint64, value []byte, n uint64) error) error {
	for len(data) > 0 {
		tag, size := binary.Uvarint(data)
		if size <= 0 {
			return damaged("a field has no number")
		}
		data = data[size:]
		var value []byte
		var n uint64
		switch tag & 7 {
		case 0:
			if n, size = binary.Uvarint(data); size <= 0 {
				return damaged("a number cannot be read")
			}
		case 1:
			size = 8
		case 2:
			length, used := binary.Uvarint(data)
			if used <= 0 || length > uint64(len(data)-used) {
				return damaged("a field has more bytes than there are")
			}
			size = used + int(length)
			value = data[used:size:size]
			if value == nil {
				value = []byte{}
			}
		case 5:
			size = 4
		default:
			return damaged("a field is of a kind that is not known")
		}
		if size > len(data) {
			return damaged("it is cut off")
		}
		data = data[size:]
		if err := each(tag>>3, value, n); err != nil {
			return err
		}
	}
	return nil
}

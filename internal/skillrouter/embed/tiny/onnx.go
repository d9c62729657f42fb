package tiny

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// ONNX writes tensors as an exporter of graphs does: weights of linear layers
// transposed and without their names, beside an Add that names their bias.
func ONNX(tensors []Tensor) []byte {
	biases := map[string]bool{}
	for _, t := range tensors {
		biases[t.Name] = len(t.Shape) == 1
	}
	var graph []byte
	for i, t := range tensors {
		layer, ok := strings.CutSuffix(t.Name, ".weight")
		if ok && len(t.Shape) == 2 && biases[layer+".bias"] {
			name, product := fmt.Sprintf("onnx::MatMul_%d", i), fmt.Sprintf("/product_%d", i)
			graph = field(graph, 1, operation("MatMul", product, "/x", name))
			graph = field(graph, 1, operation("Add", product+"/y", layer+".bias", product))
			t = transposed(name, t)
		}
		var m, raw []byte
		for _, d := range t.Shape {
			m = binary.AppendUvarint(append(m, 1<<3), uint64(d))
		}
		for _, v := range t.Values {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
		m = append(m, 2<<3, 1)
		graph = field(graph, 5, field(field(m, 8, []byte(t.Name)), 9, raw))
	}
	return field(nil, 7, graph)
}

func transposed(name string, t Tensor) Tensor {
	rows, columns := t.Shape[0], t.Shape[1]
	out := Tensor{Name: name, Shape: []int{columns, rows}, Values: make([]float32, len(t.Values))}
	for i, v := range t.Values {
		out.Values[i%columns*rows+i/columns] = v
	}
	return out
}

func operation(op, output string, inputs ...string) []byte {
	var m []byte
	for _, in := range inputs {
		m = field(m, 1, []byte(in))
	}
	return field(field(m, 2, []byte(output)), 4, []byte(op))
}

func field(m []byte, number int, value []byte) []byte {
	m = binary.AppendUvarint(m, uint64(number)<<3|2)
	return append(binary.AppendUvarint(m, uint64(len(value))), value...)
}

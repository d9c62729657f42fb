// Package tiny makes models for tests: of the real shape, of the size of a
// thumbnail, with weights that any language can compute.
package tiny

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// Sizes of the encoder.
const (
	Hidden       = 32
	Layers       = 2
	Heads        = 2
	Intermediate = 64
	Positions    = 48
)

// Vocabulary is the pieces: special tokens, letters at the beginning of a word
// and inside it, and a few longer ones.
func Vocabulary() []string {
	pieces := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for _, c := range letters {
		pieces = append(pieces, string(c), "##"+string(c))
	}
	return append(pieces, strings.Split(". , : ; ! ? - _ ( ) [ ] # @ / \\ \" ' + * = < > & % $ "+
		"the write ##ing ##ed release notes test data base make skill read ##able un ##do file table", " ")...)
}

// A Tensor is named values.
type Tensor struct {
	Name   string
	Shape  []int
	Values []float32
}

// numbers is a generator of multiplicative congruence: x ← x·6364136223846793005
// + 1442695040888963407 (mod 2^64), of which the upper 24 bits count.
type numbers uint64

// next is a value from −scale/2 up to scale/2, computed without rounding.
func (n *numbers) next(scale float32) float32 {
	*n = *n*6364136223846793005 + 1442695040888963407
	return (float32(*n>>40)/(1<<24) - 0.5) * scale
}

// Encoder is the tensors of the encoder, in the order in which the generator
// fills them. Scales are powers of two.
func Encoder() []Tensor {
	var tensors []Tensor
	n := numbers(1)
	add := func(name string, scale, offset float32, shape ...int) {
		size := 1
		for _, d := range shape {
			size *= d
		}
		t := Tensor{Name: name, Shape: shape, Values: make([]float32, size)}
		for i := range t.Values {
			t.Values[i] = n.next(scale) + offset
		}
		tensors = append(tensors, t)
	}
	norm := func(name string) {
		add(name+".weight", 0.5, 1, Hidden)
		add(name+".bias", 0.25, 0, Hidden)
	}
	dense := func(name string, out, in int) {
		add(name+".weight", 0.5, 0, out, in)
		add(name+".bias", 0.25, 0, out)
	}
	add("embeddings.word_embeddings.weight", 2, 0, len(Vocabulary()), Hidden)
	add("embeddings.position_embeddings.weight", 0.5, 0, Positions, Hidden)
	add("embeddings.token_type_embeddings.weight", 0.25, 0, 2, Hidden)
	norm("embeddings.LayerNorm")
	for i := range Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"query", "key", "value"} {
			dense(at+"attention.self."+part, Hidden, Hidden)
		}
		dense(at+"attention.output.dense", Hidden, Hidden)
		norm(at + "attention.output.LayerNorm")
		dense(at+"intermediate.dense", Intermediate, Hidden)
		dense(at+"output.dense", Hidden, Intermediate)
		norm(at + "output.LayerNorm")
	}
	return tensors
}

// Table is the tensor of a static model.
func Table() []Tensor {
	n := numbers(2)
	t := Tensor{Name: "embeddings", Shape: []int{len(Vocabulary()), Hidden}, Values: make([]float32, len(Vocabulary())*Hidden)}
	for i := range t.Values {
		t.Values[i] = n.next(2)
	}
	return []Tensor{t}
}

// Safetensors writes tensors as a file, in the given type, "F32", "F16" or
// "BF16". Halves are cut, not rounded, and must not be denormal.
func Safetensors(tensors []Tensor, kind string) []byte {
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte(nil)
	for _, t := range tensors {
		start := len(data)
		for _, v := range t.Values {
			bits := math.Float32bits(v)
			switch kind {
			case "BF16":
				data = binary.LittleEndian.AppendUint16(data, uint16(bits>>16))
			case "F16":
				data = binary.LittleEndian.AppendUint16(data, half(bits))
			default:
				data = binary.LittleEndian.AppendUint32(data, bits)
			}
		}
		header[t.Name] = map[string]any{"dtype": kind, "shape": t.Shape, "data_offsets": []int{start, len(data)}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		panic(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...)
}

func half(bits uint32) uint16 {
	sign, exponent, fraction := uint16(bits>>16)&0x8000, int(bits>>23)&255-112, uint16(bits>>13)&1023
	if exponent <= 0 {
		return sign
	}
	return sign | uint16(exponent)<<10 | fraction
}

// WriteEncoder makes a hub directory of the encoder; pooling is "cls" or
// "mean".
func WriteEncoder(dir, pooling string) error {
	return write(dir, map[string][]byte{
		"model.safetensors": Safetensors(Encoder(), "F32"),
		"config.json": fmt.Appendf(nil, `{"model_type":"bert","hidden_act":"gelu","hidden_size":%d,"num_hidden_layers":%d,"num_attention_heads":%d,`+
			`"intermediate_size":%d,"max_position_embeddings":%d,"vocab_size":%d,"layer_norm_eps":1e-12}`,
			Hidden, Layers, Heads, Intermediate, Positions, len(Vocabulary())),
		"1_Pooling/config.json": fmt.Appendf(nil, `{"pooling_mode_cls_token":%v,"pooling_mode_mean_tokens":%v}`, pooling == "cls", pooling == "mean"),
		"vocab.txt":             []byte(strings.Join(Vocabulary(), "\n") + "\n"),
		"tokenizer_config.json": []byte(`{"do_lower_case":true,"model_max_length":32}`),
		"README.md":             []byte("---\nlicense: apache-2.0\n---\n\nA model for tests.\n"),
	})
}

// WriteTable makes a hub directory of the static model.
func WriteTable(dir string) error {
	return write(dir, map[string][]byte{
		"model.safetensors": Safetensors(Table(), "F32"),
		"config.json":       []byte(`{"model_type":"model2vec","normalize":true}`),
		"vocab.txt":         []byte(strings.Join(Vocabulary(), "\n") + "\n"),
	})
}

func write(dir string, files map[string][]byte) error {
	for name, data := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

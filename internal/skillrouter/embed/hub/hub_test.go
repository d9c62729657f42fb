package hub_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/hub"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/tiny"
)

// directory makes a tiny model's directory.
func directory(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "thumb")
	if err := tiny.WriteEncoder(dir, "cls"); err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
}

// open packs what lies at a path and opens it.
func open(t *testing.T, path string, o hub.Options) (*embed.Model, error) {
	t.Helper()
	c, err := hub.Open(path)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if o.Precision == "" {
		o.Precision = "f32"
	}
	b, meta, err := c.Pack(o)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := b.WriteTo(&out, meta); err != nil {
		return nil, err
	}
	p, err := pack.Parse(out.Bytes())
	if err != nil {
		return nil, err
	}
	return embed.New(p)
}

func vector(t *testing.T, m *embed.Model) []float32 {
	t.Helper()
	v, err := m.Embed(context.Background(), []string{"Write the release notes!"})
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func renamed(change func(string) string) []tiny.Tensor {
	tensors := tiny.Encoder()
	for i := range tensors {
		tensors[i].Name = change(tensors[i].Name)
	}
	return tensors
}

// TestOneModelInManyForms: however a model is laid out, its vectors are the
// same.
func TestOneModelInManyForms(t *testing.T) {
	whole, err := open(t, directory(t), hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := vector(t, whole)
	zipped := func(t *testing.T, dir, extension string) string {
		file := filepath.Join(t.TempDir(), "thumb-1.0-py3"+extension)
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w := zip.NewWriter(f)
		if err := w.AddFS(os.DirFS(filepath.Dir(dir))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return file
	}
	vocabulary := map[string]int{}
	for id, piece := range tiny.Vocabulary() {
		vocabulary[piece] = id
	}
	tokenizer, err := json.Marshal(map[string]any{
		"normalizer":     map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "BertProcessing", "sep": []any{"[SEP]", 3}, "cls": []any{"[CLS]", 2}},
		"model":          map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		least   float64
		options hub.Options
		change  func(t *testing.T, dir string) string
	}{
		"prefixed names": {0.9999999, hub.Options{}, func(t *testing.T, dir string) string {
			put(t, dir, "model.safetensors", tiny.Safetensors(renamed(func(n string) string { return "bert." + n }), "F32"))
			return dir
		}},
		"old names": {0.9999999, hub.Options{}, func(t *testing.T, dir string) string {
			old := strings.NewReplacer("LayerNorm.weight", "LayerNorm.gamma", "LayerNorm.bias", "LayerNorm.beta")
			put(t, dir, "model.safetensors", tiny.Safetensors(renamed(old.Replace), "F32"))
			return dir
		}},
		"F16": {0.99999, hub.Options{}, func(t *testing.T, dir string) string {
			put(t, dir, "model.safetensors", tiny.Safetensors(tiny.Encoder(), "F16"))
			return dir
		}},
		"BF16": {0.999, hub.Options{}, func(t *testing.T, dir string) string {
			put(t, dir, "model.safetensors", tiny.Safetensors(tiny.Encoder(), "BF16"))
			return dir
		}},
		"tokenizer.json": {0.9999999, hub.Options{}, func(t *testing.T, dir string) string {
			put(t, dir, "tokenizer.json", tokenizer)
			remove(t, dir, "vocab.txt")
			return dir
		}},
		"file of weights": {0.9999999, hub.Options{}, func(_ *testing.T, dir string) string { return filepath.Join(dir, "model.safetensors") }},
		"wheel":           {0.9999999, hub.Options{}, func(t *testing.T, dir string) string { return zipped(t, dir, ".whl") }},
		"graph": {0.9999999, hub.Options{}, func(t *testing.T, dir string) string {
			put(t, dir, "onnx/model.onnx", tiny.ONNX(tiny.Encoder()))
			remove(t, dir, "model.safetensors")
			return dir
		}},
		"graph in a jar without settings": {0.9999999, hub.Options{Heads: tiny.Heads, Pooling: "cls", MaxTokens: 32}, func(t *testing.T, dir string) string {
			put(t, dir, "thumb.onnx", tiny.ONNX(tiny.Encoder()))
			put(t, dir, "thumb-tokenizer.json", tokenizer)
			remove(t, dir, "model.safetensors", "config.json", "1_Pooling", "vocab.txt", "tokenizer_config.json", "README.md")
			return zipped(t, dir, ".jar")
		}},
		"bytes": {0.999, hub.Options{Precision: "int8"}, func(_ *testing.T, dir string) string { return dir }},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(t, c.change(t, directory(t)), c.options)
			if err != nil {
				t.Fatal(err)
			}
			if cosine := dot(vector(t, m), want); cosine < c.least {
				t.Errorf("cosine %.7f, want %v", cosine, c.least)
			}
			if m.MaxTokens() != 32 || m.Meta().Name != "thumb" {
				t.Errorf("%d tokens, name %q", m.MaxTokens(), m.Meta().Name)
			}
		})
	}
}

// TestWhatCannotBeUsedSaysWhy: every refusal names the trouble and the next
// step.
func TestWhatCannotBeUsedSaysWhy(t *testing.T) {
	config := func(change string) []byte {
		return []byte(strings.Replace(`{"model_type":"bert","hidden_act":"gelu","hidden_size":32,"num_hidden_layers":2,"num_attention_heads":2,`+
			`"intermediate_size":64,"max_position_embeddings":48,"vocab_size":`+strconv.Itoa(len(tiny.Vocabulary()))+`}`, strings.Split(change, " ")[0], strings.Split(change, " ")[1], 1))
	}
	for name, c := range map[string]struct {
		want   string
		change func(t *testing.T, dir string)
	}{
		"no weights":         {"holds no model.safetensors", func(t *testing.T, dir string) { remove(t, dir, "model.safetensors") }},
		"no config":          {"has no config.json", func(t *testing.T, dir string) { remove(t, dir, "config.json") }},
		"no JSON":            {"config.json:", func(t *testing.T, dir string) { put(t, dir, "config.json", []byte("{")) }},
		"another type":       {`of type "gpt2"`, func(t *testing.T, dir string) { put(t, dir, "config.json", config(`"bert" "gpt2"`)) }},
		"another activation": {`activation is "relu"`, func(t *testing.T, dir string) { put(t, dir, "config.json", config(`"gelu" "relu"`)) }},
		"huge":               {"number of layers is 1000000", func(t *testing.T, dir string) { put(t, dir, "config.json", config(`layers":2 layers":1000000`)) }},
		"odd heads":          {"3 heads over 32 values", func(t *testing.T, dir string) { put(t, dir, "config.json", config(`heads":2 heads":3`)) }},
		"more layers":        {"encoder.layer.2", func(t *testing.T, dir string) { put(t, dir, "config.json", config(`layers":2 layers":3`)) }},
		"no pooling":         {"does not say how its tokens", func(t *testing.T, dir string) { remove(t, dir, "1_Pooling") }},
		"another pooling": {"pools by max_tokens", func(t *testing.T, dir string) {
			put(t, dir, "1_Pooling/config.json", []byte(`{"pooling_mode_max_tokens":true}`))
		}},
		"no tokenizer": {"neither tokenizer.json nor vocab.txt", func(t *testing.T, dir string) { remove(t, dir, "vocab.txt") }},
		"another tokenizer": {`its model is "BPE"`, func(t *testing.T, dir string) {
			put(t, dir, "tokenizer.json", []byte(`{"model":{"type":"BPE"}}`))
		}},
		"huge ids": {"has the id 1000000000", func(t *testing.T, dir string) {
			put(t, dir, "tokenizer.json", []byte(`{"normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","vocab":{"a":1000000000}}}`))
		}},
		"no special tokens": {`lacks the token "[UNK]"`, func(t *testing.T, dir string) { put(t, dir, "vocab.txt", []byte("a\nb\n")) }},
		"long vocabulary": {"vocabulary has", func(t *testing.T, dir string) {
			put(t, dir, "vocab.txt", []byte(strings.Join(tiny.Vocabulary(), "\n")+"\none\ntwo\nthree\nfour\nfive\n"))
		}},
		"shared vectors": {"shared between tokens", func(t *testing.T, dir string) {
			put(t, dir, "config.json", []byte(`{"model_type":"model2vec"}`))
			put(t, dir, "model.safetensors", tiny.Safetensors(append(tiny.Table(), tiny.Tensor{Name: "mapping", Shape: []int{1}, Values: []float32{0}}), "F32"))
		}},
		"another encoder": {"not those of a BERT encoder", func(t *testing.T, dir string) {
			put(t, dir, "model.safetensors", tiny.Safetensors(tiny.Table(), "F32"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := directory(t)
			c.change(t, dir)
			_, err := open(t, dir, hub.Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
			if e := new(hub.Error); errors.As(err, &e) && e.Hint() == "" {
				t.Errorf("%v has no next step", err)
			}
		})
	}
}

// TestTheSamePackEachTime: two runs give the same bytes, and other inputs
// another hash.
func TestTheSamePackEachTime(t *testing.T) {
	dir := directory(t)
	first, err := open(t, dir, hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	second, err := open(t, dir, hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	prefix := "query: "
	third, err := open(t, dir, hub.Options{Prefix: &prefix})
	if err != nil {
		t.Fatal(err)
	}
	if first.Hash() != second.Hash() || first.Hash() == third.Hash() || third.QueryPrefix() != prefix {
		t.Errorf("hashes %s, %s, %s; prefix %q", first.Hash(), second.Hash(), third.Hash(), third.QueryPrefix())
	}
}

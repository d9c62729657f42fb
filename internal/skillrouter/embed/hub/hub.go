// Package hub reads models as their makers publish them, and packs them: a
// directory with config.json, model.safetensors and a tokenizer, the same
// within a Python wheel, or a file of weights that lies beside the rest. Where
// there are no such weights, those of an ONNX graph do as well.
//
// Start with [Open], then [Checkpoint.Pack].
package hub

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/onnx"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/safetensors"
)

// Bounds of what is read.
const (
	maxText    = 64 << 20 // of a file of settings or a vocabulary
	maxWeights = 4 << 30
	maxEntries = 100_000
)

// An Error is a model that cannot be used, and what could help.
type Error struct{ Text, Next string }

func (e *Error) Error() string { return e.Text }

// Hint is the next step.
func (e *Error) Hint() string { return e.Next }

// A Checkpoint is a model on disk. Close it.
type Checkpoint struct {
	files   fs.FS
	weights string // its name in files
	words   string // the name of the tokenizer's file
	name    string
	inputs  map[string]string
	close   func() error
}

// Open finds the model at a path: a directory, a .safetensors or .onnx file
// whose directory holds the rest, or a .whl, .jar or .zip file with one model
// in it.
func Open(at string) (*Checkpoint, error) {
	st, err := os.Stat(at)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{weights: "model.safetensors", words: "tokenizer.json", inputs: map[string]string{}, close: func() error { return nil }}
	switch extension := strings.ToLower(filepath.Ext(at)); {
	case st.IsDir():
		c.files, c.name = os.DirFS(at), filepath.Base(at)
		for _, other := range []string{"model.onnx", "onnx/model.onnx"} {
			if !c.has(c.weights) && c.has(other) {
				c.weights = other
			}
		}
	case extension == ".safetensors" || extension == ".onnx":
		dir := filepath.Dir(at)
		c.files, c.weights = os.DirFS(dir), filepath.Base(at)
		c.name = strings.TrimSuffix(c.weights, filepath.Ext(at))
		if c.name == "model" {
			c.name = filepath.Base(dir)
		}
	case extension == ".whl" || extension == ".zip" || extension == ".jar":
		return c, c.openArchive(at)
	default:
		return nil, &Error{fmt.Sprintf("%s is neither a model's directory, nor a file of weights, nor a wheel", at), "name the directory that holds config.json and model.safetensors"}
	}
	if !c.has(c.weights) {
		return nil, &Error{fmt.Sprintf("%s holds no model.safetensors", at), "weights in another format cannot be read: get the model's safetensors file"}
	}
	return c, nil
}

func (c *Checkpoint) has(name string) bool {
	_, err := fs.Stat(c.files, name)
	return err == nil
}

// openArchive opens a zip file, and finds the one model in it.
func (c *Checkpoint) openArchive(at string) error {
	z, err := zip.OpenReader(at)
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	c.close = z.Close
	var found, graphs, words []string
	if len(z.File) > maxEntries {
		err = fmt.Errorf("%s has %d entries", at, len(z.File))
	}
	for _, f := range z.File {
		switch name := f.Name; {
		case !fs.ValidPath(name):
		case path.Base(name) == c.weights:
			found = append(found, name)
		case path.Ext(name) == ".onnx":
			graphs = append(graphs, name)
		case strings.HasSuffix(name, "tokenizer.json"):
			words = append(words, name)
		}
	}
	if len(found) == 0 {
		found = graphs
	}
	if err == nil && len(found) != 1 {
		err = &Error{fmt.Sprintf("%s holds %d models; one is what can be used", at, len(found)), "unpack it, and name the model's directory"}
	}
	if err == nil {
		c.weights = path.Base(found[0])
		if len(words) == 1 && path.Dir(words[0]) == path.Dir(found[0]) {
			c.words = path.Base(words[0])
		}
		c.files, err = fs.Sub(&z.Reader, path.Dir(found[0]))
	}
	if err != nil {
		_ = z.Close()
		return err
	}
	c.name, _, _ = strings.Cut(filepath.Base(at), "-")
	return nil
}

// Close closes the files.
func (c *Checkpoint) Close() error { return c.close() }

// read reads a small file, and remembers its hash; nil where there is none.
func (c *Checkpoint) read(name string) ([]byte, error) {
	f, err := c.files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxText {
		return nil, fmt.Errorf("%s has more than %d MB", name, maxText>>20)
	}
	sum := sha256.Sum256(data)
	c.inputs[name] = hex.EncodeToString(sum[:])
	return data, nil
}

// tensors are a file of weights.
type tensors interface {
	Names() []string
	Shape(name string) (shape []int, ok bool)
	Floats(name string, shape ...int) ([]float32, error)
}

// open opens the weights. done must be called after use.
func (c *Checkpoint) open() (file tensors, done func(), err error) {
	f, err := c.files.Open(c.weights)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	st, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	size, graph := st.Size(), path.Ext(c.weights) == ".onnx"
	if size > maxWeights {
		return nil, nil, fmt.Errorf("%s has more than %d GB", c.weights, maxWeights>>30)
	}
	sum := sha256.New()
	var data []byte
	at, seekable := f.(io.ReaderAt)
	if seekable && !graph {
		_, err = io.Copy(sum, io.NewSectionReader(at, 0, size))
	} else {
		data, err = io.ReadAll(io.LimitReader(io.TeeReader(f, sum), maxWeights+1))
		at, size = bytes.NewReader(data), int64(len(data))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.weights, err)
	}
	c.inputs[c.weights] = hex.EncodeToString(sum.Sum(nil))
	if graph {
		file, err = onnx.Read(data)
	} else {
		file, err = safetensors.Read(at, size)
	}
	return file, func() { f.Close() }, err
}

// named are a checkpoint's tensors without what some makers write before
// their names.
type named struct {
	file   tensors
	prefix string
}

func (n named) Floats(name string, shape ...int) ([]float32, error) {
	return n.file.Floats(n.prefix+name, shape...)
}

// unprefixed finds what stands before the names, from one that every
// checkpoint has.
func unprefixed(f tensors) (named, error) {
	const known = "embeddings.word_embeddings.weight"
	names := f.Names()
	i := slices.IndexFunc(names, func(name string) bool { return strings.HasSuffix(name, known) })
	if i < 0 {
		return named{}, &Error{"the weights have no " + known + ": they are not those of a BERT encoder", "models of BERT's shape and static tables can be used"}
	}
	return named{f, strings.TrimSuffix(names[i], known)}, nil
}

// Options change what a pack is made with.
type Options struct {
	Name      string  // "" is the model's own
	Licence   string  // "" is what the model's files say
	Precision string  // "" is int8
	Pooling   string  // "" is the model's own
	Prefix    *string // before queries; nil is the model's own
	MaxTokens int     // 0 is the model's own; no more than that
	Heads     int     // of a model without config.json, whose other sizes the weights tell
	Step      func(done, total int)
}

// kindOf tells a static table from an encoder, by what config.json says.
func kindOf(c config) string {
	if c.ModelType == "model2vec" {
		return pack.Static
	}
	return pack.BERT
}

// Package models finds the model that a person has chosen: a pack, a model's
// directory, or a known name.
package models

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/hub"
)

// Default is the model that is used when none is named and it is installed.
const Default = "bge-small-en-v1.5"

// Extension ends the name of a pack's file.
const Extension = ".pack"

// ErrNone says that no model is named, and the default one is not installed.
var ErrNone = errors.New("no model is installed")

// A MissingError is a named model that is not there.
type MissingError struct {
	Name   string
	Looked []string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("there is no model %q in %s", e.Name, strings.Join(e.Looked, ", "))
}

// Hint is the next step.
func (e *MissingError) Hint() string {
	return "mega-tron model list shows what is installed; mega-tron model import PATH installs one; without MEGA_EMBEDDER_MODEL and [embedder] model, words alone decide"
}

// Dir is where models are installed.
func Dir(c *config.Config) string { return filepath.Join(c.DataDir(), "models") }

// Find returns the path of the pack that is to be used: of MEGA_EMBEDDER_MODEL,
// else of config.toml, else of [Default].
func Find(c *config.Config) (string, error) {
	name := c.Env("MEGA_EMBEDDER_MODEL")
	if name == "" {
		name = c.Model
	}
	if name == "" {
		path, _ := installed(c, Default)
		if path == "" {
			return "", ErrNone
		}
		return path, nil
	}
	if st, err := os.Stat(name); err == nil && filepath.IsAbs(name) {
		if st.IsDir() {
			return packed(c, name)
		}
		return name, nil
	}
	path, looked := installed(c, name)
	if path == "" {
		return "", &MissingError{name, looked}
	}
	return path, nil
}

// installed looks for a model by name: in the data directory, then where a
// release archive has it, beside the program.
func installed(c *config.Config, name string) (path string, looked []string) {
	file := filepath.Base(filepath.FromSlash(name)) + Extension
	looked = append(looked, Dir(c))
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		dir := filepath.Dir(exe)
		looked = append(looked, filepath.Join(dir, "models"), filepath.Join(filepath.Dir(dir), "share", config.Name, "models"))
	}
	for _, dir := range looked {
		p := filepath.Join(dir, file)
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() {
			return p, looked
		}
	}
	return "", looked
}

// packing changes whenever the same directory gives another pack.
const packing = 2

// packed is the pack of a model's directory, made when the directory is used
// for the first time or has changed.
func packed(c *config.Config, dir string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, packing, dir)
	for _, name := range []string{"config.json", "model.safetensors", "tokenizer.json", "vocab.txt", "tokenizer_config.json", filepath.Join("1_Pooling", "config.json")} {
		if st, err := os.Stat(filepath.Join(dir, name)); err == nil {
			fmt.Fprintln(h, name, st.Size(), st.ModTime().UnixNano())
		}
	}
	path := filepath.Join(c.CacheDir(), "packs", hex.EncodeToString(h.Sum(nil))[:16]+Extension)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	checkpoint, err := hub.Open(dir)
	if err != nil {
		return "", err
	}
	defer checkpoint.Close()
	b, meta, err := checkpoint.Pack(hub.Options{})
	if err != nil {
		return "", err
	}
	return path, write(b, meta, path)
}

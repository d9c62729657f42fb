package models

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/hub"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
)

// An Installed is a model that can be used by name.
type Installed struct {
	Name  string    // by which it is asked for
	Path  string    // of its pack
	Size  int64     // bytes
	Hash  string    // of the pack
	Meta  pack.Meta // what it is
	Error error     // why it cannot be used; then Hash and Meta are empty
}

// Install packs a model and puts it where it is found by name. A pack of that
// name is replaced in one step; a process that uses the old one goes on with it.
func Install(c *config.Config, checkpoint *hub.Checkpoint, o hub.Options) (Installed, error) {
	b, meta, err := checkpoint.Pack(o)
	if err != nil {
		return Installed{}, err
	}
	name := meta.Name
	if name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return Installed{}, &hub.Error{Text: fmt.Sprintf("%q is no name for a model", name), Next: "name it with --name"}
	}
	path := filepath.Join(Dir(c), name+Extension)
	if err := write(b, meta, path); err != nil {
		return Installed{}, err
	}
	i := look(path)
	return i, i.Error
}

// write makes the file of a pack in one step: a reader finds the whole of it, or
// the one before.
func write(b *pack.Builder, meta pack.Meta, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if err := errors.Join(b.WriteTo(temp, meta), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// List returns the installed models, those of the data directory first.
func List(c *config.Config) ([]Installed, error) {
	_, dirs := installed(c, "")
	var list []Installed
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if e.Type().IsRegular() && filepath.Ext(e.Name()) == Extension {
				list = append(list, look(filepath.Join(dir, e.Name())))
			}
		}
	}
	return list, nil
}

// Verify checks every byte of an installed model, named by its name or by the
// path of its pack.
func Verify(c *config.Config, name string) (Installed, error) {
	path := name
	if !filepath.IsAbs(name) {
		var looked []string
		if path, looked = installed(c, name); path == "" {
			return Installed{}, &MissingError{name, looked}
		}
	}
	m, err := embed.Open(path)
	if err != nil {
		return Installed{}, err
	}
	defer m.Close()
	if err := m.Verify(); err != nil {
		return Installed{}, fmt.Errorf("%s: %w", path, err)
	}
	return look(path), nil
}

func look(path string) Installed {
	i := Installed{Name: strings.TrimSuffix(filepath.Base(path), Extension), Path: path}
	m, err := embed.Open(path)
	if err != nil {
		i.Error = err
		return i
	}
	defer m.Close()
	if st, err := os.Stat(path); err == nil {
		i.Size = st.Size()
	}
	i.Hash, i.Meta = m.Hash(), m.Meta()
	return i
}

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/marola-dev/marola-routing/internal/skillrouter/tomlplace"
)

// SetExtraDirs writes [skills] extra_dirs into config.toml and changes no
// other byte of it.
func (c *Config) SetExtraDirs(dirs []string) error {
	if err := c.set("skills", "extra_dirs", dirs, func(c *Config) []string { return c.ExtraDirs }); err != nil {
		return err
	}
	c.ExtraDirs = dirs
	return nil
}

// SetCurator writes [wisdom] curator into config.toml and changes no other
// byte of it. An empty command sets none.
func (c *Config) SetCurator(command []string) error {
	if err := c.set("wisdom", "curator", command, func(c *Config) []string { return c.curator }); err != nil {
		return err
	}
	c.curator = command
	return nil
}

// set writes a list into the file. What would not read as it should is an
// error.
func (c *Config) set(table, key string, items []string, get func(*Config) []string) error {
	data, err := readFile(c.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &FileError{c.File, err}
	}
	text, err := withList(data, table, key, items, get)
	if err != nil {
		return &FileError{c.File, err}
	}
	return replace(c.File, text)
}

// replace writes a file at once, keeps its mode, and writes what a link leads
// to rather than the link.
func replace(path string, data []byte) error {
	mode := fs.FileMode(0o600)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
		if st, err := os.Stat(path); err == nil {
			mode = st.Mode().Perm()
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "config.*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Chmod(mode), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// withList replaces the value of a key of a table in a TOML text, or adds it.
// A value that is no list of strings is not replaced.
func withList(data []byte, table, key string, items []string, get func(*Config) []string) ([]byte, error) {
	if err := new(Config).read(data); err != nil {
		return nil, err
	}
	text, err := tomlplace.Set(data, []string{table}, key, tomlplace.Strings(items))
	if err != nil {
		return nil, err
	}
	var c Config
	if err := c.read(text); err != nil || !slices.Equal(get(&c), items) {
		return nil, fmt.Errorf("there is no safe place in it for %s; write it under [%s] by hand", key, table)
	}
	return text, nil
}

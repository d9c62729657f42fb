package bundle

import (
	"io/fs"
	"slices"
)

// Memory is a bundle in memory.
type Memory map[string][]byte

// ReadFile implements [Files].
func (m Memory) ReadFile(name string) ([]byte, error) {
	data, ok := m[name]
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	case len(data) > MaxFile:
		return nil, TooLarge(name, int64(len(data)))
	}
	return data, nil
}

// List implements [Files].
func (m Memory) List() ([]string, error) {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

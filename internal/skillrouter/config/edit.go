package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
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
func withList(data []byte, table, key string, items []string, get func(*Config) []string) ([]byte, error) {
	text, err := placeList(data, table, key, tomlList(items))
	if err != nil {
		return nil, err
	}
	var c Config
	if err := c.read(text); err != nil || !slices.Equal(get(&c), items) {
		return nil, fmt.Errorf("there is no safe place in it for %s; write it under [%s] by hand", key, table)
	}
	return text, nil
}

func placeList(data []byte, in, key, value string) ([]byte, error) {
	var p unstable.Parser
	p.Reset(data)
	table, header, dotted := "", -1, -1
	for p.NextExpression() {
		e := p.Expression()
		var path []string
		end := 0
		for k := e.Key(); k.Next(); {
			path = append(path, string(k.Node().Data))
			end = int(k.Node().Raw.Offset + k.Node().Raw.Length)
		}
		name := strings.Join(path, ".")
		switch e.Kind {
		case unstable.Table:
			table = name
			if name == in {
				header = lineEnd(data, end)
			}
		case unstable.ArrayTable:
			table = name + "[]"
		case unstable.KeyValue:
			if table == in && name == key || table == "" && name == in+"."+key {
				start, stop, err := valueRange(data, end, key)
				if err != nil {
					return nil, err
				}
				return slices.Concat(data[:start], []byte(value), data[stop:]), nil
			}
			if table == "" && len(path) > 1 && path[0] == in && dotted < 0 {
				dotted = bytes.LastIndexByte(data[:end], '\n') + 1
			}
			if table == "" && name == in {
				return nil, fmt.Errorf("its %s is an inline table, which is not edited; write it as [%s]", in, in)
			}
		}
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	row := key + " = " + value + "\n"
	if header >= 0 {
		if data[header-1] != '\n' { // the header is the file's last line, and open
			row = "\n" + row
		}
		return slices.Concat(data[:header], []byte(row), data[header:]), nil
	}
	if dotted >= 0 { // the table is there already, key by key
		return slices.Concat(data[:dotted], []byte(in+"."+row), data[dotted:]), nil
	}
	gap := ""
	if len(data) > 0 {
		gap = "\n"
		if !bytes.HasSuffix(data, []byte("\n")) {
			gap = "\n\n"
		}
	}
	return slices.Concat(data, []byte(gap+"["+in+"]\n"+row)), nil
}

// lineEnd is the start of the line after the one that holds offset.
func lineEnd(data []byte, offset int) int {
	if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(data)
}

// valueRange finds the array that follows a key.
func valueRange(data []byte, from int, key string) (start, stop int, err error) {
	open := bytes.IndexByte(data[from:], '[')
	if open < 0 {
		return 0, 0, fmt.Errorf("its %s is no list", key)
	}
	start = from + open
	for i := start; i < len(data); i++ {
		switch c := data[i]; c {
		case '"', '\'':
			for i++; i < len(data) && data[i] != c; i++ {
				if c == '"' && data[i] == '\\' {
					i++
				}
			}
		case '#':
			for i < len(data) && data[i] != '\n' {
				i++
			}
		case ']':
			return start, i + 1, nil
		}
	}
	return 0, 0, fmt.Errorf("its %s does not end", key)
}

func tomlList(items []string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, s := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(tomlString(s))
	}
	b.WriteByte(']')
	return b.String()
}

func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

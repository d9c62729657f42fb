// Package config is where mega-tron keeps things and what a person has set:
// directories, config.toml, and the environment, which wins.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Name is the directory that mega-tron has in each of the person's.
const Name = "mega-tron"

// maxFile bounds config.toml, in bytes.
const maxFile = 1 << 20

// A Config is what is set. The zero value is what holds when nothing is.
type Config struct {
	Env  func(name string) string // of the process
	Home string
	File string // config.toml

	Model     string   // [embedder] model
	ExtraDirs []string // [skills] extra_dirs, absolute
}

// Load reads the settings. A file that cannot be used gives the error and the
// settings that hold without it: a hook goes on, a command does not.
func Load(env func(string) string) (*Config, error) {
	c := &Config{Env: env, Home: home(env)}
	c.File = filepath.Join(c.base("XDG_CONFIG_HOME", ".config"), Name, "config.toml")
	if c.Home == "" {
		return c, errNoHome{}
	}
	data, err := readFile(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = c.read(data)
	}
	if err != nil {
		return c, &FileError{c.File, err}
	}
	return c, nil
}

// A FileError is a config.toml that is not used.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s is not used: %v", e.File, e.Err) }
func (e *FileError) Unwrap() error { return e.Err }

// Hint is the next step.
func (e *FileError) Hint() string { return "mend or move the file; nothing in it was changed" }

// errNoHome is a process that does not know whose it is.
type errNoHome struct{}

func (errNoHome) Error() string { return "there is no home directory: " + homeVariable + " is not set" }

// Hint is the next step.
func (errNoHome) Hint() string {
	return "set " + homeVariable + " to the directory of the person whose skills these are"
}

func readFile(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxFile {
		return nil, fmt.Errorf("it is no file of at most %d bytes", maxFile)
	}
	return os.ReadFile(path)
}

func (c *Config) read(data []byte) error {
	var f struct {
		Embedder struct {
			Model string `toml:"model"`
		} `toml:"embedder"`
		Skills struct {
			ExtraDirs []string `toml:"extra_dirs"`
		} `toml:"skills"`
	}
	if err := toml.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &f); err != nil {
		if d := (*toml.DecodeError)(nil); errors.As(err, &d) {
			line, column := d.Position()
			return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(d.Error(), "toml: "))
		}
		return err
	}
	c.Model = f.Embedder.Model
	for _, d := range f.Skills.ExtraDirs {
		if d = skill.ExpandHome(d, c.Home); filepath.IsAbs(d) {
			c.ExtraDirs = append(c.ExtraDirs, filepath.Clean(d))
		}
	}
	return nil
}

// homeVariable names the home directory.
var homeVariable = map[bool]string{true: "USERPROFILE", false: "HOME"}[runtime.GOOS == "windows"]

// home is the person's directory, "" when there is none. A relative one is
// none: it would be another in each directory, a stranger's repository among
// them.
func home(env func(string) string) string {
	if d := env(homeVariable); filepath.IsAbs(d) {
		return d
	}
	return ""
}

// base is a directory of the XDG specification, or the one under the home
// that it gives.
func (c *Config) base(variable, name string) string {
	if d := c.Env(variable); filepath.IsAbs(d) {
		return d
	}
	if c.Home == "" {
		return os.DevNull // nothing can be made below it, and nothing is read from where the process happens to be
	}
	return filepath.Join(c.Home, filepath.FromSlash(name))
}

// DataDir holds what cannot be made again: evidence, models.
func (c *Config) DataDir() string {
	return filepath.Join(c.base("XDG_DATA_HOME", ".local/share"), Name)
}

// CacheDir holds what can.
func (c *Config) CacheDir() string { return filepath.Join(c.base("XDG_CACHE_HOME", ".cache"), Name) }

// Places is where skills are looked for, from the directory of the work.
func (c *Config) Places(dir string) skill.Places {
	return skill.Places{Home: c.Home, Dir: dir, Getenv: c.Env, Extra: slices.Concat(c.ExtraDirs, c.dirs("MEGA_SKILL_DIRS", dir))}
}

// GivenDirs are the directories that MEGA_SKILLS_DIR names, to look in instead
// of all others, seen from the directory of the work; none when it is not set.
func (c *Config) GivenDirs(dir string) []string { return c.dirs("MEGA_SKILLS_DIR", dir) }

// dirs are those of a variable. Relative ones are seen from dir, and left out
// where there is none: the daemon is at home elsewhere.
func (c *Config) dirs(variable, dir string) (list []string) {
	for _, d := range skill.SplitList(c.Env(variable), c.Home) {
		switch {
		case filepath.IsAbs(d):
			list = append(list, filepath.Clean(d))
		case dir != "":
			list = append(list, filepath.Join(dir, d))
		}
	}
	return list
}

// Off reports whether a variable is set to a word for no.
func (c *Config) Off(variable string) bool {
	switch strings.ToLower(strings.TrimSpace(c.Env(variable))) {
	case "0", "false", "no", "off":
		return true
	}
	return false
}

// Float is a variable's number, or what holds without it. A value that is no
// number is as good as none: a hook must not stop for it.
func (c *Config) Float(variable string, otherwise float64) float64 {
	x, err := strconv.ParseFloat(strings.TrimSpace(c.Env(variable)), 64)
	if err != nil || x != x || x > 1e6 || x < -1e6 {
		return otherwise
	}
	return x
}

// Int is a variable's whole number, or what holds without it.
func (c *Config) Int(variable string, otherwise int) int {
	n, err := strconv.Atoi(strings.TrimSpace(c.Env(variable)))
	if err != nil || n < 0 || n > 1<<20 {
		return otherwise
	}
	return n
}

// SetExtraDirs writes [skills] extra_dirs into config.toml and changes no
// other byte of it.
func (c *Config) SetExtraDirs(dirs []string) error {
	data, err := readFile(c.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &FileError{c.File, err}
	}
	text, err := withExtraDirs(data, dirs)
	if err != nil {
		return &FileError{c.File, err}
	}
	if err := replace(c.File, text); err != nil {
		return err
	}
	c.ExtraDirs = dirs
	return nil
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

// withExtraDirs replaces the value of skills.extra_dirs in a TOML text, or
// adds it. What would not read as it should is an error.
func withExtraDirs(data []byte, dirs []string) ([]byte, error) {
	text, err := placeExtraDirs(data, dirs)
	if err != nil {
		return nil, err
	}
	var c Config
	if err := c.read(text); err != nil || !slices.Equal(c.ExtraDirs, dirs) {
		return nil, errors.New("there is no safe place in it for extra_dirs; write them under [skills] by hand")
	}
	return text, nil
}

func placeExtraDirs(data []byte, dirs []string) ([]byte, error) {
	value := tomlList(dirs)
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
			if name == "skills" {
				header = lineEnd(data, end)
			}
		case unstable.ArrayTable:
			table = name + "[]"
		case unstable.KeyValue:
			if table == "skills" && name == "extra_dirs" || table == "" && name == "skills.extra_dirs" {
				start, stop, err := valueRange(data, end)
				if err != nil {
					return nil, err
				}
				return slices.Concat(data[:start], []byte(value), data[stop:]), nil
			}
			if table == "" && len(path) > 1 && path[0] == "skills" && dotted < 0 {
				dotted = bytes.LastIndexByte(data[:end], '\n') + 1
			}
			if table == "" && name == "skills" {
				return nil, errors.New("its skills are an inline table, which is not edited; write them as [skills]")
			}
		}
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	row := "extra_dirs = " + value + "\n"
	if header >= 0 {
		if data[header-1] != '\n' { // the header is the file's last line, and open
			row = "\n" + row
		}
		return slices.Concat(data[:header], []byte(row), data[header:]), nil
	}
	if dotted >= 0 { // the table is there already, key by key
		return slices.Concat(data[:dotted], []byte("skills."+row), data[dotted:]), nil
	}
	gap := ""
	if len(data) > 0 {
		gap = "\n"
		if !bytes.HasSuffix(data, []byte("\n")) {
			gap = "\n\n"
		}
	}
	return slices.Concat(data, []byte(gap+"[skills]\n"+row)), nil
}

// lineEnd is the start of the line after the one that holds offset.
func lineEnd(data []byte, offset int) int {
	if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(data)
}

// valueRange finds the array that follows a key.
func valueRange(data []byte, from int) (start, stop int, err error) {
	open := bytes.IndexByte(data[from:], '[')
	if open < 0 {
		return 0, 0, errors.New("its extra_dirs are no list")
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
	return 0, 0, errors.New("its extra_dirs do not end")
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

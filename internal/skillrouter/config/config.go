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

	curator     []string // [wisdom] curator
	wisdomHosts []string // [wisdom] hosts
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
		Wisdom struct {
			Curator []string `toml:"curator"`
			Hosts   []string `toml:"hosts"`
		} `toml:"wisdom"`
	}
	if err := toml.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &f); err != nil {
		if d := (*toml.DecodeError)(nil); errors.As(err, &d) {
			line, column := d.Position()
			return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(d.Error(), "toml: "))
		}
		return err
	}
	c.Model = f.Embedder.Model
	c.curator, c.wisdomHosts = f.Wisdom.Curator, f.Wisdom.Hosts
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
	extra := slices.Concat(c.ExtraDirs, c.dirs("MEGA_SKILL_DIRS", dir))
	if c.Curator() != nil {
		extra = append(extra, c.WisdomDir())
	}
	return skill.Places{Home: c.Home, Dir: dir, Getenv: c.Env, Extra: extra}
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

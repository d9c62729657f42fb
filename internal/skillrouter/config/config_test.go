package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func env(home string, more ...string) func(string) string {
	return func(name string) string {
		if name == "HOME" || name == "USERPROFILE" {
			return home
		}
		for _, kv := range more {
			if k, v, _ := strings.Cut(kv, "="); k == name {
				return v
			}
		}
		return ""
	}
}

func file(t *testing.T, home, text string) string {
	t.Helper()
	path := filepath.Join(home, ".config", Name, "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	home := t.TempDir()
	c, err := Load(env(home))
	if err != nil || c.Model != "" || c.ExtraDirs != nil || c.DataDir() != filepath.Join(home, ".local", "share", Name) {
		t.Errorf("%+v, %v", c, err)
	}
	file(t, home, "\xef\xbb\xbf[embedder]\nmodel = 'mine'\n[skills]\nextra_dirs = ['~/a', 'relative', '/b/']\n[else]\nx = 1\n")
	c, err = Load(env(home, "XDG_CACHE_HOME=/cache", "XDG_DATA_HOME=relative", "MEGA_SKILL_DIRS=/c"))
	if err != nil || c.Model != "mine" || !slices.Equal(c.ExtraDirs, []string{filepath.Join(home, "a"), "/b"}) {
		t.Errorf("%+v, %v", c, err)
	}
	if c.CacheDir() != "/cache/"+Name || c.DataDir() != filepath.Join(home, ".local", "share", Name) {
		t.Errorf("%s, %s", c.CacheDir(), c.DataDir())
	}
	if got := c.Places("/work").Extra; !slices.Equal(got, []string{filepath.Join(home, "a"), "/b", "/c"}) {
		t.Errorf("%q", got)
	}
}

func TestBrokenFile(t *testing.T) {
	home := t.TempDir()
	for text, want := range map[string]string{"[skills\n": "line 1", "[skills]\nextra_dirs = 7\n": "extra_dirs", strings.Repeat("#", maxFile+1): "at most"} {
		path := file(t, home, text)
		c, err := Load(env(home))
		if e := (*FileError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.20q: %v", text, err)
		}
		if c == nil || c.CacheDir() == "" {
			t.Errorf("%.20q: nothing holds", text)
		}
		if err := c.SetExtraDirs([]string{"/a"}); err == nil {
			t.Errorf("%.20q is written over", text)
		}
		if after, _ := os.ReadFile(path); string(after) != text {
			t.Errorf("%.20q was changed", text)
		}
	}
}

func TestSetExtraDirs(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"no file", "", "[skills]\nextra_dirs = [\"/a\", \"/b \\\"c\\\"\"]\n"},
		{"no table", "# mine\n[embedder]\nmodel = \"m\"", "# mine\n[embedder]\nmodel = \"m\"\n\n[skills]\nextra_dirs = [\"/a\", \"/b \\\"c\\\"\"]\n"},
		{"a table", "[skills] # here\nother = 1\n[x]\n", "[skills] # here\nextra_dirs = [\"/a\", \"/b \\\"c\\\"\"]\nother = 1\n[x]\n"},
		{"a value", "[skills]\nextra_dirs = [ # why\n  \"/old ]\", # because\n] # end\nother = 1\n", "[skills]\nextra_dirs = [\"/a\", \"/b \\\"c\\\"\"] # end\nother = 1\n"},
		{"a dotted key", "skills.extra_dirs = ['/old']\n", "skills.extra_dirs = [\"/a\", \"/b \\\"c\\\"\"]\n"},
		{"other dotted keys", "# mine\nskills.other = 1\n", "# mine\nskills.extra_dirs = [\"/a\", \"/b \\\"c\\\"\"]\nskills.other = 1\n"},
		{"the same key elsewhere", "[other]\nextra_dirs = ['/old']\n", "[other]\nextra_dirs = ['/old']\n\n[skills]\nextra_dirs = [\"/a\", \"/b \\\"c\\\"\"]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, ".config", Name, "config.toml")
			if tt.before != "" {
				file(t, home, tt.before)
			}
			c, err := Load(env(home))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.SetExtraDirs([]string{"/a", "/b \"c\""}); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != tt.after {
				t.Errorf("got\n%s\nwant\n%s", got, tt.after)
			}
			if c, err = Load(env(home)); err != nil || !slices.Equal(c.ExtraDirs, []string{"/a", "/b \"c\""}) {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
	home := t.TempDir()
	file(t, home, "skills = {extra_dirs = []}\n")
	c, err := Load(env(home))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetExtraDirs([]string{"/a"}); err == nil || !strings.Contains(err.Error(), "inline table") {
		t.Errorf("an inline table: %v", err)
	}
}

func TestSymlinkedFileStaysOne(t *testing.T) {
	home := t.TempDir()
	link := file(t, home, "")
	real := filepath.Join(home, "dotfiles.toml")
	if err := errors.Join(os.Remove(link), os.WriteFile(real, []byte("# mine\n"), 0o600), os.Symlink(real, link)); err != nil {
		t.Fatal(err)
	}
	c, err := Load(env(home))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetExtraDirs([]string{"/a"}); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if got, _ := os.ReadFile(real); !strings.HasPrefix(string(got), "# mine\n") || !strings.Contains(string(got), "/a") {
		t.Errorf("%q", got)
	}
	if st, _ := os.Stat(real); st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
}

func TestNumbersOfTheEnvironment(t *testing.T) {
	c := &Config{Env: env("", "A=0.5", "B=x", "C=NaN", "D=7", "E=-1", "F=off", "G=yes", "H= No ")}
	if c.Float("A", 1) != 0.5 || c.Float("B", 1) != 1 || c.Float("C", 1) != 1 || c.Float("none", 2) != 2 {
		t.Error("floats")
	}
	if c.Int("D", 1) != 7 || c.Int("E", 1) != 1 || c.Int("B", 1) != 1 {
		t.Error("whole numbers")
	}
	if !c.Off("F") || c.Off("G") || !c.Off("H") || c.Off("none") {
		t.Error("switches")
	}
}

func FuzzWithList(f *testing.F) {
	f.Add([]byte("[skills]\nextra_dirs = ['a']\n"))
	f.Add([]byte("skills.extra_dirs = [\n'x', # ]\n]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &Config{Home: "/h"}
		if c.read(data) != nil {
			return
		}
		out, err := withList(data, "skills", "extra_dirs", []string{"/new"}, func(c *Config) []string { return c.ExtraDirs })
		if err != nil {
			return
		}
		after := &Config{Home: "/h"}
		if err := after.read(out); err != nil || !slices.Equal(after.ExtraDirs, []string{"/new"}) || after.Model != c.Model {
			t.Errorf("%q becomes %q: %v", data, out, err)
		}
	})
}

func TestCurator(t *testing.T) {
	home := t.TempDir()
	load := func(more ...string) *Config {
		t.Helper()
		c, err := Load(env(home, more...))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := load(); c.Curator() != nil || c.Ignites("codex") || slices.Contains(c.Places("").Extra, c.WisdomDir()) {
		t.Error("a curator is set that nobody set")
	}
	if c := load("MEGA_WITH_WISDOM=1"); c.Curator() != nil {
		t.Error("a curator without a command")
	}
	if c := load("MEGA_WITH_WISDOM=1", "MEGA_WISDOM_CURATOR_PATH=/opt/curator"); !slices.Equal(c.Curator(), []string{"/opt/curator"}) || !c.Ignites("codex") {
		t.Errorf("of the environment: %q", c.Curator())
	}
	if c := load("MEGA_WISDOM_CURATOR_PATH=/opt/curator"); c.Curator() != nil {
		t.Error("a path alone switches it on")
	}
	file(t, home, "# mine\n[wisdom]\nhosts = ['claude', 'hermes']\n")
	c := load()
	if err := c.SetCurator([]string{"/usr/bin/curator", "--fast", "a \"b\""}); err != nil {
		t.Fatal(err)
	}
	c = load()
	if !slices.Equal(c.Curator(), []string{"/usr/bin/curator", "--fast", "a \"b\""}) || c.Ignites("codex") || !c.Ignites("hermes") || !slices.Contains(c.Places("").Extra, c.WisdomDir()) {
		t.Errorf("%q", c.Curator())
	}
	if c := load("MEGA_WITH_WISDOM=off"); c.Curator() != nil {
		t.Error("it is not switched off")
	}
	if err := c.SetCurator(nil); err != nil || c.Curator() != nil || load().Curator() != nil {
		t.Errorf("it stays: %v", err)
	}
	for set, want := range map[string]time.Duration{"": 10 * time.Minute, "1": time.Minute, "90": 90 * time.Second, "99999": time.Hour} {
		if got := load("MEGA_WISDOM_TTL_S=" + set).WisdomAgain(); got != want {
			t.Errorf("%q: %v", set, got)
		}
	}
}

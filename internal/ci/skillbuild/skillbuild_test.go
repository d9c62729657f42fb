package skillbuild

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// module is the root of this module.
func module(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestText: the skill is short, and its launchers run in any POSIX shell.
func TestText(t *testing.T) {
	dir := filepath.Join(module(t), filepath.FromSlash(Dir))
	text, err := os.ReadFile(filepath.Join(dir, "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	const most = 1300
	if len(text) > most || !strings.HasPrefix(string(text), "---\nname: routing\ndescription: ") {
		t.Errorf("SKILL.md has %d bytes, at most %d are wanted, and begins with %.40q", len(text), most, text)
	}
	for _, word := range []string{" must ", "MUST", "Always", "Never ", "IMPORTANT", "route.py", "graphify"} {
		if bytes.Contains(text, []byte(word)) {
			t.Errorf("SKILL.md says %q: it states facts", word)
		}
	}
	for _, name := range []string{"route", "session-check.sh"} {
		file := filepath.Join(dir, "scripts", name)
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(bytes.NewReader(script), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if bytes.Contains(script, []byte("\r")) {
			t.Errorf("%s has carriage returns", name)
		}
		out, err := exec.Command("git", "-C", dir, "ls-files", "--stage", "scripts/"+name).Output()
		if err == nil && len(out) > 0 && !strings.HasPrefix(string(out), "100755 ") {
			t.Errorf("%s is not executable in git", name)
		}
	}
}

// copyModule copies what a build reads of the module to a directory. The copy
// names the toolchain that runs the test: another one would be downloaded.
func copyModule(t testing.TB, to string) {
	t.Helper()
	from := module(t)
	for _, part := range append(slices.Clone(Sources), Dir) {
		err := filepath.WalkDir(filepath.Join(from, filepath.FromSlash(part)), func(file string, d fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(from, file)
			switch {
			case err != nil || relErr != nil:
				return fmt.Errorf("%w%w", err, relErr)
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case d.IsDir() || strings.HasSuffix(file, "_test.go"):
				return nil
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if rel == "go.mod" {
				named, err := Toolchain(data)
				if err != nil {
					return err
				}
				data = bytes.Replace(data, []byte(named), []byte(strings.Fields(runtime.Version())[0]), 1)
			}
			target := filepath.Join(to, rel)
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			return os.WriteFile(target, data, 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestReproducible: another directory, home, module cache, umask and
// settings, and the same bytes and modes. With MAROLA_SOAK also with a cache
// of its own, which compiles all anew, and for all platforms.
func TestReproducible(t *testing.T) {
	platforms, soak := []Platform{"linux-amd64"}, os.Getenv("MAROLA_SOAK") != ""
	if soak {
		platforms = Platforms
	}
	one := filepath.Join(t.TempDir(), "clone")
	copyModule(t, one)
	first := filepath.Join(t.TempDir(), "routing")
	if err := Build(context.Background(), one, first, platforms, os.Environ()); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "an other é place", "clone")
	copyModule(t, other)
	if err := os.WriteFile(filepath.Join(other, "unrelated.md"), []byte("changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GOMODCACHE=" + t.TempDir(), "GOFLAGS=-tags=odd -race", "GOAMD64=v3", "GOARM64=v9.0",
		"CGO_ENABLED=1", "GOOS=plan9", "GOEXPERIMENT=jsonv2", "GODEBUG=x=1", "GOFIPS140=latest", "GOTOOLCHAIN=path", "GOWORK=/nowhere", "LC_ALL=C.UTF-8"}
	if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil && !soak {
		env = append(env, "GOCACHE="+strings.TrimSpace(string(cache)))
	}
	second := filepath.Join(t.TempDir(), "routing")
	before := umask(0o077)
	err := Build(context.Background(), other, second, platforms, env)
	umask(before)
	if err != nil {
		t.Fatal(err)
	}
	here, there := contents(t, first), contents(t, second)
	if here != there || !strings.Contains(here, platforms[0].Program()) {
		t.Errorf("the builds differ:\n%s\n%s", here, there)
	}
	if err := Build(context.Background(), one, first, nil, nil); err == nil {
		t.Error("a directory that is there is built over")
	}
	program, err := os.ReadFile(filepath.Join(first, platforms[0].Program()))
	if err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{one, os.Getenv("HOME") + "/", strings.TrimSpace(string(root)), filepath.Dir(first)} {
		if len(place) > 3 && bytes.Contains(program, []byte(place)) {
			t.Errorf("the program holds %s", place)
		}
	}
}

// contents lists mode, hash and name of every file below dir.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, file)
		var data []byte
		if !d.IsDir() {
			if data, err = os.ReadFile(file); err != nil {
				return err
			}
		}
		fmt.Fprintf(&b, "%v %x %s\n", st.Mode(), sha256.Sum256(data), filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestToolchain(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join(module(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Toolchain(mod); err != nil || !strings.HasPrefix(got, "go1.") {
		t.Errorf("go.mod names the toolchain %q, %v", got, err)
	}
	if _, err := Toolchain([]byte("module x\n\ngo 1.26.0\n")); err == nil {
		t.Error("a go.mod without a toolchain is accepted")
	}
	if err := BuildProgram(context.Background(), module(t), filepath.Join(t.TempDir(), "x"), "plan9-386", os.Environ()); err == nil {
		t.Error("a platform that there is no program for is built")
	}
}

// TestReleaseCommit: the commit holds the programs, executable, on top of the
// one that is checked out; nothing else moves; and made again it is the same.
func TestReleaseCommit(t *testing.T) {
	whole := Platforms
	defer func() { Platforms = whole }()
	Platforms = []Platform{"linux-amd64"}
	w := gittest.New(t)
	dir := filepath.Join(w.Home, "clone")
	copyModule(t, dir)
	w.Git(w.Home, "init", "-q", dir)
	w.Git(dir, "add", "-A")
	w.Git(dir, "commit", "-q", "-m", "source")
	w.Write(dir, map[string][]byte{"cmd/route/main.go": []byte("package broken")}) // what is not committed is not built
	env := w.With("HOME="+os.Getenv("HOME"), "GOCACHE="+os.Getenv("GOCACHE"))
	before := w.Git(dir, "status", "--porcelain", "--branch") + w.Git(dir, "for-each-ref")
	commit, size, err := ReleaseCommit(context.Background(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	if again, _, err := ReleaseCommit(context.Background(), dir, env); err != nil || again != commit {
		t.Errorf("made again it is %s, not %s, %v", again, commit, err)
	}
	if after := w.Git(dir, "status", "--porcelain", "--branch") + w.Git(dir, "for-each-ref"); after != before {
		t.Errorf("the clone has changed:\n%s\nwas\n%s", after, before)
	}
	if got, want := w.Git(dir, "diff", "--name-status", "HEAD", commit), "A\t"+Dir+"/bin/linux-amd64/route"; got != want {
		t.Errorf("it changes %q, want %q", got, want)
	}
	if got := w.Git(dir, "ls-tree", "-r", "--long", commit, Dir+"/bin"); !strings.HasPrefix(got, "100755 blob ") || !strings.Contains(got, fmt.Sprint(size.Raw)) {
		t.Errorf("it holds %s, of %d bytes", got, size.Raw)
	}
	if got := w.Git(dir, "rev-parse", commit+"^"); got != w.Head(dir) {
		t.Errorf("its parent is %s", got)
	}
}

func TestPlatformsAreThoseOfTheLaunchers(t *testing.T) {
	for _, name := range []string{"route", "session-check.sh"} {
		script, err := os.ReadFile(filepath.Join(module(t), filepath.FromSlash(Dir), "scripts", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range Platforms {
			if !bytes.Contains(script, []byte("/../"+p.Program()+" ")) && !bytes.Contains(script, []byte("/../"+p.Program()+"\n")) {
				t.Errorf("%s does not know %s", name, p.Program())
			}
		}
	}
}

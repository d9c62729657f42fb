// Package skillbuild builds the vendored skill: its text, its launchers, and
// one program for each platform, which is route and session-check.
//
// The same source gives the same bytes, on any machine, in any directory, for
// any user, whatever the environment says: the compiler is the one that
// go.mod names, it gets a fixed environment, and nothing about time, place or
// version control goes into a file. So whoever has the source can check that
// a vendored program was built from it. No C, no code generation, no modules
// but this one.
package skillbuild

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Platform is one that the skill has a program for, as in "linux-amd64".
type Platform string

// Platforms are all of them.
var Platforms = []Platform{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"}

// Program is the path of the platform's program in the skill's directory,
// with slashes.
func (p Platform) Program() string {
	name := "route"
	if strings.HasPrefix(string(p), "windows-") {
		name += ".exe"
	}
	return path.Join("bin", string(p), name)
}

// Dir is the skill's directory in this module, with slashes.
const Dir = "skills/routing"

// Sources are what the programs are built from: paths of this module, with
// slashes.
var Sources = []string{"go.mod", "go.sum", "cmd/route", "internal/command", "internal/route"}

// Flags are what go build is told. Functions are not inlined and not padded:
// the program is carried by every clone of every repository that vendors it,
// and it waits for git, not for itself.
func (p Platform) Flags() []string {
	flags := []string{"-trimpath", "-buildvcs=false", "-mod=readonly", "-pgo=off", "-gcflags=all=-l", "-ldflags=-s -w -buildid= -funcalign=8"}
	if strings.HasPrefix(string(p), "windows-") {
		flags = append(flags, "-buildmode=exe") // without the relocations that the default writes
	}
	return flags
}

// passed are the variables that go gets from outside: where its tools and
// caches are and how it reaches a module proxy, nothing that a byte could
// depend on.
var passed = []string{
	"PATH", "HOME", "TMPDIR", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GONOSUMDB",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"USERPROFILE", "LOCALAPPDATA", "SystemRoot", "TEMP", "TMP", "PATHEXT", "ComSpec",
}

// Environment is the environment of the build with this toolchain ("go1.26.8").
func (p Platform) Environment(outside []string, toolchain string) []string {
	var env []string
	for _, kv := range outside {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(passed, name) {
			env = append(env, kv)
		}
	}
	goos, goarch, _ := strings.Cut(string(p), "-")
	return append(env, "GOENV=off", "GOFLAGS=", "GOWORK=off", "GO111MODULE=on", "GOTOOLCHAIN="+toolchain, "CGO_ENABLED=0",
		"GOOS="+goos, "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GODEBUG=", "GOFIPS140=off", "LC_ALL=C")
}

// Toolchain is the compiler that a go.mod names, as in "go1.26.8".
func Toolchain(mod []byte) (string, error) {
	for line := range strings.Lines(string(mod)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "toolchain" {
			return fields[1], nil
		}
	}
	return "", errors.New("go.mod names no toolchain, so a program that is built twice may differ")
}

// BuildProgram builds the program of one platform from the module in source
// and writes it to the file out.
func BuildProgram(ctx context.Context, source, out string, p Platform, env []string) error {
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return err
	}
	toolchain, err := Toolchain(mod)
	if err != nil {
		return err
	}
	if !slices.Contains(Platforms, p) {
		return fmt.Errorf("there is no program for %q", p)
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	args := append(append([]string{"build"}, p.Flags()...), "-o", out, "./cmd/route")
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = source, p.Environment(env, toolchain)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build for %s: %w: %s", p, err, strings.TrimSpace(string(said)))
	}
	return os.Chmod(out, 0o755) // whatever the umask is
}

// Build writes the whole skill to the directory out, which must not exist:
// what the module's skills/routing holds, and a program for each platform.
func Build(ctx context.Context, source, out string, platforms []Platform, env []string) error {
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", out)
	}
	from := filepath.Join(source, filepath.FromSlash(Dir))
	err := filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		to := filepath.Join(out, rel)
		switch {
		case d.IsDir() && rel == "bin":
			return filepath.SkipDir // an earlier build
		case d.IsDir():
			return makeDir(to)
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is not a plain file", file)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(filepath.ToSlash(rel), "scripts/") {
			mode = 0o755
		}
		if err := os.WriteFile(to, data, mode); err != nil {
			return err
		}
		return os.Chmod(to, mode)
	})
	if err != nil {
		return err
	}
	for _, p := range platforms {
		file := filepath.Join(out, filepath.FromSlash(p.Program()))
		for _, dir := range []string{filepath.Dir(filepath.Dir(file)), filepath.Dir(file)} {
			if err := makeDir(dir); err != nil {
				return err
			}
		}
		if err := BuildProgram(ctx, source, file, p, env); err != nil {
			return err
		}
	}
	return nil
}

// makeDir makes a directory that everybody may read, whatever the umask is.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.Chmod(dir, 0o755)
}

package rules

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/marola-dev/marola-routing"

var update = flag.Bool("update", false, "rewrite the reference parts of docs/")

// root is the module's top directory.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tree returns the module's files that match, as slash paths from its root.
// Build output, git's own files and test data are not the module's word.
func tree(t *testing.T, match func(path string) bool) []string {
	t.Helper()
	top := root(t)
	var found []string
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch rel, _ := filepath.Rel(top, path); {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || rel == "bin" || rel == "dist"):
			return filepath.SkipDir
		case !d.IsDir() && match(filepath.ToSlash(rel)):
			found = append(found, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no file matches: the test looks in the wrong place")
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A listed is a package as `go list -json` shows it.
type listed struct {
	ImportPath                         string
	Standard                           bool
	CgoFiles                           []string
	Imports, TestImports, XTestImports []string
}

// list runs `go list` in the module with the given settings of the
// environment.
func list(t *testing.T, env []string, args ...string) []listed {
	t.Helper()
	// What `go list` reads is not seen by the test cache, so the sources
	// are read here too: a cached pass must not outlive a new import.
	for _, path := range tree(t, func(p string) bool { return strings.HasSuffix(p, ".go") || p == "go.mod" }) {
		read(t, path)
	}
	args = append([]string{"list", "-json=ImportPath,Standard,CgoFiles,Imports,TestImports,XTestImports"}, args...)
	cmd := exec.Command("go", args...)
	cmd.Dir = root(t)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// exists reports whether the module has the path.
func exists(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(root(t), filepath.FromSlash(path)))
	return err == nil
}

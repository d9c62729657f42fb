package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// BenchmarkProcess is the cost of the whole process, from start to exit, of
// reading a bundle of 250 files from a ref and from a directory, beside the
// smallest git process there is.
func BenchmarkProcess(b *testing.B) {
	w := gittest.New(b)
	route := filepath.Join(w.Home, "route.exe")
	if out, err := exec.Command("go", "build", "-o", route, "github.com/marola-dev/marola-routing/cmd/route").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	repo := w.Repo("marola")
	var more []string
	for i := range 128 {
		more = append(more, bundle.PieceName(bundle.WordsDir, i), strings.Repeat("[1,2,3]", 1000), bundle.PieceName(bundle.NodesDir, i), "{}")
	}
	files := w.Files(bundle.Build{Repo: "marola", Branch: "main", Head: w.Head(repo)}, more...)
	w.Commit(repo, "refs/marola/routing-bundle", files)
	w.Write(filepath.Join(w.Home, "out"), files)
	w.Git(repo, "gc", "-q")
	for _, c := range []struct {
		name    string
		program string
		args    []string
	}{
		{"ref", route, []string{"status", "--bundle", "refs/marola/routing-bundle"}},
		{"directory", route, []string{"status", "--bundle", filepath.Join(w.Home, "out")}},
		{"git", "git", []string{"cat-file", "--batch"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(c.program, c.args...)
				cmd.Dir, cmd.Env = repo, w.Env
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}

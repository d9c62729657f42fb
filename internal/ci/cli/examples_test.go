package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"

	"github.com/marola-dev/marola-routing/internal/ci/cli"
	"github.com/marola-dev/marola-routing/internal/command"
	routecli "github.com/marola-dev/marola-routing/internal/route/cli"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestExamplesOfTheHelp runs the examples of route's help texts as they
// stand, over this module's own sources: whoever tries one gets an answer.
func TestExamplesOfTheHelp(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("marola-routing")
	copyModule(t, dir)
	w.Git(dir, "add", "-A")
	w.Git(dir, "commit", "-q", "-m", "Everything")
	p := command.Process{Dir: dir, Env: w.Env}
	if out, code := run(p, cli.Main, "build", "--local"); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	ran := 0
	for _, verb := range []string{"query", "explain", "path", "wiring", "docs", "code", "why", "status"} {
		help, _ := run(p, routecli.Main, verb, "--help")
		_, examples, _ := strings.Cut(help, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		for line := range strings.Lines(examples) {
			line = strings.TrimSpace(line)
			if strings.Contains(line, "--bundle") {
				continue // another bundle than this checkout has
			}
			words, err := shell.Fields(line, nil)
			if err != nil || len(words) < 2 || words[0] != "route" {
				t.Errorf("%q is no command of route: %v", line, err)
				continue
			}
			ran++
			out, code := run(p, routecli.Main, words[1:]...)
			if code != 0 || strings.Contains(out, "no routing bundle") {
				t.Errorf("%s: exit %d: %s", line, code, out)
			}
			switch verb {
			case "docs", "code", "why":
				if !strings.Contains(out, "  src=") && !strings.Contains(out, `"line":`) {
					t.Errorf("%s finds nothing: %s", line, out)
				}
			case "query", "explain", "path":
				if !strings.Contains(out, "NODE ") && !strings.Contains(out, `"line":`) || strings.Contains(out, "the nearest are") || strings.Contains(out, "no path from") {
					t.Errorf("%s finds nothing: %s", line, out)
				}
			}
		}
	}
	if ran < 8 {
		t.Errorf("only %d examples were found: the test does not see them", ran)
	}
}

// run runs a program and returns both its streams.
func run(p command.Process, program func(command.Process) int, args ...string) (string, int) {
	var out strings.Builder
	p.Args, p.Stdin, p.Stdout, p.Stderr = args, strings.NewReader(""), &out, &out
	code := program(p)
	return out.String(), code
}

// copyModule copies the module's own files to dir.
func copyModule(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if name := e.Name(); e.IsDir() && (name == ".git" || name == "bin" || name == "dist" || name == "testdata") {
			return fs.SkipDir
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}

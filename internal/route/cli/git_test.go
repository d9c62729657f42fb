package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"route": func() { os.Exit(Main(command.OS())) }})
}

// TestScripts runs testdata/script: the route program in real repositories.
// Every script is one subtest, called by its file's name.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			w := gittest.New(e.T().(testing.TB))
			e.Vars = append(w.Env, "WORK="+e.WorkDir, "HOME="+w.Home, "PATH="+os.Getenv("PATH"), "exe="+exe, "/="+string(os.PathSeparator), "devnull="+os.DevNull)
			e.Values["world"] = w
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"bundle": makeBundle},
	})
}

const exe = ""

// makeBundle is the command `bundle DIR REF [NAME=TEXT…]`: it commits a small
// bundle of the commit that DIR has checked out under REF of that
// repository, with further files. `bundle DIR :PATH` writes it to a
// directory. TEXT beginning with "@" repeats its last character that often.
func makeBundle(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: bundle DIR REF [NAME=TEXT…]")
	}
	w := *ts.Value("world").(*gittest.World)
	dir := ts.MkAbs(args[0])
	var more []string
	for _, arg := range args[2:] {
		name, text, _ := strings.Cut(arg, "=")
		more = append(more, name, text)
	}
	head, err := gittest.Run(w.Env, dir, "", "rev-parse", "HEAD")
	if err != nil {
		ts.Fatalf("%s has no commit", args[0])
	}
	build := bundle.Build{Repo: "marola", Branch: "main", Head: head, Bench: &bundle.Bench{Questions: 30, First: 28, MRR: 0.95},
		Submodules: []bundle.Submodule{{Name: "marola-app", Path: "apps/marola-app", Head: strings.Repeat("ab", 20)}}}
	files := w.Files(build, more...)
	if path, ok := strings.CutPrefix(args[1], ":"); ok {
		w.Write(ts.MkAbs(filepath.FromSlash(path)), files)
		return
	}
	w.Commit(dir, args[1], files)
}

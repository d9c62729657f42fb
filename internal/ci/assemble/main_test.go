package assemble

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

func TestMain(m *testing.M) {
	if code, ok := extract.WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// shop is an umbrella with two submodules, one of which calls the other.
var shop = map[string]map[string]string{
	"": {
		"README.md":          "# Shop\n\nWhere things are sold.\n",
		"tools/release.sh":   "#!/bin/sh\n# Cuts a release.\ncut_release() { tag_it; }\ntag_it() { git tag v1; }\ncut_release\n",
		"tools/report.py":    "\"\"\"Reports sales.\"\"\"\n\nclass Report:\n    \"\"\"One day's sales.\"\"\"\n\n    def total(self):\n        return add_up([1])\n\n\ndef add_up(amounts):\n    return sum(amounts)\n",
		"web/src/cart.ts":    "import { price } from './price';\n/** Holds what the customer wants. */\nexport class Cart { add(n: number) { return price(n); } }\n",
		"web/src/price.ts":   "export function price(n: number): number { return n * 2; }\n",
		"web/package.json":   `{"name": "web"}`,
		"jobs/Nightly.scala": "package jobs\ntrait Job { def run(): Unit }\nobject Nightly extends Job { def run(): Unit = println(1) }\n",
	},
	"app": {
		"go.mod":       "module example.org/app\n\ngo 1.26\n\nrequire example.org/lib v0.0.0\n",
		"main.go":      "// Command app sells.\npackage main\n\nimport \"example.org/lib/till\"\n\nfunc main() { till.Total(nil) }\n",
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestMainly(t *testing.T) { main() }\n",
	},
	"libs/lib": {
		"go.mod":        "module example.org/lib\n\ngo 1.26\n",
		"till/price.go": "// Package till takes money.\npackage till\n\n// Total adds up the amounts that a customer owes.\nfunc Total(amounts []int) (sum int) {\n\tfor _, a := range amounts {\n\t\tsum += a\n\t}\n\treturn sum\n}\n\n// Till holds money.\ntype Till struct{ Amount int }\n\nfunc (t *Till) Add(n int) { t.Amount += Total([]int{n}) }\n",
	},
}

// origins makes a repository for each of the workspace's, and returns the
// umbrella's.
func origins(w *gittest.World, repos map[string]map[string]string) string {
	w.T.Helper()
	umbrella := w.Repo("origins/umbrella")
	modules := ""
	for _, path := range slices.Sorted(maps.Keys(repos)) {
		if path == "" {
			continue
		}
		origin := w.Repo("origins/" + path)
		commit(w, origin, "make "+path, repos[path])
		modules += fmt.Sprintf("[submodule %q]\n\tpath = %s\n\turl = https://example.org/acme/%s.git\n", path, path, filepath.Base(path))
		w.Git(umbrella, "update-index", "--add", "--cacheinfo", "160000,"+w.Head(origin)+","+path)
	}
	files := maps.Clone(repos[""])
	if modules != "" {
		files[".gitmodules"] = modules
	}
	for name, text := range files {
		w.Write(umbrella, map[string][]byte{name: []byte(text)})
		w.Git(umbrella, "add", "--", name)
	}
	w.Git(umbrella, "commit", "-q", "-m", "Open the shop")
	return umbrella
}

// checkout clones the workspace of these origins to a directory.
func checkout(w *gittest.World, umbrella, to string, repos map[string]map[string]string) string {
	w.T.Helper()
	dir := filepath.Join(w.Home, to)
	w.Git(w.Home, "clone", "-q", umbrella, dir)
	w.Git(dir, "remote", "set-url", "origin", "https://me:pass@example.org/acme/shop.git")
	for path := range repos {
		if path != "" {
			w.Git(dir, "clone", "-q", filepath.Join(w.Home, "origins", path), path)
		}
	}
	return dir
}

// newShop is a checkout of the shop.
func newShop(t *testing.T) (w *gittest.World, dir string) {
	t.Helper()
	w = gittest.New(t)
	return w, checkout(w, origins(w, shop), "shop", shop)
}

// repository is a checkout of one repository with these files.
func repository(t *testing.T, files map[string]string) (w *gittest.World, dir string) {
	t.Helper()
	w = gittest.New(t)
	dir = w.Repo("single")
	commit(w, dir, "Add everything", files)
	return w, dir
}

func commit(w *gittest.World, dir, subject string, files map[string]string) {
	w.T.Helper()
	for name, text := range files {
		w.Write(dir, map[string][]byte{name: []byte(text)})
	}
	w.Git(dir, "add", "-A", "--force")
	w.Git(dir, "commit", "-q", "-m", subject)
}

// build opens the workspace and builds its bundle, which must be whole. With
// a number of jobs, child processes parse, as they do for people.
func build(t *testing.T, w *gittest.World, dir string, o Options, change ...func(*workspace.Workspace)) *Result {
	t.Helper()
	ws, err := workspace.Open(t.Context(), workspace.Options{Dir: dir, Env: w.Env})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(ws)
	}
	if o.pool == nil && o.Jobs == 0 {
		o.pool = &fakePool{}
	}
	res, err := Build(t.Context(), ws, o)
	if err == nil {
		err = res.Seal()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Verify(res.Files); err != nil {
		t.Fatal(err)
	}
	return res
}

// contents are the files of a bundle, by name.
func (r *Result) contents() map[string][]byte {
	files := map[string][]byte{}
	names, _ := r.Files.List()
	for _, name := range names {
		data, err := r.Files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		files[name] = data
	}
	return files
}

// change gives a file of a bundle other bytes.
func (r *Result) change(name string, data []byte) {
	if err := r.Files.Put(name, data); err != nil {
		panic(err)
	}
}

// same reports how a bundle differs from another.
func same(t *testing.T, name string, got, want *Result) {
	t.Helper()
	for _, file := range slices.Sorted(maps.Keys(want.contents())) {
		if string(got.contents()[file]) != string(want.contents()[file]) {
			t.Errorf("%s: %s differs", name, file)
		}
	}
	if len(got.contents()) != len(want.contents()) {
		t.Errorf("%s: %d files, want %d", name, len(got.contents()), len(want.contents()))
	}
}

// A fakePool parses in this process, counts, and fails as told.
type fakePool struct {
	mu    sync.Mutex
	asked []string
	fail  map[string]error // by path
}

func (p *fakePool) Parse(_ context.Context, name string, data []byte) (*extract.File, error) {
	p.mu.Lock()
	p.asked = append(p.asked, name)
	err := p.fail[name]
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return extract.Parse(name, data)
}

// calls are the paths that were parsed since the last call, sorted.
func (p *fakePool) calls() string {
	slices.Sort(p.asked)
	s := strings.Join(p.asked, " ")
	p.asked = nil
	return s
}

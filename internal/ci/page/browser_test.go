package page

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/testkit/browser"
)

func TestMain(m *testing.M) {
	if code, ok := extract.WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	code := m.Run()
	os.RemoveAll(made.dir)
	os.Exit(code)
}

var made struct {
	sync.Once
	dir string
	err error
}

// engine is the search as the build makes it.
func engine(t *testing.T) fs.FS {
	t.Helper()
	made.Do(func() {
		if made.dir, made.err = os.MkdirTemp("", "page-engine-"); made.err != nil {
			return
		}
		out, err := exec.Command("sh", filepath.Join("..", "..", "..", "scripts", "page-engine.sh"), made.dir).CombinedOutput()
		if err != nil {
			made.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if made.err != nil {
		t.Fatal(made.err)
	}
	return os.DirFS(made.dir)
}

// bundleOf is the bundle of an archive of package golden's, laid out as an
// umbrella with one submodule for each of subs, after change.
func bundleOf(t *testing.T, w *gittest.World, archive string, subs []string, change map[string]string) bundle.Files {
	t.Helper()
	umbrella := filepath.Join(w.Home, "umbrella")
	if _, err := os.Stat(umbrella); err != nil {
		w.Repo("umbrella")
		modules := ""
		for _, s := range subs {
			w.Repo("umbrella/" + s)
			modules += fmt.Sprintf("[submodule %q]\n\tpath = %s\n\turl = https://example.org/harbour/%[2]s.git\n", s, s)
		}
		data, err := os.ReadFile(filepath.Join("..", "golden", "testdata", archive))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(data).Files {
			w.Write(w.Home, map[string][]byte{filepath.Join("umbrella", strings.TrimPrefix(f.Name, "umbrella/")): f.Data})
		}
		w.Write(umbrella, map[string][]byte{".gitmodules": []byte(modules)})
	}
	for name, text := range change {
		w.Write(umbrella, map[string][]byte{name: []byte(text)})
	}
	add := []string{"add", "--", "."}
	for _, s := range subs {
		dir := filepath.Join(umbrella, s)
		w.Git(dir, "add", "-A")
		w.Git(dir, "commit", "-q", "--allow-empty", "-m", "Change "+s)
		add = append(add, ":!"+s)
	}
	w.Git(umbrella, add...)
	for _, s := range subs {
		w.Git(umbrella, "update-index", "--add", "--cacheinfo", "160000,"+w.Head(filepath.Join(umbrella, s))+","+s)
	}
	w.Git(umbrella, "commit", "-q", "--allow-empty", "-m", "Change the umbrella")
	space, err := workspace.Open(t.Context(), workspace.Options{Dir: umbrella, Env: w.Env, Name: "harbour"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := assemble.Build(t.Context(), space, assemble.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := r.WriteDir(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	return bundle.Dir(dir)
}

// written is the page of a bundle, in a directory.
func written(t *testing.T, o Options) (string, Report) {
	t.Helper()
	o.Engine = engine(t)
	site, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "page")
	if err := site.WriteDir(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	return dir, site.Report
}

// questions are those of package golden, and half of a name for each of the
// first definitions of the graph: fifty together.
func questions(t *testing.T, files bundle.Files) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "golden", "testdata", "questions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if row := strings.Split(strings.TrimSpace(line), " | "); len(row) == 3 && line[0] != '#' {
			out = append(out, row[1])
		}
	}
	b, err := bundle.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	g, err := readGraph(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range g.Nodes {
		if name := strings.Trim(n.Label, ".()"); n.Kind != "file" && len(name) > 5 && !slices.Contains(out, name) && len(out) < 50 {
			out = append(out, name)
		}
	}
	if len(out) < 50 {
		t.Fatalf("%d questions, want 50", len(out))
	}
	return out
}

// TestPageAnswersAsRoute: opened from disk, the page names the same files and
// lines as the engine does, for fifty questions, and asks nobody.
func TestPageAnswersAsRoute(t *testing.T) {
	files := bundleOf(t, gittest.New(t), "workspace.txtar", []string{"app"}, nil)
	dir, report := written(t, Options{Bundle: files})
	if static := report.Bytes - report.Data; static > 2_500_000 {
		t.Errorf("the page has %d bytes without its data; at most 2.5 MB are meant", static)
	}
	b, err := bundle.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	e, err := answer.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	tab := browser.Open(t)
	tab.Goto("file://" + filepath.ToSlash(dir) + "/index.html")
	tab.Wait("document.body.dataset.shown === 'search'")
	for _, q := range questions(t, files) {
		a, err := e.Query(q, answer.Narrow{}, 10, room)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Files []answer.FileHit }
		quoted, _ := json.Marshal(q)
		tab.Eval("answer("+string(quoted)+")", &got)
		if fmt.Sprint(places(got.Files)) != fmt.Sprint(places(a.Files)) {
			t.Errorf("%q: the page finds %v, the engine %v", q, places(got.Files), places(a.Files))
		}
	}
	// As a person does it.
	tab.Eval("byId('question').focus()", nil)
	tab.Keys("ClearanceUnderKeel")
	tab.Wait("document.body.dataset.answered === 'ClearanceUnderKeel'")
	var first string
	tab.Eval("document.querySelector('#files li .path').textContent", &first)
	if !strings.HasPrefix(first, "app/berth/berth.go:") {
		t.Errorf("typed, it finds %q first", first)
	}
	tab.Quiet("file://"+filepath.ToSlash(dir)+"/", "data:,")
}

// room is that of the page's search.
const room = 1200 * answer.BytesPerToken

func places(hits []answer.FileHit) (out []string) {
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s:%d", h.Path, h.Line))
	}
	return out
}

// TestPageViews goes through every view in both themes and at the width of a
// phone, with a history, an earlier bundle, and hostile names.
func TestPageViews(t *testing.T) {
	w := gittest.New(t)
	subs := []string{"app", "site", "corpus", "model", "kit"}
	before := bundleOf(t, w, "wired.txtar", subs, nil)
	now := bundleOf(t, w, "wired.txtar", subs, map[string]string{
		"app/evil.go": "package app\n\n// Evil <script>alert(1)</script> is \"quoted\".\nfunc EvilScript() {}\n",
		"app/.github/workflows/evil.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: docker push 'acme/<img src=x onerror=alert(1)>:1'\n" +
			"      - run: docker push acme/added:1\n",
	})
	history := []Score{{Head: strings.Repeat("a", 40), Time: "2026-01-02T03:04:05Z", Questions: 4, First: 2}, {Head: strings.Repeat("b", 40), Time: "2026-02-02T03:04:05Z", Questions: 4, First: 3}}
	dir, report := written(t, Options{Bundle: now, Before: before, History: history})
	if report.Changed == nil || *report.Changed != 2 {
		t.Errorf("%v files changed, want app/evil.go and its workflow", report.Changed)
	}
	tab := browser.Open(t)
	home := "file://" + filepath.ToSlash(dir) + "/index.html"
	for _, look := range []struct {
		name   string
		width  int64
		height int64
		theme  string
	}{{"light", 1280, 860, "light"}, {"dark", 1280, 860, "dark"}, {"phone", 390, 844, "light"}} {
		tab.Show(look.width, look.height, look.theme)
		tab.Goto(home + "?" + look.name + "#search?q=EvilScript")
		tab.Wait("document.body.dataset.answered === 'EvilScript'")
		tab.Screenshot(look.name + "-search")
		for _, view := range []string{"map", "wiring", "bench", "coverage", "changes"} {
			tab.Eval("(location.hash = '#"+view+"', null)", nil)
			tab.Wait("document.body.dataset.shown === '" + view + "'")
			var wide bool
			tab.Eval("document.documentElement.scrollWidth > document.documentElement.clientWidth", &wide)
			if wide {
				t.Errorf("%s: %s is wider than the window", look.name, view)
			}
			tab.Screenshot(look.name + "-" + view)
		}
	}
	tab.Show(1280, 860, "dark")
	tab.Goto(home + "?more#map")
	tab.Wait("document.body.dataset.map === 'drawn'")
	tab.Eval("byId('map-canvas').focus()", nil)
	tab.Keys(kb.ArrowDown)
	var said string
	tab.Eval("byId('module-facts').textContent", &said)
	if !strings.Contains(said, "definition") {
		t.Errorf("the arrow key chooses no module: %q", said)
	}
	tab.Screenshot("dark-map-chosen")

	tab.Eval("(location.hash = '#wiring?q=added', null)", nil)
	tab.Wait("byId('wire-state').textContent === '1 row'")
	tab.Eval("(location.hash = '#wiring?q=onerror', null)", nil)
	tab.Wait("/row/.test(byId('wire-state').textContent) && byId('wire').value === 'onerror'")
	var images int
	tab.Eval("document.images.length", &images)
	if images > 0 {
		t.Error("the name of an image became one")
	}
	tab.Eval("(location.hash = '#changes', null)", nil)
	tab.Wait("document.body.dataset.shown === 'changes'")
	tab.Eval("byId('changes-view').textContent", &said)
	for _, want := range []string{"app/evil.go", "EvilScript", "acme/added"} {
		if !strings.Contains(said, want) {
			t.Errorf("what changed lacks %s: %s", want, said)
		}
	}
	tab.Quiet("file://"+filepath.ToSlash(dir)+"/", "data:,")
}

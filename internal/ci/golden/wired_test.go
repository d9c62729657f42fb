package golden

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/block"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// parts are the submodules of testdata/wired.txtar.
var parts = []string{"app", "site", "corpus", "model", "kit"}

// wired builds the bundle of testdata/wired.txtar: an umbrella with an app, a
// site, a corpus, a model and a toolkit that is called at its tag.
func wired(t *testing.T) (*answer.Engine, *assemble.Result) {
	t.Helper()
	w := gittest.New(t)
	umbrella := w.Repo("umbrella")
	var modules strings.Builder
	dirs := map[string]string{}
	for _, part := range parts {
		dirs[part] = w.Repo("umbrella/" + part)
		fmt.Fprintf(&modules, "[submodule %q]\n\tpath = %s\n\turl = https://github.com/fernhill/%s.git\n", part, part, part)
	}
	unpack(t, w, "wired.txtar")
	w.Write(umbrella, map[string][]byte{".gitmodules": []byte(modules.String())})
	w.Git(umbrella, "remote", "add", "origin", "https://github.com/fernhill/fernhill.git")
	add := []string{"add", "--", "."}
	for _, part := range parts {
		w.Git(dirs[part], "add", "-A")
		w.Git(dirs[part], "commit", "-q", "-m", "Begin "+part)
		add = append(add, ":!"+part)
	}
	w.Git(dirs["kit"], "tag", "v1")
	w.Git(umbrella, add...)
	for _, part := range parts {
		w.Git(umbrella, "update-index", "--add", "--cacheinfo", "160000,"+w.Head(dirs[part])+","+part)
	}
	w.Git(umbrella, "commit", "-q", "-m", "Join the parts")

	return build(t, workspace.Options{Dir: umbrella, Env: w.Env})
}

// TestWired asks the questions of wired-bench.yaml; all are to be right
// first. The tables and one answer of each kind are golden.
func TestWired(t *testing.T) {
	e, built := wired(t)
	f, err := bench.Read(filepath.Join("testdata", "wired-bench.yaml"), "wired-bench.yaml")
	if err != nil {
		t.Fatal(err)
	}
	result, err := bench.Run(t.Context(), f, &built.Build, bench.Over(e), nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bench.Question{}
	wires, eight := 0, 0
	for _, q := range f.Questions {
		asked[q.ID] = q
		switch {
		case strings.HasPrefix(q.ID, "eight-"):
			eight++
		case q.Type == "wiring" && q.Verb == "wiring":
			wires++
		}
	}
	for _, kind := range result.Types {
		if kind.Questions < 8 {
			t.Errorf("%d questions of type %s, fewer than 8", kind.Questions, kind.Type)
		}
	}
	if eight != 8 || wires < 25 {
		t.Errorf("%d of the eight questions and %d further ones of wiring", eight, wires)
	}
	for _, r := range result.Results {
		if r.Rank != 1 {
			t.Errorf("%s: %s is right at %s; first is %s", r.ID, asked[r.ID].Ask(), bench.RankText(r.Rank), r.Found)
		}
	}

	var w wiring.Wiring
	b, err := bundle.Open(built.Files)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Decode(bundle.WiringName, &w); err != nil {
		t.Fatal(err)
	}
	roots := wiring.Roots{"fernhill": ""}
	for _, part := range parts {
		roots[part] = part
	}
	compare(t, "wired-block.md", block.Render(&w, roots))
	if gaps := block.Gaps(&w); len(gaps) != 0 {
		t.Errorf("gaps: %+v", gaps)
	}
	tables, err := e.WiringTables()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(tables, w.Tables(roots), func(a, b wiring.Table) bool { return a.Markdown() == b.Markdown() }) {
		t.Error("route's tables are not those of the block")
	}

	var text strings.Builder
	for _, term := range []string{"app-image", "guide", "map-data-updated", "fernhill/kit", "who reads the model image"} {
		rows, err := e.Wiring(term)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s\n", answer.RenderWiring("$ route wiring "+term, term, rows, budget))
	}
	for _, question := range []string{"app-image", "which script fetches model-inputs?", "trail rating"} {
		hint, err := e.WiringHint(question)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "$ route query %q\n%s\n\n", question, hint)
	}
	compare(t, "wired-answers.txt", text.String())
}

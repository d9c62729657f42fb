package report

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

func TestReport(t *testing.T) {
	build := bundle.Build{Repo: "marola", Head: "e77c298aa06f5b1d3c4d5e6f708192a3b4c5d6e7", Submodules: []bundle.Submodule{{Name: "app", Path: "apps/app"}}}
	before := &bundle.Bench{Questions: 3, First: 2, Results: []bundle.BenchItem{{ID: "dose", Type: "symbol", Rank: 1}, {ID: "pin", Type: "wiring", Rank: 1}, {ID: "veto", Type: "prose"}}}
	after := &bundle.Bench{Questions: 4, First: 2, InThree: 3, InFive: 3, MRR: 0.6, Types: []bundle.BenchType{{Type: "symbol", Questions: 1}, {Type: "prose", Questions: 2, First: 1}, {Type: "wiring", Questions: 1, First: 1}},
		Results: []bundle.BenchItem{{ID: "dose", Type: "symbol", Rank: 3, Found: "app/Dose|Table.scala"}, {ID: "new", Type: "prose"}, {ID: "pin", Type: "wiring", Rank: 1}, {ID: "veto", Type: "prose", Rank: 1}}}
	verdict := bench.Compare(before, after, bench.Options{})

	files := []bundle.File{{Name: "build.json", Size: 900}, {Name: "graph.json", Size: 3_100_000, Large: true}, {Name: "words/00.json", Size: 60_000}, {Name: "words/01.json", Size: 61_000}}
	place := func(repo, file string) []wiring.Place { return []wiring.Place{{Repo: repo, File: file, Line: 1}} }
	old := wiring.Wiring{Schema: 1, Artifacts: []wiring.Artifact{{Name: "ghcr.io/marola/app", Kind: wiring.Image, Published: place("app", "apps/app/.github/workflows/image.yml")}}}
	now := wiring.Wiring{Schema: 1,
		Artifacts:  []wiring.Artifact{{Name: "ghcr.io/marola/app", Kind: wiring.Image, Published: place("app", "apps/app/.github/workflows/image.yml"), Pinned: place("marola", "compose.yaml")}},
		Dispatches: []wiring.Dispatch{{Type: "submodule-updated", Sent: place("app", "apps/app/.github/workflows/notify.yml"), Heard: place("marola", ".github/workflows/sync.yml")}},
	}
	golden(t, "check.md", Heading("check", build)+Answers(after, &verdict, "baseline https://example.org/marola, built from 1234567: 3 questions")+
		Size(bundle.Manifest{Schema: 1, Files: files})+Wiring(wired(t, build, old), wired(t, build, now)))
	golden(t, "first.md", Heading("build", build)+Answers(after, nil, ""))
	if got := Wiring(wired(t, build, now), wired(t, build, now)); !strings.Contains(got, "Nothing changed") {
		t.Errorf("of equal wirings it says\n%s", got)
	}
	if got := Wiring(Wired{Build: build}, wired(t, build, now)); strings.Count(got, "| **new** |") != 2 || strings.Contains(got, "gone") {
		t.Errorf("of a first wiring it says\n%s", got)
	}
	if got := Answers(nil, nil, ""); !strings.Contains(got, "No question") {
		t.Errorf("without a bench it says\n%s", got)
	}
}

func wired(t *testing.T, b bundle.Build, w wiring.Wiring) Wired {
	t.Helper()
	data, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	return Wired{b, data}
}

func TestScore(t *testing.T) {
	if got := Score(&bundle.Bench{Questions: 8, First: 7}); got != "7/8" {
		t.Errorf("Score = %q", got)
	}
	if got := Score(nil); got != "" {
		t.Errorf("Score of no bench = %q", got)
	}
}

// TestForeignNames: nothing that a repository can name ends a cell or a code
// span, or becomes a link, an image or HTML.
func TestForeignNames(t *testing.T) {
	for _, name := range []string{
		"a`b", "``", "`", "a|b", "a\n\n# b", "<img src=x>", "![x](https://example.org/x.png)", "[x](y)", "a\\", "a\\|b", " `", "\u202eabc", "",
	} {
		span := code(name)
		if span == "" {
			continue
		}
		fence := span[:len(span)-len(strings.TrimLeft(span, "`"))]
		if !strings.HasSuffix(span, fence) || strings.Contains(strings.Trim(span, "`"), fence) && len(strings.Trim(span, "`")) > 0 || strings.ContainsAny(span, "\n\u202e") {
			t.Errorf("%q becomes %q, whose span does not hold it", name, span)
		}
		if bare := strings.ReplaceAll(span, `\|`, ""); strings.Contains(bare, "|") {
			t.Errorf("%q becomes %q, which ends a cell", name, span)
		}
	}
	build := bundle.Build{Repo: "marola"}
	w := wiring.Wiring{Schema: 1, Deploys: []wiring.Deploy{{Site: `<img src=x> ![x](https://example.org) *b*`, By: []wiring.Place{{Repo: "[x](y)", File: "a`b.yml", Line: 1}}}}}
	got := Wiring(Wired{Build: build}, wired(t, build, w))
	for _, bad := range []string{"<img", "![", "://", " *b*", " [x]"} {
		if strings.Contains(got, bad) {
			t.Errorf("the wiring holds %q:\n%s", bad, got)
		}
	}
}

func TestWiringThatCannotBeRead(t *testing.T) {
	good := wired(t, bundle.Build{}, wiring.Wiring{Schema: 1})
	for _, bad := range []string{`{`, `{"schema":2}`, "\xff"} {
		got := Wiring(Wired{JSON: []byte(bad)}, good)
		if !strings.Contains(got, "cannot be read") {
			t.Errorf("of the wiring %q it says\n%s", bad, got)
		}
	}
}

func TestTablesAreCut(t *testing.T) {
	tb := newTable("x")
	for i := range maxRows + 7 {
		tb.row(fmt.Sprint(i))
	}
	if got := tb.String(); strings.Count(got, "\n| ") > maxRows || !strings.Contains(got, "7 rows more") {
		t.Errorf("the table of %d rows ends %q", maxRows+7, got[len(got)-60:])
	}
}

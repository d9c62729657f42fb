package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

func TestMain(m *testing.M) {
	if code, ok := extract.WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// budget is what answers are held to, in tokens: the default of query.
const budget = 400

func TestAnswers(t *testing.T) {
	e := engine(t)
	var summary strings.Builder
	first, inFive, reciprocal, asked := 0, 0, 0.0, 0
	wanted := map[string]bool{}
	for _, q := range rows(t, "questions.txt", 3) {
		id, question, right := q[0], q[1], q[2]
		wanted[id+".txt"] = true
		t.Run(id, func(t *testing.T) {
			a, err := e.Query(question, answer.Narrow{}, 10, budget*answer.BytesPerToken)
			if err != nil {
				t.Fatal(err)
			}
			rank := 1 + slices.IndexFunc(a.Files, func(f answer.FileHit) bool { return f.Path == right })
			verdict := fmt.Sprintf("right: %s, rank %d", right, rank)
			switch {
			case right == "-":
				verdict = "right: nothing"
			case rank == 0:
				verdict = fmt.Sprintf("right: %s, not found", right)
			}
			if right != "-" {
				asked++
				if rank == 1 {
					first++
				}
				if rank >= 1 && rank <= 5 {
					inFive++
				}
				if rank > 0 {
					reciprocal += 1 / float64(rank)
				}
			}
			fmt.Fprintf(&summary, "%-24s %-10s %s\n", id, a.Shape, verdict)
			text := fmt.Sprintf("question: %s\ntaken as: %s\n%s\n\n%s", question, a.Shape, verdict, a.Render("answers from the harbour", budget))
			compare(t, filepath.Join("answers", id+".txt"), text)
		})
	}
	fmt.Fprintf(&summary, "\n%d questions with an answer: %d right first, %d right in five, MRR %.4f\n", asked, first, inFive, reciprocal/float64(asked))
	compare(t, "summary.txt", summary.String())

	files, err := os.ReadDir(filepath.Join("testdata", "answers"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !wanted[f.Name()] {
			t.Errorf("testdata/answers/%s belongs to no question; delete it", f.Name())
		}
	}
}

// compare holds text to a golden file, or writes that file.
func compare(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != text {
		t.Errorf("%s differs; if the change is meant, run go test ./internal/ci/golden -update and read the difference\ngot:\n%s\nwant:\n%s", path, text, want)
	}
}

// rows reads a table of testdata: fields between bars, # for a comment.
func rows(t *testing.T, name string, fields int) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, " | ")
		if len(row) != fields {
			t.Fatalf("%s: %q has %d fields, not %d", name, line, len(row), fields)
		}
		rows = append(rows, row)
	}
	return rows
}

// engine builds the bundle of testdata/workspace.txtar, in two repositories
// with the commits of testdata/history.txt.
func engine(t *testing.T) *answer.Engine {
	t.Helper()
	w := gittest.New(t)
	umbrella := w.Repo("umbrella")
	app := w.Repo("umbrella/app")
	unpack(t, w, "workspace.txtar")
	w.Write(umbrella, map[string][]byte{".gitmodules": []byte("[submodule \"app\"]\n\tpath = app\n\turl = https://example.org/harbour/app.git\n")})
	w.Git(app, "add", "-A")
	w.Git(app, "commit", "-q", "-m", "Add the service")
	w.Git(umbrella, "add", "--", ":!app")
	w.Git(umbrella, "commit", "-q", "-m", "Open the harbour")
	for _, change := range rows(t, "history.txt", 2) {
		subject, file := change[0], change[1]
		repo := umbrella
		if in, ok := strings.CutPrefix(file, "app/"); ok {
			repo, file = app, in
		}
		old, err := os.ReadFile(filepath.Join(repo, file))
		if err != nil {
			t.Fatal(err)
		}
		w.Write(repo, map[string][]byte{file: append(old, '\n')})
		w.Git(repo, "commit", "-q", "-a", "-m", subject)
	}
	w.Git(umbrella, "update-index", "--add", "--cacheinfo", "160000,"+w.Head(app)+",app")
	w.Git(umbrella, "commit", "-q", "-m", "Move the pointer of app")

	e, _ := build(t, workspace.Options{Dir: umbrella, Env: w.Env, Name: "harbour"})
	return e
}

// unpack writes the files of an archive of testdata below an umbrella.
func unpack(t *testing.T, w *gittest.World, archive string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse(data).Files {
		w.Write(w.Home, map[string][]byte{filepath.Join("umbrella", strings.TrimPrefix(f.Name, "umbrella/")): f.Data})
	}
}

// build builds a workspace's bundle and opens it.
func build(t *testing.T, o workspace.Options) (*answer.Engine, *assemble.Result) {
	t.Helper()
	space, err := workspace.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	built, err := assemble.Build(t.Context(), space, assemble.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := built.Seal(); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(built.Files)
	if err != nil {
		t.Fatal(err)
	}
	e, err := answer.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return e, built
}

package resolve

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

var update = flag.Bool("update", false, "write the edges found into testdata")

// A fixture is one archive of testdata: the files of a small workspace, and
// two members of its own. "edges" is what Resolve must find, contains edges
// apart, which are shown when the comment says so. "never" lists, by hand,
// edges that a name-matching resolver would find and that must not be there:
// -update cannot hide them.
//
// A line of the comment "repo NAME FOLDER" makes the folder a repository.
type fixture struct {
	archive   *txtar.Archive
	units     []Unit
	manifests Manifests
}

func readFixture(t testing.TB, file string) fixture {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fx := fixture{archive: a, manifests: make(Manifests)}
	roots := map[string]string{"": "umbrella"}
	for line := range strings.Lines(string(a.Comment)) {
		if w := strings.Fields(line); len(w) == 3 && w[0] == "repo" {
			roots[w[2]] = w[1]
		}
	}
	for _, f := range a.Files {
		switch base := path.Base(f.Name); {
		case f.Name == "edges" || f.Name == "never":
			continue
		case slices.Contains([]string{".json", ".mod", ".toml", ".cfg"}, path.Ext(base)):
			fx.manifests[f.Name] = f.Data
			continue
		}
		parsed, err := extract.Parse(f.Name, f.Data)
		if err != nil {
			t.Fatal(err)
		}
		root := ""
		for r := range roots {
			if within(folder(f.Name), r) && len(r) > len(root) {
				root = r
			}
		}
		fx.units = append(fx.units, Unit{Repo: roots[root], Path: f.Name, Root: root, File: parsed})
	}
	return fx
}

func (fx fixture) member(name string) string {
	for _, f := range fx.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func label(units []Unit, r Ref) string {
	u := units[r.Unit]
	if r.Def < 0 {
		return u.Path
	}
	return u.Path + ":" + u.File.Definitions[r.Def].Qualified()
}

func describe(units []Unit, edges []Edge, contains bool) []string {
	var lines []string
	for _, e := range edges {
		if e.Relation == extract.Contains && !contains {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d -> %s  %s %s %s %.2g",
			label(units, e.From), e.Line, label(units, e.To), e.Relation, e.Resolver, e.Confidence, e.Score))
	}
	slices.Sort(lines)
	return lines
}

func TestResolve(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			fx := readFixture(t, file)
			edges, _, _ := Resolve(t.Context(), fx.units, fx.manifests)
			got := describe(fx.units, edges, strings.Contains(string(fx.archive.Comment), "show contains"))
			checkNever(t, fx, edges)
			text := strings.Join(got, "\n") + "\n"
			if *update {
				writeEdges(t, file, fx.archive, text)
				return
			}
			if want := fx.member("edges"); text != want {
				t.Errorf("edges differ (-update rewrites them)\n%s", lineDiff(want, text))
			}
		})
	}
}

// checkNever also holds each line against the sources: an end that does not
// exist could never fail.
func checkNever(t *testing.T, fx fixture, edges []Edge) {
	t.Helper()
	exists := make(map[string]bool)
	for u, unit := range fx.units {
		exists[label(fx.units, Ref{u, -1})] = true
		for i := range unit.File.Definitions {
			exists[label(fx.units, Ref{u, i})] = true
		}
	}
	found := make(map[string]string)
	for _, e := range edges {
		if e.Relation != extract.Contains && e.Relation != extract.ImportsRel {
			found[label(fx.units, e.From)+" -> "+label(fx.units, e.To)] = e.Relation + " by " + e.Resolver
		}
	}
	for line := range strings.Lines(fx.member("never")) {
		line = strings.TrimSpace(line)
		from, to, ok := strings.Cut(line, " -> ")
		if !ok || !exists[from] || !exists[to] {
			t.Errorf("never: %q names nothing of this fixture", line)
		}
		if by, ok := found[line]; ok {
			t.Errorf("false edge %s: %s", line, by)
		}
	}
}

func writeEdges(t *testing.T, file string, a *txtar.Archive, text string) {
	t.Helper()
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "edges" })
	if i < 0 {
		i = len(a.Files)
		a.Files = append(a.Files, txtar.File{Name: "edges"})
	}
	a.Files[i].Data = []byte(text)
	if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
		t.Fatal(err)
	}
}

func lineDiff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	for _, l := range w {
		if !slices.Contains(g, l) {
			fmt.Fprintf(&out, "- %s\n", l)
		}
	}
	for _, l := range g {
		if !slices.Contains(w, l) {
			fmt.Fprintf(&out, "+ %s\n", l)
		}
	}
	return out.String()
}

// The order in which the units come, and that of the manifests' map, is no
// part of the answer.
func TestOrderOfUnitsDoesNotMatter(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			fx := readFixture(t, file)
			edges, stats, _ := Resolve(t.Context(), fx.units, fx.manifests)
			want := describe(fx.units, edges, true)
			rnd := rand.New(rand.NewPCG(1, 2))
			for range 5 {
				units := slices.Clone(fx.units)
				rnd.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
				edges, again, _ := Resolve(t.Context(), units, fx.manifests)
				if got := describe(units, edges, true); !slices.Equal(got, want) {
					t.Fatalf("edges changed with the order\n%s", lineDiff(strings.Join(want, "\n"), strings.Join(got, "\n")))
				}
				if fmt.Sprint(again) != fmt.Sprint(stats) {
					t.Fatalf("stats changed with the order: %v, then %v", stats, again)
				}
			}
		})
	}
}

func TestEdgesAreSortedAndUnique(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		fx := readFixture(t, file)
		edges, _, _ := Resolve(t.Context(), fx.units, fx.manifests)
		type relation struct {
			from, to Ref
			name     string
		}
		seen := make(map[relation]bool)
		var last []byte
		for _, e := range edges {
			key := relation{e.From, e.To, e.Relation}
			if seen[key] {
				t.Errorf("%s: %v twice", file, key)
			}
			seen[key] = true
			now := fmt.Appendf(nil, "%06d %06d %06d %06d %s", e.From.Unit, e.From.Def+1, e.To.Unit, e.To.Def+1, e.Relation)
			if bytes.Compare(last, now) > 0 {
				t.Errorf("%s: %s stands before %s", file, last, now)
			}
			last = now
			if e.Score <= 0 || e.Score > 1 || e.Resolver == "" || e.Line < 1 {
				t.Errorf("%s: incomplete edge %+v", file, e)
			}
			if e.From == e.To {
				t.Errorf("%s: self-loop %+v", file, e)
			}
		}
	}
}

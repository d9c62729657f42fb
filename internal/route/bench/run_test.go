package bench

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// answers is an Asker with prepared results, by the call as typed.
type answers map[string][]Hit

func (a answers) Ask(_ context.Context, verb string, args []string) ([]Hit, error) {
	hits, ok := a[verb+" "+strings.Join(args, " ")]
	if !ok {
		return nil, errors.New("the index is broken")
	}
	return hits, nil
}

func hits(paths ...string) []Hit {
	list := []Hit{}
	for i, p := range paths {
		list = append(list, Hit{Path: p, Line: i + 1})
	}
	return list
}

var workspace = &bundle.Build{Repo: "umbrella", Submodules: []bundle.Submodule{
	{Name: "app", Path: "app"}, {Name: "ml", Path: "lib/ml"}, {Name: "twin", Path: "a/twin"}, {Name: "twin", Path: "b/twin"}}}

// ask is a file of one question.
func ask(expect Expect) *File {
	return &File{Name: "b.yaml", Questions: []Question{{ID: "q", Type: "symbol", Verb: "query", Args: []string{"x"}, Expect: expect, Line: 7}}}
}

func TestRank(t *testing.T) {
	filler := func(n int) []Hit {
		var list []Hit
		for i := range n {
			list = append(list, Hit{Path: fmt.Sprintf("f%d.go", i)})
		}
		return list
	}
	for _, tt := range []struct {
		name   string
		expect Expect
		hits   []Hit
		rank   int
		found  string
	}{
		{"first", Expect{"", []string{"a.go"}}, hits("a.go", "b.go"), 1, ""},
		{"second", Expect{"", []string{"b.go"}}, hits("a.go", "b.go"), 2, "a.go"},
		{"not found", Expect{"", []string{"c.go"}}, hits("a.go"), 0, "a.go"},
		{"nothing found", Expect{"", []string{"c.go"}}, nil, 0, ""},
		{"any of the paths", Expect{"", []string{"c.go", "b.go"}}, hits("a.go", "b.go", "c.go"), 2, "a.go"},
		{"directory", Expect{"", []string{"d/"}}, hits("d.go", "d/e/f.go"), 2, "d.go"},
		{"a directory without its slash is a file", Expect{"", []string{"d"}}, hits("d/e.go"), 0, "d/e.go"},
		{"a file is not a prefix", Expect{"", []string{"a.go"}}, hits("a.go.txt"), 0, "a.go.txt"},
		{"umbrella by name", Expect{"umbrella", []string{"a.go"}}, hits("a.go"), 1, ""},
		{"submodule by name", Expect{"app", []string{"a.go"}}, hits("a.go", "app/a.go"), 2, "a.go"},
		{"submodule by its last segment", Expect{"ml", []string{"a.go"}}, hits("lib/ml/a.go"), 1, ""},
		{"submodule by path", Expect{"b/twin", []string{"a.go"}}, hits("a/twin/a.go", "b/twin/a.go"), 2, "a/twin/a.go"},
		{"first row of the wiring", Expect{"app", []string{"x.yml"}}, []Hit{{Path: "y.yml", Also: hits("z.yml", "app/x.yml")}}, 1, ""},
		{"second row of the wiring", Expect{"", []string{"x.yml"}}, []Hit{{Path: "y.yml", Also: hits("z.yml")}, {Path: "w.yml", Also: hits("x.yml")}}, 2, "y.yml"},
		{"last that is looked at", Expect{"", []string{"x"}}, append(filler(Depth-1), Hit{Path: "x"}), Depth, "f0.go"},
		{"below what is looked at", Expect{"", []string{"x"}}, append(filler(Depth), Hit{Path: "x"}), 0, "f0.go"},
		{"the question file is no answer", Expect{"", []string{"x"}}, hits("b.yaml", "app/b.yaml", "x"), 1, ""},
		{"the question file as the answer", Expect{"", []string{"b.yaml"}}, hits("app/b.yaml", "b.yaml"), 1, ""},
		{"foreign text", Expect{"", []string{"x"}}, hits("a\x1b[31m\u202eb\n"), 0, "a[31mb "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Run(t.Context(), ask(tt.expect), workspace, answers{"query x": tt.hits}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := b.Results[0]; got.Rank != tt.rank || got.Found != tt.found {
				t.Fatalf("rank %d, found %q; want %d, %q", got.Rank, got.Found, tt.rank, tt.found)
			}
		})
	}
}

func TestRunRefuses(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		file *File
		a    Asker
		want string
	}{
		{"a question that cannot be asked", t.Context(), ask(Expect{"", []string{"x"}}), answers{}, `question "q" could not be asked: the index is broken`},
		{"an unknown repository", t.Context(), ask(Expect{"nowhere", []string{"x"}}), answers{"query x": nil}, `b.yaml: line 7: question "q": it expects the repository "nowhere", which is not in the workspace`},
		{"a name of two repositories", t.Context(), ask(Expect{"twin", []string{"x"}}), answers{"query x": nil}, "a/twin/ and b/twin/ are called so; give the path"},
		{"an interrupt", ended, ask(Expect{"", []string{"x"}}), answers{"query x": nil}, "context canceled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Run(tt.ctx, tt.file, workspace, tt.a, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Run = %v, want %q", err, tt.want)
			}
		})
	}
}

// fiveRanks is a file whose questions are answered first, first, third,
// fifth and not at all.
func fiveRanks() (*File, answers) {
	f, a := &File{Name: "b.yaml"}, answers{}
	for i, want := range []struct {
		typ  string
		hits []Hit
	}{
		{"wiring", hits("x")},
		{"symbol", hits("x", "a")},
		{"symbol", hits("a", "b", "x")},
		{"wiring", hits("a", "b", "c", "d", "x")},
		{"symbol", hits("a")},
	} {
		id := fmt.Sprint("q", 5-i)
		f.Questions = append(f.Questions, Question{ID: id, Type: want.typ, Verb: "query", Args: []string{id}, Expect: Expect{"", []string{"x"}}})
		a["query "+id] = want.hits
	}
	return f, a
}

func TestBench(t *testing.T) {
	t.Run("bench_counts_right_first", func(t *testing.T) {
		f, a := fiveRanks()
		var steps []string
		got, err := Run(t.Context(), f, workspace, a, func(done, total int) { steps = append(steps, fmt.Sprint(done, "/", total)) })
		if err != nil {
			t.Fatal(err)
		}
		want := &bundle.Bench{File: "b.yaml", Questions: 5, First: 2, InThree: 3, InFive: 4, MRR: 0.5067,
			Types: []bundle.BenchType{{Type: "symbol", Questions: 3, First: 1}, {Type: "wiring", Questions: 2, First: 1}},
			Results: []bundle.BenchItem{
				{ID: "q1", Type: "symbol", Rank: 0, Found: "a"},
				{ID: "q2", Type: "wiring", Rank: 5, Found: "a"},
				{ID: "q3", Type: "symbol", Rank: 3, Found: "a"},
				{ID: "q4", Type: "symbol", Rank: 1},
				{ID: "q5", Type: "wiring", Rank: 1},
			}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("\n got %+v\nwant %+v", got, want)
		}
		if want := []string{"1/5", "2/5", "3/5", "4/5", "5/5"}; !slices.Equal(steps, want) {
			t.Errorf("progress %v", steps)
		}
	})
	t.Run("the order of the file does not count", func(t *testing.T) {
		f, a := fiveRanks()
		first, err := Run(t.Context(), f, workspace, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(f.Questions)
		second, err := Run(t.Context(), f, workspace, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := bundle.Encode(first)
		y, _ := bundle.Encode(second)
		if string(x) != string(y) {
			t.Errorf("%s\n%s", x, y)
		}
	})
}

package bench

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// An Asker answers a question the way route does.
type Asker interface {
	// Ask returns the results of a call, best first. Nothing found is no
	// results; an error means that the question could not be asked.
	Ask(ctx context.Context, verb string, args []string) ([]Hit, error)
}

// A Hit is one result of an answer, as an agent sees it: a file, a node, or
// a row of the wiring.
type Hit struct {
	Path string // from the workspace's root, with slashes
	Line int    // from 1, or 0
	Also []Hit  // further places of the same result, as a wiring row has; their own Also does not count
}

// Run asks every question of f and returns the ranks. b tells which
// repositories the bundle holds. progress, when not nil, is called after
// each question. The same bundle and file give the same result, whatever
// the order of the file and wherever it lies: the result names it without
// its directory.
//
// A question that cannot be asked, or expects a repository that the bundle
// does not hold, is an error: a result that leaves it out would pass for
// one that has it.
func Run(ctx context.Context, f *File, b *bundle.Build, a Asker, progress func(done, total int)) (*bundle.Bench, error) {
	items := []bundle.BenchItem{}
	for i, q := range f.Questions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		want, err := targets(f, q, b)
		if err != nil {
			return nil, err
		}
		hits, err := a.Ask(ctx, q.Verb, q.Args)
		if err != nil {
			return nil, fmt.Errorf("question %q could not be asked: %w", q.ID, err)
		}
		hits = withoutQuestions(hits, path.Base(f.Name), want)
		item := bundle.BenchItem{ID: q.ID, Type: q.Type, Rank: rank(hits, want)}
		if item.Rank != 1 && len(hits) > 0 {
			item.Found = plaintext.Line(hits[0].Path, maxText)
		}
		items = append(items, item)
		if progress != nil {
			progress(i+1, len(f.Questions))
		}
	}
	return Sum(path.Base(f.Name), items), nil
}

// withoutQuestions leaves out the question file: it holds the words of every
// question, so finding it says nothing about an answer.
func withoutQuestions(hits []Hit, name string, want []string) []Hit {
	return slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool {
		return path.Base(h.Path) == name && !matches(h.Path, want)
	})
}

// targets turns what a question expects into paths from the workspace's root.
func targets(f *File, q Question, b *bundle.Build) ([]string, error) {
	dir, err := repoDir(q.Expect.Repo, b)
	if err != nil {
		return nil, &FileError{f.Name, q.Line, fmt.Sprintf("question %q: %v", q.ID, err)}
	}
	var want []string
	for _, p := range q.Expect.Paths {
		want = append(want, dir+p)
	}
	return want, nil
}

// repoDir is the directory of a repository in the workspace: "" or a path
// with a final slash.
func repoDir(name string, b *bundle.Build) (string, error) {
	if name == "" || name == b.Repo {
		return "", nil
	}
	var dirs []string
	for _, s := range b.Submodules {
		if s.Path == name {
			return s.Path + "/", nil
		}
		if s.Name == name {
			dirs = append(dirs, s.Path+"/")
		}
	}
	switch len(dirs) {
	case 0:
		return "", fmt.Errorf("it expects the repository %q, which is not in the workspace; leave \"repo\" out to mean the umbrella", name)
	case 1:
		return dirs[0], nil
	}
	return "", fmt.Errorf("it expects the repository %q, and %s are called so; give the path", name, strings.Join(dirs, " and "))
}

// rank is the place of the first result that holds a wanted path, from 1;
// 0 when none of the first Depth results does.
func rank(hits []Hit, want []string) int {
	for i, h := range hits[:min(Depth, len(hits))] {
		if matches(h.Path, want) || slices.ContainsFunc(h.Also, func(h Hit) bool { return matches(h.Path, want) }) {
			return i + 1
		}
	}
	return 0
}

func matches(path string, want []string) bool {
	return slices.ContainsFunc(want, func(w string) bool {
		return w == path || strings.HasSuffix(w, "/") && strings.HasPrefix(path, w)
	})
}

// Sum makes the result of a bench from its single results: sorted by id,
// with the counts in total and per type.
func Sum(file string, items []bundle.BenchItem) *bundle.Bench {
	items = slices.Clone(items)
	order.By(items, func(a, b bundle.BenchItem) int { return strings.Compare(a.ID, b.ID) })
	b := &bundle.Bench{File: file, Questions: len(items), Types: []bundle.BenchType{}, Results: items}
	types := map[string]*bundle.BenchType{}
	sum := 0.0
	for _, item := range items {
		t := types[item.Type]
		if t == nil {
			t = &bundle.BenchType{Type: item.Type}
			types[item.Type] = t
		}
		t.Questions++
		if item.Rank == 0 {
			continue
		}
		sum += 1 / float64(item.Rank)
		if item.Rank == 1 {
			b.First++
			t.First++
		}
		if item.Rank <= 3 {
			b.InThree++
		}
		if item.Rank <= 5 {
			b.InFive++
		}
	}
	for _, t := range types {
		b.Types = append(b.Types, *t)
	}
	order.By(b.Types, func(x, y bundle.BenchType) int { return typeOrder(x.Type, y.Type) })
	if len(items) > 0 {
		b.MRR = math.Round(sum/float64(len(items))*1e4) / 1e4
	}
	return b
}

package resolve

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// TestOutlinesGiveTheSameEdges: calls and mentions may come when a file's turn
// has come.
func TestOutlinesGiveTheSameEdges(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		fx := readFixture(t, file)
		want, wantStats, err := Resolve(t.Context(), fx.units, fx.manifests)
		if err != nil {
			t.Fatal(err)
		}
		units := slices.Clone(fx.units)
		for i := range units {
			if f := units[i].File; f != nil {
				units[i].File = extract.Outline(f)
				units[i].References = func() ([]extract.Reference, error) { return f.References, nil }
			}
		}
		got, stats, err := Resolve(t.Context(), units, fx.manifests)
		if err != nil || !reflect.DeepEqual(stats, wantStats) || !slices.Equal(got, want) {
			t.Errorf("%s: %d edges, want %d; %v, want %v; %v", file, len(got), len(want), stats, wantStats, err)
		}
	}
}

func TestReferencesThatCannotBeHad(t *testing.T) {
	lost := errors.New("lost")
	units := []Unit{{Path: "a.go", File: &extract.File{Lang: "go"}, References: func() ([]extract.Reference, error) { return nil, lost }}}
	if _, _, err := Resolve(t.Context(), units, nil); !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
}

// TestStrayEdges: an edge that another unit tells of counts as if it had been
// told in its turn.
func TestStrayEdges(t *testing.T) {
	e := newEmitter(nil, []int{2, 1, 0})
	say := func(from, to int, resolver string, line int) {
		e.add(Ref{from, -1}, one(Ref{to, 0}, certain(resolver)), extract.Calls, line)
	}
	e.begin(0)
	say(1, 2, "first", 5)
	say(2, 0, "early", 3)
	e.begin(1)
	say(1, 2, "second", 5)
	say(1, 0, "own", 7)
	e.begin(2)
	say(1, 0, "late and lower", 4)
	say(2, 0, "late", 3)
	var got []string
	edges := e.done()
	for edge := range edges.All() {
		got = append(got, edge.Resolver)
	}
	if want := []string{"early", "first", "late and lower"}; !slices.Equal(got, want) || edges.Len() != 3 {
		t.Errorf("%q, %d, want %q", got, edges.Len(), want)
	}
}

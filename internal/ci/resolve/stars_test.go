package resolve

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/cputime"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// everybody is a crowd of files that each take everything of the next ones
// and call functions of files near and far, and one that is nowhere.
func everybody(t testing.TB, files, stars int, name, all, def string) []Unit {
	t.Helper()
	units := make([]Unit, files)
	for i := range files {
		var src strings.Builder
		for k := 1; k <= stars; k++ {
			fmt.Fprintf(&src, all+"\n", (i+k*k)%files)
		}
		fmt.Fprintf(&src, def+"\n", i, (i+1)%files, (i+files/2)%files, i)
		path := fmt.Sprintf(name, i)
		file, err := extract.Parse(path, []byte(src.String()))
		if err != nil {
			t.Fatal(err)
		}
		units[i] = Unit{Repo: "crowd", Path: path, File: file}
	}
	return units
}

// TestFilesThatTakeEverythingOfEachOther: the ways through their stars are
// more than anybody can walk.
func TestFilesThatTakeEverythingOfEachOther(t *testing.T) {
	files, stars := 1000, 80
	for _, tt := range []struct{ lang, name, all, def string }{
		{"python", "m%d.py", "from m%d import *", "def f%d():\n    f%d()\n    f%d()\n    nowhere%d()\n"},
		{"typescript", "m%d.ts", "export * from './m%d'", "import * as all from './m0'\nexport function f%d() { all.f%d(); all.f%d(); all.nowhere%d() }\n"},
	} {
		t.Run(tt.lang, func(t *testing.T) {
			units := everybody(t, files, stars, tt.name, tt.all, tt.def)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var stats map[string]Stats
			var err error
			took := cputime.Of(func() { _, stats, err = Resolve(t.Context(), units, nil) })
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v, %d MB allocated", took, (after.TotalAlloc-before.TotalAlloc)>>20)
			if s := stats[tt.lang]; s.Calls != 3*files || s.Resolved != 2*files {
				t.Errorf("%d of %d calls resolved; want %d of %d", s.Resolved, s.Calls, 2*files, 3*files)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 200 {
				t.Errorf("it took %d MB", mb)
			}
			if took > 15*time.Second { // ten times what it takes
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestStarsMeanTheNearest: a name behind several stars is that of the first
// file that binds it, and of the first star where two are as near.
func TestStarsMeanTheNearest(t *testing.T) {
	g := newStarGraph([][]star{
		0: {{to: 1}, {to: 2}, {to: 3}},
		1: {{to: 0}, {to: 4}},
		2: {{to: 1}},
		3: {{to: 3}},
		4: {{to: 2}},
	}, func(u int, tell func(string)) {
		for _, name := range map[int][]string{2: {"x", "y"}, 3: {"x"}, 4: {"z", "z"}}[u] {
			tell(name)
		}
	})
	for _, tt := range []struct {
		unit int
		name string
		want string
	}{
		{0, "x", "2 3"}, {0, "y", "2"}, {0, "z", "1"}, {1, "z", "4"}, {1, "y", "0 4"}, {2, "z", "1"}, {3, "y", ""}, {0, "gone", ""},
	} {
		var got []string
		for _, s := range g.toward(tt.unit, tt.name) {
			got = append(got, fmt.Sprint(s.to))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s in %d is behind the stars to %q, want %q", tt.name, tt.unit, s, tt.want)
		}
	}
}

func TestResolveEndsWithItsContext(t *testing.T) {
	units, manifests, _ := largeModule(t, 2, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if edges, _, err := Resolve(ctx, units, manifests); !errors.Is(err, context.Canceled) || edges != nil {
		t.Errorf("%d edges, %v", len(edges), err)
	}
}

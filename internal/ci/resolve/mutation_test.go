package resolve

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/cputime"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/mutant"
)

func TestMain(m *testing.M) {
	if code, ok := extract.WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// workspacesEach is how many damaged workspaces each fixture gives.
func workspacesEach() int {
	if os.Getenv("MAROLA_SOAK") != "" {
		return 100
	}
	return 3
}

// TestMutants resolves workspaces some of whose files, build files among
// them, are damaged. What comes back leads from a definition to a definition.
func TestMutants(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(fixtures) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	pool := extract.NewPool(t.Context(), 2, 0)
	defer pool.Close()
	damaged, edges, slowest := 0, 0, time.Duration(0)
	for at, name := range fixtures {
		sound := readFixture(t, name)
		source := make(map[string][]byte)
		for _, f := range sound.archive.Files {
			source[f.Name] = f.Data
		}
		for n := range workspacesEach() {
			seed := uint64(n*len(fixtures) + at)
			r := rand.New(rand.NewPCG(seed, 1))
			units, manifests := slices.Clone(sound.units), make(Manifests)
			for _, p := range slices.Sorted(maps.Keys(sound.manifests)) {
				manifests[p] = sound.manifests[p]
				if r.IntN(2) == 0 {
					manifests[p] = mutant.Of(manifests[p], seed, 16<<10)
					damaged++
				}
			}
			for i := range units {
				if r.IntN(3) > 0 {
					continue
				}
				damaged++
				data := mutant.Of(source[units[i].Path], seed, 16<<10)
				file, err := pool.Parse(t.Context(), units[i].Path, data)
				switch {
				case err == nil:
					units[i].File = file
				case errors.Is(err, extract.ErrTooLong): // a build goes on without it too
					units[i].File = &extract.File{Lang: units[i].File.Lang, Broken: true}
				default:
					t.Fatalf("%s, seed %d, %s: %v", name, seed, units[i].Path, err)
				}
			}
			var found []Edge
			var stats map[string]Stats
			var err error
			slowest = max(slowest, cputime.Of(func() { found, stats, err = Resolve(t.Context(), units, manifests) }))
			if err != nil {
				t.Fatal(err)
			}
			edges += len(found)
			if fault := impossible(units, found, stats); fault != "" {
				t.Errorf("%s, seed %d: %s", name, seed, fault)
			}
		}
	}
	t.Logf("%d damaged files of %d fixtures, %d edges; slowest %v", damaged, len(fixtures), edges, slowest)
	if slowest > 10*time.Second {
		t.Errorf("a workspace took %v", slowest)
	}
}

// impossible says which edge cannot be, or "".
func impossible(units []Unit, edges []Edge, stats map[string]Stats) string {
	for _, e := range edges {
		for _, r := range []Ref{e.From, e.To} {
			if r.Unit < 0 || r.Unit >= len(units) || r.Def < -1 || r.Def >= len(units[r.Unit].File.Definitions) {
				return fmt.Sprintf("an edge to nowhere: %+v", e)
			}
		}
		if e.Score <= 0 || e.Score > 1 || e.Line < 1 || e.Relation == "" || e.Resolver == "" || !slices.Contains([]string{Extracted, Inferred, Ambiguous}, e.Confidence) {
			return fmt.Sprintf("an edge that says too little: %+v", e)
		}
	}
	for lang, s := range stats {
		if s.Resolved < 0 || s.Resolved > s.Calls {
			return fmt.Sprintf("%s resolves %d of %d calls", lang, s.Resolved, s.Calls)
		}
	}
	if _, err := json.Marshal(edges); err != nil {
		return strings.TrimSpace(err.Error())
	}
	return ""
}

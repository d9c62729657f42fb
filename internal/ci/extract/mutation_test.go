package extract

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/mutant"
)

// mutantsEach is how many mutants each fixture has: with MAROLA_SOAK=1 more
// than 10,000 together.
func mutantsEach() int {
	if os.Getenv("MAROLA_SOAK") != "" {
		return 150
	}
	return 4
}

const (
	mutantSize   = 32 << 10 // of nearly all mutants; one of 50 of a soak is as long as a file may be
	mutantLimit  = DefaultLimit
	memoryParent = 1 << 30    // bytes that this process may hold at its worst
	memoryChild  = 1536 << 20 // bytes that a parser process may hold at its worst
)

// fixtures lists the sources of all languages.
func fixtures(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(path string) bool {
		return strings.HasSuffix(path, ".golden") || strings.HasPrefix(path, filepath.Join("testdata", "fuzz"))
	})
}

// TestMutants reads damaged copies of every fixture as a build does. None may
// end a process, run longer than a file may, or give a File that is not
// sound.
func TestMutants(t *testing.T) {
	files := fixtures(t)
	if len(files) < len(languages) {
		t.Fatalf("%d fixtures for %d languages", len(files), len(languages))
	}
	p := NewPool(t.Context(), 2, mutantLimit)
	defer p.Close()
	type job struct {
		path string
		data []byte
		seed uint64
		size int
	}
	jobs := make(chan job)
	var read, broken, slow atomic.Int64
	var slowest struct {
		sync.Mutex
		took time.Duration
		job
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for j := range jobs {
				data := mutant.Of(j.data, j.seed, j.size)
				began := time.Now()
				f, err := p.Parse(t.Context(), j.path, data)
				took := time.Since(began)
				read.Add(1)
				slowest.Lock()
				if took > slowest.took {
					slowest.took, slowest.job = took, j
				}
				slowest.Unlock()
				switch {
				case errors.Is(err, ErrTooLong) && took < mutantLimit+startLimit:
					slow.Add(1)
				case err != nil:
					t.Errorf("%s, seed %d, %d bytes, after %v: %v", j.path, j.seed, len(data), took, err)
				case f.Broken:
					broken.Add(1)
				}
				if err != nil {
					continue
				}
				if fault := unsound(f, data); fault != "" {
					t.Errorf("%s, seed %d, %d bytes: %s", j.path, j.seed, len(data), fault)
				}
			}
		})
	}
	for n := range mutantsEach() {
		for i, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			size := mutantSize
			if n%50 == 49 {
				size = MaxSize
			}
			jobs <- job{path, data, uint64(n*len(files) + i), size}
		}
	}
	close(jobs)
	wg.Wait()
	p.Close()
	own, children := peakMemory()
	t.Logf("%d mutants of %d fixtures, %d with errors of syntax, %d given up in time; slowest %v (%s, seed %d); at most %d MB here, %d MB in a parser process",
		read.Load(), len(files), broken.Load(), slow.Load(), slowest.took, slowest.path, slowest.seed, own>>20, children>>20)
	if own > memoryParent || children > memoryChild {
		t.Errorf("%d MB here and %d MB in a parser process are too much", own>>20, children>>20)
	}
	// Some grammars recover from some errors in more than linear time.
	if slow.Load() > 1+read.Load()/500 {
		t.Errorf("%d of %d mutants took too long", slow.Load(), read.Load())
	}
	if 10*broken.Load() < read.Load() {
		t.Errorf("%d of %d mutants are broken: they are too tame", broken.Load(), read.Load())
	}
}

// TestFuzzTargets: a language without a target is a parser that nobody tries
// to break.
func TestFuzzTargets(t *testing.T) {
	var source []byte
	for _, name := range []string{"scan_test.go", "malformed_test.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, data...)
	}
	targets := make(map[string]bool)
	for line := range bytes.Lines(source) {
		if _, call, ok := bytes.Cut(line, []byte("{ fuzzLanguage(f, \"")); ok {
			name, _, _ := bytes.Cut(call, []byte(`"`))
			targets[Language(string(name), nil)] = true
		}
	}
	for _, l := range languages {
		if !targets[l.name] {
			t.Errorf("no fuzz target reads %s", l.name)
		}
	}
}

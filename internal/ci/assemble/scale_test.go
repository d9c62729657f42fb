package assemble

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/synthetic"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestMemoryPerFile: what a build needs of memory for one file more is little
// once nothing is held for speed alone, whatever the files are.
func TestMemoryPerFile(t *testing.T) {
	const few, many = 500, 3000
	small, _ := liveMemory(t, few)
	large, res := liveMemory(t, many)
	perFile := (large - small) / (many - few)
	t.Logf("%d kB for %d files, %d kB for %d: %d bytes a file", small>>10, few, large>>10, many, perFile)
	if perFile > mostPerFile {
		t.Errorf("one file more takes %d bytes of memory, at most %d are allowed", perFile, mostPerFile)
	}
	for _, l := range res.Build.Languages {
		if l.Files < many/5 || l.Coverage != 1 || l.Resolved == 0 {
			t.Errorf("%+v", l)
		}
	}
	if len(res.Build.Languages) != 4 || res.Build.Cut != nil {
		t.Errorf("%d languages, cut %v", len(res.Build.Languages), res.Build.Cut)
	}
}

// mostPerFile is in bytes; 14,000 were measured, 5,000 of which are of the
// finished bundle, and stay no longer than until that is 64 MB.
const mostPerFile = 24 << 10

// liveMemory builds a repository of n files, and tells the most memory that
// was in use at once, garbage not counted, in bytes.
func liveMemory(t *testing.T, n int) (int, *Result) {
	t.Helper()
	w := gittest.New(t)
	dir := w.Repo("synthetic")
	var stream strings.Builder
	if err := synthetic.Stream(&stream, n); err != nil {
		t.Fatal(err)
	}
	w.Pipe(dir, stream.String(), "fast-import", "--quiet", "--force")
	stream.Reset()
	ws, err := workspace.Open(t.Context(), workspace.Options{Dir: dir, Env: w.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // what counts as live is told by a collection
	runtime.GC()
	before := live()
	done, most := make(chan struct{}), make(chan int)
	go func() {
		top := 0
		for {
			select {
			case <-done:
				most <- top
				return
			case <-time.After(time.Millisecond):
				top = max(top, live())
			}
		}
	}()
	res, err := Build(t.Context(), ws, Options{pool: pureParser{}, held: -1})
	if err == nil {
		err = res.Seal()
	}
	if err == nil {
		err = res.Check()
	}
	close(done)
	peak := <-most
	if err != nil {
		t.Fatal(err)
	}
	return peak - before, res
}

// live is the memory that the last collection found in use, in bytes.
func live() int {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

// A pureParser parses in this process and remembers nothing.
type pureParser struct{}

func (pureParser) Parse(_ context.Context, name string, data []byte) (*extract.File, error) {
	return extract.Parse(name, data)
}

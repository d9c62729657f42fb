package cli_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/synthetic"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestLargeWorkspace builds 2,000 files, and with MAROLA_SOAK=1 100,000, in
// bounded memory, into a bundle within its bounds, which answers.
func TestLargeWorkspace(t *testing.T) {
	n, most := 2000, int64(160<<20)
	if os.Getenv("MAROLA_SOAK") != "" {
		n, most = 100_000, 1536<<20
	}
	w := gittest.New(t)
	dir, out := w.Repo("synthetic"), filepath.Join(w.Home, "bundle")
	// A process that is started counts as its own what this one holds then, so
	// the files are not held.
	stream, to := io.Pipe()
	go func() { to.CloseWithError(synthetic.Stream(to, n)) }()
	load := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet", "--force")
	load.Dir, load.Env, load.Stdin = dir, w.Env, stream
	if text, err := load.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, text)
	}
	run := func(program string, args ...string) ([]byte, *exec.Cmd) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Env = dir, append(w.Env, "PATH="+os.Getenv("PATH"))
		var stderr strings.Builder
		cmd.Stderr = &stderr
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", program, args, err, stderr.String())
		}
		return text, cmd
	}
	text, cmd := run("bundle-publish", "build", "--no-cache", "--json", "--out", out)
	if peak := peakMemory(cmd.ProcessState); peak > most {
		t.Errorf("the build of %d files took %d MB of memory, at most %d are allowed", n, peak>>20, most>>20)
	} else {
		t.Logf("%d files: %d MB of memory, %v of processor time", n, peak>>20, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	var report struct {
		Files int          `json:"files"`
		Bytes int64        `json:"bytes"`
		Build bundle.Build `json:"build"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, l := range report.Build.Languages {
		files += l.Files
	}
	if files != n*4/5 || report.Files > bundle.MaxFiles { // Markdown is of no language
		t.Errorf("%d source files in a bundle of %d", files, report.Files)
	}
	t.Logf("%d files of %d MB, cut %v", report.Files, report.Bytes>>20, report.Build.Cut)
	run("bundle-publish", "verify", out)
	// A question reads the pieces of its own words: one of 100,000 files costs
	// no more than this.
	for _, i := range []int{1, n - 8} {
		path, _ := synthetic.File(i, n)
		text, cmd := run("route", "query", "--bundle", out, synthetic.Name(i))
		if !strings.Contains(string(text), "src="+path+":") {
			t.Errorf("no %s in the answer to %s:\n%s", path, synthetic.Name(i), text)
		}
		if peak := peakMemory(cmd.ProcessState); peak > 100<<20 {
			t.Errorf("a question took %d MB of memory", peak>>20)
		} else {
			t.Logf("a question: %d MB of memory, %v of processor time", peak>>20, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		}
	}
}

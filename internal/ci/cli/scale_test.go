package cli_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/synthetic"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// peak runs a program and writes into PEAK_FILE the most memory that it held.
// A process that is started counts as its own what the one that starts it
// holds: this one holds little, the tests may hold anything.
func peak() int {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return 1
	}
	text := strconv.FormatInt(peakMemory(cmd.ProcessState), 10)
	if err := os.WriteFile(os.Getenv("PEAK_FILE"), []byte(text), 0o600); err != nil {
		return 1
	}
	return 0
}

// TestLargeWorkspace builds 2,000 files, and with MAROLA_SOAK=1 100,000, in
// bounded memory, into a bundle within its bounds, which answers.
func TestLargeWorkspace(t *testing.T) {
	n, most := 2000, int64(160<<20)
	if os.Getenv("MAROLA_SOAK") != "" {
		n, most = 100_000, 1536<<20
	}
	most *= underRace
	w := gittest.New(t)
	dir, out := w.Repo("synthetic"), filepath.Join(w.Home, "bundle")
	stream, to := io.Pipe()
	go func() { to.CloseWithError(synthetic.Stream(to, n)) }()
	load := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet", "--force")
	load.Dir, load.Env, load.Stdin = dir, w.Env, stream
	if text, err := load.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, text)
	}
	told := filepath.Join(w.Home, "peak")
	run := func(args ...string) ([]byte, int64) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "peak", args...)
		cmd.Dir, cmd.Env = dir, append(w.Env, "PATH="+os.Getenv("PATH"), "PEAK_FILE="+told)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, stderr.String())
		}
		data, err := os.ReadFile(told)
		if err != nil {
			t.Fatal(err)
		}
		bytes, err := strconv.ParseInt(string(data), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return text, bytes
	}
	text, peak := run("bundle-publish", "build", "--no-cache", "--json", "--out", out)
	if peak > most {
		t.Errorf("the build of %d files took %d MB of memory, at most %d are allowed", n, peak>>20, most>>20)
	} else {
		t.Logf("%d files: %d MB of memory", n, peak>>20)
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
		text, peak := run("route", "query", "--bundle", out, synthetic.Name(i))
		if !strings.Contains(string(text), "src="+path+":") {
			t.Errorf("no %s in the answer to %s:\n%s", path, synthetic.Name(i), text)
		}
		if peak > 100<<20*underRace {
			t.Errorf("a question took %d MB of memory", peak>>20)
		} else {
			t.Logf("a question: %d MB of memory", peak>>20)
		}
	}
}

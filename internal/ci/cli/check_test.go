package cli

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

const checkQuestions = `version: 1
questions:
  - id: first
    type: symbol
    ask: [query, first]
    expect:
      paths: [x.go]
  - id: second
    type: symbol
    ask: [query, second]
    expect:
      paths: [x.go]
`

// checkAnswers finds x.go first for "first" and second for "second".
type checkAnswers struct{}

func (checkAnswers) Ask(_ context.Context, _ string, args []string) ([]bench.Hit, error) {
	if args[0] == "first" {
		return []bench.Hit{{Path: "x.go"}}, nil
	}
	return []bench.Hit{{Path: "y.go"}, {Path: "x.go"}}, nil
}

// checkRanks is a bench result with one symbol question per id.
func checkRanks(ranks map[string]int) *bundle.Bench {
	var items []bundle.BenchItem
	for id, rank := range ranks {
		item := bundle.BenchItem{ID: id, Type: "symbol", Rank: rank}
		if rank != 1 {
			item.Found = "y.go"
		}
		items = append(items, item)
	}
	return bench.Sum("bench.yaml", items)
}

// truth is what the answers really give.
func truth() *bundle.Bench { return checkRanks(map[string]int{"first": 1, "second": 2}) }

// checkBundle writes a bundle that claims the result into dir.
func checkBundle(t *testing.T, dir string, claimed *bundle.Bench) string {
	t.Helper()
	build, err := bundle.Encode(bundle.Build{Schema: bundle.Schema, Repo: "here", Head: strings.Repeat("ab", 20), CommitTime: "2026-10-20T08:00:00Z", Bench: claimed})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{bundle.BuildName: build}
	manifest, err := bundle.NewManifest(files)
	if err != nil {
		t.Fatal(err)
	}
	if files[bundle.ManifestName], err = bundle.Encode(manifest); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		checkWrite(t, filepath.Join(dir, name), string(data))
	}
	return dir
}

func checkWrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkEnv is an environment in which git sees no configuration of this
// machine.
func checkEnv(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org", "TOKEN=x"}
}

func checkGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, checkEnv(dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// checkRepository is a repository whose branch holds what fill wrote.
func checkRepository(t *testing.T, branch string, fill func(dir string)) string {
	t.Helper()
	dir := t.TempDir()
	checkGit(t, dir, "init", "-q", "-b", branch)
	fill(dir)
	checkGit(t, dir, "add", "-A")
	checkGit(t, dir, "commit", "-q", "-m", "bundle", "--allow-empty")
	return dir
}

func fileURL(dir string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()
}

// check runs `bundle-publish check` in dir.
func check(dir string, args ...string) (stdout, stderr string, code int) {
	var out, errs strings.Builder
	verb := checkVerb(func(*bundle.Bundle) (bench.Asker, error) { return checkAnswers{}, nil })
	tool := command.Tool{Name: "bundle-publish", Verbs: []command.Verb{wantValues(verb, "bundle", "bench")}, Code: exitCode}
	code = tool.Main(command.Process{Args: append([]string{"check"}, args...), Stdout: &out, Stderr: &errs, Dir: dir, Env: checkEnv(dir)})
	return out.String(), errs.String(), code
}

func TestCheck(t *testing.T) {
	dir := checkRepository(t, "main", func(dir string) {
		checkWrite(t, filepath.Join(dir, "bench.yaml"), checkQuestions)
		checkWrite(t, filepath.Join(dir, "broken.yaml"), "version: 1\nquestions: {}\n")
		checkBundle(t, filepath.Join(dir, "good"), truth())
		checkBundle(t, filepath.Join(dir, "boasts"), checkRanks(map[string]int{"first": 1, "second": 1}))
		checkBundle(t, filepath.Join(dir, "claims-more"), checkRanks(map[string]int{"first": 1, "second": 2, "third": 1}))
		checkBundle(t, filepath.Join(dir, "silent"), nil)
		checkBundle(t, filepath.Join(dir, "broken-claim"), &bundle.Bench{Results: []bundle.BenchItem{{ID: "A"}}})
		checkWrite(t, filepath.Join(checkBundle(t, filepath.Join(dir, "touched"), truth()), bundle.BuildName), "{}")
		checkBundle(t, filepath.Join(dir, "base-same"), truth())
		checkBundle(t, filepath.Join(dir, "base-better"), checkRanks(map[string]int{"first": 1, "second": 1}))
		checkBundle(t, filepath.Join(dir, "base-worse"), checkRanks(map[string]int{"first": 0, "second": 9}))
		checkBundle(t, filepath.Join(dir, "base-more"), checkRanks(map[string]int{"first": 1, "second": 2, "deleted": 1}))
		checkBundle(t, filepath.Join(dir, "base-open"), checkRanks(map[string]int{"first": 1, "second": 2, "deleted": 4}))
		checkBundle(t, filepath.Join(dir, "base-fewer"), checkRanks(map[string]int{"first": 1}))
		checkBundle(t, filepath.Join(dir, "base-silent"), nil)
		checkBundle(t, filepath.Join(dir, "base-broken"), &bundle.Bench{Results: []bundle.BenchItem{{ID: "first"}, {ID: "first"}}})
		checkWrite(t, filepath.Join(dir, "base-empty", "x"), "")
	})
	published := checkRepository(t, "routing-bundle", func(dir string) { checkBundle(t, dir, checkRanks(map[string]int{"first": 1, "second": 1})) })
	checkGit(t, dir, "fetch", "-q", published, "+routing-bundle:refs/remotes/origin/routing-bundle")
	checkGit(t, published, "checkout", "-q", "-b", "other")
	checkBundle(t, published, truth())
	checkGit(t, published, "commit", "-q", "-a", "-m", "other")
	checkGit(t, published, "checkout", "-q", "--orphan", "junk")
	checkGit(t, published, "rm", "-rfq", ".")
	checkGit(t, published, "commit", "-q", "--allow-empty", "-m", "junk")
	bare := t.TempDir()
	checkGit(t, bare, "init", "-q", "--bare")

	const good = "--bundle good --bench bench.yaml "
	for _, tt := range []struct {
		name           string
		args           string
		code           int
		stdout, stderr string
	}{
		{"no baseline", good, 0, "1 of 2 questions right first, as build.json claims\nno baseline was given, so there is nothing to compare with\npassed: no answer was lost\n", ""},
		{"no baseline and --first", good + "--first", 0, "no baseline was given", ""},
		{"no bundle named", "--bench bench.yaml", 2, "", "--bundle DIR and --bench FILE are needed"},
		{"no bench named", "--bundle good", 2, "", "--bundle DIR and --bench FILE are needed"},
		{"no such bench", "--bundle good --bench none.yaml", 2, "", "there is no file none.yaml"},
		{"no such bundle", "--bundle none --bench bench.yaml", 2, "", "there is no directory"},
		{"a broken bench", "--bundle good --bench broken.yaml", 3, "", "broken.yaml: line 2: column 12: a mapping in braces"},
		{"the claim is another", "--bundle boasts --bench bench.yaml", 3, "", "build.json: it claims another bench result than these bytes give: second: claimed first, is 2"},
		{"the claim has more", "--bundle claims-more --bench bench.yaml", 3, "", "third: claimed, but not a question of the file"},
		{"no claim", "--bundle silent --bench bench.yaml", 3, "", "it has no bench result, so the next bundle would have nothing to be compared with\nhint: build it with bundle-publish build --bench"},
		{"a broken claim", "--bundle broken-claim --bench bench.yaml", 3, "", `its bench result: "A" is not the id of a question`},
		{"changed bytes", "--bundle touched --bench bench.yaml", 3, "", "the routing bundle is refused: build.json"},

		{"nothing changed", good + "--baseline base-same", 0, "baseline base-same, built from abababa: 2 questions", ""},
		{"improved", good + "--baseline base-worse", 0, "1 won, 1 better\npassed: no answer was lost\n", ""},
		{"added a hard question", good + "--baseline base-fewer", 0, "1 added, 1 same\npassed", ""},
		{"lost", good + "--baseline base-better", 1, "lost  second    symbol  first   2      y.go", "bundle-publish: an answer was lost: second\nhint: the baseline answers them"},
		{"lost is lost with --allow-removed and --first", good + "--baseline base-better --allow-removed --first", 1, "1 lost, 1 same\n", "an answer was lost: second"},
		{"deleted", good + "--baseline base-more", 1, "removed  deleted   symbol  first   not asked", "an answer was lost: deleted"},
		{"deleted on purpose", good + "--baseline base-more --allow-removed", 0, "1 removed, 2 same\npassed", ""},
		{"deleted an open question", good + "--baseline base-open", 0, "1 dropped, 2 same\npassed", ""},
		{"a baseline without a bench", good + "--baseline base-silent", 0, "the baseline base-silent has no bench result, so there is nothing to compare with\npassed", ""},

		{"an unreadable baseline", good + "--baseline base-broken", 3, "", "the baseline base-broken cannot be read: its bench result: the question \"first\" has two results\nhint: name a published bundle"},
		{"an unreadable baseline and --first", good + "--baseline base-broken --first", 0, "two results; --first says to go on without it\npassed", ""},
		{"an empty directory", good + "--baseline base-empty", 3, "", "the baseline base-empty cannot be read"},
		{"a ref that does not exist", good + "--baseline origin/nothing", 3, "", "the baseline origin/nothing cannot be read"},
		{"a ref that does not exist and --first", good + "--baseline origin/nothing --first", 0, "--first says to go on", ""},
		{"an option for a ref", good + "--baseline=--upload-pack=x", 3, "", "cannot be read"},
		{"a ref", good + "--baseline origin/routing-bundle", 1, "baseline origin/routing-bundle, built from abababa", "an answer was lost: second"},
		{"a ref without a bundle", good + "--baseline main", 3, "", "cannot be read"},

		{"a URL", good + "--baseline " + fileURL(published), 1, "baseline file://", "an answer was lost: second"},
		{"another branch of a URL", good + "--branch other --baseline " + fileURL(published), 0, "2 same\npassed", ""},
		{"none published yet", good + "--branch later --baseline " + fileURL(published), 0, "has no branch later yet, so there is nothing to compare with\npassed", ""},
		{"an empty repository", good + "--baseline " + fileURL(bare), 0, "has no branch routing-bundle yet", ""},
		{"a branch without a bundle", good + "--branch junk --baseline " + fileURL(published), 3, "", "cannot be read: it has no build.json"},
		{"a branch without a bundle and --first", good + "--first --branch junk --baseline " + fileURL(published), 0, "--first says to go on without it\npassed", ""},
		{"no such branch name", good + "--branch a..b --baseline " + fileURL(published), 2, "", `--branch "a..b" is not the name of a branch`},
		{"HEAD for a branch", good + "--branch HEAD --baseline " + fileURL(published), 2, "", `--branch "HEAD" is not the name of a branch`},
		{"a URL with a credential", good + "--baseline https://user:secret@example.org/x", 2, "", "holds a credential"},
		{"a transport helper", good + "--baseline ext::sh", 2, "", "--baseline: "},
		{"no token in the variable", good + "--token-env NONE --baseline " + fileURL(published), 2, "", "the token is empty (the variable NONE)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, stderr, code := check(dir, strings.Fields(tt.args)...)
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout, tt.stdout) || tt.stdout == "" && stdout != "" {
				t.Errorf("stdout:\n%s\nwant:\n%s", stdout, tt.stdout)
			}
			if !strings.Contains(stderr, tt.stderr) || tt.stderr == "" && stderr != "" {
				t.Errorf("stderr:\n%s\nwant:\n%s", stderr, tt.stderr)
			}
			if strings.Contains(stderr, "secret") && strings.Contains(stderr, "user:") {
				t.Errorf("a credential is repeated: %s", stderr)
			}
		})
	}
}

func TestCheckUnreachedBaseline(t *testing.T) {
	for _, from := range []string{"http://127.0.0.1:1/x"} {
		_, err := baselineOptions{from: from, branch: "routing-bundle", timeout: time.Minute}.load(t.Context(), command.Process{Dir: t.TempDir(), Env: checkEnv(t.TempDir())})
		if exitCode(err) != 5 || !strings.Contains(err.Error(), "was not reached in 3 tries") {
			t.Errorf("%s gives %v", from, err)
		}
	}
}

// A server that takes the connection and says nothing must not hold a
// pipeline up for ever.
func TestCheckOfASilentBaseline(t *testing.T) {
	silent := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-silent:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(silent); server.Close() })
	dir := t.TempDir()
	checkWrite(t, filepath.Join(dir, "bench.yaml"), checkQuestions)
	checkBundle(t, filepath.Join(dir, "good"), truth())
	args := []string{"--bundle", "good", "--bench", "bench.yaml", "--first", "--baseline", server.URL + "/x", "--timeout"}
	stdout, stderr, code := check(dir, append(args, "300ms")...)
	if code != 5 || stdout != "" || !strings.Contains(stderr, "was not reached in one try: the time is over before the remote had answered\nhint: give it more time with --timeout") {
		t.Errorf("%d %q %q", code, stdout, stderr)
	}
	if _, stderr, code := check(dir, append(args, "0s")...); code != 2 || !strings.Contains(stderr, "check: --timeout must be longer than nothing") {
		t.Errorf("no time: %d %q", code, stderr)
	}
}

// A baseline that asks to wait longer than there is time is not waited for.
func TestCheckOfABaselineThatAsksToWait(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(server.Close)
	_, err := baselineOptions{from: server.URL + "/x", branch: "routing-bundle", timeout: time.Minute}.load(t.Context(), command.Process{Dir: t.TempDir(), Env: checkEnv(t.TempDir())})
	if exitCode(err) != 5 || !strings.Contains(err.Error(), "in one try") || !strings.Contains(err.Error(), "the next try would be in 1h0m0s") {
		t.Errorf("got %v", err)
	}
}

func TestEmptyValues(t *testing.T) {
	for _, tt := range []struct {
		args []string
		said string
	}{
		{[]string{"check", "--bundle", "b", "--bench", "q", "--baseline", ""}, "check: --baseline is empty; leave the flag out if there is none"},
		{[]string{"check", "--bundle", "b", "--bench", "q", "--baseline="}, "check: --baseline is empty"},
		{[]string{"check", "--bundle", "", "--bench", "q"}, "check: --bundle is empty; a variable may be unset"},
		{[]string{"check", "--bundle", "b", "--bench", ""}, "check: --bench is empty; a variable"},
		{[]string{"check", "--bundle", "b", "--bench", "q", "--branch", ""}, "check: --branch is empty"},
		{[]string{"check", "--bundle", "b", "--bench", "q", "--token-env", ""}, "check: --token-env is empty"},
		{[]string{"check", "--bundle", "b", "--bench", "q", "--token-env", "ghs_abc"}, "check: --token-env takes the name of a variable"},
		{[]string{"publish", "--bundle", "", "--remote", "r"}, "publish: --bundle is empty"},
		{[]string{"publish", "--bundle", "b", "--remote", ""}, "publish: --remote is empty"},
		{[]string{"publish", "--bundle", "b", "--remote", "r", "--branch", ""}, "publish: --branch is empty"},
		{[]string{"publish", "--bundle", "b", "--remote", "r", "--token-env", ""}, "publish: --token-env is empty"},
		{[]string{"build", "--out", "o", "--bench", ""}, "build: --bench is empty; leave the flag out if there is none"},
		{[]string{"build", "--out", ""}, "build: --out is empty"},
		{[]string{"build", "--local", "--root", ""}, "build: --root is empty"},
		{[]string{"build", "--local", "--name", ""}, "build: --name is empty"},
		{[]string{"verify", ""}, "verify: an argument is empty"},
		{[]string{"verify", "b", "--repo", ""}, "verify: --repo is empty"},
	} {
		var out, errs strings.Builder
		dir := t.TempDir()
		code := Main(command.Process{Args: tt.args, Stdout: &out, Stderr: &errs, Dir: dir, Env: checkEnv(dir)})
		if code != 2 || out.String() != "" || !strings.HasPrefix(errs.String(), "bundle-publish: "+tt.said) || strings.Contains(errs.String(), "ghs_abc") {
			t.Errorf("%q: %d %q %q", tt.args, code, out.String(), errs.String())
		}
	}
}

func TestCheckJSON(t *testing.T) {
	dir := t.TempDir()
	checkWrite(t, filepath.Join(dir, "bench.yaml"), checkQuestions)
	checkBundle(t, filepath.Join(dir, "good"), truth())
	checkBundle(t, filepath.Join(dir, "base"), checkRanks(map[string]int{"first": 1, "second": 1}))
	type report struct {
		Passed   bool                         `json:"passed"`
		Bench    bundle.Bench                 `json:"bench"`
		Baseline struct{ State, Head string } `json:"baseline"`
		Verdict  *struct{ Lost []string }     `json:"verdict"`
	}
	for _, tt := range []struct {
		name, args string
		code       int
		want       func(report) bool
	}{
		{"no baseline", "", 0, func(r report) bool {
			return r.Passed && r.Bench.First == 1 && r.Baseline.State == "none" && r.Verdict == nil
		}},
		{"lost", "--baseline base", 1, func(r report) bool {
			return !r.Passed && r.Baseline.State == "compared" && r.Baseline.Head == strings.Repeat("ab", 20) && strings.Join(r.Verdict.Lost, " ") == "second"
		}},
		{"unreadable", "--baseline none --first", 0, func(r report) bool { return r.Passed && r.Baseline.State == "unreadable" && r.Verdict == nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, stderr, code := check(dir, strings.Fields("--json --bundle good --bench bench.yaml "+tt.args)...)
			var r report
			if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != tt.code || !tt.want(r) {
				t.Fatalf("exit code %d, %v\n%s\n%s", code, err, stdout, stderr)
			}
		})
	}
}

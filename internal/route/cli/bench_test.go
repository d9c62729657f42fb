package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// prepared answers every question with the same results.
type prepared []bench.Hit

func (a prepared) Ask(context.Context, string, []string) ([]bench.Hit, error) { return a, nil }

const threeQuestions = `version: 1
questions:
  - id: right
    type: symbol
    ask: [query, x]
    expect:
      paths: [a.go]
  - id: second
    type: symbol
    ask: [query, x]
    expect:
      paths: [b.go]
  - id: wrong
    type: wiring
    ask: [wiring, x]
    expect:
      paths: [c.go]
`

// checkout is a git repository with the given files, and its directory.
func checkout(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("git", "init", "-q", dir)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// benchIn runs `route bench` in dir over a source that the opener gives.
func benchIn(dir string, open openBenched, args ...string) (stdout, stderr string, code int) {
	var out, errs strings.Builder
	tool := command.Tool{Name: "route", Verbs: []command.Verb{benchVerb(open)}, Code: func(err error) int {
		if f := (*bench.FileError)(nil); errors.As(err, &f) {
			return exitRefused
		}
		return exitCode(err)
	}}
	code = tool.Main(command.Process{Args: append([]string{"bench"}, args...), Stdout: &out, Stderr: &errs, Dir: dir})
	return out.String(), errs.String(), code
}

func openPrepared(context.Context, command.Process, string, string) (*benched, error) {
	return &benched{Asker: prepared{{Path: "a.go"}, {Path: "b.go"}}, Build: &bundle.Build{Repo: "here"},
		Source: map[string]string{"kind": "directory"}, Line: "answers from main@1234567"}, nil
}

func openNothing(context.Context, command.Process, string, string) (*benched, error) {
	return nil, source.ErrNone
}

func TestBenchVerb(t *testing.T) {
	withYAML := checkout(t, map[string]string{"routing-bench.yaml": threeQuestions, "routing-bench.json": "{", "sub/dir/x": ""})
	withJSON := checkout(t, map[string]string{"routing-bench.json": `{"version":1,"questions":[{"id":"right","type":"symbol","ask":["query","x"],"expect":{"paths":["a.go"]}}]}`})
	without := checkout(t, map[string]string{"other.yaml": threeQuestions, "broken.yaml": "version: 1\nquestions:\n  - id: yes\n"})
	for _, tt := range []struct {
		name           string
		dir            string
		open           openBenched
		args           string
		code           int
		stdout, stderr string
	}{
		{"prints each result", withYAML, openPrepared, "", 0, `answers from main@1234567
first      symbol  right
2          symbol  second  first is a.go; expected b.go; route query x
not found  wiring  wrong   first is a.go; expected c.go; route wiring x

symbol  1 of 2 right first (50.0 %)
wiring  0 of 1 right first (0.0 %)
all     1 of 3 right first (33.3 %), 2 in three, 2 in five, MRR 0.5000
`, ""},
		{"finds the file from a directory below", filepath.Join(withYAML, "sub", "dir"), openPrepared, "", 0, "all     1 of 3", ""},
		{"finds the JSON file", withJSON, openPrepared, "", 0, "all     1 of 1", ""},
		{"finds the file of --repo", t.TempDir(), openPrepared, "--repo " + withYAML, 0, "all     1 of 3", ""},
		{"a named file", without, openPrepared, "other.yaml", 0, "all     1 of 3", ""},
		{"at the bar", withYAML, openPrepared, "--min 33.3", 0, "all     1 of 3", ""},
		{"below the bar", withYAML, openPrepared, "--min 34", 1, "all     1 of 3", "route: 1 of 3 questions are right first (33.3 %); the bar is 34 %\nhint: "},
		{"a bar of all", withJSON, openPrepared, "--min 100", 0, "all     1 of 1", ""},
		{"no bar like this", withYAML, openPrepared, "--min 101", 2, "", "--min is a share in percent, 0 to 100, not 101"},
		{"no number", withYAML, openPrepared, "--min NaN", 2, "", "not NaN"},
		{"no bundle", withYAML, openNothing, "", 0, "no routing bundle; use git grep\n", ""},
		{"no bundle and a bar", withYAML, openNothing, "--min 80", 1, "", "route: none of the 3 questions could be asked, and the bar is 80 %: no routing bundle; use git grep"},
		{"no question file", without, openPrepared, "", 2, "", "there is no routing-bench.yaml and no routing-bench.json in " + without},
		{"no checkout", t.TempDir(), openPrepared, "", 2, "", "there is no checkout here to take the question file from"},
		{"no such file", without, openPrepared, "none.yaml", 2, "", "there is no file none.yaml"},
		{"a broken file", without, openPrepared, "broken.yaml", 3, "", "route: broken.yaml: line 3: column 9: yes is a truth value to a YAML reader; put it in quotes to mean the text\nhint: correct the question file"},
		{"a refused bundle", withYAML, func(context.Context, command.Process, string, string) (*benched, error) {
			return nil, &bundle.Refused{Reason: "for the test"}
		}, "", 3, "", "the routing bundle is refused: for the test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, stderr, code := benchIn(tt.dir, tt.open, strings.Fields(tt.args)...)
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout, tt.stdout) || tt.stdout == "" && stdout != "" {
				t.Errorf("stdout:\n%s\nwant:\n%s", stdout, tt.stdout)
			}
			if !strings.Contains(stderr, tt.stderr) || tt.stderr == "" && stderr != "" {
				t.Errorf("stderr:\n%s\nwant:\n%s", stderr, tt.stderr)
			}
		})
	}
}

func TestBenchJSON(t *testing.T) {
	dir := checkout(t, map[string]string{"routing-bench.yaml": threeQuestions})
	type report struct {
		Source map[string]string `json:"source"`
		Min    float64           `json:"min"`
		Passed bool              `json:"passed"`
		Bench  *bundle.Bench     `json:"bench"`
	}
	for _, tt := range []struct {
		name string
		open openBenched
		args string
		code int
		want func(report) bool
	}{
		{"passed", openPrepared, "--json", 0, func(r report) bool {
			return r.Passed && r.Source["kind"] == "directory" && r.Bench.First == 1 && len(r.Bench.Results) == 3 && r.Bench.File == "routing-bench.yaml"
		}},
		{"below the bar", openPrepared, "--json --min 50", 1, func(r report) bool { return !r.Passed && r.Min == 50 && r.Bench.InThree == 2 }},
		{"no bundle", openNothing, "--json", 0, func(r report) bool { return r.Passed && r.Bench == nil && r.Source == nil }},
		{"no bundle and a bar", openNothing, "--json --min 1", 1, func(r report) bool { return !r.Passed && r.Bench == nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, stderr, code := benchIn(dir, tt.open, strings.Fields(tt.args)...)
			var r report
			if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != tt.code || !tt.want(r) {
				t.Fatalf("exit code %d, %v\n%s\n%s", code, err, stdout, stderr)
			}
		})
	}
}

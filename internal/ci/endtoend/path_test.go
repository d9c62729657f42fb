//go:build unix

package endtoend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/runner"
)

// A hosting is a repository on a host, with a workflow that runs there.
type hosting struct {
	t      *testing.T
	host   *gitHost
	name   string // owner/name
	env    []string
	runner *runner.Runner
}

// newHosting serves the commit that dir has checked out as main of a
// repository, under the rulesets of docs/first-publish.md.
func newHosting(t *testing.T, name, dir string) *hosting {
	t.Helper()
	sets := documentedRulesets(t)
	h := &hosting{t: t, host: serveGit(t), name: name, env: machine(t)}
	h.host.create(t, name, hook(t, sets))
	h.host.give("ghs_job", "app/15368")
	if out, err := h.host.push(h.env, dir, "ghs_job", name, "HEAD:refs/heads/main"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h.runner = &runner.Runner{
		Dir: t.TempDir(), Env: h.env,
		GitHub: map[string]string{"server_url": h.host.URL, "repository": name, "api_url": h.host.URL + "/api/v3", "ref": "refs/heads/main", "event_name": "push", "run_attempt": "1"},
		Uses: map[string]func(*runner.Machine, map[string]string) error{
			"actions/checkout": func(m *runner.Machine, with map[string]string) error {
				if with["persist-credentials"] != "false" {
					return errors.New("it keeps the token in the checkout")
				}
				command(t, m.Workspace, h.env, "git", "clone", "-q", h.host.URL+"/"+name, ".")
				return nil
			},
			"actions/setup-go": func(*runner.Machine, map[string]string) error { return nil },
		},
	}
	return h
}

// job runs a job and fails the test unless it is a success.
func (h *hosting) job(w *runner.Workflow, name string, needs map[string]runner.Result) runner.Result {
	h.t.Helper()
	got := h.runner.Run(w, name, needs)
	if got.Status != "success" {
		h.t.Fatalf("%s ends with %s: %v\n%s", name, got.Status, got.Err, got.Log)
	}
	return got
}

func (h *hosting) bare() string { return filepath.Join(h.host.dir, filepath.FromSlash(h.name)) }

// tip is where a branch is.
func (h *hosting) tip(branch string) string {
	h.t.Helper()
	return command(h.t, h.bare(), h.env, "git", "rev-parse", "refs/heads/"+branch)
}

// hidesTheKey looks for the key in a log, line by line.
func (h *hosting) hidesTheKey(r runner.Result) {
	h.t.Helper()
	for line := range strings.Lines(h.runner.Secrets["BUNDLE_BOT_KEY"]) {
		if line = strings.TrimSpace(line); line != "" && strings.Contains(r.Log, line) {
			h.t.Errorf("the log shows a line of the key:\n%s", r.Log)
		}
	}
}

// ask fetches the bundle in a fresh clone and asks it.
func (h *hosting) ask(args ...string) string {
	h.t.Helper()
	clone := filepath.Join(h.t.TempDir(), "clone")
	command(h.t, h.t.TempDir(), h.env, "git", "clone", "-q", "--single-branch", h.host.URL+"/"+h.name, clone)
	route := built(h.t, "route")
	command(h.t, clone, h.env, route, "fetch")
	return command(h.t, clone, h.env, append([]string{route}, args...)...)
}

// TestFromCommitToAnswer runs this repository's own CI path: what the steps
// of ci.yml and action.yml say, in their order, from a push to main to an
// answer in a fresh clone.
func TestFromCommitToAnswer(t *testing.T) {
	h := newHosting(t, ours, checkout(t, machine(t)))
	w := installApp(t, h, workflow(t, ".github", "workflows", "ci.yml"))

	// The bundle is handed over, with the program and its hash.
	graph := h.job(w, "graph", nil)
	for _, want := range []string{"## build: `marola-routing` at `", "## check: `marola-routing` at `", "### Answers", "### Size", "there is nothing to compare with"} {
		if !strings.Contains(graph.Log, want) {
			t.Errorf("the run does not show %q:\n%s", want, graph.Log)
		}
	}
	handed := filepath.Join(h.runner.Dir, "artifacts", graph.Outputs["artifact"])
	data, err := os.ReadFile(filepath.Join(handed, "bundle-publish"))
	if err != nil {
		t.Fatal(err)
	}
	if sum(string(data)) != graph.Outputs["sha256"] {
		t.Errorf("the program that is handed over has not the hash %s", graph.Outputs["sha256"])
	}

	// It is published from an empty directory, with only the key.
	needs := map[string]runner.Result{"graph": graph}
	published := h.job(w, "bundle-publish", needs)
	if !strings.Contains(published.Log, "The branch was moved.") {
		t.Errorf("the run does not show the publish:\n%s", published.Log)
	}
	h.hidesTheKey(published)
	tip := h.tip("routing-bundle")
	if parents := command(t, h.bare(), h.env, "git", "log", "-1", "--format=%P", tip); parents != "" {
		t.Errorf("the bundle's commit has parents: %s", parents)
	}

	// Once more: nothing changes.
	if again := h.job(w, "bundle-publish", needs); !strings.Contains(again.Log, "nothing to do") || h.tip("routing-bundle") != tip {
		t.Errorf("the same bundle again moves the branch to %s:\n%s", h.tip("routing-bundle"), again.Log)
	}

	// A program that is not the one that graph built is not run.
	graph.Outputs = with(graph.Outputs, "sha256", sum("another"))
	if got := h.runner.Run(w, "bundle-publish", map[string]runner.Result{"graph": graph}); got.Status != "failure" || strings.Contains(got.Log, "published") {
		t.Errorf("with a wrong hash it ends with %s:\n%s", got.Status, got.Log)
	}

	// Somebody asks, in a clone of their own.
	answer := h.ask("query", "move the branch by compare and swap")
	if !strings.Contains(answer, "internal/ci/publish/") || !strings.Contains(answer, "(bundle") {
		t.Errorf("the answer is\n%s", answer)
	}
}

// TestTemplate runs docs/examples/routing.yml as a release hands it out, in an
// umbrella that is not ours: a pull request, a first publish, a trial, and a
// change that loses an answer.
func TestTemplate(t *testing.T) {
	env := machine(t)
	dir := filepath.Join(t.TempDir(), "umbrella")
	for name, text := range map[string]string{
		"stock/shelf.go":     "// Package stock knows what is in the store room.\npackage stock\n\n// Shelf is a place in the store room.\ntype Shelf struct{ Row, Place int }\n",
		"routing-bench.yaml": "version: 1\nquestions:\n  - id: exact-shelf\n    type: symbol\n    ask: [query, Shelf]\n    expect:\n      paths: [stock/shelf.go]\n",
	} {
		write(t, filepath.Join(dir, name), text, 0o644)
	}
	git := func(args ...string) string { return command(t, dir, env, append([]string{"git"}, args...)...) }
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "A store room")

	h := newHosting(t, "shop/umbrella", dir)
	h.runner.Actions = map[string]string{ours: release(t, h)}
	w := installApp(t, h, workflow(t, "docs", "examples", "routing.yml"))

	// A pull request: everything but the publish, and no artifact.
	h.runner.GitHub["event_name"], h.runner.GitHub["ref"] = "pull_request", "refs/pull/7/merge"
	seen := h.job(w, "graph", nil)
	if !strings.Contains(seen.Log, "**1 of 1** questions right first") {
		t.Errorf("the run of a pull request does not show its answers:\n%s", seen.Log)
	}
	if got := h.runner.Run(w, "bundle-publish", map[string]runner.Result{"graph": seen}); got.Status != "skipped" {
		t.Errorf("on a pull request bundle-publish ends with %s: %v", got.Status, got.Err)
	}
	if _, err := os.Stat(filepath.Join(h.runner.Dir, "artifacts")); err == nil {
		t.Error("a pull request leaves an artifact")
	}

	// main, and an answer.
	h.runner.GitHub["event_name"], h.runner.GitHub["ref"] = "push", "refs/heads/main"
	first := map[string]runner.Result{"graph": h.job(w, "graph", nil)}
	h.hidesTheKey(h.job(w, "bundle-publish", first))
	if answer := h.ask("query", "Shelf"); !strings.Contains(answer, "stock/shelf.go:5") {
		t.Errorf("the answer is\n%s", answer)
	}
	tip := h.tip("routing-bundle")

	// A trial goes elsewhere.
	h.runner.GitHub["event_name"], h.runner.GitHub["run_attempt"] = "workflow_dispatch", "2"
	h.runner.Inputs = map[string]string{"branch": "scratch/routing-bundle"}
	h.job(w, "bundle-publish", map[string]runner.Result{"graph": h.job(w, "graph", nil)})
	if trial := h.tip("scratch/routing-bundle"); trial != tip || h.tip("routing-bundle") != tip {
		t.Errorf("the trial is at %s, the branch at %s, which was at %s", trial, h.tip("routing-bundle"), tip)
	}
	h.runner.Inputs = nil

	// A commit that loses an answer is held back, and the bundle stays.
	git("mv", "stock/shelf.go", "stock/room.go")
	git("commit", "-q", "-m", "Move a file and forget the question")
	if out, err := h.host.push(env, dir, "ghs_job", h.name, "HEAD:refs/heads/main"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h.runner.GitHub["event_name"], h.runner.GitHub["run_attempt"] = "push", "3"
	lost := h.runner.Run(w, "graph", nil)
	if lost.Status != "failure" || !strings.Contains(lost.Log, "::error file=routing-bench.yaml,title=answer lost%3A exact-shelf::") || !strings.Contains(lost.Log, "| **lost** | `exact-shelf` |") {
		t.Errorf("with a lost answer graph ends with %s (%v):\n%s", lost.Status, lost.Err, lost.Log)
	}
	if got := h.runner.Run(w, "bundle-publish", map[string]runner.Result{"graph": lost}); got.Status != "skipped" || h.tip("routing-bundle") != tip {
		t.Errorf("after it bundle-publish ends with %s, and the branch is at %s", got.Status, h.tip("routing-bundle"))
	}
}

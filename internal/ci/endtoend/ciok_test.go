//go:build unix

package endtoend

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/runner"
)

const ours = "marola-dev/marola-routing"

// TestCIOKNeedsEveryJob: a job that the required check does not wait for
// could fail without anybody's noticing.
func TestCIOKNeedsEveryJob(t *testing.T) {
	w := workflow(t, ".github", "workflows", "ci.yml")
	for name := range w.Jobs {
		if name != "ci-ok" && !slices.Contains(w.Jobs["ci-ok"].Needs, name) {
			t.Errorf("ci-ok does not need %s", name)
		}
	}
}

// TestCIOK runs the required check's own step over how the jobs may end.
func TestCIOK(t *testing.T) {
	w := workflow(t, ".github", "workflows", "ci.yml")
	push := map[string]string{"soak": "skipped"}
	pull := map[string]string{"soak": "skipped", "vulnerabilities": "skipped", "bundle-publish": "skipped"}
	for _, c := range []struct {
		name, event, ref, repository string
		results                      map[string]string // beside success
		passes                       bool
	}{
		{"a pull request", "pull_request", "refs/pull/7/merge", ours, pull, true},
		{"a push to main", "push", "refs/heads/main", ours, push, true},
		{"the daily run", "schedule", "refs/heads/main", ours, nil, true},
		{"a trial from main", "workflow_dispatch", "refs/heads/main", ours, push, true},
		{"a trial from a branch", "workflow_dispatch", "refs/heads/x", ours, with(push, "bundle-publish", "skipped"), true},
		{"a fork", "push", "refs/heads/main", "somebody/marola-routing", with(push, "bundle-publish", "skipped"), true},
		{"P35 a publish that was replaced by a newer one", "push", "refs/heads/main", ours, with(push, "bundle-publish", "cancelled"), true},

		{"P35 a replaced graph is no bundle", "push", "refs/heads/main", ours, with(push, "graph", "cancelled", "bundle-publish", "skipped"), false},
		{"P35 a publish that was left out", "push", "refs/heads/main", ours, with(push, "bundle-publish", "skipped"), false},
		{"a publish that failed", "schedule", "refs/heads/main", ours, with(nil, "bundle-publish", "failure"), false},
		{"an answer that was lost", "pull_request", "refs/pull/7/merge", ours, with(pull, "graph", "failure"), false},
		{"a graph that was left out", "pull_request", "refs/pull/7/merge", ours, with(pull, "graph", "skipped"), false},
		{"a test that failed", "push", "refs/heads/main", ours, with(push, "test", "failure"), false},
		{"programs that differ between machines", "pull_request", "refs/pull/7/merge", ours, with(pull, "skill-same", "failure"), false},
		{"programs that nobody compared", "push", "refs/heads/main", ours, with(push, "skill-same", "skipped"), false},
		{"lint that was cancelled", "push", "refs/heads/main", ours, with(push, "lint", "cancelled"), false},
		{"a vulnerability on main", "push", "refs/heads/main", ours, with(push, "vulnerabilities", "failure"), false},
		{"a soak that failed", "schedule", "refs/heads/main", ours, with(nil, "soak", "failure"), false},
		{"a soak that was left out", "schedule", "refs/heads/main", ours, with(nil, "soak", "skipped"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			needs := map[string]runner.Result{}
			for _, job := range w.Jobs["ci-ok"].Needs {
				needs[job] = runner.Result{Status: "success"}
				if status := c.results[job]; status != "" {
					needs[job] = runner.Result{Status: status}
				}
			}
			r := &runner.Runner{Dir: t.TempDir(), Env: machine(t), GitHub: map[string]string{"event_name": c.event, "ref": c.ref, "repository": c.repository}}
			got := r.Run(w, "ci-ok", needs)
			if passed := got.Status == "success"; passed != c.passes {
				t.Errorf("it ends with %s: %v\n%s", got.Status, got.Err, got.Log)
			}
			for job, status := range c.results {
				if blames := strings.Contains(got.Log, job+" ended with: "+status); blames && c.passes {
					t.Errorf("it blames %s:\n%s", job, got.Log)
				}
			}
		})
	}
}

func with(m map[string]string, pairs ...string) map[string]string {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]string{}
	}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

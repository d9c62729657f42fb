package rules

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestWorkflows holds our own workflows, and those that the documents
// recommend, to the rules that keep a token from being stolen or misused.
func TestWorkflows(t *testing.T) {
	checked := 0
	for _, path := range tree(t, func(p string) bool { return strings.HasPrefix(p, ".github/workflows/") || isExample(p) }) {
		checked++
		for _, problem := range workflowProblems(read(t, path)) {
			t.Errorf("%s: %s", path, problem)
		}
	}
	for _, path := range documents(t) {
		for _, b := range blocks(read(t, path)) {
			if !isWorkflow(b) {
				continue
			}
			checked++
			for _, problem := range workflowProblems(b.text) {
				t.Errorf("%s, line %d: %s", path, b.line, problem)
			}
		}
	}
	if checked < 3 {
		t.Errorf("%d workflows were found; our own, the one in the documents and the example are three", checked)
	}
}

// isExample reports a workflow to copy that is a file of its own.
func isExample(p string) bool {
	return strings.HasPrefix(p, "docs/examples/") && strings.HasSuffix(p, ".yml")
}

func isWorkflow(b block) bool {
	return (b.lang == "yaml" || b.lang == "yml") && strings.Contains("\n"+b.text, "\njobs:")
}

func TestWorkflowProblems(t *testing.T) {
	const good = `
on: push
permissions: {}
concurrency:
  group: x
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - env:
          REF: ${{ github.ref }}
        run: echo "$REF"
`
	if got := workflowProblems(good); len(got) != 0 {
		t.Fatalf("a good workflow has problems: %q", got)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"T11 expression inside script text", `echo "$REF"`, `echo "${{ github.head_ref }}"`, "expression"},
		{"T14 action by tag", "3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1", "v7", "full commit"},
		{"T14 pin without a version", " # v7.0.1", "", "version"},
		{"P27 credentials stay in the checkout", "persist-credentials: false", "fetch-depth: 0", "persist-credentials"},
		{"P34 no concurrency group", "concurrency:\n  group: x\n", "", "concurrency"},
		{"every right by default", "permissions: {}\n", "", "permissions"},
		{"a job with the default rights", "    permissions:\n      contents: read\n", "", "permissions"},
		{"a job that may write everything", "permissions:\n      contents: read", "permissions: write-all", "permissions"},
		{"a job without a time limit", "    timeout-minutes: 5\n", "", "timeout"},
		{"a container image by tag", "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1", "docker://alpine:3", "full commit"},
		{"not YAML", "jobs:", "jobs: [", "YAML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(good, c.from, c.to, 1)
			if bad == good {
				t.Fatal("the case changes nothing")
			}
			got := workflowProblems(bad)
			if len(got) == 0 || !strings.Contains(strings.Join(got, "\n"), c.want) {
				t.Errorf("problems are %q, want one about %q", got, c.want)
			}
		})
	}
}

// TestUpdateBotWaits: "T14 pin updated to the bad commit by a bot". A pin
// protects nothing when a bot moves it within the hour.
func TestUpdateBotWaits(t *testing.T) {
	var config struct {
		Updates []struct {
			Ecosystem string `yaml:"package-ecosystem"`
			Cooldown  struct {
				Days int `yaml:"default-days"`
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, ".github/dependabot.yml")), &config); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, u := range config.Updates {
		seen[u.Ecosystem] = true
		if u.Cooldown.Days < 7 {
			t.Errorf("%s is updated after %d days; a bad release is rarely found before 7", u.Ecosystem, u.Cooldown.Days)
		}
	}
	for _, ecosystem := range []string{"gomod", "github-actions"} {
		if !seen[ecosystem] {
			t.Errorf("%s is never updated", ecosystem)
		}
	}
}

type workflow struct {
	Permissions yaml.Node
	Concurrency yaml.Node
	Jobs        map[string]struct {
		Permissions yaml.Node
		Timeout     int `yaml:"timeout-minutes"`
		Steps       []struct {
			Uses yaml.Node
			With map[string]yaml.Node
			Run  string
		}
	}
}

var (
	pinned  = regexp.MustCompile(`^(\./|[A-Za-z0-9_.-]+/[A-Za-z0-9_./-]+@[0-9a-f]{40}$)`)
	version = regexp.MustCompile(`^# v\d+\.\d+\.\d+$`)
)

func workflowProblems(text string) (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	var w workflow
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		return []string{"not YAML: " + err.Error()}
	}
	if w.Permissions.Kind != yaml.MappingNode || len(w.Permissions.Content) != 0 {
		report("the top must say permissions: {}, so that a job gets only what it asks for")
	}
	if w.Concurrency.IsZero() {
		report("no concurrency group: two runs may publish at the same time")
	}
	for name, job := range w.Jobs {
		if job.Permissions.Kind != yaml.MappingNode {
			report("job %s must list its permissions", name)
		}
		if job.Timeout == 0 {
			report("job %s has no timeout-minutes", name)
		}
		for i, step := range job.Steps {
			if strings.Contains(step.Run, "${{") {
				report("job %s, step %d: an expression inside run: becomes code; pass it through env:", name, i+1)
			}
			uses := step.Uses.Value
			if uses == "" {
				continue
			}
			switch {
			case !pinned.MatchString(uses):
				report("job %s, step %d: %s is not pinned to a full commit", name, i+1, uses)
			case !strings.HasPrefix(uses, "./") && !version.MatchString(step.Uses.LineComment):
				report("job %s, step %d: %s says in no comment which version that is", name, i+1, uses)
			}
			if keep := step.With["persist-credentials"]; strings.HasPrefix(uses, "actions/checkout@") && keep.Value != "false" {
				report("job %s, step %d: checkout must say persist-credentials: false", name, i+1)
			}
		}
	}
	return problems
}

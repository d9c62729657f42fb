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
		text := read(t, path)
		if isExample(path) {
			text = stamped(text)
		}
		for _, problem := range workflowProblems(text) {
			t.Errorf("%s: %s", path, problem)
		}
	}
	for _, path := range documents(t) {
		for _, b := range blocks(read(t, path)) {
			if !isWorkflow(b) {
				continue
			}
			checked++
			for _, problem := range workflowProblems(stamped(b.text)) {
				t.Errorf("%s, line %d: %s", path, b.line, problem)
			}
		}
	}
	if checked < 3 {
		t.Errorf("%d workflows were found; our own, the one in the documents and the example are three", checked)
	}
}

// own is our action as a template names it: a release puts its commit and its
// version there.
const own = "marola-dev/marola-routing@FULL_COMMIT_HASH # RELEASE"

// stamped is a template as a release hands it out.
func stamped(text string) string {
	return strings.ReplaceAll(text, own, "marola-dev/marola-routing@"+strings.Repeat("0", 40)+" # v0.0.0")
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

// TestAction holds the action to the rules that hold for workflows, as far as
// it has what they are about.
func TestAction(t *testing.T) {
	for _, problem := range actionProblems(read(t, "action.yml")) {
		t.Errorf("action.yml: %s", problem)
	}
	const good = `
runs:
  using: composite
  steps:
    - uses: actions/setup-go@b7ad1dad31e06c5925ef5d2fc7ad053ef454303e # v7.0.0
    - shell: bash
      env:
        NAME: ${{ inputs.name }}
      run: sh "$GITHUB_ACTION_PATH/scripts/run.sh" "$NAME"
`
	if got := actionProblems(good); len(got) != 0 {
		t.Fatalf("a good action has problems: %q", got)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"T11 expression inside script text", `"$NAME"`, `"${{ inputs.name }}"`, "expression"},
		{"T14 action by tag", "b7ad1dad31e06c5925ef5d2fc7ad053ef454303e # v7.0.0", "v7", "full commit"},
		{"a path that may have a space", `"$GITHUB_ACTION_PATH/scripts/run.sh"`, "$GITHUB_ACTION_PATH/scripts/run.sh", "quotes"},
		{"a step without a shell", "shell: bash\n      ", "", "shell"},
		{"a container", "composite", "docker", "composite"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(good, c.from, c.to, 1)
			if got := actionProblems(bad); bad == good || !strings.Contains(strings.Join(got, "\n"), c.want) {
				t.Errorf("problems are %q, want one about %q", got, c.want)
			}
		})
	}
}

// unquoted is an expansion of which the shell would make several words.
var unquoted = regexp.MustCompile(`(^|[^"'/A-Za-z0-9_}])\$[A-Za-z_{]`)

func actionProblems(text string) (problems []string) {
	var a struct {
		Runs struct {
			Using string
			Steps []workflowStep
		}
	}
	if err := yaml.Unmarshal([]byte(text), &a); err != nil {
		return []string{"not YAML: " + err.Error()}
	}
	if a.Runs.Using != "composite" {
		problems = append(problems, "it is not composite")
	}
	for i, step := range a.Runs.Steps {
		where := fmt.Sprintf("step %d", i+1)
		problems = append(problems, step.problems(where)...)
		if step.Run != "" && step.Shell == "" {
			problems = append(problems, where+": a step of an action must name its shell")
		}
		if unquoted.MatchString(step.Run) {
			problems = append(problems, where+": an expansion stands outside of quotes, and a path may have a space")
		}
	}
	return problems
}

type workflow struct {
	Permissions yaml.Node
	Concurrency yaml.Node
	Jobs        map[string]struct {
		Permissions yaml.Node
		Timeout     int `yaml:"timeout-minutes"`
		Steps       []workflowStep
	}
}

type workflowStep struct {
	Uses  yaml.Node
	With  map[string]yaml.Node
	Run   string
	Shell string
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
			problems = append(problems, step.problems(fmt.Sprintf("job %s, step %d", name, i+1))...)
		}
	}
	return problems
}

func (s workflowStep) problems(where string) (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, where+": "+fmt.Sprintf(format, args...)) }
	if strings.Contains(s.Run, "${{") {
		report("an expression inside run: becomes code; pass it through env:")
	}
	uses := s.Uses.Value
	switch {
	case uses == "":
		return problems
	case !pinned.MatchString(uses):
		report("%s is not pinned to a full commit", uses)
	case !strings.HasPrefix(uses, "./") && !version.MatchString(s.Uses.LineComment):
		report("%s says in no comment which version that is", uses)
	}
	if keep := s.With["persist-credentials"]; strings.HasPrefix(uses, "actions/checkout@") && keep.Value != "false" {
		report("checkout must say persist-credentials: false")
	}
	return problems
}

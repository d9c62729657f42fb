package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// granted are the rights that go beyond reading the contents, by file and
// job, and why. Whatever else asks for one has to be argued for here.
var granted = map[string]map[string]string{
	".github/workflows/release.yml release": {
		"contents":     "the tag, and the release's files",
		"id-token":     "who built it",
		"attestations": "who built it",
	},
	".github/workflows/security.yml codeql": {"security-events": "the findings"},
}

// A guardedWorkflow is a workflow as far as its rights and secrets go.
type guardedWorkflow struct {
	On   yaml.Node
	Jobs map[string]struct {
		If          string
		Needs       needs
		Environment string
		Permissions map[string]string
		Concurrency struct {
			Group  string
			Cancel string `yaml:"cancel-in-progress"`
		}
		Steps []yaml.Node
	}
}

// needs are the jobs that a job waits for, one or a list.
type needs []string

func (n *needs) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*n = needs{node.Value}
		return nil
	}
	var list []string
	err := node.Decode(&list)
	*n = list
	return err
}

// triggers are the events that start the workflow.
func (w guardedWorkflow) triggers() (names []string) {
	switch w.On.Kind {
	case yaml.ScalarNode:
		return []string{w.On.Value}
	case yaml.SequenceNode:
		for _, n := range w.On.Content {
			names = append(names, n.Value)
		}
	default:
		for i := 0; i < len(w.On.Content); i += 2 {
			names = append(names, w.On.Content[i].Value)
		}
	}
	return names
}

// workflows are our own workflows and the templates, as a release hands them
// out.
func workflows(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range tree(t, func(p string) bool { return strings.HasPrefix(p, ".github/workflows/") || isExample(p) }) {
		found[path] = stamped(read(t, path))
	}
	for _, path := range documents(t) {
		for _, b := range blocks(read(t, path)) {
			if isWorkflow(b) {
				found[fmt.Sprintf("%s:%d", path, b.line)] = stamped(b.text)
			}
		}
	}
	return found
}

func TestNoExcessPermission(t *testing.T) {
	for path, text := range workflows(t) {
		w := guard(t, path, text)
		for name, job := range w.Jobs {
			for right, level := range job.Permissions {
				if right == "contents" && level == "read" || granted[path+" "+name][right] != "" {
					continue
				}
				t.Errorf("%s: the job %s may %s %s, for no reason that is known", path, name, level, right)
			}
		}
	}
	for where := range granted {
		path, name, _ := strings.Cut(where, " ")
		if job, ok := guard(t, path, read(t, path)).Jobs[name]; !ok || len(job.Permissions) < len(granted[where]) {
			t.Errorf("%s needs less than it is granted", where)
		}
	}
}

func guard(t *testing.T, path, text string) (w guardedWorkflow) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return w
}

// TestSecretsStayInTheirJob: a job with a secret is in an environment, which
// gives it to main alone; it is skipped on pull requests, checks out nothing,
// installs nothing, and waits for its turn.
func TestSecretsStayInTheirJob(t *testing.T) {
	seen := 0
	for path, text := range workflows(t) {
		for _, problem := range secretProblems(text) {
			t.Errorf("%s: %s", path, problem)
		}
		seen += strings.Count(text, "secrets.")
	}
	if seen == 0 {
		t.Error("no secret was found: the test does not see them")
	}
}

func TestSecretProblems(t *testing.T) {
	const good = `
on:
  push:
  schedule:
jobs:
  publish:
    if: github.event_name != 'pull_request' && github.ref == 'refs/heads/main'
    environment: routing-bundle
    permissions: {}
    concurrency:
      group: routing-bundle
      cancel-in-progress: false
    steps:
      - uses: actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1
      - env:
          KEY: ${{ secrets.KEY }}
        run: program
`
	if got := secretProblems(good); len(got) != 0 {
		t.Fatalf("a good workflow has problems: %q", got)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"a secret of the repository", "    environment: routing-bundle\n", "", "environment"},
		{"a secret on pull requests", "github.event_name != 'pull_request' && ", "", "pull requests"},
		{"a secret beside a checkout", "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c", "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1", "actions/checkout"},
		{"a secret beside an install", "run: program", "run: npm ci", "npm ci"},
		{"a secret for the whole job", "    steps:\n", "    env:\n      TOKEN: ${{ secrets.KEY }}\n    steps:\n", "whole"},
		{"P34 P35 no group", "    concurrency:\n      group: routing-bundle\n      cancel-in-progress: false\n", "", "concurrency"},
		{"P34 P35 a group that cancels", "cancel-in-progress: false", "cancel-in-progress: true", "concurrency"},
		{"foreign code with our rights", "  push:\n", "  pull_request_target:\n", "pull_request_target"},
		{"rights of a run that was started by others", "  push:\n", "  workflow_run:\n", "workflow_run"},
		{"all secrets handed on", "    steps:\n", "    secrets: inherit\n    steps:\n", "inherit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(good, c.from, c.to, 1)
			if got := secretProblems(bad); bad == good || !strings.Contains(strings.Join(got, "\n"), c.want) {
				t.Errorf("problems are %q, want one about %q", got, c.want)
			}
		})
	}
}

// installers are what a job with a secret has no business with.
var installers = []string{"npm ", "pip ", "apt-get", "curl ", "go install", "go run", "nix "}

func secretProblems(text string) (problems []string) {
	var w guardedWorkflow
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		return []string{err.Error()}
	}
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, event := range []string{"pull_request_target", "workflow_run"} {
		if slices.Contains(w.triggers(), event) {
			report("%s runs what others wrote with rights of ours", event)
		}
	}
	if strings.Contains(text, "secrets: inherit") {
		report("secrets: inherit hands on all of them")
	}
	inSteps := 0
	for _, name := range slices.Sorted(maps.Keys(w.Jobs)) {
		job := w.Jobs[name]
		body := asText(job.Steps)
		inSteps += strings.Count(body, "secrets.")
		if !strings.Contains(body, "secrets.") {
			continue
		}
		if job.Environment == "" {
			report("%s has a secret, and no environment that gives it to main alone", name)
		}
		if !strings.Contains(job.If, "github.ref == 'refs/heads/main'") || !strings.Contains(job.If, "github.event_name != 'pull_request'") {
			report("%s has a secret, and is not skipped on pull requests and other branches", name)
		}
		if job.Concurrency.Group == "" || job.Concurrency.Cancel != "false" {
			report("%s needs a concurrency group of its own that cancels nothing", name)
		}
		for _, other := range append([]string{"actions/checkout", "actions/setup-"}, installers...) {
			if strings.Contains(body, other) {
				report("%s has a secret, and does more than it must: %s", name, strings.TrimSpace(strings.TrimSuffix(line(body, other), "\n")))
			}
		}
	}
	if inSteps != strings.Count(text, "secrets.") {
		report("a secret is given to a whole job or workflow, not to the step that uses it")
	}
	return problems
}

func asText(steps []yaml.Node) string {
	data, err := yaml.Marshal(steps)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// line is the first line of text that holds what.
func line(text, what string) string {
	for l := range strings.Lines(text) {
		if strings.Contains(l, what) {
			return l
		}
	}
	return ""
}

// TestReleaseIsMadeByAPerson: no push, no schedule and no pointer that moves
// makes a release.
func TestReleaseIsMadeByAPerson(t *testing.T) {
	const path = ".github/workflows/release.yml"
	w := guard(t, path, read(t, path))
	if got := w.triggers(); !slices.Equal(got, []string{"workflow_dispatch"}) {
		t.Errorf("a release is started by %v", got)
	}
	if first := w.Jobs["binaries"].If; first != "github.ref == 'refs/heads/main'" {
		t.Errorf("a release is built if %q", first)
	}
	if w.Jobs["release"].Environment == "" {
		t.Error("nobody approves a release")
	}
	// The archives of mega-tron are made of the programs that were compared,
	// and there before the release's hashes are.
	if got := w.Jobs["archives"].Needs; !slices.Equal(got, []string{"binaries"}) {
		t.Errorf("the archives are made of %q", got)
	}
	if got := w.Jobs["release"].Needs; !slices.Contains(got, "archives") || !slices.Contains(got, "binaries") {
		t.Errorf("a release waits for %q alone", got)
	}
	for _, attested := range []string{"subject-checksums: dist/SHA256SUMS\n", "subject-path: skills/routing/bin/*/*\n"} {
		if !strings.Contains(read(t, path), attested) {
			t.Errorf("a release does not attest %s", attested)
		}
	}
	for other, text := range workflows(t) {
		if other != path && (strings.Contains(text, "gh release") || strings.Contains(text, "git push") || strings.Contains(text, "action-gh-release")) {
			t.Errorf("%s pushes or releases", other)
		}
	}
}

// TestArtifacts: "P32 hidden files vanish from artifacts", "P33 two uploads with
// one artifact name". What is handed over is there or fails, and a later
// attempt neither collides nor looks for the wrong name.
func TestArtifacts(t *testing.T) {
	seen := 0
	for path, text := range workflows(t) {
		for name, job := range guard(t, path, text).Jobs {
			for _, node := range job.Steps {
				var step struct {
					Uses string
					With map[string]string
				}
				if err := node.Decode(&step); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				with := step.With
				switch action, _, _ := strings.Cut(step.Uses, "@"); action {
				case "actions/upload-artifact":
					seen++
					if with["if-no-files-found"] != "error" {
						t.Errorf("P32: %s, %s: an artifact without files must be an error", path, name)
					}
					if strings.Contains(with["path"], "/.") || strings.HasPrefix(with["path"], ".") {
						t.Errorf("P32: %s, %s: hidden files are left out of %s", path, name, with["path"])
					}
					if !strings.Contains(with["name"], "github.run_attempt") && with["overwrite"] != "true" {
						t.Errorf("P33: %s, %s: a second attempt finds %s taken", path, name, with["name"])
					}
				case "actions/download-artifact":
					if strings.Contains(with["name"], "github.run_attempt") {
						t.Errorf("P33: %s, %s: where it runs again alone, the artifact is that of an earlier attempt; take its name from the job that made it", path, name)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no artifact was found: the test does not see them")
	}
}

// TestTemplatesPinAPlaceholder: whoever copies a template pins a release that
// he reviewed, and nothing that he did not choose.
func TestTemplatesPinAPlaceholder(t *testing.T) {
	seen := 0
	check := func(where, text string) {
		for l := range strings.Lines(text) {
			for _, name := range []string{"uses: marola-dev/marola-routing", "marola-dev/marola-routing/cmd/"} {
				if !strings.Contains(l, name) {
					continue
				}
				seen++
				if !strings.HasSuffix(strings.TrimSpace(l), "uses: "+own) && !strings.Contains(l, `@$ROUTING_COMMIT"`) {
					t.Errorf("%s: %q names our program otherwise than by the placeholder of the release's commit", where, strings.TrimSpace(l))
				}
			}
		}
	}
	for _, path := range tree(t, isExample) {
		text := read(t, path)
		check(path, text)
		if !strings.Contains(text, "FULL_COMMIT_HASH") {
			t.Errorf("%s pins no release", path)
		}
	}
	for _, path := range documents(t) {
		for _, b := range blocks(read(t, path)) {
			if isWorkflow(b) {
				check(fmt.Sprintf("%s, line %d", path, b.line), b.text)
			}
		}
	}
	if seen < 2 {
		t.Errorf("%d places were found: the test does not see them", seen)
	}
}

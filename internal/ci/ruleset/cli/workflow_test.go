//go:build unix

package cli_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/rulesets"
	"github.com/marola-dev/marola-routing/internal/testkit/runner"
)

const ourRepository = "marola-dev/marola-routing"

// A pipeline runs our own workflow, with our own rulesets, against a service.
type pipeline struct {
	t       *testing.T
	service *rulesets.Service
	app     *appService
	runner  *runner.Runner
	w       *runner.Workflow
}

func newPipeline(t *testing.T, event string) *pipeline {
	t.Helper()
	top, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	service, err := rulesets.New(rulesets.Repository{FullName: ourRepository})
	if err != nil {
		t.Fatal(err)
	}
	service.Apps = map[string]int{"marola-bundle-bot": 4242}
	p := &pipeline{t: t, service: service, app: &appService{id: 31, slug: "rules-bot"}}
	service.Before = p.app.before
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	if p.w, err = runner.ReadWorkflow(filepath.Join(top, ".github", "workflows", "rulesets.yml")); err != nil {
		t.Fatal(err)
	}
	// What make builds is this very test binary, which is the program under
	// that name.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tools := t.TempDir()
	script := "#!/bin/sh\n[ \"$*\" = bin/ruleset-sync ] && mkdir -p bin && cp '" + self + "' bin/ruleset-sync\n"
	if err := os.WriteFile(filepath.Join(tools, "make"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p.runner = &runner.Runner{
		Dir:     t.TempDir(),
		Env:     []string{"PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GORACE=atexit_sleep_ms=10"},
		GitHub:  map[string]string{"event_name": event, "ref": "refs/heads/main", "repository": ourRepository, "server_url": server.URL, "api_url": server.URL, "run_attempt": "1", "token": "ghs_of_the_workflow"},
		Vars:    map[string]string{"RULESET_BOT_APP_ID": "31"},
		Secrets: map[string]string{"RULESET_BOT_KEY": appKey()},
		Uses: map[string]func(*runner.Machine, map[string]string) error{
			"actions/checkout": func(m *runner.Machine, with map[string]string) error {
				if with["persist-credentials"] != "false" {
					return errors.New("it keeps the token in the checkout")
				}
				return os.CopyFS(filepath.Join(m.Workspace, "rulesets"), os.DirFS(filepath.Join(top, "rulesets")))
			},
			"actions/setup-go": func(*runner.Machine, map[string]string) error { return nil },
		},
	}
	return p
}

// run runs both jobs.
func (p *pipeline) run() (lint, drift runner.Result) {
	lint = p.runner.Run(p.w, "lint", nil)
	return lint, p.runner.Run(p.w, "drift", map[string]runner.Result{"lint": lint})
}

// applied brings the service to what our files say.
func (p *pipeline) applied() {
	p.t.Helper()
	files := map[string]string{}
	for _, name := range []string{"manifest.yaml", "main-rule.json", "ci-rule.json", "routing-bundle.json", "routing-bundle-tag.json"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "rulesets", name))
		if err != nil {
			p.t.Fatal(err)
		}
		files["rulesets/"+name] = string(data)
	}
	if code, _, stderr := in(p.t, p.service, files, []string{"KEY=" + appKey(), "GH_TOKEN="}, "apply", "--app-id", "31", "--private-key-env", "KEY"); code != 0 {
		p.t.Fatalf("exit %d: %s", code, stderr)
	}
	p.service.Requests()
	p.app.revoked = false
}

func TestWorkflow(t *testing.T) {
	t.Run("a pull request", func(t *testing.T) {
		p := newPipeline(t, "pull_request")
		p.app.workflow = "ghs_of_the_workflow"
		lint, drift := p.run()
		if lint.Status != "success" || drift.Status != "skipped" {
			t.Fatalf("lint is a %s, drift is %s: %v\n%s", lint.Status, drift.Status, lint.Err, lint.Log)
		}
		for _, want := range []string{"4 rulesets: 0 errors, 0 warnings", "## ruleset-sync plan", "| missing | `marola-dev/marola-routing` | `routing-bundle` |", "::warning file=rulesets/main-rule.json,title=ruleset-sync plan::"} {
			if !strings.Contains(lint.Log, want) {
				t.Errorf("the log is\n%s\nwant %q", lint.Log, want)
			}
		}
	})
	t.Run("every night, in sync", func(t *testing.T) {
		p := newPipeline(t, "schedule")
		p.applied()
		p.app.workflow = "ghs_of_the_workflow"
		lint, drift := p.run()
		if lint.Status != "success" || drift.Status != "success" || !strings.Contains(drift.Log, "ruleset-sync: 4 ok") || !p.app.revoked {
			t.Fatalf("lint is a %s, drift a %s: %v %v\n%s", lint.Status, drift.Status, lint.Err, drift.Err, drift.Log)
		}
		p.writesNothing()
	})
	t.Run("every night, and somebody let himself in", func(t *testing.T) {
		p := newPipeline(t, "schedule")
		p.applied()
		p.app.workflow = "ghs_of_the_workflow"
		p.service.Change(ourRepository, "routing-bundle", func(o rulesets.Object) {
			o["bypass_actors"] = append(o["bypass_actors"].([]any), rulesets.Object{"actor_type": "User", "actor_id": 42, "bypass_mode": "always"})
		})
		lint, drift := p.run()
		if lint.Status != "success" || drift.Status != "failure" || !strings.Contains(drift.Log, "user 42 (always) will be REMOVED") {
			t.Fatalf("lint is a %s, drift a %s: %v\n%s", lint.Status, drift.Status, drift.Err, drift.Log)
		}
		p.writesNothing()
	})
	t.Run("every night, and the actors are hidden", func(t *testing.T) {
		p := newPipeline(t, "schedule")
		p.applied()
		p.app.workflow = "ghs_of_the_workflow"
		p.service.HideActors()
		if lint, drift := p.run(); lint.Status != "success" || drift.Status != "failure" || !strings.Contains(drift.Log, "4 unverified") {
			t.Fatalf("R42: lint is a %s, drift a %s: %v\n%s", lint.Status, drift.Status, drift.Err, drift.Log)
		}
	})
}

// writesNothing: a look at rulesets asks for a token, gives it back, and reads.
func (p *pipeline) writesNothing() {
	p.t.Helper()
	for _, r := range p.service.Requests() {
		if r.Method != http.MethodGet && !strings.HasPrefix(r.Path, "/app/") && r.Path != "/installation/token" {
			p.t.Errorf("it writes: %s %s", r.Method, r.Path)
		}
	}
}

package githost

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const branchRules = `{"name":"routing-bundle","target":"branch","enforcement":"active",
 "bypass_actors":[{"actor_id":4242,"actor_type":"Integration","bypass_mode":"always"}],
 "conditions":{"ref_name":{"include":["refs/heads/routing-bundle"],"exclude":[]}},
 "rules":[{"type":"creation"},{"type":"update"},{"type":"deletion"},{"type":"non_fast_forward"}]}`

const tagRules = `{"name":"routing-bundle-tag","target":"tag","enforcement":"active","bypass_actors":[],
 "conditions":{"ref_name":{"include":["refs/tags/routing-bundle"],"exclude":[]}},"rules":[{"type":"creation"},{"type":"update"}]}`

// TestRulesHoldForTheAPIAndForGit: whoever a ruleset does not name is refused
// in both ways, and nobody makes a tag of the branch's name.
func TestRulesHoldForTheAPIAndForGit(t *testing.T) {
	t.Parallel()
	h, repo := served(t)
	repo.Protect([]byte(branchRules))
	repo.Protect([]byte(tagRules))
	h.AddApp(App{ID: 7, Slug: "other-bot", Installed: []string{"o/umbrella"}, Permissions: map[string]string{"contents": "write"}})
	bot := h.Token(botID, repo.Name, map[string]string{"contents": "write"})
	others := map[string]string{"another App": h.Token(7, repo.Name, map[string]string{"contents": "write"}), "a writer": "ghp_writer", "an owner": "ghp_owner"}
	const ref, tag = "refs/heads/routing-bundle", "refs/tags/routing-bundle"
	main := strings.TrimSpace(mustRun(t, h, repo, "rev-parse", "main"))
	other := strings.TrimSpace(mustRun(t, h, repo, "commit-tree", "-m", "x", main+"^{tree}"))
	api := func(who, what, name, from, to string) string {
		t.Helper()
		if what == "create" {
			_, v := ask(t, h, "POST", "repos/o/umbrella/git/refs", who, Object{"ref": name, "sha": to})
			return fmt.Sprint(v["message"])
		}
		_, v := ask(t, h, "POST", "graphql", who, Object{"query": "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }",
			"variables": Object{"input": Object{"repositoryId": repo.node(), "refUpdates": []any{Object{"name": name, "beforeOid": from, "afterOid": to, "force": true}}}}})
		return fmt.Sprint(v["errors"])
	}
	refused := func(stage string) {
		t.Helper()
		for name, who := range others {
			before := mustRun(t, h, repo, "for-each-ref")
			for what, said := range map[string]string{
				"creating":     api(who, "create", ref, "", main),
				"creating tag": api(who, "create", tag, "", main),
			} {
				if !strings.Contains(said, "Repository rule violations found") && !(stage == "afterwards" && strings.Contains(said, "already exists")) {
					t.Errorf("%s: %s by %s: %s", stage, what, name, said)
				}
			}
			if stage == "afterwards" {
				for what, to := range map[string]string{"updating": other, "deleting": zero} {
					if said := api(who, "update", ref, main, to); !strings.Contains(said, "Repository rule violations found") {
						t.Errorf("%s by %s: %s", what, name, said)
					}
				}
				if _, v := ask(t, h, "PATCH", "repos/o/umbrella/git/"+ref, who, Object{"sha": other, "force": true}); !strings.Contains(fmt.Sprint(v["message"]), "Cannot update this protected ref.") {
					t.Errorf("updating by %s: %v", name, v)
				}
				if _, v := ask(t, h, "DELETE", "repos/o/umbrella/git/"+ref, who, nil); !strings.Contains(fmt.Sprint(v["message"]), "Cannot delete") {
					t.Errorf("deleting by %s: %v", name, v)
				}
			}
			for _, spec := range []string{"HEAD:" + ref, ":" + ref, "HEAD:" + tag} {
				if stage != "afterwards" && spec[0] == ':' {
					continue
				}
				if out, err := push(h, repo, who, spec); err == nil || !strings.Contains(out, "GH013") || !strings.Contains(out, "pre-receive hook declined") {
					t.Errorf("%s: %s pushes %s: %v\n%s", stage, name, spec, err, out)
				}
			}
			if mustRun(t, h, repo, "for-each-ref") != before {
				t.Errorf("%s: %s moved a ref", stage, name)
			}
		}
	}
	refused("before the first publish")
	if said := api(bot, "create", ref, "", main); said != "<nil>" {
		t.Fatalf("the App: %s", said)
	}
	refused("afterwards")
	if out, err := push(h, repo, bot, "HEAD:"+ref); err != nil {
		t.Errorf("the App pushes: %s", out)
	}
	if out, err := push(h, repo, bot, "HEAD:"+tag); err == nil {
		t.Errorf("the App makes the tag: %s", out)
	}
	if said := api(bot, "create", tag, "", main); !strings.Contains(said, "Cannot create ref") {
		t.Errorf("the App makes the tag: %s", said)
	}
	if out, err := push(h, repo, "ghp_writer", "HEAD:refs/heads/work"); err != nil {
		t.Errorf("other work: %s", out)
	}
	if out, err := push(h, repo, "ghp_reader", "HEAD:refs/heads/work"); err == nil || !strings.Contains(out, "403") {
		t.Errorf("a reader pushes: %s", out)
	}

	// Who writes the branch cannot take its rules away.
	if status, _ := ask(t, h, "POST", "repos/o/umbrella/rulesets", bot, Object{"name": "x", "enforcement": "active"}); status != http.StatusForbidden {
		t.Errorf("the App writes rulesets: %d", status)
	}
	if status, v := ask(t, h, "POST", "repos/o/umbrella/rulesets", "ghp_owner", Object{"name": "x", "enforcement": "active"}); status != 201 {
		t.Errorf("the owner cannot: %d %v", status, v)
	}
	if status, v := ask(t, h, "GET", fmt.Sprintf("repos/o/umbrella/rulesets/%d", 101), bot, nil); status != 200 || v["name"] != "routing-bundle" || v["bypass_actors"] != nil {
		t.Errorf("R42 the App sees %d %v", status, v)
	}
}

func TestOtherRules(t *testing.T) {
	for _, tt := range []struct {
		name, ruleset, ref string
		refused            bool
	}{
		{"evaluated only", strings.Replace(branchRules, `"active"`, `"evaluate"`, 1), "refs/heads/routing-bundle", false},
		{"a pattern", strings.Replace(branchRules, "refs/heads/routing-bundle\"", "refs/heads/routing-*\"", 1), "refs/heads/routing-x", true},
		{"a pattern and a slash", strings.Replace(branchRules, "refs/heads/routing-bundle\"", "refs/heads/*\"", 1), "refs/heads/a/b", false},
		{"a pattern over slashes", strings.Replace(branchRules, "refs/heads/routing-bundle\"", "refs/heads/**/*\"", 1), "refs/heads/a/b", true},
		{"all branches", strings.Replace(branchRules, "refs/heads/routing-bundle\"", "~ALL\"", 1), "refs/heads/a/b", true},
		{"but one", strings.Replace(branchRules, `"exclude":[]`, `"exclude":["refs/heads/routing-bundle"]`, 1), "refs/heads/routing-bundle", false},
		{"a role passes", strings.Replace(branchRules, `{"actor_id":4242,"actor_type":"Integration"`, `{"actor_id":4,"actor_type":"RepositoryRole"`, 1), "refs/heads/routing-bundle", false},
		{"R44 another role", strings.Replace(branchRules, `{"actor_id":4242,"actor_type":"Integration"`, `{"actor_id":5,"actor_type":"RepositoryRole"`, 1), "refs/heads/routing-bundle", true},
		{"only signed commits", strings.Replace(branchRules, `"rules":[`, `"rules":[{"type":"required_signatures"}],"x":[`, 1), "refs/heads/routing-bundle", true},
		{"no force", strings.Replace(branchRules, `{"type":"creation"},{"type":"update"},{"type":"deletion"},`, "", 1), "refs/heads/routing-bundle", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, repo := served(t)
			repo.Protect([]byte(tt.ruleset))
			if out, err := push(h, repo, "ghp_writer", "HEAD:"+tt.ref); (err != nil) != tt.refused {
				t.Errorf("%v\n%s", err, out)
			}
			if tt.name == "no force" {
				main := strings.TrimSpace(mustRun(t, h, repo, "rev-parse", "main"))
				mustRun(t, h, repo, "update-ref", tt.ref, strings.TrimSpace(mustRun(t, h, repo, "commit-tree", "-m", "x", main+"^{tree}")))
				if out, err := push(h, repo, "ghp_writer", "HEAD:"+tt.ref); err == nil || !strings.Contains(out, "Cannot force-push") {
					t.Errorf("by force: %v\n%s", err, out)
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	h, repo := served(t)
	token := h.Token(botID, repo.Name, map[string]string{"contents": "write"})
	main := strings.TrimSpace(mustRun(t, h, repo, "rev-parse", "main"))
	n := 0
	create := func() (int, Object, bool) {
		n++
		name := fmt.Sprintf("refs/heads/b%d", n)
		status, v := ask(t, h, "POST", "repos/o/umbrella/git/refs", token, Object{"ref": name, "sha": main})
		return status, v, strings.Contains(mustRun(t, h, repo, "for-each-ref"), name+"\n")
	}
	due := 0
	for _, tt := range []struct {
		name   string
		fault  Fault
		status int // 0: no answer
		done   bool
	}{
		{"dropped before", Fault{DropBefore: true}, 0, false}, {"dropped within", Fault{DropHalf: true}, 0, false}, {"dropped after", Fault{DropAfter: true}, 0, true},
		{"502 before", Fault{Before: BadGateway()}, 502, false}, {"502 after", Fault{After: BadGateway()}, 502, true}, {"503", Fault{Before: Unavailable()}, 503, false},
		{"a secondary limit as 403", Fault{Before: Secondary(403, "1")}, 403, false}, {"as 429", Fault{Before: Secondary(429, "")}, 429, false},
		{"no right", Fault{Before: NotAccessible()}, 403, false}, {"invalid", Fault{Before: Invalid("Validation Failed", `["x"]`)}, 422, false},
		{"slow", Fault{Latency: 30 * time.Millisecond}, 201, true},
	} {
		h.Break(func(Request) Fault { tt.fault.Do = func() { due++ }; return tt.fault })
		start := time.Now()
		status, v, done := create()
		if status != tt.status || done != tt.done || time.Since(start) < tt.fault.Latency {
			t.Errorf("%s: %d %v, done: %v", tt.name, status, v, done)
		}
	}
	if due != 10 {
		t.Errorf("%d faults were due", due)
	}
	h.Break(nil)
	h.Limit(2)
	for i, want := range []int{201, 201, 403} {
		if status, v, _ := create(); status != want {
			t.Errorf("request %d of two: %d %v", i+1, status, v)
		}
	}
	h.Limit(0)
	if status, _ := ask(t, h, "GET", "rate_limit", token, nil); status != 200 {
		t.Errorf("the limits: %d", status)
	}
}

// TestWhatTheDescriptionDoesNotKnow: a client's slip fails its test.
func TestWhatTheDescriptionDoesNotKnow(t *testing.T) {
	t.Parallel()
	h, repo := served(t)
	token := h.Token(botID, repo.Name, map[string]string{"contents": "write"})
	for path, body := range map[string]Object{
		"repos/o/umbrella/git/blobs":           {"content": "x", "encodin": "base64"},
		"repos/o/umbrella/git/blob":            {"content": "x"},
		"repos/o/umbrella/git/blobs?per_page=": {"content": "x"},
	} {
		ask(t, h, "POST", path, token, body)
		if wrong := h.Wrong(); len(wrong) != 1 {
			t.Errorf("%s: %v", path, wrong)
		}
	}
}

//go:build unix

package endtoend

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// appID is the App of the rulesets in docs/first-publish.md.
const appID = 4242

// A ruleset is what GitHub takes, as far as our two have it.
type ruleset struct {
	Name        string
	Target      string
	Enforcement string
	Bypass      []struct {
		ID   int    `json:"actor_id"`
		Type string `json:"actor_type"`
		Mode string `json:"bypass_mode"`
	} `json:"bypass_actors"`
	Conditions struct {
		RefName struct{ Include, Exclude []string } `json:"ref_name"`
	}
	Rules []rule
}

type rule struct{ Type string }

// documentedRulesets are those that docs/first-publish.md has people create,
// as they stand there.
func documentedRulesets(t *testing.T) (sets []ruleset) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(module(t), "docs", "first-publish.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(page), "\n```json\n")[1:] {
		text, _, _ := strings.Cut(part, "\n```\n")
		var set ruleset
		if err := json.Unmarshal([]byte(text), &set); err != nil {
			t.Fatalf("a ruleset of the page is no JSON: %v\n%s", err, text)
		}
		sets = append(sets, set)
	}
	if len(sets) != 2 || sets[0].Target != "branch" || sets[1].Target != "tag" {
		t.Fatalf("the page has %d rulesets; it needs one for the branch and one for the tag", len(sets))
	}
	return sets
}

// TestTheDocumentedRulesetsAreOurOwn: the page has people create what this
// repository keeps for itself, but for the App's number.
func TestTheDocumentedRulesetsAreOurOwn(t *testing.T) {
	sets := documentedRulesets(t)
	for _, documented := range sets {
		data, err := os.ReadFile(filepath.Join(module(t), "rulesets", documented.Name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var committed ruleset
		text := strings.ReplaceAll(string(data), `"${app:marola-bundle-bot}"`, fmt.Sprint(appID))
		if err := json.Unmarshal([]byte(text), &committed); err != nil {
			t.Fatal(err)
		}
		for _, set := range []*ruleset{&documented, &committed} {
			slices.SortFunc(set.Rules, func(a, b rule) int { return strings.Compare(a.Type, b.Type) })
		}
		if !reflect.DeepEqual(documented, committed) {
			t.Errorf("the page has\n%+v\nrulesets/%s.json is\n%+v", documented, documented.Name, committed)
		}
	}
}

// hook is a pre-receive hook that applies rulesets as GitHub does: whom a set
// names as a bypass passes it, every other push is refused in GitHub's words.
func hook(t *testing.T, sets []ruleset) string {
	t.Helper()
	var cases strings.Builder
	for _, set := range sets {
		if set.Enforcement != "active" || len(set.Conditions.RefName.Exclude) > 0 {
			t.Fatalf("the ruleset %s is not enforced as it stands: %+v", set.Name, set)
		}
		rules := map[string]bool{}
		for _, r := range set.Rules {
			rules[r.Type] = true
		}
		needed := []string{"creation", "update", "deletion", "non_fast_forward"}
		if set.Target == "tag" {
			needed = needed[:2] // one that is there already should go
		}
		for _, rule := range needed {
			if !rules[rule] {
				t.Fatalf("the ruleset %s does not restrict the %s", set.Name, rule)
			}
		}
		pass := "nobody"
		for _, actor := range set.Bypass {
			if actor.Type != "Integration" || actor.Mode != "always" {
				t.Fatalf("the ruleset %s lets others pass: %+v", set.Name, actor)
			}
			pass = fmt.Sprintf("app/%d", actor.ID)
		}
		for _, ref := range set.Conditions.RefName.Include {
			allowed := fmt.Sprintf("[ \"$REMOTE_USER\" = %s ]", pass)
			if !rules["deletion"] {
				allowed += " || [ -z \"$(echo \"$new\" | tr -d 0)\" ]"
			}
			fmt.Fprintf(&cases, "  %s) %s || refuse \"$ref\" ;;\n", ref, allowed)
		}
	}
	return `#!/bin/sh
refuse() {
  echo "error: GH013: Repository rule violations found for $1." >&2
  echo "- Cannot update this protected ref." >&2
  exit 1
}
while read -r old new ref; do
  case $ref in
` + cases.String() + `  esac
done
`
}

// A gitHost is repositories behind tokens, as github.com serves them: real
// git, which knows who pushes.
type gitHost struct {
	*httptest.Server
	dir    string
	mu     sync.Mutex        // of what follows
	tokens map[string]string // token → who it is
	app    *app              // nil: nobody has installed one
}

func serveGit(t *testing.T) *gitHost {
	t.Helper()
	exec := strings.TrimSpace(command(t, ".", os.Environ(), "git", "--exec-path"))
	h := &gitHost{dir: t.TempDir(), tokens: map[string]string{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a := h.installed(); strings.HasPrefix(r.URL.Path, "/api/v3/") && a != nil {
			a.api(h, w, r)
			return
		}
		who := ""
		if user, token, ok := r.BasicAuth(); ok {
			if who = h.who(token); who == "" || user != "x-access-token" {
				http.Error(w, "bad credentials", http.StatusUnauthorized)
				return
			}
		}
		push := strings.HasSuffix(r.URL.Path, "/git-receive-pack") || r.URL.Query().Get("service") == "git-receive-pack"
		if push && who == "" {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "who is it?", http.StatusUnauthorized)
			return
		}
		body, err := io.ReadAll(r.Body) // a CGI program wants to know its length
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		(&cgi.Handler{
			Path: filepath.Join(exec, "git-http-backend"),
			Env:  []string{"GIT_PROJECT_ROOT=" + h.dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=" + who, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"},
		}).ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// give lets a token be somebody.
func (h *gitHost) give(token, who string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[token] = who
}

// install makes a the host's App.
func (h *gitHost) install(a *app) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.app = a
}

func (h *gitHost) installed() *app {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.app
}

// take ends a token.
func (h *gitHost) take(token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.tokens, token)
}

func (h *gitHost) who(token string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tokens[token]
}

// create makes an empty repository with a hook, and returns its directory.
func (h *gitHost) create(t *testing.T, name, hook string) string {
	t.Helper()
	dir := filepath.Join(h.dir, filepath.FromSlash(name))
	command(t, h.dir, os.Environ(), "git", "init", "-q", "--bare", "-b", "main", dir)
	command(t, dir, os.Environ(), "git", "config", "http.receivepack", "true")
	command(t, dir, os.Environ(), "git", "config", "uploadpack.allowFilter", "true")
	command(t, dir, os.Environ(), "git", "config", "uploadpack.allowAnySHA1InWant", "true")
	write(t, filepath.Join(dir, "hooks", "pre-receive"), hook, 0o755)
	return dir
}

// push pushes as whoever has the token, and returns what git says.
func (h *gitHost) push(env []string, dir, token, name, refspec string) (string, error) {
	basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
	cmd := exec.Command("git", "push", "--force", h.URL+"/"+name, refspec)
	cmd.Dir = dir
	cmd.Env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraheader", "GIT_CONFIG_VALUE_0=Authorization: Basic "+basic)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestOnlyTheAppWritesTheBranch: under the rulesets of the page, a push by any
// other identity is refused, and the tag of the branch's name cannot be made
// by anybody.
func TestOnlyTheAppWritesTheBranch(t *testing.T) {
	sets := documentedRulesets(t)
	env := machine(t)
	h := serveGit(t)
	bare := h.create(t, "o/umbrella", hook(t, sets))
	for token, who := range map[string]string{"app": fmt.Sprintf("app/%d", appID), "other-app": "app/1", "actions": "app/15368", "owner": "owner"} {
		h.give(token, who)
	}
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"commit", "-q", "--allow-empty", "-m", "One"}, {"tag", "routing-bundle"}} {
		command(t, dir, env, append([]string{"git"}, args...)...)
	}
	try := func(stage, token, refspec string, passes bool) {
		t.Helper()
		before := command(t, bare, env, "git", "for-each-ref")
		out, err := h.push(env, dir, token, "o/umbrella", refspec)
		switch {
		case passes && err != nil:
			t.Errorf("%s: %s is refused %s:\n%s", stage, token, refspec, out)
		case !passes && (err == nil || !strings.Contains(out, "GH013")):
			t.Errorf("%s: %s pushes %s (%v):\n%s", stage, token, refspec, err, out)
		case !passes && command(t, bare, env, "git", "for-each-ref") != before:
			t.Errorf("%s: %s moves %s though it was refused", stage, token, refspec)
		}
	}
	const branch, tag = "HEAD:refs/heads/routing-bundle", "HEAD:refs/tags/routing-bundle"
	for _, other := range []string{"owner", "actions", "other-app"} {
		try("before the first publish", other, branch, false)
	}
	try("the first publish", "app", branch, true)
	command(t, dir, env, "git", "commit", "-q", "--allow-empty", "-m", "Two")
	for _, other := range []string{"owner", "actions", "other-app"} {
		try("afterwards", other, branch, false)
		try("afterwards", other, ":refs/heads/routing-bundle", false)
		try("afterwards", other, tag, false)
	}
	try("a later publish", "app", branch, true)
	try("a later publish", "app", tag, false)
	try("other work", "owner", "HEAD:refs/heads/main", true)
	if out, err := h.push(env, dir, "nobody", "o/umbrella", branch); err == nil {
		t.Errorf("a wrong token pushes:\n%s", out)
	}
}

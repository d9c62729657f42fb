package githost

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

const botID = 4242

// served is a host with a repository, an App that may write it, and people.
func served(t *testing.T) (*Host, *Repository) {
	t.Helper()
	h := New(t)
	r := h.Create("o/umbrella")
	h.Create("o/other").Seed()
	r.Seed()
	h.AddApp(App{ID: botID, Slug: "bundle-bot", Key: &testKey().PublicKey, Installed: []string{"o/umbrella"},
		Permissions: map[string]string{"contents": "write", "metadata": "read"}})
	h.Person("writer", "ghp_writer", Write)
	h.Person("owner", "ghp_owner", Admin)
	h.Person("reader", "ghp_reader", Read)
	return h, r
}

// ask sends a request, with a body unless it is nil, and reads the answer.
func ask(t *testing.T, h *Host, method, path, token string, body any) (int, Object) {
	t.Helper()
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	url := h.API() + path
	if path == "graphql" {
		url = h.URL() + "/api/graphql"
	}
	r, err := http.NewRequest(method, url, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, Object{"message": err.Error()}
	}
	defer res.Body.Close()
	v := Object{}
	d := json.NewDecoder(res.Body)
	if err := d.Decode(&v); err != nil && res.StatusCode != http.StatusNoContent && res.StatusCode != http.StatusBadGateway {
		v["list"] = true
	}
	return res.StatusCode, v
}

// proof is an App's JSON web token.
func proof(t *testing.T, key *rsa.PrivateKey, issuer any, issued, expires time.Time) string {
	t.Helper()
	part := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(data)
	}
	text := part(Object{"alg": "RS256", "typ": "JWT"}) + "." + part(Object{"iss": issuer, "iat": issued.Unix(), "exp": expires.Unix()})
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func fresh(t *testing.T) string {
	return proof(t, testKey(), botID, time.Now().Add(-time.Minute), time.Now().Add(2*time.Minute))
}

func TestProofs(t *testing.T) {
	t.Parallel()
	h, _ := served(t)
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for _, tt := range []struct{ name, token, want string }{
		{"good", fresh(t), ""},
		{"the issuer as a text", proof(t, testKey(), fmt.Sprint(botID), now.Add(-time.Minute), now.Add(time.Minute)), ""},
		{"T01 it lasts too long", proof(t, testKey(), botID, now, now.Add(11*time.Minute)), farExpires},
		{"T02 it was made in the future", proof(t, testKey(), botID, now.Add(time.Minute), now.Add(2*time.Minute)), badIssued},
		{"T03 it is over", proof(t, testKey(), botID, now.Add(-5*time.Minute), now.Add(-time.Minute)), badExpires},
		{"another key", proof(t, other, botID, now, now.Add(time.Minute)), notDecoded},
		{"an unknown App", proof(t, testKey(), 1, now.Add(-time.Minute), now.Add(time.Minute)), noIssuer},
		{"a token", "ghp_writer", notDecoded},
		{"nothing", "", notDecoded},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, v := ask(t, h, "GET", "app", tt.token, nil)
			if tt.want == "" && (status != 200 || v["slug"] != "bundle-bot") || tt.want != "" && (status != 401 || v["message"] != tt.want) {
				t.Errorf("%d %v", status, v)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	h, repo := served(t)
	status, v := ask(t, h, "GET", "repos/o/umbrella/installation", fresh(t), nil)
	id := v["id"]
	if status != 200 || v["suspended_at"] != nil {
		t.Fatalf("%d %v", status, v)
	}
	path := fmt.Sprintf("app/installations/%.0f/access_tokens", id)
	give := func(body Object) (int, Object) { return ask(t, h, "POST", path, fresh(t), body) }
	contents := Object{"contents": "write"}

	for _, tt := range []struct {
		name   string
		body   Object
		status int
		want   string
	}{
		{"a repository that it is not installed on", Object{"repositories": []string{"other"}, "permissions": contents}, 422, "not accessible to the parent installation"},
		{"a permission that it has not", Object{"repositories": []string{"umbrella"}, "permissions": Object{"administration": "write"}}, 422, "not granted"},
		{"a level that there is none of", Object{"permissions": Object{"contents": "all"}}, 422, "not one of"},
	} {
		if status, v := give(tt.body); status != tt.status || !strings.Contains(fmt.Sprint(v["message"]), tt.want) || !strings.HasPrefix(fmt.Sprint(v["documentation_url"]), "https://docs.github.com/rest/") {
			t.Errorf("%s: %d %v", tt.name, status, v)
		}
	}
	status, v = give(Object{"repositories": []string{"umbrella"}, "permissions": contents})
	token, _ := v["token"].(string)
	if status != 201 || len(token) < 500 || !strings.HasPrefix(token, "ghs_4242_") || strings.Count(token, ".") != 2 {
		t.Fatalf("%d %v", status, v)
	}
	blob := Object{"content": "x"}
	if status, v := ask(t, h, "POST", "repos/o/umbrella/git/blobs", token, blob); status != 201 {
		t.Errorf("the token cannot write: %d %v", status, v)
	}
	if status, v := ask(t, h, "POST", "repos/o/other/git/blobs", token, blob); status != 403 {
		t.Errorf("it writes into another repository: %d %v", status, v)
	}
	read := h.Token(botID, repo.Name, map[string]string{"contents": "read"})
	if status, v := ask(t, h, "POST", "repos/o/umbrella/git/blobs", read, blob); status != 403 || v["message"] != "Resource not accessible by integration" {
		t.Errorf("T05 a token that may read writes: %d %v", status, v)
	}

	lost := h.Token(botID, repo.Name, map[string]string{"contents": "write"})
	h.Expire(lost)
	if status, _ := ask(t, h, "DELETE", "installation/token", token, nil); status != 204 {
		t.Errorf("giving back: %d", status)
	}
	for name, bad := range map[string]string{"given back": token, "T04 over": lost, "made up": "ghs_0"} {
		for _, r := range []struct{ method, path string }{{"GET", "repos/o/umbrella"}, {"POST", "repos/o/umbrella/git/blobs"}, {"DELETE", "installation/token"}, {"POST", "graphql"}} {
			if status, v := ask(t, h, r.method, r.path, bad, blob); status != 401 || v["message"] != "Bad credentials" {
				t.Errorf("a token that is %s: %s %s: %d %v", name, r.method, r.path, status, v)
			}
		}
		if out, err := push(h, repo, bad, "HEAD:refs/heads/x"); err == nil || !strings.Contains(out, "could not read Username") { // git would ask for another one
			t.Errorf("a token that is %s pushes: %s", name, out)
		}
	}
	h.ChangeApp(botID, func(a *App) { a.Suspended = true })
	if status, v := give(Object{"permissions": contents}); status != 403 {
		t.Errorf("suspended: %d %v", status, v)
	}
	if _, v := ask(t, h, "GET", "repos/o/umbrella/installation", fresh(t), nil); v["suspended_at"] == nil {
		t.Errorf("suspended: %v", v)
	}
	if status, _ := ask(t, h, "GET", "repos/o/other/installation", fresh(t), nil); status != 404 {
		t.Errorf("not installed: %d", status)
	}
	if status, _ := ask(t, h, "GET", "orgs/o/installation", fresh(t), nil); status != 200 {
		t.Errorf("of the organisation: %d", status)
	}
	if status, _ := ask(t, h, "GET", "orgs/elsewhere/installation", fresh(t), nil); status != 404 {
		t.Errorf("of another organisation: %d", status)
	}
	if status, v := ask(t, h, "GET", "users/bundle-bot[bot]", "ghp_reader", nil); status != 200 || v["type"] != "Bot" {
		t.Errorf("the bot: %d %v", status, v)
	}
}

// push pushes what a clone of the repository has at HEAD, and returns what git
// said.
func push(h *Host, r *Repository, token, refspec string) (string, error) {
	dir, err := os.MkdirTemp("", "githost")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Env = append(gitEnv(), "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_TERMINAL_PROMPT=0")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, args := range [][]string{{"clone", "-q", r.Dir, dir}, {"-C", dir, "commit", "-q", "--allow-empty", "-m", "Two"}} {
		if out, err := git(args...); err != nil {
			return out, err
		}
	}
	basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
	return git("-C", dir, "-c", "http.extraHeader=Authorization: Basic "+basic, "push", "--force", r.URL()+".git", refspec)
}

func TestGitData(t *testing.T) {
	t.Parallel()
	h, repo := served(t)
	token := h.Token(botID, repo.Name, map[string]string{"contents": "write"})
	in := func(method, path string, body any) (int, Object) {
		return ask(t, h, method, "repos/o/umbrella/"+path, token, body)
	}
	status, blob := in("POST", "git/blobs", Object{"content": base64.StdEncoding.EncodeToString([]byte("one\n")), "encoding": "base64"})
	if status != 201 || blob["sha"] != "5626abf0f72e58d7a153368ba57db4c673c0e171" {
		t.Fatalf("%d %v", status, blob)
	}
	entry := func(path string) Object {
		return Object{"path": path, "mode": "100644", "type": "blob", "sha": blob["sha"]}
	}
	status, tree := in("POST", "git/trees", Object{"tree": []any{entry("a/b.json"), entry("a.json"), entry("a-b")}})
	if status != 201 {
		t.Fatalf("%d %v", status, tree)
	}
	status, made := in("POST", "git/commits", Object{"message": "m", "tree": tree["sha"], "parents": []string{}})
	verification, _ := made["verification"].(map[string]any)
	if status != 201 || len(made["parents"].([]any)) != 0 || verification["verified"] != true {
		t.Fatalf("P29 a commit of an App that names nobody is signed: %d %v", status, made)
	}
	_, named := in("POST", "git/commits", Object{"message": "m", "tree": tree["sha"], "author": Object{"name": "x", "email": "x@example.org"}})
	if v, _ := named["verification"].(map[string]any); v["verified"] != false {
		t.Errorf("P29 a commit with an author is signed: %v", named)
	}
	if status, v := in("POST", "git/refs", Object{"ref": "refs/heads/routing-bundle", "sha": made["sha"]}); status != 201 {
		t.Fatalf("%d %v", status, v)
	}
	out, err := h.run("", "-C", repo.Dir, "log", "-1", "--format=%an|%cn|%s|%P", "refs/heads/routing-bundle")
	if err != nil || out != "bundle-bot[bot]|GitHub|m|\n" {
		t.Errorf("git sees %q, %v", out, err)
	}
	if out, err := h.run("", "-C", repo.Dir, "fsck", "--strict"); err != nil {
		t.Errorf("%s %v", out, err)
	}
	if _, err := push(h, repo, token, "HEAD:refs/heads/pushed"); err != nil {
		t.Fatal(err)
	}
	_, pushed := in("GET", "git/ref/heads/pushed", nil)
	object, _ := pushed["object"].(map[string]any)
	if status, v := in("GET", "git/commits/"+fmt.Sprint(object["sha"]), nil); status != 200 || v["message"] != "Two\n" {
		t.Errorf("the API sees %d %v of what was pushed", status, v)
	}
	if status, v := in("GET", "git/blobs/"+fmt.Sprint(blob["sha"]), nil); status != 200 || v["content"] != "b25lCg==\n" {
		t.Errorf("%d %v", status, v)
	}
	if status, v := in("GET", "git/trees/"+fmt.Sprint(tree["sha"])+"?recursive=1", nil); status != 200 || len(v["tree"].([]any)) != 4 || v["truncated"] != false {
		t.Errorf("%d %v", status, v)
	}
	if status, v := in("GET", "compare/main..."+fmt.Sprint(object["sha"]), nil); status != 404 {
		t.Errorf("only commits are compared here: %d %v", status, v)
	}
	main, err := h.run("", "-C", repo.Dir, "rev-parse", "main")
	if err != nil {
		t.Fatal(err)
	}
	main = strings.TrimSpace(main)
	for spec, want := range map[string]string{
		main + "..." + fmt.Sprint(object["sha"]): "ahead", fmt.Sprint(object["sha"]) + "..." + main: "behind", main + "..." + main: "identical",
	} {
		if status, v := in("GET", "compare/"+spec+"?per_page=1", nil); status != 200 || v["status"] != want {
			t.Errorf("%s: %d %v, want %s", spec, status, v, want)
		}
	}

	const absent = "00000000000000000000000000000000000000ff"
	for _, tt := range []struct {
		name, method, path string
		body               any
		status             int
		want               string
	}{
		{"content that is no base64", "POST", "git/blobs", Object{"content": "%", "encoding": "base64"}, 422, "not valid Base64"},
		{"an encoding that there is none of", "POST", "git/blobs", Object{"content": "", "encoding": "rot13"}, 422, "encoding"},
		{"no content", "POST", "git/blobs", Object{}, 422, "content wasn't supplied"},
		{"P25 a path that leads out", "POST", "git/trees", Object{"tree": []any{entry("../a")}}, 422, "malformed path"},
		{"P25 a path into .git", "POST", "git/trees", Object{"tree": []any{entry("a/.GIT/config")}}, 422, "malformed path"},
		{"a file that is not there", "POST", "git/trees", Object{"tree": []any{Object{"path": "a", "mode": "100644", "type": "blob", "sha": absent}}}, 422, "not a valid blob"},
		{"a mode that there is none of", "POST", "git/trees", Object{"tree": []any{Object{"path": "a", "mode": "100600", "type": "blob", "sha": blob["sha"]}}}, 422, "not one of"},
		{"P31 a tree with megabytes in it", "POST", "git/trees", Object{"tree": []any{Object{"path": "a", "mode": "100644", "type": "blob", "content": strings.Repeat("x", maxInline+1)}}}, 502, ""},
		{"a tree that is not there", "POST", "git/commits", Object{"message": "m", "tree": absent}, 422, "does not exist"},
		{"a parent that is not there", "POST", "git/commits", Object{"message": "m", "tree": tree["sha"], "parents": []string{absent}}, 422, "Parent"},
		{"a short name", "POST", "git/refs", Object{"ref": "routing-bundle", "sha": made["sha"]}, 422, "must start with"},
		{"P14 a ref that is there", "POST", "git/refs", Object{"ref": "refs/heads/routing-bundle", "sha": made["sha"]}, 422, "already exists"},
		{"P26 a ref in the way", "POST", "git/refs", Object{"ref": "refs/heads/routing-bundle/x", "sha": made["sha"]}, 422, "Reference update failed"},
		{"a ref to nothing", "POST", "git/refs", Object{"ref": "refs/heads/x", "sha": absent}, 422, "does not exist"},
		{"no fast-forward", "PATCH", "git/refs/heads/pushed", Object{"sha": made["sha"]}, 422, "not a fast forward"},
		{"a ref that is not there", "PATCH", "git/refs/heads/none", Object{"sha": made["sha"]}, 422, "does not exist"},
		{"the same for reading", "GET", "git/ref/heads/none", nil, 404, "Not Found"},
		{"a commit that is not there", "GET", "git/commits/" + absent, nil, 404, "Not Found"},
		{"a blob that is not there", "GET", "git/blobs/" + absent, nil, 404, "Not Found"},
		{"commits of which one is not there", "GET", "compare/" + main + "..." + absent, nil, 404, "Not Found"},
		{"commits without a common ancestor", "GET", "compare/" + main + "..." + fmt.Sprint(made["sha"]), nil, 404, "No common ancestor"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, v := in(tt.method, tt.path, tt.body)
			if status != tt.status || !strings.Contains(fmt.Sprint(v["message"]), tt.want) {
				t.Errorf("%d %v", status, v)
			}
			if status != 502 && !strings.HasPrefix(fmt.Sprint(v["documentation_url"]), "https://docs.github.com/rest/") {
				t.Errorf("it cites no page: %v", v)
			}
		})
	}
	if wrong := h.Wrong(); len(wrong) != 1 || !strings.Contains(wrong[0], "git/create-tree answers 502") {
		t.Errorf("blamed: %v", wrong)
	}
	if status, _ := in("PATCH", "git/refs/heads/pushed", Object{"sha": made["sha"], "force": true}); status != 200 {
		t.Errorf("by force: %d", status)
	}
	if status, _ := in("DELETE", "git/refs/heads/pushed", nil); status != 204 {
		t.Errorf("deleting: %d", status)
	}
	blank := h.Create("o/blank")
	h.ChangeApp(botID, func(a *App) { a.Installed = append(a.Installed, "o/blank") })
	token = h.Token(botID, blank.Name, map[string]string{"contents": "write"})
	if status, v := ask(t, h, "POST", "repos/o/blank/git/blobs", token, Object{"content": ""}); status != 409 || v["message"] != empty {
		t.Errorf("a repository without a commit: %d %v", status, v)
	}
}

func TestUpdateRefs(t *testing.T) {
	t.Parallel()
	h, repo := served(t)
	token := h.Token(botID, repo.Name, map[string]string{"contents": "write"})
	one := strings.TrimSpace(mustRun(t, h, repo, "rev-parse", "main"))
	two := strings.TrimSpace(mustRun(t, h, repo, "commit-tree", "-m", "x", one+"^{tree}"))
	update := func(input Object) (string, string) {
		status, v := ask(t, h, "POST", "graphql", token, Object{"query": "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }", "variables": Object{"input": input}})
		if status != 200 {
			t.Fatalf("%d %v", status, v)
		}
		list, failed := v["errors"].([]any)
		if !failed {
			return "", ""
		}
		e, _ := list[0].(map[string]any)
		return fmt.Sprint(e["type"]), fmt.Sprint(e["message"])
	}
	move := func(name, before, after string, force bool) Object {
		return Object{"repositoryId": repo.node(), "refUpdates": []any{Object{"name": name, "beforeOid": before, "afterOid": after, "force": force}}}
	}
	if kind, text := update(move("refs/heads/b", zero, one, false)); kind != "" {
		t.Fatalf("creating: %s %s", kind, text)
	}
	for _, tt := range []struct {
		name       string
		input      Object
		kind, want string
	}{
		{"from where it is not", move("refs/heads/b", two, one, true), "UNPROCESSABLE", "Expected refs/heads/b"},
		{"creating what is there", move("refs/heads/b", zero, one, true), "UNPROCESSABLE", "Expected refs/heads/b"},
		{"no fast-forward", move("refs/heads/b", one, two, false), "UNPROCESSABLE", "fast forward"},
		{"to nothing", move("refs/heads/b", one, "00000000000000000000000000000000000000ff", true), "UNPROCESSABLE", "does not exist"},
		{"another repository's number", Object{"repositoryId": "R_x", "refUpdates": []any{}}, "NOT_FOUND", "Could not resolve"},
		{"a repository that it may not write", Object{"repositoryId": h.repository("o/other").node(), "refUpdates": []any{}}, "FORBIDDEN", "not accessible"},
	} {
		if kind, text := update(tt.input); kind != tt.kind || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %s %s", tt.name, kind, text)
		}
	}
	both := move("refs/heads/b", one, two, true)
	both["refUpdates"] = append(both["refUpdates"].([]any), Object{"name": "refs/heads/c", "beforeOid": two, "afterOid": one})
	if kind, _ := update(both); kind == "" || strings.TrimSpace(mustRun(t, h, repo, "rev-parse", "b")) != one {
		t.Error("one of two was moved")
	}
	if kind, text := update(move("refs/heads/b", one, two, true)); kind != "" || strings.TrimSpace(mustRun(t, h, repo, "rev-parse", "b")) != two {
		t.Errorf("by force: %s %s", kind, text)
	}
	if kind, text := update(move("refs/heads/b", two, zero, true)); kind != "" {
		t.Errorf("deleting: %s %s", kind, text)
	}
	for _, bad := range []Object{{"query": "query { viewer { login } }"}, {"query": "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }", "variables": Object{"input": Object{"refUpdates": []any{}}}}} {
		if _, v := ask(t, h, "POST", "graphql", token, bad); v["errors"] == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	if wrong := h.Wrong(); len(wrong) != 2 {
		t.Errorf("blamed: %v", wrong)
	}
}

func mustRun(t *testing.T, h *Host, r *Repository, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.Dir}, args...)...)
	cmd.Env = append(gitEnv(), "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

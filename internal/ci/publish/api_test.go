package publish

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/testkit/githost"
)

// once makes one kind of request fail the first n times.
func once(operation string, n int, f githost.Fault) func(githost.Request) githost.Fault {
	var mu sync.Mutex
	return func(r githost.Request) githost.Fault {
		mu.Lock()
		defer mu.Unlock()
		if r.Operation != operation || n == 0 {
			return githost.Fault{}
		}
		n--
		return f
	}
}

// bodies are those of one kind of request, as objects.
func bodies(t *testing.T, h *githost.Host, operation string) (all []map[string]any) {
	t.Helper()
	for _, r := range h.Requests() {
		if r.Operation != operation {
			continue
		}
		var v map[string]any
		must(t, json.Unmarshal(r.Body, &v))
		all = append(all, v)
	}
	return all
}

func TestWhatTheAPIIsSent(t *testing.T) {
	h, repo, token := serveAPI(t)
	first := publish(t, openAPI(t, h, repo, token), snapshot(t, sample(1)))
	if n := len(bodies(t, h, "git/create-blob")); n != 6 { // of seven files two are the same
		t.Errorf("%d files were sent", n)
	}
	second := publish(t, openAPI(t, h, repo, token), snapshot(t, sample(2)))
	t.Run("only files that the published bundle lacks", func(t *testing.T) {
		if n := len(bodies(t, h, "git/create-blob")); n != 6+3 { // build.json, nodes/0a.json and the manifest
			t.Errorf("%d files were sent in all", n)
		}
	})
	t.Run("P29 App commits unsigned", func(t *testing.T) {
		for _, b := range bodies(t, h, "git/create-commit") {
			parents, ok := b["parents"].([]any)
			if len(b) != 3 || b["message"] == nil || b["tree"] == nil || !ok || len(parents) != 0 {
				t.Errorf("the commit is asked for with %v", b)
			}
		}
		if got := git(t, repo.Dir, "cat-file", "commit", second.Commit); !strings.Contains(got, "\ngpgsig ") || strings.Contains(got, "\nparent ") {
			t.Errorf("the commit is\n%s", got)
		}
	})
	t.Run("P31 502 creating a tree with inline content", func(t *testing.T) {
		trees := bodies(t, h, "git/create-tree")
		if len(trees) != 2 {
			t.Errorf("%d trees", len(trees))
		}
		for _, b := range trees {
			for _, e := range b["tree"].([]any) {
				if file := e.(map[string]any); len(file) != 4 || file["sha"] == nil {
					t.Errorf("the tree is asked for with %v", file)
				}
			}
		}
	})
	t.Run("P30 createCommitOnBranch cannot make a branch nor force one", func(t *testing.T) {
		refs, moved := bodies(t, h, "git/create-ref"), bodies(t, h, "graphql")
		if len(refs) != 1 || refs[0]["ref"] != "refs/heads/routing-bundle" || len(moved) != 1 {
			t.Fatalf("%v, %v", refs, moved)
		}
		input := moved[0]["variables"].(map[string]any)["input"].(map[string]any)
		update := input["refUpdates"].([]any)[0].(map[string]any)
		if update["beforeOid"] != first.Commit || update["afterOid"] != second.Commit || update["force"] != true || !strings.Contains(fmt.Sprint(moved[0]["query"]), "updateRefs(") {
			t.Errorf("%v", moved[0])
		}
	})
	t.Run("P27 one credential, in a header", func(t *testing.T) {
		for _, r := range h.Requests() {
			if got := r.Header.Values("Authorization"); len(got) != 1 || got[0] != "Bearer "+token.secret || strings.Contains(r.Query+r.Path, "ghs_") {
				t.Errorf("%s %s: %d headers", r.Method, r.Path, len(got))
			}
		}
	})
}

func TestTroubleOfTheAPI(t *testing.T) {
	unclear := githost.Fault{Before: githost.Invalid("Reference update failed", `"no reason"`)}
	for _, tt := range []struct {
		name     string
		fault    func(githost.Request) githost.Fault
		over     bool // an older bundle is published already
		changed  bool
		moves    int // requests that move the branch
		waited   []time.Duration
		err      string
		hint     string
		maxBlobs int
	}{
		{name: "a file in trouble twice", fault: once("git/create-blob", 2, githost.Fault{Before: githost.BadGateway()}), changed: true, moves: 1, waited: []time.Duration{time.Second, 2 * time.Second}},
		{name: "a file in trouble for good", fault: once("git/create-blob", 99, githost.Fault{Before: githost.BadGateway()}), err: "HTTP 502", maxBlobs: 3},
		{name: "a tree that is made, but nobody says so", fault: once("git/create-tree", 1, githost.Fault{DropAfter: true}), changed: true, moves: 1, waited: []time.Duration{time.Second}},
		{name: "R49 429 and how long to wait", fault: once("git/create-blob", 1, githost.Fault{Before: githost.Secondary(429, "7")}), changed: true, moves: 1, waited: []time.Duration{7 * time.Second}},
		{name: "403 and how long to wait", fault: once("git/create-commit", 1, githost.Fault{Before: githost.Secondary(403, "9")}), changed: true, moves: 1, waited: []time.Duration{9 * time.Second}},
		{name: "403 of a limit, and no word of how long", fault: once("git/create-blob", 1, githost.Fault{Before: githost.Secondary(403, "")}), err: "the next try would be in 1m0s"},
		{name: "longer than there is time", fault: once("git/create-blob", 1, githost.Fault{Before: githost.Secondary(429, "3600")}), err: "the next try would be in 1h0m0s", maxBlobs: 1},
		{name: "502 after the ref was made", fault: once("git/create-ref", 1, githost.Fault{After: githost.BadGateway()}), changed: true, moves: 1},
		{name: "502 before it", fault: once("git/create-ref", 1, githost.Fault{Before: githost.BadGateway()}), changed: true, moves: 2},
		{name: "502 after the branch moved", fault: once("graphql", 1, githost.Fault{After: githost.BadGateway()}), over: true, changed: true, moves: 1},
		{name: "a connection that breaks after it", fault: once("graphql", 1, githost.Fault{DropAfter: true}), over: true, changed: true, moves: 1},
		{name: "503 before it", fault: once("graphql", 1, githost.Fault{Before: githost.Unavailable()}), over: true, changed: true, moves: 2},
		{name: "503 for good", fault: once("graphql", 99, githost.Fault{Before: githost.Unavailable()}), over: true, moves: 3, err: "not published after 3 tries"},
		{name: "words of GraphQL for trouble", fault: once("graphql", 1, githost.Fault{Before: &githost.Answer{Status: 200, Body: `{"data":null,"errors":[{"message":"Something went wrong while executing your query."}]}`}}), over: true, changed: true, moves: 2},
		{name: "words of GraphQL for a limit", fault: once("graphql", 1, githost.Fault{Before: &githost.Answer{Status: 200, Header: map[string]string{"Retry-After": "3"}, Body: `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`}}), over: true, changed: true, moves: 2},
		{name: "GraphQL that says nothing", fault: once("graphql", 1, githost.Fault{Before: &githost.Answer{Status: 200, Body: `{"data":{}}`}}), over: true, changed: true, moves: 2},
		{name: "P11 GraphQL that only says that it is done", fault: once("graphql", 1, githost.Fault{Before: &githost.Answer{Status: 200, Body: `{"data":{"updateRefs":{}}}`}}), over: true, changed: true, moves: 2},
		{name: "T05 a permission that nobody accepted", fault: once("git/create-blob", 99, githost.Fault{Before: githost.NotAccessible()}), err: "Resource not accessible by integration", hint: "it needs contents=write", maxBlobs: 1},
		{name: "T05 the same of GraphQL", fault: once("graphql", 99, githost.Fault{Before: &githost.Answer{Status: 200, Body: `{"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by integration"}]}`}}), over: true, moves: 1, err: "not accessible", hint: "once an owner has accepted it"},
		{name: "a refusal without a reason is no reason to try again", fault: once("git/create-ref", 99, unclear), moves: 1, err: "no reason"},
		{name: "R47 reasons that are objects", fault: once("git/create-ref", 99, githost.Fault{Before: githost.Invalid("Validation Failed", `[{"resource":"Reference","code":"custom","message":"one"},"two"]`)}), moves: 1, err: "one Reference. custom; two"},
		{name: "R53 a repository that was renamed", fault: once("git/list-matching-refs", 99, githost.Fault{Before: &githost.Answer{Status: 301, Header: map[string]string{"Location": "https://elsewhere.example.org/repositories/1"}, Body: `{"message":"Moved Permanently"}`}}), err: "HTTP 301", hint: "renamed"},
		{name: "a file that is too large", fault: once("git/create-blob", 99, githost.Fault{Before: &githost.Answer{Status: 413}}), err: "HTTP 413", hint: "leave out large", maxBlobs: 1},
		{name: "another tree than was asked for", fault: once("git/create-tree", 99, githost.Fault{Before: &githost.Answer{Status: 201, Body: `{"sha":"` + head(1) + `"}`}}), err: "made another tree"},
		{name: "another commit than was asked for", fault: once("git/create-commit", 99, githost.Fault{Before: &githost.Answer{Status: 201, Body: `{"sha":"` + head(1) + `","tree":{"sha":"` + head(2) + `"}}`}}), err: "made another commit"},
		{name: "no JSON", fault: once("git/list-matching-refs", 1, githost.Fault{Before: &githost.Answer{Status: 200, Body: "<html>"}}), changed: true, moves: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, repo, token := serveAPI(t)
			before := ""
			if tt.over {
				before = publish(t, open(t, repo.Dir), snapshot(t, sample(1))).Commit
			}
			h.Break(tt.fault)
			r := openAPI(t, h, repo, token)
			var waited []time.Duration
			r.wait = func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil }
			result, err := tryPublish(t, r, snapshot(t, sample(2)))
			text, hint := "", ""
			if err != nil {
				text = err.Error()
				if e, ok := err.(interface{ Hint() string }); ok {
					hint = e.Hint()
				}
			}
			if result.Changed != tt.changed || moves(h) != tt.moves || !contained(text, tt.err) || !strings.Contains(hint, tt.hint) || fmt.Sprint(waited) != fmt.Sprint(tt.waited) && tt.waited != nil {
				t.Errorf("%+v after %d moves and %v of waiting; error %q, hint %q", result, moves(h), waited, text, hint)
			}
			if n := len(bodies(t, h, "git/create-blob")); tt.maxBlobs > 0 && n > tt.maxBlobs {
				t.Errorf("%d files were sent", n)
			}
			if tt.changed && tip(t, repo.Dir) != result.Commit || !tt.changed && tip(t, repo.Dir) != before {
				t.Errorf("the branch is at %s", tip(t, repo.Dir))
			}
		})
	}
}

// TestSomebodyIsQuickerOnTheAPI: the decision is made again on what is there.
func TestSomebodyIsQuickerOnTheAPI(t *testing.T) {
	for _, tt := range []struct {
		name, operation string
		theirs          int  // their bundle
		over            bool // an older bundle is published already
		clear           bool // the service's words say what happened
		changed         bool
	}{
		{"P14 an older one appears", "git/create-ref", 1, false, true, true},
		{"P14 a newer one appears", "git/create-ref", 3, false, true, false},
		{"P15 P03 it moves to a newer one", "graphql", 3, true, true, false},
		{"P15 it moves to an older one", "graphql", 1, true, true, true},
		{"P15 it moves, and the service has no word for that", "graphql", 3, true, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, repo, token := serveAPI(t)
			if tt.over {
				publish(t, open(t, repo.Dir), snapshot(t, sample(0)))
			}
			meddle := func() { publish(t, open(t, repo.Dir), snapshot(t, sample(tt.theirs))) }
			first := once(tt.operation, 1, githost.Fault{Latency: 1})
			h.Break(func(r githost.Request) githost.Fault {
				if first(r).Latency == 0 {
					return githost.Fault{}
				}
				meddle()
				if tt.clear {
					return githost.Fault{}
				}
				return githost.Fault{Before: &githost.Answer{Status: 200, Body: `{"errors":[{"message":"No."}]}`}}
			})
			result := publish(t, openAPI(t, h, repo, token), snapshot(t, sample(2)))
			want := snapshot(t, sample(max(2, tt.theirs))).Tree
			if result.Changed != tt.changed || result.Tries != 2 || git(t, repo.Dir, "rev-parse", branch+"^{tree}") != want {
				t.Errorf("%+v", result)
			}
		})
	}
	t.Run("P12 a stale expectation is refused", func(t *testing.T) {
		h, repo, token := serveAPI(t)
		first := publish(t, openAPI(t, h, repo, token), snapshot(t, sample(1)))
		second := publish(t, openAPI(t, h, repo, token), snapshot(t, sample(2)))
		for _, old := range []string{first.Commit, "", head(9)} {
			r := openAPI(t, h, repo, token)
			commit, err := r.Prepare(t.Context(), snapshot(t, sample(3)))
			must(t, err)
			var moved *Moved
			if err := r.Move(t.Context(), refName(branch), old, commit); !errors.As(err, &moved) {
				t.Errorf("moving from %q: got %v", old, err)
			}
		}
		if tip(t, repo.Dir) != second.Commit {
			t.Errorf("the branch is at %s", tip(t, repo.Dir))
		}
	})
	t.Run("files that were published a moment ago are gone", func(t *testing.T) {
		h, repo, token := serveAPI(t)
		publish(t, openAPI(t, h, repo, token), snapshot(t, sample(1)))
		r := openAPI(t, h, repo, token)
		_, err := r.Read(t.Context(), tip(t, repo.Dir))
		must(t, err)
		h.Break(once("git/create-tree", 1, githost.Fault{Before: githost.Invalid("tree.sha is not a valid blob", "[]")}))
		n := len(bodies(t, h, "git/create-blob"))
		publish(t, r, snapshot(t, sample(2)))
		if got := len(bodies(t, h, "git/create-blob")) - n; got != 6 {
			t.Errorf("%d files were sent", got)
		}
	})
}

func TestTheAPIKnowsTheHistory(t *testing.T) {
	work, a, b, c := history(t)
	h, repo, token := serveAPI(t)
	git(t, work, "push", "-q", "--force", repo.Dir, "main", "side")
	r := openAPI(t, h, repo, token)
	for _, tt := range []struct {
		mine, theirs string
		want         Relation
	}{{b, a, Ahead}, {a, b, Behind}, {b, c, Diverged}, {b, head(7), Unknown}} {
		if got := r.Relation(t.Context(), tt.mine, tt.theirs); got != tt.want {
			t.Errorf("%.7s and %.7s: got %d, want %d", tt.mine, tt.theirs, got, tt.want)
		}
	}
	// P02: the published bundle's clock was wrong.
	publish(t, r, snapshot(t, sampleOf(a, epoch.AddDate(30, 0, 0))))
	if result := publish(t, r, snapshot(t, sampleOf(b, epoch))); !result.Changed {
		t.Errorf("the descendant was held back: %+v", result)
	}
	if back := publish(t, r, snapshot(t, sampleOf(a, epoch.AddDate(-1, 0, 0)))); back.Changed || !strings.Contains(back.Notice, "descends from") {
		t.Errorf("P02 the ancestor was published: %+v", back)
	}
}

func TestTheAPIReadsNothingButBundles(t *testing.T) {
	h, repo, token := serveAPI(t)
	r := openAPI(t, h, repo, token)
	git(t, repo.Dir, "update-ref", "refs/heads/main", git(t, repo.Dir, "commit-tree", "-p", "main", "-m", "Two", "main^{tree}"))
	_, err := tryPublish(t, r, snapshot(t, sample(1)), func(o *Options) { o.Branch = "main" })
	if refused := (*Refused)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), "is no bundle") {
		t.Errorf("other work: %v", err)
	}
	for name, spoil := range map[string]struct {
		fault githost.Fault
		want  string
	}{
		"a file with other bytes": {githost.Fault{Before: &githost.Answer{Status: 200, Body: `{"content":"e30K","encoding":"base64"}`}}, "other bytes"},
		"a file in no encoding":   {githost.Fault{Before: &githost.Answer{Status: 200, Body: `{"content":"","encoding":"none"}`}}, "other bytes"},
	} {
		h, repo, token := serveAPI(t)
		publish(t, openAPI(t, h, repo, token), snapshot(t, sample(1)))
		h.Break(once("git/get-blob", 9, spoil.fault))
		if _, err := tryPublish(t, openAPI(t, h, repo, token), snapshot(t, sample(2))); err == nil || !strings.Contains(err.Error(), spoil.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	publish(t, r, snapshot(t, sample(1)))
	h.Break(once("git/get-tree", 9, githost.Fault{Before: &githost.Answer{Status: 200, Body: `{"tree":[],"truncated":true}`}}))
	if _, err := tryPublish(t, openAPI(t, h, repo, token), snapshot(t, sample(2))); err == nil || !strings.Contains(err.Error(), "more files than any bundle") {
		t.Errorf("a tree that is too long: %v", err)
	}
}

func TestARepositoryWithoutACommit(t *testing.T) {
	h := githost.New(t)
	repo := h.Create("o/blank")
	h.Person("owner", "ghp_owner", githost.Admin)
	token, err := NewToken("ghp_owner", "a test")
	must(t, err)
	_, err = tryPublish(t, openAPI(t, h, repo, token), snapshot(t, sample(1)))
	refused := (*Refused)(nil)
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "empty") || !strings.Contains(refused.Next, "--transport git") {
		t.Errorf("got %v", err)
	}
}

// TestTokensOfTheAPIEnd: a token that ends while a bundle is published is a
// refusal, and the branch is whole.
func TestTokensOfTheAPIEnd(t *testing.T) {
	for _, operation := range []string{"git/create-blob", "git/create-tree", "git/create-commit", "graphql"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			h, repo, token := serveAPI(t)
			old := publish(t, openAPI(t, h, repo, token), snapshot(t, sample(1)))
			first := once(operation, 1, githost.Fault{Latency: 1})
			h.Break(func(r githost.Request) githost.Fault {
				if first(r).Latency > 0 {
					h.Expire(token.secret)
				}
				return githost.Fault{}
			})
			_, err := tryPublish(t, openAPI(t, h, repo, token), snapshot(t, sample(2)))
			refused := (*Refused)(nil)
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), "Bad credentials") || tip(t, repo.Dir) != old.Commit {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("T01 T02 the clock is off", func(t *testing.T) {
		h, repo, token := serveAPI(t)
		h.Expire(token.secret)
		h.SetClock(-3 * time.Minute)
		h.Revoke(token.secret)
		_, err := tryPublish(t, openAPI(t, h, repo, token), snapshot(t, sample(1)))
		refused := (*Refused)(nil)
		if !errors.As(err, &refused) || !strings.Contains(refused.Next, "the clock of this machine is off by 3m") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("T07 the service repeats the token", func(t *testing.T) {
		h, repo, token := serveAPI(t)
		for _, body := range []string{`{"message":"no ` + token.secret + `","errors":["Authorization: Bearer ` + token.secret + `"]}`, "plain " + token.secret, `{"errors":[{"message":"` + token.secret + `"}]}`} {
			h.Break(once("git/list-matching-refs", 1, githost.Fault{Before: &githost.Answer{Status: 422, Body: body}}))
			_, err := tryPublish(t, openAPI(t, h, repo, token), snapshot(t, sample(1)))
			if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), token.secret[:60]) || !strings.Contains(err.Error(), "***") {
				t.Errorf("%s: said %v", body[:12], err)
			}
		}
	})
}

func TestWhatTheAPIIsNotOpenedFor(t *testing.T) {
	token, err := NewToken("ghs_x", "a test")
	must(t, err)
	for _, tt := range []struct {
		name, remote, api string
		token             Token
		want              string
	}{
		{"P09 no token", "https://github.com/o/r", "https://api.github.com/", Token{}, "without a token"},
		{"a path", "/tmp/r", "https://api.github.com/", token, "https remote"},
		{"ssh", "git@github.com:o/r", "https://api.github.com/", token, "https remote"},
		{"more than owner and name", "https://github.com/o/r/x", "https://api.github.com/", token, "owner/name"},
		{"plain http", "https://github.com/o/r", "http://api.github.com/", token, "unencrypted"},
		{"a credential", "https://github.com/o/r", "https://u:p@api.github.com/", token, "no https URL"},
		{"no address", "https://github.com/o/r", "api.github.com", token, "no https URL"},
	} {
		a, err := ParseAddress(tt.remote, "/")
		must(t, err)
		if _, err := OpenAPI(a, tt.api, tt.token); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	a, err := ParseAddress("https://ghe.example.org/o/r.git", "/")
	must(t, err)
	for _, base := range []string{"https://ghe.example.org/api/v3", "https://ghe.example.org/api/v3/"} { // T06
		r, err := OpenAPI(a, base, token)
		must(t, err)
		if r.api.base != "https://ghe.example.org/api/v3/" || r.api.graphql != "https://ghe.example.org/api/graphql" || r.repo != "repos/o/r" {
			t.Errorf("T06 %s: %+v", base, r.api)
		}
	}
	if r, err := OpenAPI(a, "https://api.github.com", token); err != nil || r.api.graphql != "https://api.github.com/graphql" {
		t.Errorf("%+v, %v", r, err)
	}
}

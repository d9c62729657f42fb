package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
	"github.com/marola-dev/marola-routing/internal/testkit/rulesets"
)

var repo = ruleset.Target{Owner: "o", Repository: "r"}

// A clock that passes only when somebody sleeps.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept time.Duration
}

func (c *clock) live() live.Clock {
	return live.Clock{
		Now: func() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now },
		Sleep: func(ctx context.Context, d time.Duration) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.now, c.slept = c.now.Add(d), c.slept+d
			return ctx.Err()
		},
	}
}

// connect returns a client of a service with the repository o/r.
func connect(t *testing.T) (*rulesets.Service, *live.Client, *clock) {
	t.Helper()
	service, err := rulesets.New(rulesets.Repository{FullName: "o/r"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	c := &clock{now: time.Unix(1_800_000_000, 0)}
	client, err := live.New(live.Options{API: server.URL, Token: "secret-token", Clock: c.live()})
	if err != nil {
		t.Fatal(err)
	}
	return service, client, c
}

// once answers the first n requests with a status, headers and a body.
func once(n, status int, body string, headers ...string) func(http.ResponseWriter, *http.Request) bool {
	var mu sync.Mutex
	return func(w http.ResponseWriter, _ *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if n--; n < 0 {
			return false
		}
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
		return true
	}
}

const always = 1 << 30

func parse(t testing.TB, text string) ruleset.Value {
	t.Helper()
	v, err := ruleset.ParseObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLimitsAreWaitedFor(t *testing.T) {
	for _, tt := range []struct {
		name string
		with func(http.ResponseWriter, *http.Request) bool
		want time.Duration
		fail string
	}{
		{"R49 a 429 with Retry-After", once(1, 429, "", "Retry-After", "2"), 2 * time.Second, ""},
		{"a 403 with Retry-After", once(2, 403, "", "Retry-After", "5"), 10 * time.Second, ""},
		{"a limit that is reset later", once(1, 403, "", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1800000030"), 31 * time.Second, ""},
		{"a limit that says nothing but its name", once(2, 403, `{"message":"You have exceeded a secondary rate limit."}`), 3 * time.Minute, ""},
		{"a limit that does not end", once(always, 429, "", "Retry-After", "60"), 3 * time.Minute, "rate limit is reached; it asks to wait 1m0s"},
		{"a limit that takes too long", once(always, 429, "", "Retry-After", "90000"), 0, "it asks to wait 25h0m0s"},
		{"a service that fails", once(2, 502, "<html>"), 3 * time.Second, ""},
		{"a service that keeps failing", once(always, 500, "<html>"), 7 * time.Second, "the service failed (500)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			service, client, clock := connect(t)
			service.Before = tt.with
			_, err := client.List(t.Context(), repo)
			if tt.fail == "" && err != nil || tt.fail != "" && (err == nil || !strings.Contains(err.Error(), tt.fail)) {
				t.Errorf("the error is %v, want %q", err, tt.fail)
			}
			if clock.slept != tt.want {
				t.Errorf("it waited %v, want %v", clock.slept, tt.want)
			}
		})
	}
}

func TestTheLastRequestBeforeALimitHoldsTheNext(t *testing.T) {
	service, client, clock := connect(t)
	first := true
	service.Before = func(w http.ResponseWriter, _ *http.Request) bool {
		if first {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", "1800000100")
		}
		first = false
		return false
	}
	for range 2 {
		if _, err := client.List(t.Context(), repo); err != nil {
			t.Fatal(err)
		}
	}
	if clock.slept != 101*time.Second {
		t.Errorf("it waited %v", clock.slept)
	}
}

func TestOneLimitHoldsAll(t *testing.T) {
	service, client, clock := connect(t)
	service.Before = once(1, 429, "", "Retry-After", "10")
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if _, err := client.List(t.Context(), repo); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if requests := len(service.Requests()); requests != 7 {
		t.Errorf("%d requests for 6 lists and one limit", requests)
	}
	if clock.slept < 10*time.Second {
		t.Errorf("it waited %v", clock.slept)
	}
}

func TestALimitPastTheDeadlineIsNotWaitedFor(t *testing.T) {
	service, client, clock := connect(t)
	clock.now = time.Now()
	service.Before = once(always, 429, "", "Retry-After", "600")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := client.List(ctx, repo); err == nil || !strings.Contains(err.Error(), "rate limit") || clock.slept != 0 {
		t.Errorf("the error is %v, after %v", err, clock.slept)
	}
}

func TestAWriteIsSentOnceUnlessALimitRefusedIt(t *testing.T) {
	for name, tt := range map[string]struct {
		with     func(http.ResponseWriter, *http.Request) bool
		requests int
		unsure   bool
	}{
		"a limit":   {once(1, 429, "", "Retry-After", "1"), 2, false},
		"a failure": {once(1, 502, ""), 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			service, client, _ := connect(t)
			service.Before = tt.with
			_, err := client.Create(t.Context(), repo, parse(t, `{"name":"x","enforcement":"active","bypass_actors":[]}`))
			failed := (*live.Error)(nil)
			if errors.As(err, &failed) != tt.unsure || failed != nil && (!failed.Unsure || failed.Refused()) {
				t.Errorf("the error is %v", err)
			}
			sent := service.Requests()
			if len(sent) != tt.requests || !bytes.Equal(bytes.TrimSpace(sent[len(sent)-1].Body), []byte(`{"name":"x","enforcement":"active","bypass_actors":[]}`)) {
				t.Errorf("sent was %q", sent)
			}
		})
	}
}

func TestErrorsSayWhatTheyMean(t *testing.T) {
	push := `{"name":"x","enforcement":"active","target":"push","bypass_actors":[{"actor_type":"OrganizationAdmin","actor_id":null}],"rules":[{"type":"deletion"},{"type":"code_scanning","parameters":{"code_scanning_tools":[{"tool":"a","alerts_threshold":"error","security_alerts_threshold":"none"}]}}]}`
	for _, tt := range []struct {
		name   string
		write  bool
		status int
		body   string
		header []string
		want   []string
	}{
		{"a token that is over", false, 401, `{"message":"Bad credentials"}`, nil, []string{"the token is wrong or no longer valid", "Bad credentials", "hint: an App's token lives for an hour"}},
		{"R40 a right is missing", true, 403, `{"message":"Resource not accessible by integration"}`, []string{"X-Accepted-GitHub-Permissions", "administration=write"},
			[]string{"the token lacks a right", "the service asks for administration=write", "it says: {\"message\":\"Resource not accessible by integration\"}", "must be approved"}},
		{"R40 a refusal without details", true, 403, `{"message":"Forbidden"}`, nil, []string{"the service does not allow it; it says: {\"message\":\"Forbidden\"}"}},
		{"a plan without rulesets", true, 403, `{"message":"Upgrade to GitHub Pro or make this repository public to enable this feature."}`, nil, []string{"the plan has no rulesets for this repository"}},
		{"a write that finds nothing", true, 404, `{"message":"Not Found"}`, []string{"X-Accepted-GitHub-Permissions", "administration=write"}, []string{"may read but not write", "administration=write", "Administration: write"}},
		{"a read that finds nothing", false, 404, `{"message":"Not Found"}`, nil, []string{"does not exist, or the token may not see it"}},
		{"R01 null actors", true, 422, `{"message":"Invalid request.\n\nFor 'links/0/schema', /bypass_actors: data cannot be null"}`, nil, []string{"sent as null", "defect of ruleset-sync"}},
		{"R15 conditions", true, 422, `{"message":"Invalid request","errors":["/conditions: data matches no possible input."]}`, nil, []string{"the conditions do not fit", "one condition about repositories"}},
		{"R16 a rule", true, 422, `{"message":"Invalid request.\n\n/rules/1: data matches no possible input."}`, nil, []string{`rule 1, of type "code_scanning", is not accepted`, `code_scanning.code_scanning_tools.alerts_threshold is "error"; did you mean errors?`}},
		{"a rule out of range", true, 422, `{"message":"/rules/9: data matches no possible input."}`, nil, []string{"a rule is not accepted"}},
		{"an App that is not installed", true, 422, `{"message":"Validation Failed","errors":["Invalid integration ids: [12]"]}`, nil, []string{"is not installed on this repository", "never sent with less than the file says"}},
		{"the built-in App", true, 422, `{"message":"Validation Failed","errors":[{"message":"Actor GitHub Actions integration must be part of the ruleset source or owner organization"}]}`, nil, []string{"is not installed on this repository", "owner organization"}},
		{"R35 owners of a personal repository", true, 422, `{"message":"Validation Failed","errors":[{"message":"Actor is invalid"}]}`, nil, []string{"a personal repository has no organisation owners"}},
		{"R47 errors as objects", true, 422, `{"message":"Validation Failed","errors":[{"message":"one thing"},{"message":"another"}]}`, nil, []string{"one thing", "another"}},
		{"R47 errors as strings", true, 422, `{"message":"Validation Failed","errors":["one thing","another"]}`, nil, []string{"one thing", "another"}},
		{"R47 errors as one string", true, 422, `{"message":"Validation Failed","errors":"enforcement cannot be evaluate"}`, nil, []string{"the enforcement is not accepted", "cannot be evaluate"}},
		{"a page for browsers", false, 418, `<html>` + "\x1b[2J", nil, []string{"the service answered 418", "<html>"}},
		{"the token in an answer", false, 418, `secret-token`, nil, []string{"it says: ***"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			service, client, _ := connect(t)
			service.Before = once(1, tt.status, tt.body, tt.header...)
			var err error
			if tt.write {
				_, err = client.Create(t.Context(), repo, parse(t, push))
			} else {
				_, err = client.List(t.Context(), repo)
			}
			failed := (*live.Error)(nil)
			if !errors.As(err, &failed) {
				t.Fatalf("the error is %v", err)
			}
			text := failed.Error() + "; hint: " + failed.Hint()
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("the error is %q, want %q", text, want)
				}
			}
			if failed.Refused() != tt.write || strings.ContainsAny(text, "\x1b\n") || strings.Contains(text, "secret-token") {
				t.Errorf("refused %v: %q", failed.Refused(), text)
			}
		})
	}
}

func TestR53ARedirectIsNotFollowed(t *testing.T) {
	for _, status := range []int{301, 307, 308} {
		service, client, _ := connect(t)
		service.Before = func(w http.ResponseWriter, r *http.Request) bool {
			switch r.URL.Path {
			case "/repositories/7":
				fmt.Fprint(w, `{"full_name":"o/new-name"}`)
			default:
				w.Header().Set("Location", "http://"+r.Host+"/repositories/7/rulesets")
				w.WriteHeader(status)
			}
			return true
		}
		err := client.Update(t.Context(), repo, "5", parse(t, `{"name":"x"}`))
		if err == nil || !strings.Contains(err.Error(), "the repository is called o/new-name now") {
			t.Errorf("%d: the error is %v", status, err)
		}
		for _, r := range service.Requests() {
			if r.Method != http.MethodPut && r.Path != "/repositories/7" || r.Method == http.MethodPut && r.Path != "/repos/o/r/rulesets/5" {
				t.Errorf("%d: sent was %s %s", status, r.Method, r.Path)
			}
		}
	}
}

func TestListsAreReadToTheirEnd(t *testing.T) {
	service, client, _ := connect(t)
	for n := range 150 {
		if _, err := service.Add("o/r", []byte(`{"name":"rule `+strconv.Itoa(n)+`","enforcement":"active"}`)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := service.Add("o", []byte(`{"name":"inherited","enforcement":"active"}`)); err != nil {
		t.Fatal(err)
	}
	list, err := client.List(t.Context(), repo)
	if err != nil || len(list) != 150 || list[149].Name != "rule 149" {
		t.Fatalf("R24: %d rulesets, %v", len(list), err)
	}
	sent := service.Requests()
	if len(sent) != 2 || !strings.Contains(sent[0].Query, "per_page=100") || !strings.Contains(sent[1].Query, "page=2") {
		t.Errorf("sent was %+v", sent)
	}
	for _, r := range sent {
		if !strings.Contains(r.Query, "includes_parents=false") {
			t.Errorf("R34: the query is %q", r.Query)
		}
	}
}

func TestAnswersThatCannotBe(t *testing.T) {
	for name, body := range map[string]string{
		"no JSON": "<html>", "no list": `{"a":1}`, "a list without ids": `[{"name":"x"}]`, "a list without names": `[{"id":1}]`, "an id that is none": `[{"id":"../../x","name":"x"}]`,
		"R50 a member twice": `[{"id":1,"name":"x","NAME":"y"}]`, "not UTF-8": "[{\"id\":1,\"name\":\"\xff\"}]",
	} {
		service, client, _ := connect(t)
		service.Before = once(1, 200, body)
		if list, err := client.List(t.Context(), repo); err == nil {
			t.Errorf("%s: listed is %v", name, list)
		}
	}
	service, client, _ := connect(t)
	service.Before = once(always, 200, "[]", "Link", `<http://x/?page=1>; rel="next"`)
	if _, err := client.List(t.Context(), repo); err == nil || !strings.Contains(err.Error(), "does not end") {
		t.Errorf("a list that goes in a circle: %v", err)
	}
}

func TestR51R28TravelUnchanged(t *testing.T) {
	service, client, _ := connect(t)
	body := parse(t, `{"name":"x","enforcement":"active","bypass_actors":[{"actor_id":9007199254740993,"actor_type":"Integration","bypass_mode":"always"}],"rules":[{"type":"zz_future","parameters":{"k":[1,{"x":null}],"html":"<&>"}}]}`)
	id, err := client.Create(t.Context(), repo, body)
	if err != nil {
		t.Fatal(err)
	}
	if sent := bytes.TrimSpace(service.Requests()[0].Body); !bytes.Equal(sent, body.JSON()) {
		t.Errorf("sent was %s, want %s", sent, body.JSON())
	}
	have, err := client.Get(t.Context(), repo, id)
	if err != nil {
		t.Fatal(err)
	}
	if c := ruleset.Compare(body, have, ruleset.Names{}); len(c.Changes) > 0 {
		t.Errorf("the service has %s: %v", have.JSON(), c.Changes)
	}
}

func TestTheTokenGoesToOneHost(t *testing.T) {
	for _, api := range []string{"ftp://x", "http://example.org", "https://user:pass@example.org", "https://example.org?x=1", "%", "example.org"} {
		if _, err := live.New(live.Options{API: api, Token: "t"}); err == nil {
			t.Errorf("%s is an address of an API", api)
		}
	}
}

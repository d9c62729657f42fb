package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/testkit/rulesets"
)

const mainRule = `{"name":"main-rule","target":"branch","enforcement":"active","bypass_actors":[],"conditions":{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}},"rules":[{"type":"deletion"}]}`

func organisation(t testing.TB, repositories int) *rulesets.Service {
	t.Helper()
	var all []rulesets.Repository
	for n := range repositories {
		all = append(all, rulesets.Repository{FullName: fmt.Sprintf("org/repo-%03d", n)})
	}
	service, err := rulesets.New(all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if _, err := service.Add(r.FullName, []byte(mainRule)); err != nil {
			t.Fatal(err)
		}
	}
	return service
}

// TestALargeOrganisation: 500 repositories take 5 pages and two requests a
// repository, never more at a time than was chosen; and a limit in the middle
// is waited for and finished, without a request being asked in vain more than
// the chosen concurrency.
func TestALargeOrganisation(t *testing.T) {
	const repositories, concurrency = 500, 8
	for _, limited := range []bool{false, true} {
		t.Run(fmt.Sprintf("limited %v", limited), func(t *testing.T) {
			service := organisation(t, repositories)
			service.Latency = time.Millisecond
			var asked, refused atomic.Int64
			var until atomic.Int64
			service.Before = func(w http.ResponseWriter, _ *http.Request) bool {
				n, now := asked.Add(1), time.Now().UnixNano()
				if !limited || n < 400 {
					return false
				}
				until.CompareAndSwap(0, now+int64(time.Second))
				if now >= until.Load() {
					return false
				}
				refused.Add(1)
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusForbidden)
				fmt.Fprint(w, `{"message":"You have exceeded a secondary rate limit."}`)
				return true
			}
			code, _, stderr := in(t, service, map[string]string{"main-rule.json": mainRule}, nil, "check", "--manifest", "main-rule.json", "--all-org", "org", "--concurrency", fmt.Sprint(concurrency))
			if code != 0 || !strings.HasSuffix(stderr, "ruleset-sync: 500 ok\n") {
				t.Fatalf("exit %d: %s", code, stderr[max(0, len(stderr)-300):])
			}
			if want := int64(5 + 2*repositories); asked.Load()-refused.Load() != want || refused.Load() > concurrency || limited != (refused.Load() > 0) {
				t.Errorf("%d requests, of which %d in vain; want %d", asked.Load(), refused.Load(), want)
			}
			if most := service.MostAtOnce(); most > concurrency || most < concurrency/2 {
				t.Errorf("%d at a time, not %d", most, concurrency)
			}
		})
	}
}

func TestR14EmptyNamesAreRefusedBeforeAnythingIsSent(t *testing.T) {
	for _, args := range [][]string{
		{"check", "--manifest", "r.json", "o/"}, {"check", "--manifest", "r.json", "/name"}, {"check", "--manifest", "r.json", ""}, {"check", "--manifest", "r.json", "--all-org", "a/b"},
		{"check", "--manifest", "r.json", "--org", "-x"}, {"check", "--manifest", ""}, {"apply", "--manifest", "r.json", "o/r?x=1"}, {"check", "--manifest", "r.json"}, {"export", "--out", "x", "o/"},
	} {
		service := organisation(t, 1)
		code, _, stderr := in(t, service, map[string]string{"r.json": mainRule}, []string{"GITHUB_REPOSITORY="}, args...)
		if code != 2 || len(service.Requests()) > 0 {
			t.Errorf("%q: exit %d: %s", args, code, stderr)
		}
	}
}

func TestUsage(t *testing.T) {
	service := organisation(t, 1)
	for name, args := range map[string][]string{
		"--app-id and one of --private-key-env":    {"--app-id", "1"},
		"--private-key-file: open":                 {"--app-id", "1", "--private-key-file", "gone.pem"},
		"--token-env takes the name of a variable": {"--token-env", "ghs_secret"},
		"never the key itself":                     {"--app-id", "1", "--private-key-env", "-----BEGIN"},
		"exclude each other":                       {"--app-id", "1", "--private-key-env", "KEY", "--token-env", "TOKEN"},
		"--concurrency goes from":                  {"--concurrency", "0"},
		"--timeout must be longer":                 {"--timeout", "0s"},
		"the token is empty":                       {"--token-env", "NONE"},
		"--include-forks goes with --all-org":      {"--include-forks"},
		"goes with neither":                        {"--org", "org"},
	} {
		code, _, stderr := in(t, service, map[string]string{"r.json": mainRule}, nil, append([]string{"check", "--manifest", "r.json", "org/repo-000"}, args...)...)
		if code != 2 || !strings.Contains(stderr, name) || strings.Contains(stderr, "ghs_secret") || strings.Contains(stderr, "BEGIN") {
			t.Errorf("%q: exit %d: %s", args, code, stderr)
		}
	}
	if code, _, stderr := in(t, service, map[string]string{"r.json": mainRule}, []string{"GH_TOKEN="}, "apply", "--manifest", "r.json", "org/repo-000"); code != 2 || !strings.Contains(stderr, "apply needs a token") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := in(t, service, map[string]string{"r.json": mainRule}, []string{"GITHUB_API_URL=http://example.org"}, "check", "--manifest", "r.json", "org/repo-000"); code != 2 || !strings.Contains(stderr, "the address of the API") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestTheGravestCodeWins: everything is reported, and the exit code is that
// of the worst.
func TestTheGravestCodeWins(t *testing.T) {
	service := organisation(t, 4)
	service.Remove("org/repo-001", "main-rule")
	service.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "repo-002") {
			w.Header().Set("X-Accepted-GitHub-Permissions", "metadata=read")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"message":"Resource not accessible by personal access token"}`)
			return true
		}
		if strings.Contains(r.URL.Path, "repo-001") && r.Method == http.MethodPost {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"message":"Validation Failed","errors":"Name must be unique"}`)
			return true
		}
		return false
	}
	for verb, want := range map[string]int{"check": 4, "plan": 4, "apply": 5} {
		code, _, stderr := in(t, service, map[string]string{"r.json": mainRule}, nil, verb, "--manifest", "r.json", "--all-org", "org")
		if code != want || strings.Count(stderr, "main-rule") != 4 || !strings.Contains(stderr, "the service asks for metadata=read") {
			t.Errorf("%s: exit %d, want %d: %s", verb, code, want, stderr)
		}
	}
}

func TestJSON(t *testing.T) {
	service := organisation(t, 2)
	service.Change("org/repo-001", "main-rule", func(o rulesets.Object) { o["rules"] = []any{} })
	code, stdout, _ := in(t, service, map[string]string{"r.json": mainRule}, nil, "plan", "--manifest", "r.json", "--all-org", "org", "--json")
	var got struct {
		Code    int
		Tally   map[string]int
		Results []struct {
			Target, Ruleset, Status string
			Changes                 []struct{ Path, Text string }
			Request                 struct {
				Method, Path string
				Body         json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if code != 1 || got.Code != 1 || got.Tally["ok"] != 1 || got.Tally["drifted"] != 1 || len(got.Results) != 2 {
		t.Fatalf("exit %d: %+v", code, got)
	}
	r := got.Results[1]
	if r.Target != "org/repo-001" || r.Status != "drifted" || len(r.Changes) != 1 || r.Changes[0].Path != "rules.deletion" || r.Request.Method != "PUT" || string(r.Request.Body) != mainRule {
		t.Errorf("the result is %+v", r)
	}
}

// TestInAWorkflow: the plan is in the step's summary, and what is wrong is an
// error at the file.
func TestInAWorkflow(t *testing.T) {
	service := organisation(t, 1)
	service.Change("org/repo-000", "main-rule", func(o rulesets.Object) {
		o["bypass_actors"] = []any{rulesets.Object{"actor_type": "Team|::error::", "actor_id": 7, "bypass_mode": "always"}}
	})
	summary := filepath.Join(t.TempDir(), "summary")
	code, _, stderr := in(t, service, map[string]string{"r.json": mainRule}, []string{"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=" + summary}, "plan", "--manifest", "r.json", "org/repo-000")
	text, err := os.ReadFile(summary)
	if err != nil || code != 1 {
		t.Fatalf("exit %d, %v: %s", code, err, stderr)
	}
	for _, want := range []string{"## ruleset-sync plan\n\n1 drifted\n", "| drifted | `org/repo-000` | `main-rule` |  |", "- **taken away:** `bypass_actors` `Team\\|::error:: 7 (always) will be REMOVED`"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the summary is\n%s\nwant %s", text, want)
		}
	}
	if !strings.Contains(stderr, "::add-mask::secret-token\n") || !strings.Contains(stderr, "\n::warning file=r.json,title=ruleset-sync plan::org/repo-000: main-rule is drifted") {
		t.Errorf("the runner is told %s", stderr)
	}
}

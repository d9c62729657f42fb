package reconcile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/reconcile"
	"github.com/marola-dev/marola-routing/internal/testkit/rulesets"
)

// A bench is a service with the repository o/r, and a client of it.
type bench struct {
	t       testing.TB
	service *rulesets.Service
	client  *live.Client
}

func newBench(t testing.TB) *bench {
	t.Helper()
	service, err := rulesets.New(rulesets.Repository{FullName: "o/r"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	soon := live.Clock{Now: time.Now, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	client, err := live.New(live.Options{API: server.URL, Token: "secret-token", Clock: soon})
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t, service, client}
}

func parse(t testing.TB, text string) ruleset.Value {
	t.Helper()
	v, err := ruleset.ParseObject([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// run reconciles rulesets of a target.
func (b *bench) run(target string, o reconcile.Options, files ...string) []reconcile.Result {
	b.t.Helper()
	owner, name, _ := strings.Cut(target, "/")
	job := reconcile.Job{Target: ruleset.Target{Owner: owner, Repository: name}}
	for i, text := range files {
		job.Rulesets = append(job.Rulesets, reconcile.Wanted{File: fmt.Sprintf("%d.json", i), Value: parse(b.t, text).Body()})
	}
	return reconcile.Run(b.t.Context(), b.client, []reconcile.Job{job}, o)
}

func (b *bench) add(target string, texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if _, err := b.service.Add(target, []byte(text)); err != nil {
			b.t.Fatal(err)
		}
	}
}

func statuses(results []reconcile.Result) string {
	var parts []string
	for _, r := range results {
		parts = append(parts, fmt.Sprintf("%s %s %d", r.Ruleset, r.Status, r.Code))
	}
	return strings.Join(parts, ", ")
}

// methods are what was asked, by method and path.
func (b *bench) methods() string {
	var parts []string
	for _, r := range b.service.Requests() {
		parts = append(parts, r.Method+" "+strings.TrimPrefix(r.Path, "/"))
	}
	return strings.Join(parts, ", ")
}

var (
	write = reconcile.Options{Write: true, Yes: true}
	look  = reconcile.Options{}
)

func doc(name, rest string) string {
	return `{"name":"` + name + `","target":"branch","enforcement":"active","conditions":{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}}` + rest + `}`
}

const (
	noActors = `,"bypass_actors":[]`
	deletion = `,"rules":[{"type":"deletion"}]`
)

// TestR26ApplyIsIdempotent: a second apply writes nothing, and reads the list
// and each of the rulesets once.
func TestR26ApplyIsIdempotent(t *testing.T) {
	for _, target := range []string{"o/r", "o"} {
		b := newBench(t)
		b.service.Adds = map[string]rulesets.Object{"pull_request": {"required_reviewers": []any{}, "require_extra_approval": true}}
		files := []string{doc("a", noActors+deletion), doc("b", noActors+`,"rules":[{"type":"update"}]`), doc("c", `,"bypass_actors":[{"actor_type":"OrganizationAdmin","actor_id":1,"bypass_mode":"pull_request"}],"rules":[{"type":"pull_request","parameters":{"dismiss_stale_reviews_on_push":true,"require_code_owner_review":true,"require_last_push_approval":true,"required_approving_review_count":0,"required_review_thread_resolution":true}}]`)}
		if target == "o" {
			for i := range files {
				files[i] = strings.Replace(files[i], `{"ref_name"`, `{"repository_name":{"include":["~ALL"],"exclude":[]},"ref_name"`, 1)
			}
		}
		if got := statuses(b.run(target, write, files...)); got != "a created 0, b created 0, c created 0" {
			t.Fatalf("%s: applied: %s", target, got)
		}
		b.methods()
		if got := statuses(b.run(target, look, files...)); got != "a ok 0, b ok 0, c ok 0" {
			t.Errorf("%s: checked: %s", target, got)
		}
		b.methods()
		if got := statuses(b.run(target, write, files...)); got != "a ok 0, b ok 0, c ok 0" {
			t.Errorf("%s: applied again: %s", target, got)
		}
		want := "repos/o/r/rulesets"
		if target == "o" {
			want = "orgs/o/rulesets"
		}
		if got := b.methods(); got != fmt.Sprintf("GET %[1]s, GET %[1]s/101, GET %[1]s/102, GET %[1]s/103", want) {
			t.Errorf("%s: a second apply asked %s", target, got)
		}
	}
}

func TestApply(t *testing.T) {
	team := `,"bypass_actors":[{"actor_type":"Team","actor_id":7,"bypass_mode":"always"}]`
	three := `,"bypass_actors":[{"actor_type":"Team","actor_id":7,"bypass_mode":"always"},{"actor_type":"Integration","actor_id":8,"bypass_mode":"always"},{"actor_type":"RepositoryRole","actor_id":5,"bypass_mode":"pull_request"}]`
	checks := func(more, id string) string {
		return noActors + `,"rules":[{"type":"required_status_checks","parameters":{` + more + `"required_status_checks":[{"context":"ci"` + id + `}],"strict_required_status_checks_policy":true}}]`
	}
	for _, tt := range []struct {
		name     string
		target   string
		live     []string
		file     string
		o        reconcile.Options
		arrange  func(*rulesets.Service)
		statuses string
		sent     string // a part of the last body
		unsent   string // what it must not have
		text     string // a part of what is said
	}{
		{name: "R01 a file without bypass actors", file: doc("a", deletion), o: write, statuses: "a created 0", sent: `"bypass_actors":[]`},
		{name: "R02 an actor that is to go", live: []string{doc("a", team+deletion)}, file: doc("a", noActors+deletion), o: write, statuses: "a updated 0", sent: `"bypass_actors":[]`},
		{name: "R03 actors of an organisation's that are to go", target: "o", live: []string{strings.Replace(doc("a", three+deletion), `{"ref_name"`, `{"repository_id":{"repository_ids":[1]},"ref_name"`, 1)},
			file: strings.Replace(doc("a", deletion), `{"ref_name"`, `{"repository_id":{"repository_ids":[1]},"ref_name"`, 1), o: write, statuses: "a updated 0", sent: `"bypass_actors":[]`},
		{name: "R10 exempt passes through", file: doc("a", `,"bypass_actors":[{"actor_type":"Integration","actor_id":8,"bypass_mode":"exempt"}]`+deletion), o: write, statuses: "a created 0", sent: `"bypass_mode":"exempt"`},
		{name: "R11 an actor that the service loses", file: doc("a", `,"bypass_actors":[{"actor_type":"User","actor_id":42,"bypass_mode":"always"}]`+deletion), o: write,
			arrange: func(s *rulesets.Service) { s.DropActors = []string{"User"} }, statuses: "a unconfirmed 3", sent: `"User"`, text: "shows another one"},
		{name: "R17 workflows in another order", live: []string{doc("a", noActors+`,"rules":[{"type":"workflows","parameters":{"do_not_enforce_on_create":false,"workflows":[{"path":"b","repository_id":2},{"path":"a","repository_id":1}]}}]`)},
			file: doc("a", noActors+`,"rules":[{"type":"workflows","parameters":{"workflows":[{"repository_id":1,"path":"a"},{"path":"b","repository_id":2}]}}]`), o: write, statuses: "a ok 0"},
		{name: "R18 a value of the service's", live: []string{doc("a", checks(`"do_not_enforce_on_create":true,`, ""))}, file: doc("a", checks("", "")), o: write, statuses: "a ok 0"},
		{name: "R18 a value of the service's beside a change", live: []string{doc("a", checks(`"do_not_enforce_on_create":true,`, `,"integration_id":12`))}, file: doc("a", checks("", "")), o: write, statuses: "a updated 0", unsent: "do_not_enforce_on_create"},
		{name: "R18 strict", live: []string{doc("a", checks(`"do_not_enforce_on_create":true,`, ""))}, file: doc("a", checks("", "")), o: reconcile.Options{Strict: true}, statuses: "a drifted 1"},
		{name: "R22 a check's App that is to go", live: []string{doc("a", checks("", `,"integration_id":12`))}, file: doc("a", checks("", "")), o: write, statuses: "a updated 0", unsent: "integration_id"},
		{name: "R21 a rule that is gone", live: []string{doc("a", noActors+`,"rules":[]`)}, file: doc("a", noActors+deletion), o: look, statuses: "a drifted 1"},
		{name: "R43 one that is switched off", live: []string{strings.Replace(doc("a", noActors+deletion), "active", "disabled", 1)}, file: doc("a", noActors+deletion), o: look, statuses: "a drifted 1"},
		{name: "R25 a name that was changed", live: []string{doc("old", noActors+deletion)}, file: doc("new", noActors+deletion), o: write, statuses: "new created 0, old unmanaged 0", text: "if it was renamed, this is the old one"},
		{name: "R25 and the old one is to go", live: []string{doc("old", noActors+deletion)}, file: doc("new", noActors+deletion), o: reconcile.Options{Write: true, Yes: true, Prune: true}, statuses: "new created 0, old deleted 0"},
		{name: "R25 and nobody said yes", live: []string{doc("old", noActors+deletion)}, file: doc("new", noActors+deletion), o: reconcile.Options{Write: true, Prune: true}, statuses: "new created 0, old held 1"},
		{name: "R25 and it is only looked", live: []string{doc("old", noActors+deletion), doc("new", noActors+deletion)}, file: doc("new", noActors+deletion), o: reconcile.Options{Prune: true}, statuses: "new ok 0, old unmanaged 1"},
		{name: "R28 what nobody knows", file: doc("a", noActors+`,"zz":{"b":[1,{"x":null}]},"rules":[{"type":"zz_future","parameters":{"k":[1,{"x":null}]},"zz":1}]`), o: write, statuses: "a created 0", sent: `{"type":"zz_future","parameters":{"k":[1,{"x":null}]},"zz":1}`},
		{name: "R32 nothing is added", live: []string{doc("a", noActors+`,"rules":[]`)}, file: doc("a", noActors+deletion), o: write, statuses: "a updated 0", sent: `"rules":[{"type":"deletion"}]}`, unsent: "ruleset_source"},
		{name: "R37 an App that is not in the file", live: []string{doc("a", `,"bypass_actors":[{"actor_type":"Integration","actor_id":8,"bypass_mode":"always"}]`+deletion)}, file: doc("a", noActors+deletion), o: reconcile.Options{Write: true}, statuses: "a held 1", text: "would take away"},
		{name: "R39 two of one name", live: []string{doc("a", noActors+deletion), doc("a", noActors+deletion)}, file: doc("a", noActors+deletion), o: write, statuses: "a failed 4", text: "the ids 101 and 102"},
		{name: "R42 hidden actors", live: []string{doc("a", noActors+deletion)}, file: doc("a", noActors+deletion), o: look, arrange: (*rulesets.Service).HideActors, statuses: "a unverified 4", text: "does not show the bypass actors"},
		{name: "R42 hidden actors and drift", live: []string{doc("a", noActors+`,"rules":[]`)}, file: doc("a", noActors+deletion), o: write, arrange: (*rulesets.Service).HideActors, statuses: "a drifted 4"},
		{name: "R46 the file's mode is sent", live: []string{doc("a", `,"bypass_actors":[{"actor_type":"Team","actor_id":7,"bypass_mode":"pull_request"}]`+deletion)}, file: doc("a", team+deletion), o: reconcile.Options{Write: true}, statuses: "a updated 0", sent: `"bypass_mode":"always"`},
		{name: "R51 large ids", file: doc("a", `,"bypass_actors":[{"actor_type":"Integration","actor_id":9007199254740993,"bypass_mode":"always"}]`+deletion), o: write, statuses: "a created 0", sent: `9007199254740993`},
		{name: "R33 a merge queue", file: doc("a", noActors+`,"rules":[{"type":"merge_queue","parameters":{"check_response_timeout_minutes":5,"grouping_strategy":"ALLGREEN","max_entries_to_build":1,"max_entries_to_merge":1,"merge_method":"SQUASH","min_entries_to_merge":1,"min_entries_to_merge_wait_minutes":0}}]`), o: write, statuses: "a created 0"},
		{name: "R13 a push ruleset", file: `{"name":"a","target":"push","enforcement":"active","bypass_actors":[],"rules":[{"type":"max_file_size","parameters":{"max_file_size":5}}]}`, o: write, statuses: "a created 0", unsent: "conditions"},
		{name: "R16 a word that the service refuses", file: doc("a", noActors+`,"rules":[{"type":"code_scanning","parameters":{"code_scanning_tools":[{"tool":"x","alerts_threshold":"error","security_alerts_threshold":"none"}]}}]`), o: write, statuses: "a failed 5", text: `rule 0, of type "code_scanning"`},
		{name: "a plan writes nothing", live: []string{doc("b", team+deletion)}, file: doc("a", noActors+deletion), o: look, statuses: "a missing 1, b unmanaged 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			target := tt.target
			if target == "" {
				target = "o/r"
			}
			b.add(target, tt.live...)
			if tt.arrange != nil {
				tt.arrange(b.service)
			}
			results := b.run(target, tt.o, tt.file)
			if got := statuses(results); got != tt.statuses {
				t.Errorf("the statuses are %q, want %q: %+v", got, tt.statuses, results)
			}
			var body, said string
			writes := 0
			for _, r := range b.service.Requests() {
				if r.Method != http.MethodGet {
					writes++
					if len(r.Body) > 0 {
						body = string(r.Body)
					}
				}
			}
			for _, r := range results {
				said += r.Text
			}
			if !strings.Contains(body, tt.sent) || tt.unsent != "" && strings.Contains(body, tt.unsent) {
				t.Errorf("sent was %s; it must have %s and not %s", body, tt.sent, tt.unsent)
			}
			if !strings.Contains(said, tt.text) {
				t.Errorf("it says %q, want %q", said, tt.text)
			}
			if !tt.o.Write && writes > 0 {
				t.Errorf("%d writes", writes)
			}
		})
	}
}

// TestR35NeverRetriedWithLess: a refusal is the end of it, with its words.
func TestR35NeverRetriedWithLess(t *testing.T) {
	b := newBench(t)
	b.service.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"message":"Validation Failed","errors":[{"message":"Actor GitHub Actions integration must be part of the ruleset source or owner organization"}]}`)
		}
		return r.Method == http.MethodPost
	}
	results := b.run("o/r", write, doc("a", `,"bypass_actors":[{"actor_type":"Integration","actor_id":15368,"bypass_mode":"always"}]`+deletion))
	if got := statuses(results); got != "a failed 5" || !strings.Contains(results[0].Text, "owner organization") {
		t.Errorf("it is %s: %+v", got, results)
	}
	if got := b.methods(); got != "GET repos/o/r/rulesets, POST repos/o/r/rulesets" {
		t.Errorf("asked was %s", got)
	}
}

func TestR34InheritedRulesetsAreNeverTouched(t *testing.T) {
	b := newBench(t)
	b.add("o", doc("a", noActors+deletion), doc("z", noActors+deletion))
	results := b.run("o/r", reconcile.Options{Write: true, Yes: true, Prune: true}, doc("a", noActors+deletion))
	if got := statuses(results); got != "a created 0" {
		t.Errorf("it is %s", got)
	}
	if got := b.service.Names("o"); !slices.Equal(got, []string{"a", "z"}) {
		t.Errorf("the organisation has %v", got)
	}
	for _, r := range b.service.Requests() {
		if strings.HasPrefix(r.Path, "/orgs/") || r.Method == http.MethodGet && !strings.Contains(r.Query, "includes_parents=false") {
			t.Errorf("asked was %s %s?%s", r.Method, r.Path, r.Query)
		}
	}
}

func TestR24NoDuplicatePastTheFirstPage(t *testing.T) {
	b := newBench(t)
	for n := range 150 {
		b.add("o/r", doc(fmt.Sprintf("rule %03d", n), noActors+deletion))
	}
	results := b.run("o/r", write, doc("rule 149", noActors+`,"rules":[{"type":"update"}]`))
	if results[0].Status != reconcile.Updated || len(b.service.Names("o/r")) != 150 {
		t.Errorf("it is %s, and there are %d", results[0].Status, len(b.service.Names("o/r")))
	}
}

// TestR45ClassicProtectionIsNotAsked: only rulesets say whether something is
// protected by a ruleset.
func TestR45ClassicProtectionIsNotAsked(t *testing.T) {
	b := newBench(t)
	b.add("o/r", doc("a", noActors+deletion))
	if got := statuses(b.run("o/r", look, doc("a", noActors+deletion))); got != "a ok 0" {
		t.Errorf("it is %s", got)
	}
	if got := b.methods(); strings.Contains(got, "protection") || strings.Contains(got, "/rules/") {
		t.Errorf("asked was %s", got)
	}
}

// TestOneFailureStopsNobodyElse: all repositories are reported.
func TestOneFailureStopsNobodyElse(t *testing.T) {
	b := newBench(t)
	wanted := []reconcile.Wanted{{File: "a.json", Value: parse(t, doc("a", noActors+deletion))}}
	var jobs []reconcile.Job
	for _, name := range []string{"gone", "r", "gone-too"} {
		jobs = append(jobs, reconcile.Job{Target: ruleset.Target{Owner: "o", Repository: name}, Rulesets: wanted})
	}
	results := reconcile.Run(t.Context(), b.client, jobs, reconcile.Options{Write: true, Concurrency: 3})
	if got := statuses(results); got != "a failed 4, a created 0, a failed 4" {
		t.Errorf("it is %s", got)
	}
	codes := []int{}
	for _, r := range results {
		codes = append(codes, r.Code)
	}
	if reconcile.Gravest(codes...) != reconcile.CodeUnverified {
		t.Error("the gravest code is not that of what could not be verified")
	}
}

func TestGravest(t *testing.T) {
	order := []int{2, 5, 4, 3, 1, 0}
	for i, grave := range order {
		if got := reconcile.Gravest(order[i:]...); got != grave {
			t.Errorf("the gravest of %v is %d", order[i:], got)
		}
	}
	if reconcile.Gravest() != 0 {
		t.Error("nothing is grave")
	}
}

// TestEveryRuleSurvives: each documented type of rule and three that nobody
// knows come through export, apply and export the same.
func TestEveryRuleSurvives(t *testing.T) {
	schema, err := rulesets.Describe()
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]any{
		"code_quality": rulesets.Object{"type": "code_quality", "parameters": rulesets.Object{"severity": "errors"}},
		"zz_one":       rulesets.Object{"type": "zz_one"},
		"zz_two":       rulesets.Object{"type": "zz_two", "parameters": rulesets.Object{"big": json.Number("90071992547409931234"), "deep": []any{1, rulesets.Object{"x": nil}}, "tiny": json.Number("1.0e-3")}},
		"zz_three":     rulesets.Object{"type": "zz_three", "zz": "beside", "parameters": rulesets.Object{"list": []any{"b", "a", "b"}}},
	}
	for _, name := range schema.Rules() {
		samples[name] = schema.Sample(name)
	}
	if len(samples) != 23+1+3 {
		t.Fatalf("there are %d types of rules", len(samples))
	}
	for name, rule := range samples {
		b := newBench(t)
		data, err := json.Marshal(rulesets.Object{"name": "a", "enforcement": "active", "target": "branch", "bypass_actors": []any{}, "rules": []any{rule}, "conditions": rulesets.Object{"ref_name": rulesets.Object{"include": []string{"~ALL"}, "exclude": []string{}}}})
		if err != nil {
			t.Fatal(err)
		}
		b.add("o/r", string(data))
		export := func() []byte {
			list, err := b.client.List(t.Context(), ruleset.Target{Owner: "o", Repository: "r"})
			if err != nil || len(list) != 1 {
				t.Fatalf("%s: %v, %v", name, list, err)
			}
			v, err := b.client.Get(t.Context(), ruleset.Target{Owner: "o", Repository: "r"}, list[0].ID)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return ruleset.Export(v).Indented()
		}
		first := export()
		b.service.Remove("o/r", "a")
		if got := statuses(b.run("o/r", write, string(first))); got != "a created 0" {
			t.Errorf("%s: applied: %s", name, got)
		}
		if second := export(); !bytes.Equal(first, second) {
			t.Errorf("%s: exported is\n%s\nthen\n%s", name, first, second)
		}
		b.service.Change("o/r", "a", func(o rulesets.Object) { o["enforcement"] = "disabled" })
		if got := statuses(b.run("o/r", write, string(first))); got != "a updated 0" {
			t.Errorf("%s: applied over it: %s", name, got)
		}
		if third := export(); !bytes.Equal(first, third) {
			t.Errorf("%s: exported is\n%s\nthen\n%s", name, first, third)
		}
	}
}

package ruleset

import (
	"fmt"
	"strings"
	"testing"
)

func finds(list []Finding) string {
	var b strings.Builder
	for _, f := range list {
		kind := "error"
		if f.Warning {
			kind = "warning"
		}
		fmt.Fprintf(&b, "%s: %s\n", kind, f.Text)
	}
	return b.String()
}

// inOrder is a ruleset that is in order, with members put in the place of its
// own.
func inOrder(t testing.TB, members string) Value {
	t.Helper()
	base := parse(t, `{"name":"x","target":"branch","enforcement":"active","bypass_actors":[],"conditions":{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}},"rules":[{"type":"deletion"}]}`)
	for _, m := range parse(t, "{"+members+"}").Members() {
		base = base.With(m.Name, m.Value)
	}
	return base
}

func TestLint(t *testing.T) {
	noRefs := `"conditions":{"repository_name":{"include":["~ALL"]}}`
	for _, tt := range []struct {
		name, members string
		scope         Scope
		want          string // how the findings begin; "" for none
	}{
		{"in order", ``, RepositoryScope, ""},
		{"R10 exempt", `"bypass_actors":[{"actor_id":1,"actor_type":"Integration","bypass_mode":"exempt"}]`, 0, "warning: an exempt actor leaves no entry in the audit log"},
		{"R11 a user", `"bypass_actors":[{"actor_id":42,"actor_type":"User","bypass_mode":"always"}]`, 0, ""},
		{"R12 the update rule's parameter", `"rules":[{"type":"update","parameters":{"update_allows_fetch_and_merge":true}}]`, 0, ""},
		{"R13 a push ruleset", `"target":"push","conditions":null,"rules":[{"type":"max_file_size","parameters":{"max_file_size":5}}]`, 0, ""},
		{"R13 a push ruleset with refs", `"target":"push","rules":[{"type":"max_file_size","parameters":{"max_file_size":5}}]`, 0, "warning: a push ruleset is about all refs"},
		{"R15 an organisation's without repositories", ``, OrganizationScope, "error: an organisation's ruleset needs exactly one condition about repositories (repository_name, repository_id or repository_property); this one has 0"},
		{"R15 an organisation's with two conditions", `"conditions":{"ref_name":{},"repository_name":{},"repository_id":{}}`, OrganizationScope, "error: an organisation's ruleset needs exactly one condition"},
		{"an organisation's", noRefs[:len(noRefs)-1] + `,"ref_name":{"include":["~ALL"]}}`, OrganizationScope, ""},
		{"a repository's with repositories", noRefs[:len(noRefs)-1] + `,"ref_name":{"include":["~ALL"]}}`, RepositoryScope, "error: repository_name is for an organisation's ruleset"},
		{"R16 a wrong word", `"rules":[{"type":"code_scanning","parameters":{"code_scanning_tools":[{"tool":"CodeQL","alerts_threshold":"error","security_alerts_threshold":"none"}]}}]`, 0,
			`error: code_scanning.code_scanning_tools.alerts_threshold is "error"; did you mean errors? The words are none, errors, errors_and_warnings, all`},
		{"R28 a word that may be new", `"rules":[{"type":"merge_queue","parameters":{"check_response_timeout_minutes":5,"grouping_strategy":"BY_SIZE","max_entries_to_build":1,"max_entries_to_merge":1,"merge_method":"SQUASH","min_entries_to_merge":1,"min_entries_to_merge_wait_minutes":0}}]`, 0,
			`warning: merge_queue.grouping_strategy is "BY_SIZE", which is not one of the words known here`},
		{"R28 a rule that nobody knows", `"rules":[{"type":"zz_future","parameters":{"k":[1,{"x":null}]}}]`, 0, `warning: the rule type "zz_future" is not known here; it is sent as it is`},
		{"R28 an actor that nobody knows", `"bypass_actors":[{"actor_id":1,"actor_type":"Robot","bypass_mode":"always"}]`, 0, `warning: actor_type is "Robot", which is not known here`},
		{"R28 a mode that nobody knows", `"bypass_actors":[{"actor_id":1,"actor_type":"User","bypass_mode":"on_sundays"}]`, 0, `warning: bypass_mode is "on_sundays"`},
		{"R28 a target that nobody knows", `"target":"workflow"`, 0, `warning: target is "workflow"`},
		{"R28 a parameter that nobody knows", `"rules":[{"type":"update","parameters":{"update_allows_fetch_and_merge":true,"zz":1}}]`, 0, `warning: the rule update has the member "zz"`},
		{"a slip in a rule's type", `"rules":[{"type":"deletoin"}]`, 0, `error: the rule type is "deletoin"; did you mean deletion?`},
		{"a slip in a word for refs", `"conditions":{"ref_name":{"include":["~DEFAULT_BRANHC"],"exclude":[]}}`, 0, `error: conditions.ref_name.include has "~DEFAULT_BRANHC"; did you mean ~DEFAULT_BRANCH?`},
		{"a branch without its space", `"conditions":{"ref_name":{"include":["main"],"exclude":[]}}`, 0, `warning: conditions.ref_name.include has "main", which no branch is: a pattern is of the whole ref, as in refs/heads/main`},
		{"a tag where branches are meant", `"conditions":{"ref_name":{"include":["~ALL"],"exclude":["refs/tags/v*"]}}`, 0, `warning: conditions.ref_name.exclude has "refs/tags/v*", which no branch is`},
		{"nothing is covered", `"conditions":{"ref_name":{"include":[],"exclude":[]}}`, 0, `warning: conditions.ref_name.include is empty`},
		{"tags", `"target":"tag","conditions":{"ref_name":{"include":["refs/tags/v*"],"exclude":[]}}`, 0, ""},
		{"R31 a pattern rule without parameters", `"rules":[{"type":"branch_name_pattern"}]`, 0, "error: the rule branch_name_pattern needs parameters: operator, pattern"},
		{"R46 no mode", `"bypass_actors":[{"actor_id":1,"actor_type":"Integration"}]`, 0, "error: bypass_mode is missing, and without it the service takes always"},
		{"R50 a member in another case", `"Enforcement":"disabled"`, 0, "error: Enforcement is written enforcement"},
		{"R32 members of the service", `"id":1,"_links":{}`, 0, "warning: id is the service's to say; it is not sent, and can go\nwarning: _links is"},
		{"no list of actors", `"bypass_actors":null`, 0, "error: bypass_actors must be a list, not null; nobody is []"},
		{"an actor twice", `"bypass_actors":[{"actor_type":"OrganizationAdmin","bypass_mode":"always"},{"actor_id":1,"actor_type":"OrganizationAdmin","bypass_mode":"pull_request"}]`, 0, "error: organisation owners stands twice"},
		{"a deploy key in pull requests", `"bypass_actors":[{"actor_id":null,"actor_type":"DeployKey","bypass_mode":"pull_request"}]`, 0, "error: a deploy key cannot bypass in pull requests only"},
		{"a custom role", `"bypass_actors":[{"actor_id":8132,"actor_type":"RepositoryRole","bypass_mode":"always"}]`, 0, "warning: the role 8132 is one that an organisation made"},
		{"an App by its slug", `"bypass_actors":[{"actor_id":"${app:bundle-bot}","actor_type":"Integration","bypass_mode":"always"}]`, 0, ""},
		{"a team by a slug", `"bypass_actors":[{"actor_id":"${app:bundle-bot}","actor_type":"Team","bypass_mode":"always"}]`, 0, "error: actor_id is a number, not"},
		{"a slug that is none", `"bypass_actors":[{"actor_id":"bundle-bot","actor_type":"Integration","bypass_mode":"always"}]`, 0, "error: actor_id is a number (the App's id), or \"${app:slug}\", not \"bundle-bot\""},
		{"an id that is no whole number", `"bypass_actors":[{"actor_id":1.5,"actor_type":"Integration","bypass_mode":"always"}]`, 0, "error: actor_id of a bypass actor of type Integration is a number"},
		{"no id", `"bypass_actors":[{"actor_type":"Team","bypass_mode":"always"}]`, 0, "error: actor_id of a bypass actor of type Team is a number, not nothing"},
		{"a check of an App by its slug", fmt.Sprintf(statusChecks, "", `,"integration_id":"${app:ci}"`), 0, ""},
		{"J06 a check's App in another spelling", fmt.Sprintf(statusChecks, "", `,"integration_id":1e3`), 0, ""},
		{"too many approvals", fmt.Sprintf(reviews, "true", "11"), 0, "error: pull_request needs dismiss_stale_reviews_on_push\n"},
		{"a number out of range", `"target":"push","conditions":null,"rules":[{"type":"max_file_size","parameters":{"max_file_size":101}}]`, 0, "error: max_file_size.max_file_size is 101; it goes from 1 to 100"},
		{"a string for a list", `"rules":[{"type":"required_deployments","parameters":{"required_deployment_environments":"prod"}}]`, 0, `error: required_deployments.required_deployment_environments must be a list, not "prod"`},
		{"a number in a list of strings", `"rules":[{"type":"required_deployments","parameters":{"required_deployment_environments":[1]}}]`, 0, "error: required_deployments.required_deployment_environments must be a string, not 1"},
		{"two rules of one type", `"rules":[{"type":"deletion"},{"type":"deletion"}]`, 0, "warning: there are two rules of type deletion"},
		{"a rule of another target", `"rules":[{"type":"max_file_size","parameters":{"max_file_size":1}}]`, 0, "warning: the rule max_file_size is not known to go with target branch"},
		{"a level in capitals", `"enforcement":"ACTIVE"`, 0, `error: enforcement is "ACTIVE"; did you mean active?`},
		{"no level", `"enforcement":null`, 0, "error: the ruleset needs an enforcement: disabled, evaluate, active"},
		{"no name", `"name":""`, 0, "error: the ruleset needs a name"},
		{"no refs", `"conditions":{}`, 0, "warning: conditions.ref_name is missing"},
		{"rules that are none", `"rules":[{"parameters":{}},7]`, 0, "error: a rule is an object with a type\nerror: a rule is an object with a type\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := finds(Lint("x.json", inOrder(t, tt.members), tt.scope))
			if tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
				t.Errorf("the findings are\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestFindingsNameTheLine(t *testing.T) {
	v := parse(t, "{\n\"name\":\"x\",\n\"enforcement\":\"active\",\n\"bypass_actors\":[],\n\"rules\":[\n{\"type\":\"zz\"}\n],\"conditions\":{\"ref_name\":{}}}")
	got := Lint("a/x.json", v, AnyScope)
	if len(got) != 1 || got[0].String() != `a/x.json:6: warning: the rule type "zz" is not known here; it is sent as it is` {
		t.Errorf("the findings are %v", got)
	}
}

func TestSlip(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"error", "errors", true}, {"errors", "error", true}, {"erorrs", "errors", true}, {"errosr", "errors", true}, {"arrors", "errors", true},
		{"errors", "errors", false}, {"none", "errors", false}, {"rorers", "errors", false}, {"", "a", true}, {"ab", "ba", true},
	} {
		if got := slip(tt.a, tt.b); got != tt.want {
			t.Errorf("slip(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}

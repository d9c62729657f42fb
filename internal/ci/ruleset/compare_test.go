package ruleset

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// lines are the changes as a person sees them: "!" in front of a loss, "-"
// of what weakens, "=" of a value of the service, "~" of the rest.
func lines(c Comparison) string {
	var b strings.Builder
	for _, ch := range c.Changes {
		mark := "~"
		switch {
		case ch.Loss:
			mark = "!"
		case ch.Weakens:
			mark = "-"
		case ch.ServerValue:
			mark = "="
		}
		fmt.Fprintf(&b, "%s %s: %s\n", mark, ch.Path, ch.Text)
	}
	if c.Hidden {
		b.WriteString("hidden\n")
	}
	return b.String()
}

const (
	statusChecks = `"rules":[{"type":"required_status_checks","parameters":{%s"required_status_checks":[{"context":"ci"%s}],"strict_required_status_checks_policy":true}}]`
	reviews      = `"rules":[{"type":"pull_request","parameters":{"require_code_owner_review":%s,"required_approving_review_count":%s}}]`
	actor        = `"bypass_actors":[{"actor_type":"%s","actor_id":%s,"bypass_mode":"%s"}]`
)

func TestCompare(t *testing.T) {
	branch := func(in, ex string) string {
		return fmt.Sprintf(`"conditions":{"ref_name":{"include":[%s],"exclude":[%s]}}`, in, ex)
	}
	for _, tt := range []struct{ name, file, live, want string }{
		{"R07 order of repository ids", `"conditions":{"repository_id":{"repository_ids":[111,777]}}`, `"conditions":{"repository_id":{"repository_ids":[777,111]}}`, ""},
		{"R02 an actor that the file does not have", ``, fmt.Sprintf(actor, "Team", "7", "always"), "! bypass_actors: team 7 (always) will be REMOVED\n"},
		{"R37 an App that the file does not have", ``, fmt.Sprintf(actor, Integration, "12", "exempt"), "! bypass_actors: the App named-bot (12) (exempt, without a trace in the audit log) will be REMOVED\n"},
		{"R44 roles by their names", fmt.Sprintf(actor, RepositoryRole, "5", "always"), fmt.Sprintf(actor, RepositoryRole, "4", "always"), "! bypass_actors: the role write (always) will be REMOVED\n- bypass_actors: the role admin (always) will be added\n"},
		{"an actor may bypass more", fmt.Sprintf(actor, "User", "42", "always"), fmt.Sprintf(actor, "User", "42", "pull_request"), "- bypass_actors.user 42: may bypass in pull requests only → always\n"},
		{"an actor may bypass less", fmt.Sprintf(actor, "User", "42", "pull_request"), fmt.Sprintf(actor, "User", "42", "exempt"), "~ bypass_actors.user 42: may bypass exempt, without a trace in the audit log → in pull requests only\n"},
		{"R46 an omitted mode means always", `"bypass_actors":[{"actor_type":"User","actor_id":42}]`, fmt.Sprintf(actor, "User", "42", "always"), ""},
		{"owners: null is 1", fmt.Sprintf(actor, OrganizationAdmin, "1", "always"), fmt.Sprintf(actor, OrganizationAdmin, "null", "always"), ""},
		{"owners: absent is 0", `"bypass_actors":[{"actor_type":"OrganizationAdmin","bypass_mode":"always"}]`, fmt.Sprintf(actor, OrganizationAdmin, "0", "always"), ""},
		{"deploy keys have no id", fmt.Sprintf(actor, DeployKey, "null", "always"), fmt.Sprintf(actor, DeployKey, "0", "always"), ""},
		{"R43 the live one is switched off", `"enforcement":"active"`, `"enforcement":"disabled"`, "~ enforcement: disabled → active; until then it is weaker than the file\n"},
		{"the file switches it off", `"enforcement":"evaluate"`, `"enforcement":"active"`, "! enforcement: active → evaluate: WEAKER\n"},
		{"a level that nobody knows", `"enforcement":"active"`, `"enforcement":"zz"`, "! enforcement: \"zz\" → \"active\"\n"},
		{"R21 a rule was removed live", `"rules":[{"type":"deletion"},{"type":"update"}]`, `"rules":[{"type":"update"}]`, "~ rules.deletion: the rule will be added\n"},
		{"R21 a rule was added live", `"rules":[{"type":"update"}]`, `"rules":[{"type":"update"},{"type":"deletion"}]`, "! rules.deletion: the rule will be REMOVED\n"},
		{"R22 the id of a check was removed from the file", fmt.Sprintf(statusChecks, "", ""), fmt.Sprintf(statusChecks, "", `,"integration_id":12`),
			"- rules.required_status_checks.parameters.required_status_checks: the check \"ci\" from the App named-bot (12) will be removed\n" +
				"~ rules.required_status_checks.parameters.required_status_checks: the check \"ci\", from anybody, will be added\n"},
		{"a check without an id", fmt.Sprintf(statusChecks, "", ""), fmt.Sprintf(statusChecks, "", `,"integration_id":null`), ""},
		{"J06 numbers by value", fmt.Sprintf(statusChecks, "", `,"integration_id":1e3`), fmt.Sprintf(statusChecks, "", `,"integration_id":1000.0`), ""},
		{"R18 a parameter that the file does not mention", fmt.Sprintf(statusChecks, "", ""), fmt.Sprintf(statusChecks, `"do_not_enforce_on_create":true,`, ""),
			"= rules.required_status_checks.parameters.do_not_enforce_on_create: the service has true; the file does not say\n"},
		{"R18 a parameter that the file denies", fmt.Sprintf(statusChecks, `"do_not_enforce_on_create":false,`, ""), fmt.Sprintf(statusChecks, `"do_not_enforce_on_create":true,`, ""),
			"~ rules.required_status_checks.parameters.do_not_enforce_on_create: true → false\n"},
		{"a default that only the service spells out", fmt.Sprintf(statusChecks, "", ""), fmt.Sprintf(statusChecks, `"do_not_enforce_on_create":false,`, ""), ""},
		{"R19 inside of pull_request", fmt.Sprintf(reviews, "true", "1"), fmt.Sprintf(reviews, "false", "1"), "~ rules.pull_request.parameters.require_code_owner_review: false → true\n"},
		{"fewer approvals", fmt.Sprintf(reviews, "false", "1"), fmt.Sprintf(reviews, "true", "10"),
			"- rules.pull_request.parameters.require_code_owner_review: true → false\n- rules.pull_request.parameters.required_approving_review_count: 10 → 1\n"},
		{"R17 workflows in another order", `"rules":[{"type":"workflows","parameters":{"workflows":[{"path":"a","repository_id":1},{"path":"b","repository_id":2}]}}]`,
			`"rules":[{"type":"workflows","parameters":{"do_not_enforce_on_create":false,"workflows":[{"repository_id":2,"path":"b"},{"path":"a","repository_id":1}]}}]`, ""},
		{"R12 the update rule's parameter", `"rules":[{"type":"update","parameters":{"update_allows_fetch_and_merge":true}}]`, `"rules":[{"type":"update"}]`,
			"- rules.update.parameters.update_allows_fetch_and_merge: false → true\n"},
		{"the update rule without parameters", `"rules":[{"type":"update","parameters":{"update_allows_fetch_and_merge":false}}]`, `"rules":[{"type":"update","parameters":{}}]`, ""},
		{"R33 a merge queue", `"rules":[{"type":"merge_queue","parameters":{"merge_method":"SQUASH"}}]`, `"rules":[{"type":"merge_queue","parameters":{"merge_method":"REBASE"}}]`,
			"~ rules.merge_queue.parameters.merge_method: \"REBASE\" → \"SQUASH\"\n"},
		{"R28 what nobody knows is compared", `"rules":[{"type":"zz_future","parameters":{"k":[1,{"x":null}]}}]`, `"rules":[{"type":"zz_future","parameters":{"k":[{"x":null},1]}}]`,
			"~ rules.zz_future.parameters.k: [{\"x\":null},1] → [1,{\"x\":null}]\n"},
		{"R13 no conditions on a push ruleset", `"target":"push"`, `"target":"push","conditions":null`, ""},
		{"order of patterns", branch(`"a","b"`, ``), branch(`"b","a"`, ``), ""},
		{"a list that is left out is empty", `"conditions":{"ref_name":{"include":["a"]}}`, branch(`"a"`, ``), ""},
		{"a pattern less", branch(`"a"`, `"x"`), branch(`"a","b"`, ``), "- conditions.ref_name.exclude: \"x\" will be added\n- conditions.ref_name.include: \"b\" will be removed\n"},
		{"conditions that only the service has", ``, branch(`"a"`, ``), "~ conditions: {\"ref_name\":{\"exclude\":[],\"include\":[\"a\"]}} → nothing\n"},
		{"two rules of one type", `"rules":[{"type":"branch_name_pattern","parameters":{"operator":"regex","pattern":"a"}},{"type":"branch_name_pattern","parameters":{"operator":"regex","pattern":"b"}}]`,
			`"rules":[{"type":"branch_name_pattern","parameters":{"operator":"regex","pattern":"b"}}]`, "~ rules.branch_name_pattern: the rule will be added\n"},
		{"a new member of the whole", ``, `"zz_scope":"all"`, "= zz_scope: the service has \"all\"; the file does not say\n"},
		{"a tag for a branch", `"target":"tag"`, ``, "~ target: \"branch\" → \"tag\"\n"},
		{"times and links", ``, `"id":7,"updated_at":"2026-01-01","_links":{"self":{}},"current_user_can_bypass":"always"`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			document := func(members string) Value {
				if members != "" && !strings.Contains(members, "bypass_actors") {
					members += ","
				}
				if !strings.Contains(members, "bypass_actors") {
					members += `"bypass_actors":[]`
				}
				return parse(t, "{"+members+"}")
			}
			got := Compare(document(tt.file), document(tt.live), Names{Apps: map[string]string{"12": "named-bot"}})
			if lines(got) != tt.want {
				t.Errorf("the changes are\n%swant\n%s", lines(got), tt.want)
			}
		})
	}
}

func TestR42HiddenActorsAreNotNone(t *testing.T) {
	file := parse(t, `{"name":"x","bypass_actors":[]}`)
	for live, hidden := range map[string]bool{`{"name":"x"}`: true, `{"name":"x","bypass_actors":null}`: true, `{"name":"x","bypass_actors":[]}`: false} {
		if got := Compare(file, parse(t, live), Names{}); got.Hidden != hidden || len(got.Changes) > 0 {
			t.Errorf("%s: hidden %v, changes %v", live, got.Hidden, got.Changes)
		}
	}
}

func TestWhatMustNotBeOverlookedStandsFirst(t *testing.T) {
	file := parse(t, `{"name":"x","enforcement":"evaluate","bypass_actors":[{"actor_type":"User","actor_id":1}],"conditions":{"ref_name":{"include":["a"]}},"rules":[{"type":"creation"}]}`)
	live := parse(t, `{"name":"x","enforcement":"active","bypass_actors":[{"actor_type":"Team","actor_id":2}],"conditions":{"ref_name":{"include":["b"]}},"rules":[{"type":"deletion"}]}`)
	var order []string
	for _, line := range strings.Split(strings.TrimSpace(lines(Compare(file, live, Names{}))), "\n") {
		order = append(order, line[:strings.Index(line, ":")])
	}
	const want = "! bypass_actors|! enforcement|! rules.deletion|- bypass_actors|- conditions.ref_name.include|~ conditions.ref_name.include|~ rules.creation"
	if got := strings.Join(order, "|"); got != want {
		t.Errorf("the order is\n%s\nwant\n%s", got, want)
	}
}

func TestForeignTextStaysOnItsLine(t *testing.T) {
	live := parse(t, `{"name":"x","bypass_actors":[{"actor_type":"Evil\n::error::\u001b[2J","actor_id":1}],"rules":[{"type":"a\nb\u202e"}],"z\nz":1}`)
	for _, c := range Compare(parse(t, `{"name":"x"}`), live, Names{}).Changes {
		if strings.ContainsAny(c.Path+c.Text, "\n\x1b\u202e") {
			t.Errorf("%q: %q holds control characters", c.Path, c.Text)
		}
	}
}

func TestExportAddsNothing(t *testing.T) {
	live := parse(t, `{"id":1,"name":"x","rules":[{"type":"update"},{"parameters":{"negate":true,"pattern":"a","operator":"regex"},"type":"tag_name_pattern"},{"type":"deletion"}],"bypass_actors":[{"actor_type":"Team","actor_id":10},{"actor_type":"OrganizationAdmin","actor_id":null}],"conditions":{"ref_name":{"include":["b","a"],"exclude":[]}}}`)
	const want = `{"bypass_actors":[{"actor_id":null,"actor_type":"OrganizationAdmin"},{"actor_id":10,"actor_type":"Team"}],"conditions":{"ref_name":{"exclude":[],"include":["a","b"]}},"name":"x","rules":[{"type":"deletion"},{"parameters":{"negate":true,"operator":"regex","pattern":"a"},"type":"tag_name_pattern"},{"type":"update"}]}`
	if got := Export(live).JSON(); !bytes.Equal(got, []byte(want)) {
		t.Errorf("exported is\n%s\nwant\n%s", got, want)
	}
}

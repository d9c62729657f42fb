package ruleset

// The catalog is what is known of rules and their parameters: enough to warn
// of a slip before the service refuses it, to know which lists are sets, and
// which parameter left out means false. A rule that is not here is sent and
// compared like any other.

// A shape is what is known of one parameter.
type shape struct {
	kind     Kind
	required bool
	words    []string // of a string
	min, max int      // of a number, when max > 0
	id       bool     // a number, or an App by its slug
	off      bool     // a boolean that is false when left out
	ordered  bool     // an array whose order may mean something
	of       *shape   // of an array's elements
	fields   shapes   // of an object
}

type shapes map[string]shape

// A ruleType is what is known of one type of rule.
type ruleType struct {
	target   string // "push" or "repository"; "" is branch and tag
	required bool   // of the parameters as a whole
	fields   shapes
}

func must(s shape) shape { s.required = true; return s }

var (
	text    = shape{kind: String}
	whole   = shape{kind: Number}
	flag    = shape{kind: Bool}
	flagOff = shape{kind: Bool, off: true}
	texts   = shape{kind: Array, of: &text}
)

func between(low, high int) shape { return shape{kind: Number, min: low, max: high} }
func word(of ...string) shape     { return shape{kind: String, words: of} }
func objects(fields shapes) shape {
	return shape{kind: Array, of: &shape{kind: Object, fields: fields}}
}

// pattern are the parameters of the rules about how something is written.
var pattern = ruleType{required: true, fields: shapes{
	"operator": must(word("starts_with", "ends_with", "contains", "regex")),
	"pattern":  must(text),
	"name":     text,
	"negate":   flagOff,
}}

func one(name string, s shape) ruleType {
	return ruleType{required: true, fields: shapes{name: must(s)}}
}

func onPush(t ruleType) ruleType { t.target = "push"; return t }

var catalog = map[string]ruleType{
	"creation":                    {},
	"deletion":                    {},
	"required_linear_history":     {},
	"required_signatures":         {},
	"non_fast_forward":            {},
	"license_compliance_scanning": {},
	"update":                      {fields: shapes{"update_allows_fetch_and_merge": flagOff}},
	"commit_message_pattern":      pattern,
	"commit_author_email_pattern": pattern,
	"committer_email_pattern":     pattern,
	"branch_name_pattern":         pattern,
	"tag_name_pattern":            pattern,
	"required_deployments":        one("required_deployment_environments", texts),
	"file_path_restriction":       onPush(one("restricted_file_paths", texts)),
	"file_extension_restriction":  onPush(one("restricted_file_extensions", texts)),
	"max_file_path_length":        onPush(one("max_file_path_length", between(1, 32767))),
	"max_file_size":               onPush(one("max_file_size", between(1, 100))),
	"code_quality":                {fields: shapes{"severity": text}},
	"repository_create":           {target: "repository"},
	"repository_delete":           {target: "repository"},
	"repository_name":             {target: "repository"},
	"repository_transfer":         {target: "repository"},
	"repository_visibility":       {target: "repository"},
	"copilot_code_review":         {fields: shapes{"review_on_push": flagOff, "review_draft_pull_requests": flagOff}},
	"merge_queue": {required: true, fields: shapes{
		"check_response_timeout_minutes":    must(between(1, 360)),
		"grouping_strategy":                 must(word("ALLGREEN", "HEADGREEN")),
		"max_entries_to_build":              must(between(0, 100)),
		"max_entries_to_merge":              must(between(0, 100)),
		"merge_method":                      must(word("MERGE", "SQUASH", "REBASE")),
		"min_entries_to_merge":              must(between(0, 100)),
		"min_entries_to_merge_wait_minutes": must(between(0, 360)),
	}},
	"pull_request": {required: true, fields: shapes{
		"dismiss_stale_reviews_on_push":     must(flag),
		"require_code_owner_review":         must(flag),
		"require_last_push_approval":        must(flag),
		"required_approving_review_count":   must(between(0, 10)),
		"required_review_thread_resolution": must(flag),
		"allowed_merge_methods":             {kind: Array, of: &shape{kind: String, words: []string{"merge", "squash", "rebase"}}},
		"dismissal_restriction": {kind: Object, fields: shapes{
			"enabled":        must(flag),
			"allowed_actors": objects(shapes{"id": must(whole), "type": must(word("User", "Team", "IntegrationInstallation", "RepositoryRole"))}),
		}},
		"required_reviewers": objects(shapes{
			"file_patterns":     must(shape{kind: Array, of: &text, ordered: true}),
			"minimum_approvals": must(between(0, 10)),
			"reviewer":          must(shape{kind: Object, fields: shapes{"id": must(whole), "type": must(word("Team"))}}),
		}),
	}},
	"required_status_checks": {required: true, fields: shapes{
		"required_status_checks":               must(objects(shapes{"context": must(text), "integration_id": {kind: Number, id: true}})),
		"strict_required_status_checks_policy": must(flag),
		"do_not_enforce_on_create":             flagOff,
	}},
	"workflows": {required: true, fields: shapes{
		"workflows":                must(objects(shapes{"path": must(text), "repository_id": must(whole), "ref": text, "sha": text})),
		"do_not_enforce_on_create": flagOff,
	}},
	"code_scanning": one("code_scanning_tools", objects(shapes{
		"tool":                      must(text),
		"alerts_threshold":          must(word("none", "errors", "errors_and_warnings", "all")),
		"security_alerts_threshold": must(word("none", "critical", "high_or_higher", "medium_or_higher", "all")),
	})),
}

// conditions is what is known of the conditions.
var conditions = shapes{
	"ref_name":              {kind: Object, fields: shapes{"include": texts, "exclude": texts}},
	"repository_name":       {kind: Object, fields: shapes{"include": texts, "exclude": texts, "protected": flagOff}},
	"repository_id":         {kind: Object, fields: shapes{"repository_ids": {kind: Array, of: &whole}}},
	"repository_property":   {kind: Object, fields: shapes{"include": property, "exclude": property}},
	"organization_name":     {kind: Object, fields: shapes{"include": texts, "exclude": texts}},
	"organization_id":       {kind: Object, fields: shapes{"organization_ids": {kind: Array, of: &whole}}},
	"organization_property": {kind: Object, fields: shapes{"include": property, "exclude": property}},
}

var property = objects(shapes{"name": must(text), "property_values": must(texts), "source": text})

// Types of bypass actors.
const (
	Integration       = "Integration"
	RepositoryRole    = "RepositoryRole"
	OrganizationAdmin = "OrganizationAdmin"
	DeployKey         = "DeployKey"
)

// actorTypes are the known types of bypass actors, and whether one has an id.
var actorTypes = map[string]bool{
	Integration: true, RepositoryRole: true, "Team": true, "User": true, "EnterpriseRole": true,
	OrganizationAdmin: false, DeployKey: false, "EnterpriseOwner": false,
}

// bypassModes are the known ways to bypass, from the narrowest on.
var bypassModes = []string{"pull_request", "always", "exempt"}

// enforcements are the known levels, from the weakest on.
var enforcements = []string{"disabled", "evaluate", "active"}

var targets = []string{"branch", "tag", "push", "repository"}

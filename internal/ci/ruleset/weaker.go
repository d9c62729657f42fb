package ruleset

import (
	"slices"
	"strings"
)

// loosening are the parameters that protect less when they are true.
var loosening = []string{"update_allows_fetch_and_merge", "do_not_enforce_on_create"}

// additive are the lists of which an element less protects less.
var additive = []string{"required_status_checks", "required_deployment_environments", "required_reviewers", "workflows", "code_scanning_tools",
	"restricted_file_paths", "restricted_file_extensions", "include"}

// subtractive are the lists of which an element more protects less.
var subtractive = []string{"exclude", "allowed_merge_methods", "allowed_actors"}

// weaker is the rank of a change of the value at path: whether it is known to
// protect less.
func weaker(path string, before, after Value) int {
	name := path[strings.LastIndexByte(path, '.')+1:]
	less := false
	switch {
	case before.kind == Absent && after.kind != Absent:
		less = slices.Contains(subtractive, name)
	case after.kind == Absent:
		less = slices.Contains(additive, name) || before.True() && !slices.Contains(loosening, name)
	case before.kind == Bool && after.kind == Bool && strings.HasPrefix(path, "rules."):
		less = name != "negate" && before.True() != slices.Contains(loosening, name)
	case before.kind == Number && after.kind == Number && (name == "required_approving_review_count" || name == "minimum_approvals"):
		less = below(after.text, before.text)
	}
	if less {
		return rankWeaker
	}
	return rankOther
}

// below reports whether a is less than b, both canonical; false where one is
// no plain whole number.
func below(a, b string) bool {
	if strings.ContainsAny(a+b, "-.e") {
		return false
	}
	return len(a) < len(b) || len(a) == len(b) && a < b
}

package githost

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A change is one of a ref; old and new "" mean that there is none.
type change struct{ ref, old, new string }

// words are what the service says of a rule that a change breaks.
var words = map[string]string{
	"creation":            "Cannot create ref due to creations being restricted.",
	"update":              "Cannot update this protected ref.",
	"deletion":            "Cannot delete this protected ref.",
	"non_fast_forward":    "Cannot force-push to this branch.",
	"required_signatures": "Commits must have verified signatures.",
}

// ruleText is a refusal by rules in an answer of the API.
//
// https://docs.github.com/rest/git/refs#update-a-reference
func ruleText(broken []string) string {
	return "Repository rule violations found\n\n" + strings.Join(broken, "\n\n") + "\n\n"
}

// violations are the words for the rules that an actor's change breaks.
func (r *Repository) violations(who *actor, c change) []string {
	return r.judge(who, c, func(rule string) bool {
		switch rule {
		case "creation":
			return c.old == ""
		case "update":
			return c.old != "" && c.new != ""
		case "deletion":
			return c.new == ""
		case "non_fast_forward":
			return c.old != "" && c.new != "" && !r.descends(c.new, c.old)
		case "required_signatures":
			made, err := r.commit(c.new)
			return c.new != "" && err == nil && made.signed == ""
		}
		return false
	})
}

// judge goes through the rules that bind an actor at a ref.
func (r *Repository) judge(who *actor, c change, breaks func(rule string) bool) (broken []string) {
	for _, set := range r.host.Rulesets.Rulesets(r.Name) {
		if set["enforcement"] != "active" || !covers(set, c.ref) || passes(set, who) {
			continue
		}
		rules, _ := set["rules"].([]any)
		for _, item := range rules {
			rule, _ := item.(Object)
			name := fmt.Sprint(rule["type"])
			if words[name] == "" {
				r.host.blame("the ruleset %v has the rule %s, which is not applied here", set["name"], name)
				continue
			}
			if breaks(name) && !slices.Contains(broken, words[name]) {
				broken = append(broken, words[name])
			}
		}
	}
	return broken
}

// covers reports whether a ruleset is about a ref.
func covers(set Object, ref string) bool {
	prefix := map[any]string{nil: "refs/heads/", "branch": "refs/heads/", "tag": "refs/tags/"}[set["target"]]
	if prefix == "" || !strings.HasPrefix(ref, prefix) {
		return false
	}
	conditions, _ := set["conditions"].(Object)
	names, _ := conditions["ref_name"].(Object)
	return listed(names["include"], ref) && !listed(names["exclude"], ref)
}

func listed(list any, ref string) bool {
	patterns, _ := list.([]any)
	return slices.ContainsFunc(patterns, func(p any) bool {
		text := fmt.Sprint(p)
		return text == "~ALL" || text == "~DEFAULT_BRANCH" && ref == "refs/heads/main" || glob(text).MatchString(ref)
	})
}

// glob is a pattern of fnmatch, in which only ** goes over slashes.
func glob(pattern string) *regexp.Regexp {
	text := regexp.QuoteMeta(pattern)
	text = strings.NewReplacer(`\*\*/`, `(?:.*/)?`, `\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`).Replace(text)
	return regexp.MustCompile("^" + text + "$")
}

// passes reports whether an actor is among those that a ruleset does not bind.
func passes(set Object, who *actor) bool {
	actors, _ := set["bypass_actors"].([]any)
	return who != nil && slices.ContainsFunc(actors, func(item any) bool {
		a, _ := item.(Object)
		if a["bypass_mode"] != "always" && a["bypass_mode"] != "exempt" {
			return false // only for pull requests
		}
		n, _ := a["actor_id"].(json.Number)
		id, _ := n.Int64()
		switch a["actor_type"] {
		case "Integration":
			return who.app != nil && who.app.ID == id
		case "RepositoryRole":
			return who.app == nil && who.role == int(id)
		case "OrganizationAdmin":
			return who.app == nil && who.role == Admin
		case "User":
			return who.app == nil && int64(userID(who.login)) == id
		}
		return false
	})
}

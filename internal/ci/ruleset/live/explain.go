package live

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
)

// body is the text of an answer, which the client library has put back.
func body(resp *http.Response) string {
	data, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return string(data)
}

// messages are the sentences of an answer about an error. The library keeps
// none of them when errors is a string.
func messages(raw string) []string {
	v, err := ruleset.ParseObject([]byte(raw))
	if err != nil {
		return nil
	}
	var list []string
	add := func(text string) {
		if text != "" {
			list = append(list, text)
		}
	}
	add(v.Member("message").Text())
	errs := v.Member("errors")
	add(errs.Text())
	for _, e := range errs.Items() {
		add(e.Text())
		add(e.Member("message").Text())
	}
	return list
}

var ruleAt = regexp.MustCompile(`/rules/(\d+)`)

const (
	approve = "a right that an App was given lately must be approved by an owner of the organisation before it counts"
	install = "install the App on this repository, or take it out of the ruleset; it is never sent with less than the file says"
)

// explain says what an answer means, and what to do. said are its own words,
// sent is the body that was refused, if there was one.
func explain(e *Error, said string, sent []byte) (text, next string) {
	words := strings.ToLower(said)
	write := e.Method != http.MethodGet
	switch {
	case e.Status == http.StatusUnauthorized:
		return "the token is wrong or no longer valid", "an App's token lives for an hour; where one is made from a key, look at the clock"
	case e.Status == http.StatusForbidden && strings.Contains(words, "upgrade"):
		return "the plan has no rulesets for this repository", "private repositories have them on paid plans, and evaluate on Enterprise plans only"
	case e.Status == http.StatusForbidden && strings.Contains(words, "not accessible by"):
		return "the token lacks a right", approve
	case e.Status == http.StatusForbidden:
		return "the service does not allow it", ""
	case e.Status == http.StatusNotFound && write:
		return "not found, which is what the service says to a token that may read but not write", "writing rulesets needs Administration: write on the repository, or organization administration"
	case e.Status == http.StatusNotFound:
		return "not found: it does not exist, or the token may not see it", "look at the name; an App must be installed there"
	case e.Status == http.StatusConflict:
		return "somebody else changes it at the same time", "try again"
	case e.Status == http.StatusUnprocessableEntity:
		return explainUnprocessable(words, sent)
	case e.Status >= http.StatusInternalServerError:
		return "the service failed (" + strconv.Itoa(e.Status) + ")", "try again later"
	}
	return "the service answered " + strconv.Itoa(e.Status), ""
}

func explainUnprocessable(words string, sent []byte) (text, next string) {
	v, err := ruleset.ParseObject(sent)
	if err != nil {
		v = ruleset.Value{}
	}
	switch {
	case strings.Contains(words, "bypass_actors") && strings.Contains(words, "null"):
		return "the list of bypass actors was sent as null", "this is a defect of ruleset-sync: report it with the answer"
	case strings.Contains(words, "/conditions"):
		return "the conditions do not fit the ruleset", "an organisation's ruleset needs one condition about repositories, and a push ruleset has no ref_name"
	case ruleAt.MatchString(words):
		return explainRule(ruleAt.FindStringSubmatch(words)[1], v)
	case strings.Contains(words, "integration"):
		return "an App that the ruleset names is not installed on this repository", install
	case strings.Contains(words, "must be part of the ruleset source"):
		return "a bypass actor does not belong to the repository or its organisation: the built-in Actions App never does, and another App must be installed", install
	case strings.Contains(words, "actor") && hasActor(v, ruleset.OrganizationAdmin):
		return "a bypass actor is not accepted; a personal repository has no organisation owners", "take OrganizationAdmin out of the ruleset for personal repositories"
	case strings.Contains(words, "actor"):
		return "a bypass actor is not accepted", "look at its type and id"
	case strings.Contains(words, "enforcement") || strings.Contains(words, "evaluate"):
		return "the enforcement is not accepted", "evaluate needs an Enterprise plan; active and disabled do not"
	}
	return "the service does not accept the ruleset", ""
}

func hasActor(v ruleset.Value, kind string) bool {
	for _, a := range v.Member("bypass_actors").Items() {
		if a.Member("actor_type").Text() == kind {
			return true
		}
	}
	return false
}

// explainRule names the rule that was refused, and what is known to be wrong
// with it.
func explainRule(index string, v ruleset.Value) (text, next string) {
	rules := v.Member("rules").Items()
	n, err := strconv.Atoi(index)
	if err != nil || n >= len(rules) {
		return "a rule is not accepted", ""
	}
	text = fmt.Sprintf("rule %d, of type %q, is not accepted", n, rules[n].Member("type").Text())
	var known []string
	for _, f := range ruleset.Lint("", v.With("rules", ruleset.ArrayValue(rules[n])), ruleset.AnyScope) {
		if strings.Contains(f.Text, rules[n].Member("type").Text()) {
			known = append(known, f.Text)
		}
	}
	if len(known) == 0 {
		return text, "its parameters are not what the service expects; it may not know this type, or not on this plan"
	}
	return text + ": " + strings.Join(known, "; "), "correct the rule"
}

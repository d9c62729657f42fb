package ruleset

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// Names are what ids are called.
type Names struct {
	Apps map[string]string // slug by the App's id, in canonical digits
	// Look, when not nil, is asked for the slug of an App that is not among
	// them; "" when it cannot be known. It may be asked concurrently.
	Look func(id string) string
}

// roles are the repository roles that every organisation has. Roles that an
// organisation made have other numbers.
var roles = map[string]string{"1": "read", "2": "maintain", "3": "triage", "4": "write", "5": "admin"}

// Actor is a bypass actor in words, without its mode.
func (n Names) Actor(a Value) string {
	kind, id := a.Member("actor_type").Text(), a.Member("actor_id")
	digits := idDigits(id)
	switch kind {
	case Integration:
		if id.Text() != "" {
			if slug, ok := AppSlug(id.Text()); ok {
				return "the App " + slug
			}
		}
		if slug := n.app(digits); slug != "" {
			return fmt.Sprintf("the App %s (%s)", short(slug), digits)
		}
		return "the App " + digits
	case RepositoryRole:
		if role := roles[digits]; role != "" {
			return "the role " + role
		}
		return "the custom role " + digits
	case OrganizationAdmin:
		return "organisation owners"
	case DeployKey:
		return "deploy keys"
	case "EnterpriseOwner":
		return "enterprise owners"
	case "Team", "User":
		return strings.ToLower(kind) + " " + digits
	}
	if digits == "" {
		return short(kind)
	}
	return short(kind) + " " + digits
}

func (n Names) app(id string) string {
	if slug := n.Apps[id]; slug != "" || n.Look == nil {
		return slug
	}
	return n.Look(id)
}

// idDigits are the canonical digits of an id, or "".
func idDigits(id Value) string {
	if id.kind != Number {
		return ""
	}
	return canonicalNumber(id.text)
}

// modes are the ways to bypass, in words.
var modes = map[string]string{"always": "always", "pull_request": "in pull requests only", "exempt": "exempt, without a trace in the audit log"}

func modeWords(mode string) string {
	if words := modes[mode]; words != "" {
		return words
	}
	return short(mode)
}

// ActorAndMode is a bypass actor with its mode.
func (n Names) ActorAndMode(a Value) string {
	return fmt.Sprintf("%s (%s)", n.Actor(a), modeWords(a.Member("bypass_mode").Text()))
}

// elementWords is an element of a set: of a required check its name, and whose
// result counts.
func (n Names) elementWords(v Value) string {
	check, from := v.Member("context"), v.Member("integration_id")
	switch {
	case check.kind != String || len(v.members) > 2 || len(v.members) == 2 && from.kind != Number:
		return valueWords(v)
	case from.kind == Absent:
		return fmt.Sprintf("the check %s, from anybody,", valueWords(check))
	}
	id := idDigits(from)
	if slug := n.app(id); slug != "" {
		return fmt.Sprintf("the check %s from the App %s (%s)", valueWords(check), short(slug), id)
	}
	return fmt.Sprintf("the check %s from the App %s", valueWords(check), id)
}

// shown bounds what a message repeats of a value.
const shown = 200 // bytes

func short(s string) string { return plaintext.Line(s, shown) }

// valueWords is a value as a message shows it.
func valueWords(v Value) string {
	switch v.kind {
	case Absent:
		return "nothing"
	case Bool, Number:
		return short(v.text)
	}
	return short(string(v.JSON()))
}

// Package ruleset is what a committed ruleset says: read strictly, kept
// whole, compared with what a service has, and explained in words.
//
// A ruleset is JSON that the service defines and extends. This package keeps
// every member, known or not, as it was read, with the digits of its numbers
// ([Value]); what it knows of rules and their parameters ([Lint], [Compare])
// serves to warn and to explain, never to drop.
//
// Nothing here talks to a network.
package ruleset

import (
	"slices"
	"strings"
)

// ReadOnly are the members that the service adds to a ruleset and takes from
// nobody.
var ReadOnly = []string{"id", "node_id", "source", "source_type", "_links", "created_at", "updated_at", "current_user_can_bypass"}

// Name is the ruleset's name, by which a live one is found; "" when it has
// none.
func (v Value) Name() string { return v.Member("name").Text() }

// HasActors reports whether the ruleset has a list of bypass actors. A live
// one without it is shown to somebody who may not see them, which is not the
// same as having none.
func (v Value) HasActors() bool { return v.Member("bypass_actors").Kind() == Array }

// Body is what is sent for the ruleset: all that the file says but the
// read-only members, and the list of bypass actors even when it is empty, for
// a service keeps the actors that a body does not mention.
func (v Value) Body() Value {
	body := Value{kind: Object, Line: v.Line}
	for _, m := range v.members {
		if !slices.Contains(ReadOnly, m.Name) {
			body.members = append(body.members, m)
		}
	}
	if !body.HasActors() {
		body = body.With("bypass_actors", Value{kind: Array})
	}
	return body
}

// ClosesBranch reports whether the ruleset lets one App, and nobody else,
// update what it covers: a bypass actor more would undo it.
func (v Value) ClosesBranch() bool {
	actors := v.Member("bypass_actors").items
	return v.hasRule("update") && len(actors) == 1 && actors[0].Member("actor_type").Text() == Integration
}

func (v Value) hasRule(name string) bool {
	return slices.ContainsFunc(v.Member("rules").items, func(r Value) bool { return r.Member("type").Text() == name })
}

// target is what the ruleset is about, as "branch" or "tag".
func (v Value) target() string {
	if t := v.Member("target").Text(); t != "" {
		return strings.ToLower(t)
	}
	return "branch"
}

package ruleset

import (
	"cmp"
	"fmt"
	"slices"
)

// A Change is one difference, as what applying the file would do about it.
type Change struct {
	Path string `json:"path"` // as rules.pull_request.parameters.require_code_owner_review
	Text string `json:"text"` // one sentence without a full stop
	// Loss: something live is taken away that the file does not have: a bypass
	// actor, a rule, a level of enforcement.
	Loss bool `json:"loss,omitempty"`
	// Weakens: what the ruleset covers is protected less than before.
	Weakens bool `json:"weakens,omitempty"`
	// ServerValue: the service has a parameter that the file does not mention.
	// That is no drift unless one is strict: services add parameters.
	ServerValue bool `json:"serverValue,omitempty"`

	rank int
}

// Ranks of changes: what a person must not overlook stands first.
const (
	rankActorLost = iota
	rankEnforcement
	rankRuleLost
	rankWeaker
	rankOther
	rankServer
)

// A Comparison is how a live ruleset differs from a file.
type Comparison struct {
	Changes []Change // most important first
	// Hidden: the service did not show the live bypass actors, so nobody can
	// say whether they are the file's.
	Hidden bool
}

// Drift are the changes that count: all of them when strict, else those that
// are no [Change.ServerValue].
func (c Comparison) Drift(strict bool) []Change {
	return slices.DeleteFunc(slices.Clone(c.Changes), func(ch Change) bool { return ch.ServerValue && !strict })
}

// ServerValues are the parameters that only the service has.
func (c Comparison) ServerValues() []Change {
	return slices.DeleteFunc(slices.Clone(c.Changes), func(ch Change) bool { return !ch.ServerValue })
}

// Compare says what applying the file would change in the live ruleset.
func Compare(file, live Value, names Names) Comparison {
	c := &comparer{names: names}
	want, have := Canonical(file.Body()), Canonical(live)
	for name, m := range members(want, have) {
		w, h := m.want, m.have
		switch name {
		case "bypass_actors":
			if c.result.Hidden = h.kind != Array; !c.result.Hidden {
				c.actors(w, h)
			}
		case "rules":
			c.rules(w, h)
		case "enforcement":
			c.enforcement(w, h)
		case "name", "target", "conditions":
			c.values(name, w, h, false)
		default:
			c.values(name, w, h, true)
		}
	}
	slices.SortStableFunc(c.result.Changes, func(a, b Change) int { return cmp.Compare(a.rank, b.rank) })
	return c.result
}

type comparer struct {
	names  Names
	result Comparison
}

func (c *comparer) add(rank int, path, format string, args ...any) *Change {
	c.result.Changes = append(c.result.Changes, Change{
		Path: short(path), Text: fmt.Sprintf(format, args...), rank: rank,
		Loss: rank <= rankRuleLost, Weakens: rank <= rankWeaker, ServerValue: rank == rankServer,
	})
	return &c.result.Changes[len(c.result.Changes)-1]
}

// inFile reports whether the file spells the value out.
func inFile(v Value) bool { return v.kind != Absent && !v.implied }

func mayBeObject(v Value) bool { return v.kind == Object || v.kind == Absent }

func equal(a, b Value) bool {
	return (a.kind == Absent) == (b.kind == Absent) && string(a.JSON()) == string(b.JSON())
}

func (c *comparer) enforcement(want, have Value) {
	if equal(want, have) {
		return
	}
	before, after := slices.Index(enforcements, have.Text()), slices.Index(enforcements, want.Text())
	switch {
	case before >= 0 && after >= 0 && before < after:
		c.add(rankEnforcement, "enforcement", "%s → %s; until then it is weaker than the file", have.Text(), want.Text()).unmark()
	case before >= 0 && after >= 0:
		c.add(rankEnforcement, "enforcement", "%s → %s: WEAKER", have.Text(), want.Text())
	default:
		c.add(rankEnforcement, "enforcement", "%s → %s", valueWords(have), valueWords(want))
	}
}

// unmark takes the marks from a change that stands in front of others only
// because of what it is about.
func (ch *Change) unmark() { ch.Loss, ch.Weakens = false, false }

// actors compares two sets of bypass actors.
func (c *comparer) actors(want, have Value) {
	pairs := match(want.items, have.items, func(a Value) string {
		return string(a.Member("actor_type").JSON()) + string(a.Member("actor_id").JSON())
	})
	for _, p := range pairs {
		if equal(p.want, p.have) {
			continue
		}
		path := "bypass_actors." + c.names.Actor(p.either())
		switch {
		case p.want.kind == Absent:
			c.add(rankActorLost, "bypass_actors", "%s will be REMOVED", c.names.ActorAndMode(p.have))
		case p.have.kind == Absent:
			c.add(rankWeaker, "bypass_actors", "%s will be added", c.names.ActorAndMode(p.want))
		default:
			before, after := p.have.Member("bypass_mode"), p.want.Member("bypass_mode")
			if !equal(before, after) {
				rank := rankOther
				if i, j := slices.Index(bypassModes, before.Text()), slices.Index(bypassModes, after.Text()); i < 0 || j < 0 || i < j {
					rank = rankWeaker
				}
				c.add(rank, path, "may bypass %s → %s", modeWords(before.Text()), modeWords(after.Text()))
			}
			for name, m := range members(p.want, p.have) {
				if name != "bypass_mode" {
					c.values(path+"."+name, m.want, m.have, true)
				}
			}
		}
	}
}

// rules compares two sets of rules.
func (c *comparer) rules(want, have Value) {
	pairs := match(want.items, have.items, func(r Value) string { return string(r.Member("type").JSON()) })
	for _, p := range pairs {
		name := p.either().Member("type").Text()
		if name == "" {
			name = valueWords(p.either())
		}
		path := "rules." + name
		switch {
		case p.want.kind == Absent:
			c.add(rankRuleLost, path, "the rule will be REMOVED")
		case p.have.kind == Absent:
			c.add(rankOther, path, "the rule will be added")
		case p.want.kind != Object || p.have.kind != Object:
			c.values(path, p.want, p.have, false)
		default:
			for member, m := range members(p.want, p.have) {
				if member != "parameters" || !mayBeObject(m.want) || !mayBeObject(m.have) {
					c.values(path+"."+member, m.want, m.have, true)
					continue
				}
				for name, m := range members(m.want, m.have) {
					c.values(path+".parameters."+name, m.want, m.have, true)
				}
			}
		}
	}
}

// values compares two values below path. With lenient, what the file does not
// mention is the service's own.
func (c *comparer) values(path string, want, have Value, lenient bool) {
	switch {
	case equal(want, have):
	case lenient && !inFile(want) && have.kind != Absent && !have.implied:
		c.add(rankServer, path, "the service has %s; the file does not say", valueWords(have))
	case want.kind == Object && have.kind == Object:
		for name, m := range members(want, have) {
			c.values(path+"."+name, m.want, m.have, lenient)
		}
	case want.set && have.set:
		for _, p := range match(want.items, have.items, func(v Value) string { return string(v.JSON()) }) {
			if p.want.kind == Absent {
				c.add(weaker(path, p.have, Value{}), path, "%s will be removed", c.names.elementWords(p.have))
			} else if p.have.kind == Absent {
				c.add(weaker(path, Value{}, p.want), path, "%s will be added", c.names.elementWords(p.want))
			}
		}
	case have.kind == Absent:
		c.add(weaker(path, have, want), path, "%s will be set", valueWords(want))
	default:
		c.add(weaker(path, have, want), path, "%s → %s", valueWords(have), valueWords(want))
	}
}

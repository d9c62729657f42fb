package ruleset

import (
	"slices"
	"strings"
)

// Extras are bypass actors that single repositories have beyond a ruleset
// that many share, each with its reason.
type Extras struct {
	File    string
	entries []extra
}

// An extra is the list of one repository: for the ruleset of one name, or, in
// the older form, for any.
type extra struct {
	target  Target
	ruleset string
	wide    bool // for any ruleset
	actors  []Value
	line    int
}

// ParseExtras reads a file of extras:
//
//	{"owner/repo": {"ruleset": [{"actor_id": …, "actor_type": …, "bypass_mode": …, "reason": "…"}]}}
//
// or, for any ruleset of the repository, {"owner/repo": [ … ]}.
func ParseExtras(file string, data []byte) (Extras, []Finding) {
	e := Extras{File: file}
	l := &linter{findings{file: file}}
	v, err := ParseObject(data)
	if err != nil {
		return e, []Finding{broken(file, err)}
	}
	for _, m := range v.members {
		target, err := ParseRepository(m.Name)
		if err != nil {
			l.error(m.Value.Line, "%s", err)
			continue
		}
		switch m.Value.kind {
		case Array:
			e.add(l, extra{target: target, wide: true, line: m.Value.Line}, m.Value)
		case Object:
			for _, r := range m.Value.members {
				e.add(l, extra{target: target, ruleset: r.Name, line: r.Value.Line}, r.Value)
			}
		default:
			l.error(m.Value.Line, "%s must have an object, from names of rulesets to bypass actors, not %s", target, valueWords(m.Value))
		}
	}
	return e, l.list
}

func (e *Extras) add(l *linter, x extra, list Value) {
	if list.kind != Array {
		l.error(list.Line, "extras of %s must be a list of bypass actors, not %s", x.target, valueWords(list))
		return
	}
	for _, a := range list.items {
		reason := a.Member("reason")
		if strings.TrimSpace(reason.Text()) == "" {
			l.error(a.Line, "an extra bypass actor of %s has no reason; say why it may bypass", x.target)
		}
		if a = a.Without("reason"); l.actor(a) {
			x.actors = append(x.actors, a)
		}
	}
	e.entries = append(e.entries, x)
}

// Merge is the ruleset with the extras of the target added: one that has the
// type and id of an actor that is there takes its place. The older form,
// which is for any ruleset, is refused for one that lets a single App alone
// update a branch: it would open it to whoever may bypass the others.
func (e Extras) Merge(v Value, t Target) (Value, []Finding) {
	l := &findings{file: e.File}
	for _, x := range e.entries {
		if !x.target.Same(t) || !x.wide && x.ruleset != v.Name() {
			continue
		}
		if x.wide && v.ClosesBranch() {
			l.error(x.line, "the extras of %s are for any ruleset, but %q lets one App alone update what it covers; give them by name: {%q: {\"RULESET\": […]}}", t, short(v.Name()), t)
			continue
		}
		if v.ClosesBranch() && len(x.actors) > 0 {
			l.warn(x.line, "with these extras, %q of %s no longer lets one App alone update what it covers", short(v.Name()), t)
		}
		v = v.With("bypass_actors", withActors(v.Member("bypass_actors"), x.actors))
	}
	return v, l.list
}

// Apps are the slugs that the extras of a target's ruleset name.
func (e Extras) Apps(t Target, ruleset string) (slugs []string) {
	for _, x := range e.entries {
		if x.target.Same(t) && (x.wide || x.ruleset == ruleset) {
			slugs = append(slugs, ArrayValue(x.actors...).Apps()...)
		}
	}
	return slugs
}

// WithApps is the extras with the ids of Apps in place of their slugs, as
// [Value.WithApps].
func (e Extras) WithApps(ids map[string]string) Extras {
	e.entries = slices.Clone(e.entries)
	for i, x := range e.entries {
		e.entries[i].actors = ArrayValue(x.actors...).WithApps(ids).Items()
	}
	return e
}

func withActors(list Value, extras []Value) Value {
	list = list.Append()
	for _, x := range extras {
		found := false
		for i, a := range list.items {
			if sameActor(a, x) {
				list.items[i], found = a.With("bypass_mode", x.Member("bypass_mode")), true
			}
		}
		if !found {
			list.items = append(list.items, x)
		}
	}
	return list
}

func sameActor(a, b Value) bool {
	a, b = canonicalActor(a), canonicalActor(b)
	return equal(a.Member("actor_type"), b.Member("actor_type")) && equal(a.Member("actor_id"), b.Member("actor_id"))
}

// Unused are warnings about extras that are for none of these rulesets.
func (e Extras) Unused(used func(t Target, ruleset string) bool) []Finding {
	l := &findings{file: e.File}
	for _, x := range e.entries {
		if !x.wide && !used(x.target, x.ruleset) {
			l.warn(x.line, "these extras are for the ruleset %q of %s, which no file is for", short(x.ruleset), x.target)
		}
	}
	return l.list
}

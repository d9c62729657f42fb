package ruleset

import (
	"cmp"
	"slices"
)

// Canonical is the ruleset in the one form that all documents of the same
// meaning share. It is for comparing, never for sending: read-only members
// are gone, defaults are spelled out, sets and members are sorted, numbers
// have one spelling, and the id of an actor that has none is null.
//
// A list of bypass actors that is not there stays so: in a live ruleset it
// is hidden, not empty. For a file, call it on its [Value.Body].
func Canonical(v Value) Value {
	v = v.Without(ReadOnly...)
	if m := v.Member("target"); m.kind == Absent || m.kind == Null {
		v = v.With("target", StringValue("branch"))
	}
	if actors := v.Member("bypass_actors"); actors.kind == Array {
		v = v.With("bypass_actors", sorted(actors, canonicalActor))
	}
	if c := v.Member("conditions"); c.kind == Null || c.kind == Object && len(c.members) == 0 {
		v = v.Without("conditions")
	} else if c.kind == Object {
		v = v.With("conditions", normalise(c, &shape{fields: conditions}))
	}
	switch rules := v.Member("rules"); rules.kind {
	case Array:
		v = v.With("rules", sorted(rules, canonicalRule))
	case Absent, Null:
		v = v.With("rules", Value{kind: Array, set: true})
	}
	return normalise(v, nil)
}

// Export is the ruleset in the form in which it is committed: without
// read-only members, sorted as [Canonical] is, and otherwise as it was, for
// nothing that the service did not say may get into a file.
func Export(v Value) Value {
	v = v.Without(ReadOnly...)
	for _, list := range []string{"bypass_actors", "rules"} {
		if m := v.Member(list); m.kind == Array {
			v = v.With(list, sorted(m, func(item Value) Value {
				known := catalog[item.Member("type").Text()]
				if p := item.Member("parameters"); list == "rules" && p.kind == Object {
					item = item.With("parameters", arrange(p, &shape{fields: known.fields}, false))
				}
				return arrange(item, nil, false)
			}))
		}
	}
	if c := v.Member("conditions"); c.kind == Object {
		v = v.With("conditions", arrange(c, &shape{fields: conditions}, false))
	}
	return arrange(v, nil, false)
}

func canonicalActor(a Value) Value {
	if a.kind != Object {
		return normalise(a, nil)
	}
	kind := a.Member("actor_type").Text()
	id := a.Member("actor_id")
	hasID, known := actorTypes[kind]
	none := id.kind == Absent || id.kind == Null
	if known && !hasID && id.kind == Number {
		n := canonicalNumber(id.text)
		none = n == "0" || n == "1" && kind == OrganizationAdmin
	}
	if none {
		a = a.With("actor_id", Value{kind: Null})
	}
	if m := a.Member("bypass_mode"); m.kind == Absent || m.kind == Null {
		a = a.With("bypass_mode", StringValue("always"))
	}
	return normalise(a, nil)
}

func canonicalRule(r Value) Value {
	if r.kind != Object {
		return normalise(r, nil)
	}
	p := r.Member("parameters")
	if p.kind == Absent || p.kind == Null {
		p = Value{kind: Object, implied: true}
	}
	if p.kind == Object {
		p = normalise(p, &shape{fields: catalog[r.Member("type").Text()].fields})
		if len(p.members) == 0 {
			return normalise(r.Without("parameters"), nil)
		}
	}
	return normalise(r.With("parameters", p), nil)
}

// sorted is the array as a set of its elements, each brought into form.
func sorted(v Value, form func(Value) Value) Value {
	items := make([]Value, len(v.items))
	for i := range items {
		items[i] = form(v.items[i])
	}
	v.items, v.set = items, true
	v.sortItems()
	return v
}

func (v Value) sortItems() {
	type ranked struct {
		key, form string
		item      Value
	}
	order := make([]ranked, len(v.items))
	for i, item := range v.items {
		order[i] = ranked{item.key(), string(item.JSON()), item}
	}
	slices.SortFunc(order, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.form, b.form)) })
	for i := range order {
		v.items[i] = order[i].item
	}
}

// key is what an element of a set is told apart by, where it has one.
func (v Value) key() string { return v.Member("type").Text() + v.Member("actor_type").Text() }

// normalise brings a value into canonical form by what is known of it.
func normalise(v Value, s *shape) Value { return arrange(v, s, true) }

// arrange sorts members and sets. With meaning it also gives a number its one
// spelling, spells out the defaults, and drops what means nothing.
func arrange(v Value, s *shape, meaning bool) Value {
	if s == nil {
		s = &shape{ordered: true}
	}
	switch v.kind {
	case Number:
		if meaning {
			v.text = canonicalNumber(v.text)
		}
	case Array:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			v.items[i] = arrange(v.items[i], s.of, meaning)
		}
		if s.of != nil && !s.ordered {
			v.set = true
		}
		if v.set {
			v.sortItems()
		}
	case Object:
		v.members = slices.Clone(v.members)
		if meaning {
			v = v.spelled(s)
		}
		for i, m := range v.members {
			var known *shape
			if f, ok := s.fields[m.Name]; ok {
				known = &f
			}
			v.members[i].Value = arrange(m.Value, known, meaning)
		}
		slices.SortFunc(v.members, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	}
	return v
}

// spelled is the object with its defaults spelled out.
func (v Value) spelled(s *shape) Value {
	for name, f := range s.fields {
		have := v.Member(name).kind
		switch {
		case f.id && have == Null:
			v = v.Without(name)
		case f.off && (have == Absent || have == Null):
			v = v.With(name, Value{kind: Bool, text: "false", implied: true})
		}
	}
	if _, refs := s.fields["include"]; refs {
		for _, name := range []string{"include", "exclude"} {
			if k := v.Member(name).kind; k == Absent || k == Null {
				v = v.With(name, Value{kind: Array})
			}
		}
	}
	return v
}

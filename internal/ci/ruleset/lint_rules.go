package ruleset

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func (l *linter) rules(v Value) {
	list := v.Member("rules")
	switch list.kind {
	case Absent:
		l.warn(v.Line, "rules is missing: the ruleset would forbid nothing")
		return
	case Array:
	default:
		l.error(list.Line, "rules must be a list, not %s", valueWords(list))
		return
	}
	seen := map[string]bool{}
	for _, r := range list.items {
		name := r.Member("type").Text()
		if r.kind != Object || name == "" {
			l.error(r.Line, "a rule is an object with a type")
			continue
		}
		l.names(r, "the rule "+short(name), []string{"type", "parameters"})
		known, ok := catalog[name]
		if near := nearest(name, slices.Sorted(maps.Keys(catalog))); !ok && near != "" {
			l.error(r.Line, "the rule type is %q; did you mean %s?", short(name), near)
			continue
		} else if !ok {
			l.warn(r.Line, "the rule type %q is not known here; it is sent as it is", short(name))
			continue
		}
		if seen[name] && !repeats(name) {
			l.warn(r.Line, "there are two rules of type %s", name)
		}
		seen[name] = true
		if !fits(known.target, v.target()) {
			l.warn(r.Line, "the rule %s is not known to go with target %s", name, short(v.target()))
		}
		l.parameters(r, name, known)
	}
}

// repeats reports a rule that often stands more than once, with other
// parameters.
func repeats(name string) bool { return strings.HasSuffix(name, "_pattern") }

func fits(rule, target string) bool {
	if !slices.Contains(targets, target) {
		return true // it has been warned of
	}
	if target == "branch" || target == "tag" {
		return rule == ""
	}
	return rule == target
}

func (l *linter) parameters(r Value, name string, known ruleType) {
	p := r.Member("parameters")
	switch p.kind {
	case Object:
		l.names(p, "the rule "+name, slices.Sorted(maps.Keys(known.fields)))
		l.fields(p, name, known.fields)
	case Absent, Null:
		if known.required {
			l.error(r.Line, "the rule %s needs parameters: %s", name, strings.Join(requiredNames(known.fields), ", "))
		}
	default:
		l.error(p.Line, "parameters of %s must be an object, not %s", name, valueWords(p))
	}
}

func requiredNames(fields shapes) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name].required {
			names = append(names, name)
		}
	}
	return names
}

// fields lints the known members of an object.
func (l *linter) fields(v Value, where string, fields shapes) {
	if v.kind == Object {
		for _, name := range requiredNames(fields) {
			if !v.Has(name) {
				l.error(v.Line, "%s needs %s", where, name)
			}
		}
	}
	for _, m := range v.members {
		if s, ok := fields[m.Name]; ok {
			l.value(m.Value, where+"."+m.Name, s)
		}
	}
}

var kindWords = map[Kind]string{Bool: "true or false", Number: "a number", String: "a string", Array: "a list", Object: "an object"}

func (l *linter) value(v Value, where string, s shape) {
	switch {
	case v.kind == Null && !s.required:
	case s.id && v.kind == String:
		if _, app := AppSlug(v.text); !app {
			l.error(v.Line, `%s is a number (the App's id), or "${app:slug}", not %s`, where, valueWords(v))
		}
	case v.kind != s.kind:
		l.error(v.Line, "%s must be %s, not %s", where, kindWords[s.kind], valueWords(v))
	case len(s.words) > 0:
		l.word(v, where, s.words)
	case v.kind == Number:
		l.number(v, where, s)
	case v.kind == Object:
		l.names(v, where, slices.Sorted(maps.Keys(s.fields)))
		l.fields(v, where, s.fields)
	case v.kind == Array && s.of != nil:
		for _, item := range v.items {
			l.value(item, where, *s.of)
		}
	}
}

func (l *linter) number(v Value, where string, s shape) {
	digits := canonicalNumber(v.text)
	if strings.ContainsAny(digits, "-.e") {
		l.error(v.Line, "%s must be a whole number, not %s", where, valueWords(v))
		return
	}
	if s.max == 0 {
		return
	}
	if n, err := strconv.Atoi(digits); err != nil || n < s.min || n > s.max {
		l.error(v.Line, "%s is %s; it goes from %d to %d", where, valueWords(v), s.min, s.max)
	}
}

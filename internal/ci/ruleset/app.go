package ruleset

import (
	"regexp"
	"slices"
)

var appSlug = regexp.MustCompile(`^\$\{app:([a-z0-9][a-z0-9-]{0,99})\}$`)

// AppSlug is the slug in "${app:slug}", which stands for the App's id in a
// committed ruleset.
func AppSlug(text string) (slug string, ok bool) {
	m := appSlug.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// AppReference is the form that [AppSlug] reads.
func AppReference(slug string) string { return "${app:" + slug + "}" }

// Apps are the slugs that the ruleset names, sorted, each once.
func (v Value) Apps() []string {
	var slugs []string
	v.Replace(func(s string) (Value, bool) {
		if slug, ok := AppSlug(s); ok {
			slugs = append(slugs, slug)
		}
		return Value{}, false
	})
	slices.Sort(slugs)
	return slices.Compact(slugs)
}

// WithApps is the ruleset with the ids of Apps, in digits, in place of their
// slugs. A slug without an id stays.
func (v Value) WithApps(ids map[string]string) Value {
	return v.Replace(func(s string) (Value, bool) {
		slug, ok := AppSlug(s)
		if !ok || ids[slug] == "" {
			return Value{}, false
		}
		return NumberValue(ids[slug]), true
	})
}

// idMembers are the members that hold the id of an App, and beside them what
// says that it is one; "" where it always is.
var idMembers = map[string]string{"actor_id": "actor_type", "integration_id": ""}

// AppIDs are the ids of Apps that the ruleset names, in canonical digits.
func (v Value) AppIDs() []string {
	var ids []string
	v.eachAppID(func(id Value) Value {
		ids = append(ids, canonicalNumber(id.text))
		return id
	})
	slices.Sort(ids)
	return slices.Compact(ids)
}

// WithSlugs is the ruleset with references to Apps in place of the ids whose
// slugs are known.
func (v Value) WithSlugs(slugs map[string]string) Value {
	return v.eachAppID(func(id Value) Value {
		if slug := slugs[canonicalNumber(id.text)]; slugForm.MatchString(slug) {
			return StringValue(AppReference(slug))
		}
		return id
	})
}

// eachAppID is the value with the ids of Apps replaced.
func (v Value) eachAppID(with func(Value) Value) Value {
	switch v.kind {
	case Array:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			v.items[i] = v.items[i].eachAppID(with)
		}
	case Object:
		v.members = slices.Clone(v.members)
		for i, m := range v.members {
			beside, is := idMembers[m.Name]
			if is && m.Value.kind == Number && (beside == "" || v.Member(beside).Text() == Integration) {
				v.members[i].Value = with(m.Value)
			} else {
				v.members[i].Value = m.Value.eachAppID(with)
			}
		}
	}
	return v
}

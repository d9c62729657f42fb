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

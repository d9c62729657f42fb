package ruleset

import (
	"slices"
	"strings"
)

// A Scope is whose rulesets a file is for.
type Scope uint8

// Scopes. A file without targets may be for either.
const (
	AnyScope Scope = iota
	RepositoryScope
	OrganizationScope
)

var topLevel = slices.Concat([]string{"name", "target", "enforcement", "bypass_actors", "conditions", "rules"}, ReadOnly)

// Lint says what is wrong with a ruleset, or odd, without asking anybody.
// What it does not know is a warning: services learn new words every month.
func Lint(file string, v Value, scope Scope) []Finding {
	l := &linter{findings{file: file}}
	l.names(v, "the ruleset", topLevel)
	for _, m := range v.members {
		if slices.Contains(ReadOnly, m.Name) {
			l.warn(m.Value.Line, "%s is the service's to say; it is not sent, and can go", m.Name)
		}
	}
	if v.Name() == "" {
		l.error(v.Line, "the ruleset needs a name, by which the live one is found")
	}
	if e := v.Member("enforcement"); e.Text() == "" {
		l.error(v.Line, "the ruleset needs an enforcement: %s", strings.Join(enforcements, ", "))
	} else {
		l.word(e, "enforcement", enforcements)
	}
	if t := v.Member("target"); t.kind != Absent {
		l.word(t, "target", targets)
	}
	l.conditions(v, scope)
	l.actors(v)
	l.rules(v)
	return l.list
}

type linter struct{ findings }

// names warns of members that nobody knows. One that only differs from a
// known one by case is a slip that would be sent, and mean nothing.
func (l *linter) names(v Value, what string, known []string) {
	for _, m := range v.members {
		if slices.Contains(known, m.Name) {
			continue
		}
		if i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, m.Name) }); i >= 0 {
			l.error(m.Value.Line, "%s is written %s", short(m.Name), known[i])
			continue
		}
		l.warn(m.Value.Line, "%s has the member %q, which is not known here%s; it is sent as it is", what, short(m.Name), didYouMean(m.Name, known))
	}
}

// word warns of a word that nobody knows; one that is nearly a known one is a
// slip.
func (l *linter) word(v Value, what string, known []string) {
	switch {
	case v.kind != String:
		l.error(v.Line, "%s must be one of %s, not %s", what, strings.Join(known, ", "), valueWords(v))
	case slices.Contains(known, v.text):
	case nearest(v.text, known) != "":
		l.error(v.Line, "%s is %q; did you mean %s? The words are %s", what, short(v.text), nearest(v.text, known), strings.Join(known, ", "))
	default:
		l.warn(v.Line, "%s is %q, which is not one of the words known here (%s); it is sent as it is", what, short(v.text), strings.Join(known, ", "))
	}
}

func didYouMean(name string, known []string) string {
	if near := nearest(name, known); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// nearest is the known word that a slip of the finger makes of this one: one
// letter more, less or other, two letters exchanged, or another case.
func nearest(name string, known []string) string {
	for _, k := range known {
		if strings.EqualFold(name, k) || len(name) >= 4 && slip(name, k) {
			return k
		}
	}
	return ""
}

func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		rest := a[min(i+1, len(a)):] == b[min(i+1, len(b)):]
		exchanged := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return a != b && (rest || exchanged)
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}

func (l *linter) conditions(v Value, scope Scope) {
	c := v.Member("conditions")
	target := v.target()
	if c.kind != Absent && c.kind != Null && c.kind != Object {
		l.error(c.Line, "conditions must be an object, not %s", valueWords(c))
		return
	}
	known := make([]string, 0, len(conditions))
	for name := range conditions {
		known = append(known, name)
	}
	slices.Sort(known)
	l.names(c, "conditions", known)
	l.fields(c, "conditions", conditions)
	var repositories []string
	for _, name := range []string{"repository_name", "repository_id", "repository_property"} {
		if c.Has(name) {
			repositories = append(repositories, name)
		}
	}
	switch {
	case scope == OrganizationScope && len(repositories) != 1:
		l.error(max(c.Line, v.Line), "an organisation's ruleset needs exactly one condition about repositories (repository_name, repository_id or repository_property); this one has %d", len(repositories))
	case scope == RepositoryScope && len(repositories) > 0:
		l.error(c.Line, "%s is for an organisation's ruleset; a repository's is about that repository", repositories[0])
	case len(repositories) > 1:
		l.error(c.Line, "%s exclude each other", strings.Join(repositories, " and "))
	}
	switch {
	case target == "push" && c.Has("ref_name"):
		l.warn(c.Line, "a push ruleset is about all refs; the service refuses ref_name here")
	case (target == "branch" || target == "tag") && !c.Has("ref_name"):
		l.warn(max(c.Line, v.Line), "conditions.ref_name is missing: the service refuses that, or covers nothing")
	case target == "branch" || target == "tag":
		l.refs(c.Member("ref_name"), target)
	}
}

// refs warns of patterns that no ref of the target has: they are of whole
// refs, or the words that the service has for some.
func (l *linter) refs(v Value, target string) {
	include := v.Member("include")
	if include.kind == Array && len(include.items) == 0 {
		l.warn(include.Line, "conditions.ref_name.include is empty: the ruleset covers nothing")
	}
	space := map[string]string{"branch": "refs/heads/", "tag": "refs/tags/"}[target]
	words := []string{"~ALL"}
	if target == "branch" {
		words = append(words, "~DEFAULT_BRANCH")
	}
	for _, list := range []string{"include", "exclude"} {
		for _, p := range v.Member(list).items {
			switch text := p.Text(); {
			case p.kind != String, slices.Contains(words, text), strings.HasPrefix(text, space), strings.HasPrefix(text, "refs/*"), strings.HasPrefix(text, "refs/**"):
			case strings.HasPrefix(text, "~") && nearest(text, words) != "":
				l.error(p.Line, "conditions.ref_name.%s has %q; did you mean %s?", list, short(text), nearest(text, words))
			case strings.HasPrefix(text, "~"):
				l.warn(p.Line, "conditions.ref_name.%s has %q, which is not known here; it is sent as it is", list, short(text))
			default:
				l.warn(p.Line, "conditions.ref_name.%s has %q, which no %s is: a pattern is of the whole ref, as in %s%s", list, short(text), target, space, short(strings.TrimPrefix(text, "refs/")))
			}
		}
	}
}

func (l *linter) actors(v Value) {
	list := v.Member("bypass_actors")
	switch list.kind {
	case Absent:
		l.warn(v.Line, "bypass_actors is missing; nobody may bypass then, and [] says so")
		return
	case Array:
	default:
		l.error(list.Line, "bypass_actors must be a list, not %s; nobody is []", valueWords(list))
		return
	}
	seen := map[string]bool{}
	for _, a := range list.items {
		if l.actor(a) {
			c := canonicalActor(a)
			key := string(c.Member("actor_type").JSON()) + string(c.Member("actor_id").JSON())
			if seen[key] {
				l.error(a.Line, "%s stands twice in bypass_actors", Names{}.Actor(a))
			}
			seen[key] = true
		}
	}
}

var actorMembers = []string{"actor_id", "actor_type", "bypass_mode"}

// actor lints one bypass actor and reports whether it is one.
func (l *linter) actor(a Value) bool {
	kind := a.Member("actor_type").Text()
	if a.kind != Object || kind == "" {
		l.error(a.Line, "a bypass actor is an object with actor_type, actor_id and bypass_mode")
		return false
	}
	l.names(a, "a bypass actor", actorMembers)
	hasID, known := actorTypes[kind]
	id, mode := a.Member("actor_id"), a.Member("bypass_mode")
	switch {
	case !known:
		l.warn(a.Line, "actor_type is %q, which is not known here; it is sent as it is", short(kind))
	case hasID && id.kind == String:
		if _, app := AppSlug(id.text); !app || kind != Integration {
			l.error(id.Line, "actor_id is a number%s, not %s", orApp(kind), valueWords(id))
		}
	case hasID && (id.kind != Number || strings.ContainsAny(canonicalNumber(id.text), "-.e")):
		l.error(a.Line, "actor_id of a bypass actor of type %s is a number%s, not %s", kind, orApp(kind), valueWords(id))
	case kind == RepositoryRole && roles[canonicalNumber(id.text)] == "":
		l.warn(id.Line, "the role %s is one that an organisation made; roles of all are 2 maintain, 4 write, 5 admin", valueWords(id))
	case !hasID && canonicalActor(a).Member("actor_id").kind != Null:
		l.warn(id.Line, "an actor of type %s has no id; write null", kind)
	}
	switch mode.kind {
	case Absent, Null:
		l.error(a.Line, "bypass_mode is missing, and without it the service takes always; write what is meant: %s", strings.Join(bypassModes, ", "))
	default:
		l.word(mode, "bypass_mode", bypassModes)
	}
	switch {
	case mode.Text() == "exempt":
		l.warn(mode.Line, "an exempt actor leaves no entry in the audit log; always leaves one")
	case mode.Text() == "pull_request" && kind == DeployKey:
		l.error(mode.Line, "a deploy key cannot bypass in pull requests only")
	}
	return true
}

func orApp(kind string) string {
	if kind == Integration {
		return ` (the App's id), or "${app:slug}"`
	}
	return ""
}

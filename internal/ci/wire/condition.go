package wire

import (
	"regexp"
	"slices"
	"strings"
)

// condition is the expression of an "if", "" where there is none or where it
// is a text with expressions in it.
func condition(cond node) string {
	text := strings.TrimSpace(cond.text())
	inner, ok := strings.CutPrefix(text, "${{")
	if !ok {
		return text
	}
	expr, rest, ok := cutExpression(inner)
	if !ok || strings.TrimSpace(rest) != "" {
		return ""
	}
	return expr
}

// under is the runner of what j runs only where a condition holds: it knows
// the triggers with which the condition may hold. One that holds with none of
// them changes nothing, for it is read wrongly then.
func (r *runner) under(cond node, j *job) *runner {
	text := condition(cond)
	if !strings.Contains(text, "github.") {
		return r
	}
	on := possible(r.on, text, func(event, kind, ref string) bool {
		return !r.scope(j).on(text, event, kind, ref).never(text)
	})
	if len(on) == 0 {
		return r
	}
	own := *r
	own.on, own.when, own.released = on, when(on), released(on)
	return &own
}

// possible are the triggers that pass, a push with those of its tags and
// branches that do. Of a push of anything, the condition tells which those
// are, if it holds with none that it does not name.
func possible(list []trigger, text string, may func(event, kind, ref string) bool) []trigger {
	var out []trigger
	for _, t := range list {
		refs := named(t.refs, text, t.event, may)
		if t.event == "push" && len(refs) == 0 && !may(t.event, "branch", unnamed) {
			refs = mentioned(text)
			if may(t.event, "tag", unnamed) {
				refs = append([]pushed{{"tag", "*"}}, slices.DeleteFunc(refs, func(r pushed) bool { return r.kind == "tag" })...)
			}
		}
		if len(refs) == 0 {
			if may(t.event, "", "") {
				out = append(out, t)
			}
			continue
		}
		refs = slices.DeleteFunc(slices.Clone(refs), func(r pushed) bool { return !may(t.event, r.kind, r.name) })
		if len(refs) > 0 {
			t.refs = refs
			out = append(out, t)
		}
	}
	return out
}

// named puts in place of a pattern that means every tag or branch those that a
// condition names, if it holds with none that it does not name.
func named(refs []pushed, text, event string, may func(event, kind, ref string) bool) []pushed {
	var out []pushed
	for _, r := range refs {
		if r.name == "" || strings.Trim(r.name, "*") != "" || may(event, r.kind, unnamed) {
			out = append(out, r)
			continue
		}
		some := slices.DeleteFunc(mentioned(text), func(m pushed) bool { return m.kind != r.kind })
		if len(some) == 0 {
			some = []pushed{r}
		}
		out = append(out, some...)
	}
	return out
}

// common are the triggers that are in both lists, a push with the tags and
// branches that both have.
func common(a, b []trigger) []trigger {
	var out []trigger
	for _, t := range a {
		for _, u := range b {
			if t.event != u.event || t.line != u.line {
				continue
			}
			switch {
			case len(u.refs) == 0:
				out = append(out, t)
			case len(t.refs) == 0:
				out = append(out, u)
			default:
				refs := slices.DeleteFunc(slices.Clone(t.refs), func(r pushed) bool { return !slices.Contains(u.refs, r) })
				if len(refs) > 0 {
					t.refs = refs
					out = append(out, t)
				}
			}
			break
		}
	}
	return out
}

// whatever reports a condition that holds though a job which is needed was
// left out or failed.
func whatever(cond string) bool {
	return strings.Contains(cond, "always()") || strings.Contains(cond, "failure()") || strings.Contains(cond, "cancelled()")
}

// unnamed is a ref that no condition names.
const unnamed = "-"

// namedRef is a ref in a condition, the whole of it or its beginning.
var namedRef = regexp.MustCompile(`(startsWith\(\s*github\.ref\s*,\s*)?'refs/(heads|tags)/([^'*]*)'|github\.ref_name\s*==\s*'([^'*]+)'|startsWith\(\s*github\.ref_name\s*,\s*'([^'*]+)'`)

// mentioned are the tags and branches that a condition names.
func mentioned(text string) []pushed {
	const most = 20
	var out []pushed
	for _, m := range namedRef.FindAllStringSubmatch(text, most) {
		r := pushed{"branch", m[3] + m[4]}
		if m[5] != "" { // of either kind
			out = append(out, pushed{"tag", m[5] + "*"})
			r.name = m[5] + "*"
		}
		if m[2] == "tags" {
			r.kind = "tag"
		}
		if m[1] != "" {
			r.name += "*"
		}
		if r.name != "" && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// on is the scope of a condition under one event, and the tag or branch
// pushed if that is told. A pattern stands for itself, other than where the
// condition compares it with one name.
func (s scope) on(text, event, kind, ref string) scope {
	prefix := map[string]string{"tag": "refs/tags/", "branch": "refs/heads/"}[kind]
	exact := !strings.ContainsAny(ref, "*?+[!")
	told := map[string]string{}
	if event != "workflow_call" { // the event is that of the caller
		told["event_name"] = event
	}
	if kind != "" {
		told["ref_type"] = kind
		if exact {
			told["ref_name"] = ref
		}
		if exact || !strings.Contains(text, "'"+prefix) || !strings.Contains(text, "=") {
			told["ref"] = prefix + ref
		}
	}
	return func(parts []string) ([]string, bool) {
		if len(parts) == 2 && parts[0] == "github" {
			if v, ok := told[parts[1]]; ok {
				return []string{v}, true
			}
		}
		return s(parts)
	}
}

package wire

import (
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
	on := possible(r.on, func(event, kind, ref string) bool {
		return !r.scope(j).on(text, event, kind, ref).never(text)
	})
	if len(on) == 0 {
		return r
	}
	own := *r
	own.on, own.when = on, when(on)
	return &own
}

// possible are the triggers that pass, a push with the first of its tags and
// branches that does.
func possible(list []trigger, may func(event, kind, ref string) bool) []trigger {
	var out []trigger
	for _, t := range list {
		tags, branches := t.body.get("tags").texts(), t.body.get("branches").texts()
		if t.event != "push" || len(tags)+len(branches) == 0 {
			if may(t.event, "", "") {
				out = append(out, t)
			}
			continue
		}
		for i, n := range slices.Concat(tags, branches) {
			kind := "tag"
			if i >= len(tags) {
				kind = "branch"
			}
			if may(t.event, kind, n.text()) {
				t.kind, t.ref = kind, n.text()
				out = append(out, t)
				break
			}
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

package wire

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A trigger is one event under "on".
type trigger struct {
	event string
	line  int
	body  node // its filters, if any

	refs []pushed // of a push: the tags and branches it is of, none for any
}

// pushed is what a push is of.
type pushed struct {
	kind string // "tag" or "branch"
	name string // or a pattern of names
}

// triggersOf reads every form of "on": a word, a list, a mapping. The key
// may also have been read as a truth value.
func triggersOf(doc node) []trigger {
	on := doc.entry("on")
	if !on.value.there() {
		on = doc.entry("true")
	}
	var out []trigger
	for _, t := range on.value.texts() {
		out = append(out, trigger{event: t.text(), line: t.line()})
	}
	for _, p := range on.value.pairs() {
		t := trigger{event: p.key, line: p.line, body: p.value}
		if t.event == "push" {
			for _, n := range p.value.get("tags").texts() {
				t.refs = append(t.refs, pushed{"tag", n.text()})
			}
			for _, n := range p.value.get("branches").texts() {
				t.refs = append(t.refs, pushed{"branch", n.text()})
			}
		}
		out = append(out, t)
	}
	return out
}

// filters are the keys of a trigger that say when it fires.
var filters = []string{"branches", "branches-ignore", "tags", "tags-ignore", "paths", "paths-ignore", "types", "workflows"}

// filter is the condition of a trigger as one line.
func (t trigger) filter() string {
	var parts []string
	for _, key := range filters {
		if list := t.body.get(key).texts(); len(list) > 0 {
			var words []string
			for _, w := range list {
				words = append(words, w.text())
			}
			parts = append(parts, key+": "+strings.Join(words, ", "))
		}
	}
	for _, item := range t.body.items() {
		if cron := item.get("cron").text(); cron != "" {
			parts = append(parts, cron)
		}
	}
	if t.event == "workflow_call" || t.event == "workflow_dispatch" {
		var names []string
		for _, in := range t.body.get("inputs").pairs() {
			names = append(names, in.key)
		}
		if len(names) > 0 {
			parts = append(parts, "inputs: "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// when says in a few words what starts a workflow, "" where it takes more.
func when(list []trigger) string {
	byEvent := map[string]trigger{}
	for _, t := range list {
		byEvent[t.event] = t
	}
	if push, ok := byEvent["push"]; ok {
		return push.pushes()
	}
	if _, ok := byEvent["release"]; ok {
		return "on a release"
	}
	if _, ok := byEvent["schedule"]; ok {
		return "on a schedule"
	}
	if run, ok := byEvent["workflow_run"]; ok {
		if names := run.body.get("workflows").texts(); len(names) > 0 {
			return fmt.Sprintf("after `%s`", names[0].text())
		}
	}
	if d, ok := byEvent["repository_dispatch"]; ok {
		if types := d.body.get("types").texts(); len(types) > 0 {
			return fmt.Sprintf("on the dispatch `%s`", types[0].text())
		}
		return "on a dispatch"
	}
	if _, ok := byEvent["workflow_dispatch"]; ok && len(list) == 1 {
		return "by hand"
	}
	return ""
}

// pushes says in a few words what a push has to be of to start a workflow.
func (t trigger) pushes() string {
	var ways []string
	if tags := t.named("tag"); tags != "" {
		ways = append(ways, "a "+tags+" tag")
	}
	if branches := t.named("branch"); branches != "" {
		ways = append(ways, "a push to "+branches)
	} else if len(ways) == 0 && t.body.get("tags-ignore").there() == t.body.get("branches-ignore").there() {
		ways = append(ways, "a push")
	} else if len(ways) == 0 && t.body.get("tags-ignore").there() {
		ways = append(ways, "a tag")
	} else if len(ways) == 0 {
		ways = append(ways, "a push to a branch")
	}
	return "on " + strings.Join(ways, " or ") + touching(t.body.get("paths").texts())
}

// named lists the tags or branches that a push is of, or begins to where they
// are many.
func (t trigger) named(kind string) string {
	const few = 3
	var words []string
	for _, r := range t.refs {
		if r.kind == kind {
			words = append(words, "`"+r.name+"`")
		}
	}
	if more := len(words) - few; more > 0 {
		return fmt.Sprintf("%s or %d more", strings.Join(words[:few], ", "), more)
	}
	return strings.Join(words, ", ")
}

// touching names the paths of a push, or counts them where they are many.
func touching(paths []node) string {
	const few = 3
	switch {
	case len(paths) == 0:
		return ""
	case len(paths) > few:
		return fmt.Sprintf(" touching %d paths", len(paths))
	}
	var words []string
	for _, p := range paths {
		words = append(words, "`"+p.text()+"`")
	}
	return " touching " + strings.Join(words, ", ")
}

// onlyCalled reports a workflow that runs only where another calls it.
func onlyCalled(list []trigger) bool { return len(list) == 1 && list[0].event == "workflow_call" }

// released reports a workflow in which the ref is a tag.
func released(list []trigger) bool {
	for _, t := range list {
		if t.event == "release" || t.event == "push" && slices.ContainsFunc(t.refs, func(r pushed) bool { return r.kind == "tag" }) {
			return true
		}
	}
	return false
}

// ofAnything reports a workflow that is started by a push of any tag or branch.
func ofAnything(list []trigger) bool {
	return slices.ContainsFunc(list, func(t trigger) bool {
		return t.event == "push" && len(t.refs) == 0 && !t.body.get("branches-ignore").there() && !t.body.get("tags-ignore").there()
	})
}

// triggers states what starts a workflow, and the dispatches it hears.
func (w *workflow) triggers(x *extraction) {
	for _, t := range w.on {
		p := w.file.place(t.line)
		if cron := t.body.items(); t.event == "schedule" && len(cron) > 0 {
			p = w.file.place(cron[0].line())
		}
		x.add(fact{role: triggered, name: t.event, more: t.filter(), place: p})
		switch t.event {
		case "repository_dispatch":
			types := t.body.get("types").texts()
			for _, typ := range types {
				x.add(fact{role: heard, name: typ.text(), place: w.file.place(typ.line())})
			}
			if len(types) == 0 {
				x.add(fact{role: unresolved, kind: "dispatch", name: "*", more: "it is started by a dispatch of any type", place: p})
			}
		case "workflow_run":
			for _, name := range t.body.get("workflows").texts() {
				w.after(x, name)
			}
		}
	}
}

// after says that a workflow runs when another has run.
func (w *workflow) after(x *extraction, name node) {
	p := w.file.place(name.line())
	for _, other := range x.workflows {
		if other.file.repo == w.file.repo && cmp.Or(other.name, other.file.path) == name.text() {
			p.Note = "runs after it"
			x.add(fact{role: called, kind: wiring.CallRun, name: x.slug(w.file.repo) + "/" + other.file.path, place: p})
			return
		}
	}
	x.add(fact{role: unresolved, kind: "workflow", name: name.text(), more: "no workflow of the repository has this name", place: p})
}

// bumps says which workflows a change of a pin starts: those whose push
// names a file that pins something.
func bumps(x *extraction) {
	pins := map[string]bool{}
	for _, f := range x.facts {
		if at := x.fileAt(f.place.File); f.role == pinned && (at == nil || !isWorkflow(at.path)) {
			pins[f.place.File] = true
		}
	}
	for _, w := range x.workflows {
		for _, t := range w.on {
			if t.event != "push" {
				continue
			}
			for _, p := range t.body.get("paths").texts() {
				at := path.Join(x.repos[w.file.repo].Path, strings.TrimPrefix(p.text(), "./"))
				if pins[at] {
					x.add(fact{role: bumped, name: at, repo: w.file.name, place: w.file.place(p.line())})
				}
			}
		}
	}
}

package wire

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A runner follows the jobs of one workflow, as far as files tell, and states
// what they do.
type runner struct {
	x    *extraction
	w    *workflow // whose lines are followed
	root *workflow // the one that an event starts
	repo int       // the repository it runs for: a called workflow runs for its caller

	// origin is where facts stand when they come about in a called workflow or
	// action, or in a script: the line that calls it. via names what is called.
	origin *wiring.Place
	via    string
	note   string
	script bool // in a script that is a file of its own, which states by itself what it reads

	on       []trigger // what may start it
	when     string    // the same in words
	sure     int       // certainty of what calls it
	released bool      // the ref is a tag
	depth    int
	silent   bool // nothing is stated
	budget   *int // steps that may still be followed, calls and matrices counted

	inputs  map[string][]string
	env     map[string][]string            // of the workflow
	outputs map[string]map[string][]string // job → its outputs
	begun   map[string]bool                // jobs that were followed
	starts  map[string][]trigger           // job → what may start it
}

const (
	maxFollowed = 20_000 // jobs, steps and commands followed for one workflow
	maxCombos   = 256    // combinations of a matrix: more than that, GitHub runs none
)

// follow follows every workflow of the workspace that is started by an
// event, then those that nothing calls.
func follow(x *extraction) {
	called := map[*file]bool{}
	x.onCallee = func(f *file) { called[f] = true }
	for _, w := range x.workflows {
		if !onlyCalled(w.on) {
			x.guarded(w.file, func() { x.newRunner(w).jobs() })
		}
	}
	for _, w := range x.workflows {
		if onlyCalled(w.on) && !called[w.file] {
			x.guarded(w.file, func() {
				r := x.newRunner(w)
				r.sure, r.note, r.inputs = 70, "only when called", inputsOf(w.on[0].body.get("inputs"))
				r.jobs()
			})
		}
	}
	for _, a := range x.actions {
		if !called[a.file] {
			x.guarded(a.file, func() {
				r := x.newRunner(a)
				r.sure, r.note, r.inputs = 70, "only when used", inputsOf(a.doc.get("inputs"))
				r.newJob("", node{}, nil).steps(a.doc.get("runs").get("steps"))
			})
		}
	}
}

// guarded follows a file. What foreign text makes of it costs that file only:
// one that cannot be followed to its end is listed.
func (x *extraction) guarded(f *file, do func()) {
	defer func() {
		if r := recover(); r != nil && !x.bare {
			x.cutShort(f, "it could not be followed to its end", 0)
		} else if r != nil {
			panic(r)
		}
	}()
	do()
}

func (x *extraction) newRunner(w *workflow) *runner {
	budget := maxFollowed
	r := &runner{x: x, w: w, root: w, repo: w.file.repo, on: w.on, when: when(w.on), sure: 100, released: released(w.on), budget: &budget}
	for _, t := range w.on {
		if t.event == "workflow_dispatch" {
			r.inputs = chosenOf(t.body.get("inputs"))
		}
	}
	r.begin()
	return r
}

// spend takes one from what is still followed for the workflow, and reports
// whether there was one. The first time there is none, that is stated: what is
// left out without a word would pass for what is not there.
func (r *runner) spend() bool {
	*r.budget--
	if *r.budget == -1 {
		r.x.cutShort(r.root.file, fmt.Sprintf("it has more jobs, steps and commands than are followed, %d", maxFollowed), 0)
	}
	return *r.budget >= 0
}

// cutShort lists a file that was not followed to its end, and from which line
// on, 0 where that is not told.
func (x *extraction) cutShort(f *file, why string, line int) {
	x.add(fact{role: unresolved, kind: "file", name: f.path, more: why, place: f.place(line)})
}

func (r *runner) begin() {
	r.outputs, r.begun, r.starts = map[string]map[string][]string{}, map[string]bool{}, map[string][]trigger{}
	r.env = map[string][]string{}
	r.extend(r.env, r.w.doc.get("env"), r.scope(nil))
}

// extend adds the entries of an env mapping.
func (r *runner) extend(env map[string][]string, entries node, s scope) {
	for _, p := range entries.pairs() {
		if p.value.isText() {
			env[p.key] = s.expand(p.value.text())
		}
	}
}

// A saying is a fact at a line, so that it is stated once.
type saying struct {
	key     key
	role    role
	file    string
	line    int
	via     string
	version string
	sure    int
	from    string
	at      int
}

// emit states a fact of a line of the file that is followed.
func (r *runner) emit(f fact, line int, sure int) {
	if r.silent {
		return
	}
	version := f.place.Version
	said := saying{key: f.key(), role: f.role, file: r.w.file.at, line: line, via: r.via, version: version, sure: min(sure, r.sure)}
	if r.origin != nil {
		said.from, said.at = r.origin.File, r.origin.Line
	}
	if r.x.said[said] && len(f.files) == 0 { // in another round of a loop or matrix
		return
	}
	r.x.said[said] = true
	p := r.w.file.pin(line, version)
	own := f.role == pinned || r.script && f.role == read // what stands in the file whoever runs it
	if r.origin != nil && !(own && r.w.file.at != "") {
		at := *r.origin
		at.Via, at.Evidence, at.Version = r.via, p.Evidence, p.Version
		p = at
	}
	if f.role != pinned {
		p.When = r.when
	}
	p.Note = f.place.Note
	if r.note != "" && p.Note == "" {
		p.Note = r.note
	}
	if sure = min(sure, r.sure); sure < 100 {
		p.Certainty = sure
	}
	f.name = shown(f.name)
	f.place = p
	if f.role == published && f.kind == wiring.Branch {
		r.x.pushers[f.name+"\x00"+r.w.file.at] = true
	}
	r.x.add(f)
}

// scope is what expressions may name outside of a job, or in job j.
func (r *runner) scope(j *job) scope {
	return func(parts []string) ([]string, bool) {
		switch last := parts[len(parts)-1]; {
		case parts[0] == "env" && len(parts) == 2:
			if j != nil {
				if v, ok := j.env[last]; ok {
					return v, true
				}
			}
			v, ok := r.env[last]
			return v, ok
		case parts[0] == "inputs" && len(parts) == 2, parts[0] == "github" && len(parts) == 4 && parts[2] == "inputs":
			v, ok := r.inputs[last]
			return v, ok
		case parts[0] == "matrix" && j != nil:
			return j.matrixValue(parts[1:])
		case parts[0] == "steps" && len(parts) == 4 && parts[2] == "outputs" && j != nil:
			v, ok := j.outputs[parts[1]][last]
			return v, ok
		case parts[0] == "needs" && len(parts) == 4 && parts[2] == "outputs":
			r.job(parts[1])
			v, ok := r.outputs[parts[1]][last]
			return v, ok
		case parts[0] == "runner" && last == "os" && j != nil:
			v := j.system()
			return []string{v}, v != ""
		case parts[0] == "github":
			return r.github(parts[1:])
		}
		return nil, false
	}
}

// github is what the context named so holds, as far as the workspace tells.
func (r *runner) github(parts []string) ([]string, bool) {
	slug := r.x.slug(r.repo)
	owner, name, _ := strings.Cut(slug, "/")
	switch strings.Join(parts, ".") {
	case "repository":
		return []string{slug}, true
	case "repository_owner":
		if name == "" {
			return nil, false
		}
		return []string{owner}, true
	case "event.repository.name":
		return []string{path.Base(slug)}, true
	case "event.repository.full_name":
		return []string{slug}, true
	case "server_url":
		return []string{"https://github.com"}, true
	case "ref_name", "ref", "event.release.tag_name", "event.release.name":
		if r.released || len(parts) > 2 {
			return []string{unknown("tag")}, true
		}
		if ofAnything(r.on) {
			return []string{unknown("ref")}, true
		}
		return []string{unknown("branch")}, true
	case "workspace":
		return []string{unknown("github_workspace")}, true
	}
	return nil, false
}

// jobs follows every job.
func (r *runner) jobs() {
	for _, p := range r.w.doc.get("jobs").pairs() {
		r.job(p.key)
	}
}

// job follows one job, once, for each combination of its matrix.
func (r *runner) job(id string) {
	if r.begun[id] || !r.spend() {
		return
	}
	r.begun[id] = true
	body := r.w.doc.get("jobs").get(id)
	if !body.isMap() {
		return
	}
	on := r.on
	for _, need := range body.get("needs").texts() {
		r.job(need.text())
		if list, ok := r.starts[need.text()]; ok && !whatever(condition(body.get("if"))) { // left out with it
			on = common(on, list)
		}
	}
	after := *r
	if len(on) > 0 && len(r.on) > 0 {
		after.on, after.when, after.released = on, when(on), released(on)
	}
	combos := []combo{nil}
	if m := body.get("strategy").get("matrix"); m.there() && mentions(body, "matrix") {
		combos = r.combos(m)
	}
	for _, c := range combos {
		j := r.newJob(id, body, c)
		if j.skipped(body.get("if")) {
			continue
		}
		j.runner = after.under(body.get("if"), j)
		if r.starts[id] == nil {
			r.starts[id] = j.runner.on
		}
		if body.get("uses").there() {
			j.called(body)
			continue
		}
		j.environment(body.entry("environment"))
		j.containers(body)
		j.steps(body.get("steps"))
		for _, o := range body.get("outputs").pairs() {
			if r.outputs[id] == nil {
				r.outputs[id] = map[string][]string{}
			}
			r.outputs[id][o.key] = union(r.outputs[id][o.key], r.scope(j).expand(o.value.text()))
		}
	}
}

// A combo is one combination of a matrix: names to values.
type combo map[string]node

// combos are the combinations of a matrix. One that is made while the job
// runs gives a single combination without values.
func (r *runner) combos(m node) []combo {
	if !m.isMap() {
		return []combo{{}}
	}
	out := []combo{{}}
	var names []string
	for _, p := range m.pairs() {
		if p.key == "include" || p.key == "exclude" {
			continue
		}
		items := p.value.items()
		if len(items) == 0 {
			continue // an expression, or nothing
		}
		names = append(names, p.key)
		var next []combo
		for _, c := range out {
			for _, item := range items {
				if len(next) == maxCombos {
					break
				}
				n := combo{p.key: item}
				for k, v := range c {
					n[k] = v
				}
				next = append(next, n)
			}
		}
		out = next
	}
	out = slices.DeleteFunc(out, func(c combo) bool {
		for _, x := range m.get("exclude").items() {
			if c.has(x) {
				return true
			}
		}
		return false
	})
	if len(names) == 0 {
		out = nil
	}
	original := len(out)
	for _, inc := range m.get("include").items() {
		fits := false
		for _, c := range out[:original] {
			if c.accepts(inc, names) {
				fits = true
				for _, p := range inc.pairs() {
					c[p.key] = p.value
				}
			}
		}
		if !fits && len(out) < maxCombos {
			c := combo{}
			for _, p := range inc.pairs() {
				c[p.key] = p.value
			}
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return []combo{{}}
	}
	return out
}

// has reports whether every entry of n is in the combination.
func (c combo) has(n node) bool {
	for _, p := range n.pairs() {
		if v, ok := c[p.key]; !ok || v.text() != p.value.text() {
			return false
		}
	}
	return n.isMap()
}

// accepts reports whether an include adds to the combination without
// changing what the matrix itself gave.
func (c combo) accepts(inc node, names []string) bool {
	for _, p := range inc.pairs() {
		if slices.Contains(names, p.key) && c[p.key].text() != p.value.text() {
			return false
		}
	}
	return true
}

// mentions reports whether a word is in any text below a node.
func mentions(n node, word string) bool {
	budget := 50_000
	var find func(n node, depth int) bool
	find = func(n node, depth int) bool {
		if budget--; n.y == nil || depth > 30 || budget < 0 {
			return false
		}
		if n.isText() {
			return strings.Contains(n.y.Value, word)
		}
		for _, c := range n.y.Content {
			if find(resolved(c), depth+1) {
				return true
			}
		}
		return false
	}
	return find(n, 0)
}

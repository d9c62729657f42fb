package wire

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A job is one job with one combination of its matrix.
type job struct {
	*runner
	body    node
	matrix  combo
	env     map[string][]string            // the workflow's and its own, and what steps add
	outputs map[string]map[string][]string // step → its outputs

	checkouts []checkout
	remotes   map[string]string // name of a git remote → owner/repo
	built     map[string]*built // images built here, by name
	site      string            // host written to a CNAME file
	added     []string          // base names of files that were added to a commit
}

// A checkout is a repository that a step puts into a folder.
type checkout struct {
	dir  string // from the job's folder; "" is that itself
	slug string // owner/repo
	ref  string
}

// built is an image that a job makes.
type built struct {
	line   int
	pushed bool
	file   *workflow // whose line it is
}

func (r *runner) newJob(id string, body node, c combo) *job {
	j := &job{runner: r, body: body, matrix: c, env: maps.Clone(r.env), outputs: map[string]map[string][]string{}, remotes: map[string]string{}, built: map[string]*built{}}
	r.extend(j.env, body.get("env"), r.scope(j))
	return j
}

func (j *job) matrixValue(parts []string) ([]string, bool) {
	if len(parts) == 0 || j.matrix == nil {
		return nil, false
	}
	v, ok := j.matrix[parts[0]]
	for _, p := range parts[1:] {
		v = v.get(p)
	}
	if !ok || !v.isText() {
		return nil, false
	}
	return j.runner.scope(nil).expand(v.text()), true
}

// expand gives the values of a text in the job.
func (j *job) expand(n node) []string { return j.runner.scope(j).expand(n.text()) }

// environment states a deployment to an environment.
func (j *job) environment(e pair) {
	name := e.value
	if name.isMap() {
		name = e.value.get("name")
	}
	if name.text() == "" || name.text() == "github-pages" {
		return
	}
	note := ""
	if url := e.value.get("url").text(); url != "" {
		note = shown(j.runner.scope(j).expand(url)[0])
	}
	for _, v := range j.expand(name) {
		if v != "" {
			j.emit(fact{role: deployed, kind: "environment", name: v, repo: j.x.repos[max(j.repo, 0)].Name, place: wiring.Place{Note: note}}, name.line(), 100)
		}
	}
}

// containers states the images that a job runs in and beside.
func (j *job) containers(body node) {
	image := func(n node) {
		if n.isMap() {
			n = n.get("image")
		}
		if n.text() == "" {
			return
		}
		j.readsImage(j.expand(n), n.line(), "")
	}
	image(body.get("container"))
	for _, s := range body.get("services").pairs() {
		image(s.value)
	}
}

// readsImage states the use of an image under each name it may have.
func (j *job) readsImage(refs []string, line int, note string) {
	for _, ref := range refs {
		img, ok := imageRef(ref)
		if !ok || j.built[img.name] != nil {
			continue
		}
		j.emit(fact{role: read, kind: wiring.Image, name: img.name, place: wiring.Place{Version: img.version(), Note: note}}, line, certaintyOf(len(refs)))
	}
}

// certaintyOf is lower where several values are possible.
func certaintyOf(values int) int {
	if values > 1 {
		return 80
	}
	return 100
}

// steps follows the steps of a job or action in order.
func (j *job) steps(list node) {
	for _, st := range list.items() {
		if !j.spend() {
			return
		}
		j.step(st)
	}
	j.leftImages()
}

// leftImages lists the images that were built and that nothing pushes.
func (j *job) leftImages() {
	for _, name := range slices.Sorted(maps.Keys(j.built)) {
		if b := j.built[name]; !b.pushed && b.file == j.w && strings.Contains(name, "/") {
			j.emit(fact{role: unresolved, kind: "image", name: name, more: "it is built, and nothing here pushes it"}, b.line, 100)
		}
	}
}

func (j *job) step(st node) {
	if j.skipped(st.get("if")) {
		return
	}
	all := j.runner
	j.runner = all.under(st.get("if"), j)
	defer func() { j.runner = all }()
	saved := maps.Clone(j.env)
	j.extend(j.env, st.get("env"), j.runner.scope(j))
	own := maps.Clone(j.env)
	switch {
	case st.get("uses").there():
		j.useStep(st)
	case st.get("run").there():
		j.runStep(st)
	}
	for k, v := range j.env { // what the step wrote to $GITHUB_ENV stays
		if o, ok := own[k]; !ok || !slices.Equal(o, v) {
			saved[k] = v
		}
	}
	j.env = saved
}

// with is the values of an input of a step, or nil where it is not given.
func (j *job) with(st node, name string) []string {
	v := st.get("with").get(name)
	if !v.isText() {
		return nil
	}
	return j.expand(v)
}

// withLine is the line of an input, else of the step's "uses".
func withLine(st node, name string) int {
	if e := st.get("with").entry(name); e.value.there() {
		return e.line
	}
	return st.get("uses").line()
}

// with1 is the first value of an input, "" where there is none.
func (j *job) with1(st node, name string) string {
	if v := j.with(st, name); len(v) > 0 {
		return v[0]
	}
	return ""
}

// called follows a called workflow.
func (j *job) called(body node) {
	e := body.get("uses")
	u, ok := j.x.use(j.w.file, e.text())
	if !ok {
		return
	}
	c, ok := j.x.callee(u)
	if !ok || j.depth >= maxDepth {
		return
	}
	var inputs map[string][]string
	for _, t := range c.on {
		if t.event == "workflow_call" {
			inputs = inputsOf(t.body.get("inputs"))
		}
	}
	j.enter(c, u, e.line(), body.get("with"), inputs).jobs()
}

// enter is a runner for a callee at a line, with the inputs it is given.
func (j *job) enter(c callee, u use, line int, with node, inputs map[string][]string) *runner {
	if f := j.x.fileOf(u.repo, c.file.path); f != nil && j.x.onCallee != nil {
		j.x.onCallee(f)
	}
	if inputs == nil {
		inputs = map[string][]string{}
	}
	for _, p := range with.pairs() {
		if p.value.isText() {
			inputs[p.key] = j.expand(p.value)
		}
	}
	r := *j.runner
	r.w, r.inputs, r.depth = c.workflow, inputs, j.depth+1
	if r.note == "" {
		r.note = c.note
	}
	if c.note != "" {
		r.sure = min(r.sure, 90)
	}
	if r.origin == nil {
		p := j.w.file.place(line)
		r.origin = &p
		r.via = path.Base(c.file.path)
		if isAction(c.file.path) {
			r.via = path.Join(path.Base(u.slug), u.path)
		}
		if u.ref != "" {
			r.via += "@" + u.ref
		}
	}
	r.begin()
	return &r
}

// useStep follows a step that uses an action.
func (j *job) useStep(st node) {
	e := st.get("uses")
	u, ok := j.x.use(j.w.file, e.text())
	if !ok || u.kind == wiring.CallDocker {
		return
	}
	if local, isLocal := strings.CutPrefix(e.text(), "./"); isLocal {
		if c, in := j.inside(local); in {
			u.repo, u.slug, u.path, u.ref = j.x.repoOf(c.slug), c.slug, c.rest, c.ref
		} else if u.repo < 0 { // a step of a callee that was handed in: the job's folder holds the caller's repository
			u.repo, u.slug, u.ref = j.repo, j.x.slug(j.repo), ""
		}
	}
	if act := knownAction(u); act != nil {
		act(j, st, e.line())
		return
	}
	c, ok := j.x.callee(u)
	if !ok || j.depth >= maxDepth {
		return
	}
	r := j.enter(c, u, e.line(), st.get("with"), inputsOf(c.doc.get("inputs")))
	inner := r.newJob("", node{}, nil)
	maps.Copy(inner.env, j.env)
	inner.checkouts, inner.remotes, inner.built = j.checkouts, j.remotes, j.built
	inner.steps(c.doc.get("runs").get("steps"))
	j.checkouts = inner.checkouts
	if id := st.get("id").text(); id != "" {
		for _, o := range c.doc.get("outputs").pairs() {
			j.output(id, o.key, r.scope(inner).expand(o.value.get("value").text()))
		}
	}
}

func (j *job) output(step, name string, values []string) {
	if j.outputs[step] == nil {
		j.outputs[step] = map[string][]string{}
	}
	j.outputs[step][name] = values
}

// A spot is a path within a checkout.
type spot struct {
	checkout
	rest string // path in the checked-out repository
}

// inside finds the checkout that a path of the job's folder is in, the
// deepest where one is in another. ok is false for a path of the repository
// that the job runs for.
func (j *job) inside(p string) (spot, bool) {
	p = path.Clean(p)
	best, found := spot{}, false
	for i, r := range j.x.repos {
		if rest, ok := strings.CutPrefix(p+"/", r.Path+"/"); ok && i > 0 && j.repo == 0 { // a submodule
			best, found = spot{checkout{dir: r.Path, slug: j.x.slug(i)}, strings.Trim(rest, "/")}, true
		}
	}
	for _, c := range slices.Backward(j.checkouts) {
		if c.dir == "" {
			if !found {
				best, found = spot{c, p}, true
			}
			continue
		}
		if rest, ok := strings.CutPrefix(p+"/", c.dir+"/"); ok && (!found || len(c.dir) > len(best.dir)) {
			best, found = spot{c, strings.Trim(rest, "/")}, true
		}
	}
	return best, found && !strings.EqualFold(best.slug, j.x.slug(j.repo)) || found && best.dir != ""
}

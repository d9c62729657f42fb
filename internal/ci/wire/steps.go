package wire

import (
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func (j *job) checkoutAction(st node, line int) {
	c := checkout{slug: j.x.slug(max(j.repo, 0))}
	explicit := j.with1(st, "repository")
	if explicit != "" {
		c.slug = explicit
	}
	c.ref = j.with1(st, "ref")
	if p := j.with1(st, "path"); p != "" && p != "." {
		c.dir = strings.Trim(strings.TrimPrefix(p, "./"), "/")
	}
	j.checkouts = append(j.checkouts, c)
	if explicit != "" && !j.isOwn(c.slug) {
		if !fixed(c.slug) {
			j.emit(fact{role: unresolved, kind: "repository", name: shown(c.slug), more: "which repository is checked out is not told by the workspace"}, line, 100)
			return
		}
		j.emit(fact{role: read, kind: wiring.Repository, name: c.slug, place: wiring.Place{Version: versionOf(c.ref), Note: "checked out"}}, withLine(st, "repository"), certaintyOf(len(j.with(st, "repository"))))
	}
	j.readsBranch(c.slug, c.ref, withLine(st, "ref"), 100)
}

func (j *job) own() string { return j.x.repos[max(j.repo, 0)].Name }

func (j *job) uploadArtifact(st node, line int) {
	names := j.with(st, "name")
	if len(names) == 0 {
		names = []string{"artifact"}
	}
	for _, n := range names {
		if n != "" {
			j.emit(fact{role: published, kind: wiring.RunArtifact, name: n, repo: j.own()}, withLine(st, "name"), certaintyOf(len(names)))
		}
	}
}

func (j *job) downloadArtifact(st node, line int) {
	repo := j.own()
	if r := j.with1(st, "repository"); r != "" {
		repo = j.x.shortOf(r)
	} else if r := j.with1(st, "repo"); r != "" {
		repo = j.x.shortOf(r)
	}
	for _, n := range j.with(st, "name") {
		if n != "" {
			j.emit(fact{role: read, kind: wiring.RunArtifact, name: n, repo: repo}, withLine(st, "name"), 100)
		}
	}
	for _, n := range j.with(st, "pattern") {
		j.emit(fact{role: read, kind: wiring.RunArtifact, name: globbed(n), repo: repo}, withLine(st, "pattern"), 100)
	}
	if !st.get("with").get("name").there() && !st.get("with").get("pattern").there() {
		j.emit(fact{role: read, kind: wiring.RunArtifact, name: globbed("*"), repo: repo, place: wiring.Place{Note: "all of the run"}}, line, 100)
	}
}

func (j *job) cache(st node, line int) {
	r := read
	if strings.Contains(st.get("uses").text(), "/cache/save") {
		r = published
	}
	for _, key := range j.with(st, "key") {
		f := fact{role: r, kind: wiring.Cache, name: key, repo: j.own()}
		j.emit(f, withLine(st, "key"), certaintyOf(len(j.with(st, "key"))))
		if r == read && !strings.Contains(st.get("uses").text(), "/cache/restore") {
			f.role = published
			j.emit(f, withLine(st, "key"), certaintyOf(len(j.with(st, "key"))))
		}
	}
}

// list is the lines of an input, or what commas part.
func list(text string) (out []string) {
	for _, l := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ',' }) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}
	return out
}

func (j *job) oneAsset(st node, line int) {
	name := j.with1(st, "asset_name")
	if name == "" {
		name = j.with1(st, "asset_path")
	}
	j.releases(j.x.slug(max(j.repo, 0)), "", []string{name}, line, 100, false)
}

// releaseFiles is an action that makes a release with files.
func releaseFiles(files, tag, repository string) action {
	return func(j *job, st node, line int) {
		slug := j.x.slug(max(j.repo, 0))
		if r := j.with1(st, repository); repository != "" && r != "" {
			slug = r
		}
		var all []string
		for _, v := range j.with(st, files) {
			all = append(all, list(v)...)
		}
		if name := j.with1(st, "asset_name"); name != "" {
			all = []string{name}
		}
		at := line
		if len(all) > 0 {
			at = withLine(st, files)
		}
		version := ""
		if tag != "" {
			version = j.with1(st, tag)
		}
		j.releases(slug, version, all, at, 100, true)
	}
}

func releaseBy(tool string) action {
	return func(j *job, st node, line int) {
		slug := j.x.slug(max(j.repo, 0))
		if r := j.with1(st, "repo-url"); r != "" {
			slug = ghSlug(r)
		}
		j.emit(fact{role: published, kind: wiring.Release, name: slug, place: wiring.Place{Note: tool}}, line, 100)
	}
}

func (j *job) goreleaserAction(st node, line int) {
	args := strings.Fields(j.with1(st, "args"))
	f := parseFlags(args, "--config -f --skip")
	if argument(f.args, 0) == "release" {
		dir := j.with1(st, "workdir")
		config := f.get("--config", "-f")
		if config == "" && dir != "" && dir != "." {
			config = strings.TrimSuffix(dir, "/") + "/.goreleaser.yml"
		}
		j.goreleaser(config, f, line, 100)
	}
}

func (j *job) changesets(st node, line int) {
	if cmd := j.with1(st, "publish"); cmd != "" {
		j.publishes("npm", j.allNamed("package.json", npmName), "a package.json", "changesets", withLine(st, "publish"), 90)
	}
}

func (j *job) pypiPublish(st node, line int) {
	dir := strings.TrimSuffix(strings.TrimSuffix(j.with1(st, "packages-dir"), "/"), "dist")
	names := j.named(dir, "pyproject.toml", pyName)
	if len(names) == 0 {
		names = j.named(dir, "setup.cfg", cfgName)
	}
	note := j.with1(st, "repository-url")
	if note == "" {
		note = j.with1(st, "repository_url")
	}
	j.publishes("pypi", names, "a pyproject.toml", shown(note), line, 100)
}

func (j *job) npmPublish(st node, line int) {
	dir := strings.TrimSuffix(j.with1(st, "package"), "package.json")
	j.publishes("npm", j.named(dir, "package.json", npmName), "a package.json", "", line, 100)
}

func (j *job) vscodePublish(st node, line int) {
	j.publishes("vscode", j.named("", "package.json", npmName), "a package.json", "", line, 80)
}

func (j *job) chartReleaser(st node, line int) {
	found := false
	for _, f := range j.x.files {
		if f.repo != j.repo || f.base() != "Chart.yaml" || vendored(f.path) || j.inChart(f.path) {
			continue
		}
		if docs, _ := readYAML(f.data); len(docs) > 0 && docs[0].get("name").text() != "" {
			found = true
			j.emit(fact{role: published, kind: wiring.Chart, name: docs[0].get("name").text(), repo: j.own(), place: wiring.Place{Version: docs[0].get("version").text()}}, line, 90)
		}
	}
	if !found {
		j.emit(fact{role: unresolved, kind: "helm chart", name: j.own(), more: "which charts are released is not told by a Chart.yaml"}, line, 100)
	}
}

// inChart reports whether the Chart.yaml with this path is that of a chart
// inside another, with which it is packaged: a chart of the folder charts
// beside a Chart.yaml.
func (j *job) inChart(name string) bool {
	for dir := path.Dir(path.Dir(name)); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if path.Base(dir) == "charts" && j.x.fileOf(j.repo, path.Join(path.Dir(dir), "Chart.yaml")) != nil {
			return true
		}
	}
	return false
}

// githubScript states the dispatches that JavaScript sends.
func (j *job) githubScript(st node, line int) {
	script := st.get("with").entry("script")
	text := j.runner.scope(j).expand(script.value.text())[0]
	lines := j.lines(script.value)
	for n, l := range strings.Split(text, "\n") {
		switch {
		case strings.Contains(l, "createDispatchEvent"):
			rest := strings.Join(strings.Split(text, "\n")[n:], "\n")
			j.sends(scriptField(rest, "event_type"), "", lines(n+1), 90)
		case strings.Contains(l, "createWorkflowDispatch"):
			rest := strings.Join(strings.Split(text, "\n")[n:], "\n")
			slug := j.x.slug(max(j.repo, 0))
			if o, r := scriptField(rest, "owner"), scriptField(rest, "repo"); o != "" && r != "" && known(o+r) {
				slug = o + "/" + r
			}
			j.startsWorkflow(slug, scriptField(rest, "workflow_id"), "", lines(n+1), 90)
		}
	}
}

// scriptField is the text given to a key of an object in JavaScript: the
// first one after the call. What is no text in quotes is not told.
func scriptField(text, key string) string {
	call, _, _ := strings.Cut(text, ");")
	if !strings.Contains(call, key) {
		return ""
	}
	at := strings.Index(call, key) + len(key)
	value := strings.TrimLeft(call[at:], ": \t\n")
	if value == "" || !strings.ContainsRune("'\"`", rune(value[0])) {
		return unknown(key)
	}
	end := strings.IndexByte(value[1:], value[0])
	if end < 0 || strings.Contains(value[1:end+1], "${") {
		return unknown(key)
	}
	return value[1 : end+1]
}

func (j *job) dispatchAction(st node, line int) {
	slug := j.with1(st, "repository")
	events := j.with(st, "event-type")
	if len(events) == 0 {
		events = []string{""}
	}
	for _, e := range events {
		j.sends(e, slug, withLine(st, "event-type"), certaintyOf(len(events)))
	}
}

// slashCommands states the dispatches that comments are turned into.
func (j *job) slashCommands(st node, line int) {
	if kind := j.with1(st, "dispatch-type"); kind == "workflow" {
		return
	}
	suffix := "-command"
	if st.get("with").get("event-type-suffix").there() {
		suffix = j.with1(st, "event-type-suffix")
	}
	for _, name := range list(strings.ReplaceAll(j.with1(st, "commands"), " ", "\n")) {
		j.sends(name+suffix, j.with1(st, "repository"), withLine(st, "commands"), 100)
	}
}

func (j *job) workflowDispatch(st node, line int) {
	slug := j.x.slug(max(j.repo, 0))
	if r := j.with1(st, "repo"); r != "" {
		slug = r
		if o := j.with1(st, "owner"); o != "" && !strings.Contains(r, "/") {
			slug = o + "/" + r
		}
	}
	file := j.with1(st, "workflow")
	if file == "" {
		file = j.with1(st, "workflow_file_name")
	}
	j.startsWorkflow(slug, file, j.with1(st, "ref"), line, 100)
}

func (j *job) createPull(st node, line int) {
	dir := strings.Trim(strings.TrimPrefix(j.with1(st, "path"), "./"), "/")
	slug := j.x.slug(max(j.repo, 0))
	if in, ok := j.inside(dir + "/x"); ok {
		slug = in.slug
	}
	for _, p := range list(j.with1(st, "add-paths")) {
		j.added = append(j.added, baseOf(p))
	}
	j.pull(slug, nil, line, 100)
}

func (j *job) homebrew(st node, line int) {
	tap := j.with1(st, "homebrew-tap")
	if tap == "" {
		tap = j.with1(st, "tap")
	}
	if tap == "" {
		tap = "Homebrew/homebrew-core"
	}
	name := j.with1(st, "formula-name")
	if name == "" {
		name = j.with1(st, "formula")
	}
	j.emit(fact{role: published, kind: wiring.PullRequest, name: tap, place: wiring.Place{Note: shown(name)}}, line, 100)
}

// pagesAction is an action that puts a site on a branch.
func pagesAction(branch, repository, host string) action {
	return func(j *job, st node, line int) {
		if host != "" {
			if h := j.with1(st, host); h != "" {
				j.site = h
			}
		}
		j.pagesBranch(j.with1(st, branch), j.with1(st, repository), line, 100)
	}
}

func (j *job) pushAction(st node, line int) {
	slug := j.with1(st, "repository")
	if slug == "" {
		slug = j.x.slug(max(j.repo, 0))
	}
	branch := j.with1(st, "branch")
	switch {
	case known(branch) && !mainBranches[branch]:
		j.emit(fact{role: published, kind: wiring.Branch, name: branch, repo: j.x.shortOf(slug)}, line, 100)
	case !j.isOwn(slug):
		j.emit(fact{role: published, kind: wiring.Push, name: slug}, line, 100)
	}
}

func (j *job) commitAction(st node, line int) {
	branch := j.with1(st, "branch")
	if branch == "" {
		branch = j.with1(st, "new_branch")
	}
	dir := j.with1(st, "repository")
	if dir == "" {
		dir = j.with1(st, "cwd")
	}
	slug := j.x.slug(max(j.repo, 0))
	if in, ok := j.inside(strings.TrimPrefix(dir, "./") + "/x"); ok {
		slug = in.slug
	}
	switch {
	case branch != "" && known(branch) && !mainBranches[branch]:
		j.emit(fact{role: published, kind: wiring.Branch, name: branch, repo: j.x.shortOf(slug)}, line, 100)
	case !j.isOwn(slug):
		j.emit(fact{role: published, kind: wiring.Push, name: slug}, line, 100)
	}
}

// deployAction is an action that puts something to run on a host.
func deployAction(tool, site, note string) action {
	return func(j *job, st node, line int) {
		n := ""
		if note != "" {
			n = shown(j.with1(st, note))
		}
		where := ""
		if site != "" {
			where = shown(j.with1(st, site))
		}
		j.deploys(tool, where, n, line, 100)
	}
}

func (j *job) cloudRun(st node, line int) {
	j.deploys("cloud run", shown(j.with1(st, "service")), "", line, 100)
	j.readsImage(j.with(st, "image"), withLine(st, "image"), "")
}

func (j *job) kubernetes(st node, line int) {
	j.deploys("kubectl", shown(strings.Join(list(j.with1(st, "manifests")), " ")), shown(j.with1(st, "namespace")), line, 100)
	for _, img := range list(j.with1(st, "images")) {
		j.readsImage([]string{img}, withLine(st, "images"), "")
	}
}

package wire

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// repoFlag is the owner/repo that a command of gh names, or the job's own.
func (j *job) repoFlag(s *shell, f flags) string {
	if r := f.get("-R", "--repo"); r != "" {
		return ghSlug(r)
	}
	for _, name := range []string{"GH_REPO", "GITHUB_REPOSITORY"} {
		if v, ok := s.vars[name]; ok {
			return ghSlug(v[0])
		}
		if v, ok := j.env[name]; ok {
			return ghSlug(v[0])
		}
	}
	if in, ok := j.inside(path.Join(s.dir, "x")); ok && in.dir != "" {
		return in.slug
	}
	return j.x.slug(max(j.repo, 0))
}

// ghSlug takes the host off a repository's name.
func ghSlug(r string) string {
	r = strings.TrimSuffix(r, ".git")
	if strings.Contains(r, "://") || strings.HasPrefix(r, "git@") {
		return slugOf(r)
	}
	if parts := strings.Split(r, "/"); len(parts) == 3 {
		return parts[1] + "/" + parts[2]
	}
	return r
}

// isOwn reports the repository that the job runs for.
func (j *job) isOwn(slug string) bool {
	return j.repo >= 0 && (strings.EqualFold(slug, j.x.slug(j.repo)) || j.x.repoOf(slug) == j.repo)
}

const releaseFlags = "--repo -R --title -t --notes -n --notes-file -F --target --discussion-category --notes-start-tag --json --jq -q --template --pattern -p --dir -D --output -O --archive -A --limit -L"

func (j *job) gh(s *shell, c call) {
	if len(c.args) < 3 {
		return
	}
	rest := c.args[3:]
	switch c.args[1] + " " + c.args[2] {
	case "release create", "release upload":
		f := parseFlags(rest, releaseFlags)
		var files []string
		if len(f.args) > 1 {
			files = f.args[1:]
		}
		tag := ""
		if len(f.args) > 0 {
			tag = f.args[0]
		}
		j.releases(j.repoFlag(s, f), tag, files, c.at, c.sure, c.args[2] == "create")
	case "release download":
		f := parseFlags(rest, releaseFlags)
		j.downloads(s, f, c)
	case "pr create":
		f := parseFlags(rest, "--repo -R --title -t --body -b --body-file -F --base -B --head -H --label -l --assignee -a --reviewer -r --milestone -m --project -p --template -T --recover")
		j.pull(j.repoFlag(s, f), s, c.at, c.sure)
	case "workflow run":
		f := parseFlags(rest, "--repo -R --ref -r -f --field -F --raw-field")
		if len(f.args) > 0 {
			j.startsWorkflow(j.repoFlag(s, f), f.args[0], f.get("--ref", "-r"), c.at, c.sure)
		}
	case "run download":
		f := parseFlags(rest, "--repo -R --name -n --dir -D --pattern -p")
		for _, n := range f.all("-n", "--name", "-p", "--pattern") {
			j.emit(fact{role: read, kind: wiring.RunArtifact, name: n, repo: j.x.shortOf(j.repoFlag(s, f))}, c.at, c.sure)
		}
	case "repo clone":
		if f := parseFlags(rest, "-u --upstream-remote-name"); len(f.args) > 0 {
			j.cloned(s, ghSlug(f.args[0]), argument(f.args, 1), "", c.at, c.sure)
		}
	default:
		if c.args[1] == "api" {
			j.ghAPI(s, c)
		}
	}
}

func argument(args []string, n int) string {
	if n < len(args) {
		return args[n]
	}
	return ""
}

// releases states what is put into a release: its files, or, where none is
// told, the release.
func (j *job) releases(slug, tag string, files []string, line, sure int, made bool) {
	repo, stated := j.x.shortOf(slug), false
	for _, f := range files {
		f, _, _ = strings.Cut(f, "#") // the label that gh shows
		name := baseOf(f)
		if name == "" || !fixed(name) && !strings.ContainsAny(name, ".*") {
			continue
		}
		stated = true
		j.emit(fact{role: published, kind: wiring.ReleaseAsset, name: globbed(name), repo: repo, place: wiring.Place{Version: versionOf(tag)}}, line, sure)
	}
	if made {
		j.emit(fact{role: published, kind: wiring.Release, name: slug, place: wiring.Place{Version: versionOf(tag)}}, line, sure)
	} else if !stated {
		j.emit(fact{role: unresolved, kind: "release asset", name: shown(strings.Join(files, " ")), more: "which files are uploaded is not told by the workspace"}, line, 100)
	}
}

// globbed writes the stars of a file pattern as parts that are not told.
func globbed(name string) string {
	for strings.Contains(name, "**") {
		name = strings.ReplaceAll(name, "**", "*")
	}
	if name == "*" {
		return unknown("file")
	}
	return strings.ReplaceAll(name, "*", openMark+"any"+closeMark)
}

// versionOf is a tag where it is told.
func versionOf(tag string) string {
	if tag == "" || !known(tag) {
		return ""
	}
	return tag
}

func (j *job) downloads(s *shell, f flags, c call) {
	slug := j.repoFlag(s, f)
	patterns := f.all("-p", "--pattern")
	for _, p := range patterns {
		j.emit(fact{role: read, kind: wiring.ReleaseAsset, name: globbed(p), repo: j.x.shortOf(slug), place: wiring.Place{Version: versionOf(argument(f.args, 0))}}, c.at, c.sure)
	}
	if len(patterns) == 0 {
		j.emit(fact{role: read, kind: wiring.Release, name: slug, place: wiring.Place{Version: versionOf(argument(f.args, 0))}}, c.at, c.sure)
	}
}

// pull states a pull request into another repository.
func (j *job) pull(slug string, s *shell, line, sure int) {
	if j.isOwn(slug) || slug == "" {
		return
	}
	if !known(slug) {
		if file := j.listedRepos(); file != "" {
			j.emit(fact{role: published, kind: wiring.PullRequest, name: file, files: j.added, place: wiring.Place{Note: "into each repository that the file lists"}}, line, min(sure, 90))
			return
		}
		j.emit(fact{role: unresolved, kind: "pull request", name: shown(slug), more: "which repository it goes to is not told by the workspace"}, line, 100)
		return
	}
	j.emit(fact{role: published, kind: wiring.PullRequest, name: slug, files: j.added}, line, sure)
}

// listedRepos is a file that holds owner/repo lines only and that the script
// or step names, "" where there is none.
func (j *job) listedRepos() string {
	text := string(j.w.file.data)
	for _, f := range j.x.files {
		if f.repo == j.w.file.repo && isRepoList(f.path) && ownerRepoLines(f.data) && strings.Contains(text, f.path) {
			return f.path
		}
	}
	return ""
}

// isRepoList reports a file that may hold a list of repositories.
func isRepoList(name string) bool {
	dir, base := path.Split(name)
	return path.Ext(base) == ".txt" && (dir == "" || dir == ".github/" || dir == "scripts/")
}

func ownerRepoLines(data []byte) bool {
	if len(data) > 1<<16 {
		return false
	}
	n := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		owner, repo, ok := strings.Cut(line, "/")
		if !ok || owner == "" || repo == "" || strings.ContainsAny(line, " \t:@={}()\"'<>,;") || strings.Contains(repo, "/") {
			return false
		}
		n++
	}
	return n > 0
}

// startsWorkflow states that a workflow is started by name.
func (j *job) startsWorkflow(slug, file, ref string, line, sure int) {
	if !known(slug) || !known(file) {
		j.emit(fact{role: unresolved, kind: "workflow", name: shown(slug + "/" + file), more: "which workflow is started is not told by the workspace"}, line, 100)
		return
	}
	target := slug
	if i := j.x.repoOf(slug); i >= 0 {
		target = j.x.slug(i)
		found := ""
		for _, w := range j.x.workflows {
			if w.file.repo == i && (w.file.base() == file || w.name == file) {
				found = w.file.path
			}
		}
		if found == "" {
			j.emit(fact{role: unresolved, kind: "workflow", name: target + "/" + file, more: "the repository has no such workflow"}, line, 100)
			return
		}
		file = found
	} else if !strings.Contains(file, "/") && isYAML(file) { // else it is the workflow's name, or its number
		file = ".github/workflows/" + file
	}
	j.emit(fact{role: called, kind: wiring.CallRun, name: target + "/" + file, place: wiring.Place{Version: versionOf(ref)}}, line, sure)
}

func (j *job) ghAPI(s *shell, c call) {
	f := parseFlags(c.args[2:], "-X --method -f --raw-field -F --field -H --header --input --jq -q -t --template --cache -p --preview --hostname")
	if len(f.args) == 0 {
		return
	}
	body := c.input
	if in := f.get("--input"); in != "" && in != "-" {
		if data, ok := j.smallFile(s.join(in)); ok {
			body = data
		}
	}
	fields := map[string]string{}
	for _, v := range f.all("-f", "--raw-field", "-F", "--field") {
		key, value, _ := strings.Cut(v, "=")
		fields[key] = value
	}
	j.api(f.args[0], body, fields, f.get("-X", "--method"), c.at, c.sure)
}

// api states what a call of the service's programming interface does.
func (j *job) api(address, body string, fields map[string]string, method string, line, sure int) {
	address = strings.NewReplacer("{owner}/{repo}", j.x.slug(max(j.repo, 0)), ":owner/:repo", j.x.slug(max(j.repo, 0))).Replace(address)
	address, _, _ = strings.Cut(address, "?")
	at := strings.Index(address, "repos/")
	if at < 0 {
		return
	}
	parts := strings.Split(strings.Trim(address[at+len("repos/"):], "/"), "/")
	// What is not told may be owner/repo in one.
	if len(parts) > 0 && strings.HasPrefix(parts[0], openMark) && strings.HasSuffix(parts[0], closeMark) && (len(parts) < 2 || parts[1] == "dispatches" || parts[1] == "actions" || parts[1] == "releases") {
		parts = append([]string{parts[0], ""}, parts[1:]...)
	}
	if len(parts) < 3 {
		return
	}
	slug := strings.Trim(parts[0]+"/"+parts[1], "/")
	switch {
	case len(parts) == 3 && parts[2] == "dispatches":
		event := fields["event_type"]
		if event == "" {
			event = jsonField(body, "event_type")
		}
		j.sends(event, slug, line, sure)
	case len(parts) == 6 && parts[2] == "actions" && parts[3] == "workflows" && parts[5] == "dispatches":
		j.startsWorkflow(slug, parts[4], "", line, sure)
	case parts[2] == "pulls" && len(parts) == 3 && (strings.EqualFold(method, "POST") || fields["head"] != "" || strings.Contains(body, `"head"`)):
		j.pull(slug, nil, line, sure)
	case parts[2] == "releases" && len(parts) == 3 && (strings.EqualFold(method, "POST") || fields["tag_name"] != "" || strings.Contains(body, `"tag_name"`)):
		j.releases(slug, fields["tag_name"], nil, line, sure, true)
	case parts[2] == "releases" && !strings.EqualFold(method, "DELETE") && !strings.EqualFold(method, "PATCH"):
		if !j.isOwn(slug) && known(slug) {
			j.emit(fact{role: read, kind: wiring.Release, name: slug}, line, sure)
		}
	}
}

// sends states a dispatch. One whose type is not told is none.
func (j *job) sends(event, slug string, line, sure int) {
	event = strings.TrimSpace(event)
	if event == "" || !known(event) || strings.Contains(event, "$") {
		name := shown(event)
		if name == "" {
			name = "?"
		}
		j.emit(fact{role: unresolved, kind: "dispatch", name: name, more: "its type is not told by the workspace"}, line, 100)
		return
	}
	note := ""
	if slug != "" && known(slug) && !j.isOwn(slug) {
		note = "to " + slug
	}
	j.emit(fact{role: sent, name: event, place: wiring.Place{Note: note}}, line, sure)
}

// jsonField is a text in a JSON object, which need not be whole: bodies are
// put together from variables.
func jsonField(body, key string) string {
	var v map[string]any
	if json.Unmarshal([]byte(body), &v) == nil {
		s, _ := v[key].(string)
		return s
	}
	_, rest, ok := strings.Cut(body, key)
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, `"'\ `)
	rest, ok = strings.CutPrefix(rest, ":")
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, ` \"'`)
	if i := strings.IndexAny(rest, "\\\"',}\n"); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSpace(rest)
}

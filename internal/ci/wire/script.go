package wire

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// isScript reports a file that may be a shell script by its name. One
// without an extension must begin as a script does, which its bytes tell.
func isScript(name string) bool {
	switch path.Ext(name) {
	case ".sh", ".bash":
		return !vendored(name)
	case "":
		top, _, _ := strings.Cut(name, "/")
		return top != name && slices.Contains([]string{"scripts", "script", "bin", "ci", "hack", "tools", "build", ".github", ".ci", "release", "dev", "etc"}, top) && !vendored(name)
	}
	return false
}

// vendored reports a path below which other people's files, or those of
// tests, lie.
func vendored(name string) bool {
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		switch part {
		case "vendor", "node_modules", "third_party", "testdata", "fixtures", "__fixtures__":
			return true
		}
	}
	return false
}

// readScript keeps a script for the workflows that run it. What it does when
// none runs it, [scripts] says.
func readScript(x *extraction, f *file) {
	if path.Ext(f.path) == "" && !shebang(f.data) {
		return
	}
	x.scripts = append(x.scripts, f)
}

// shebang reports a text that a shell is to read.
func shebang(data []byte) bool {
	line, _, _ := bytes.Cut(data[:min(len(data), 200)], []byte("\n"))
	return bytes.HasPrefix(line, []byte("#!")) && bytes.Contains(line, []byte("sh"))
}

// scripts follows the scripts that no workflow runs.
func scripts(x *extraction) {
	for _, f := range x.scripts {
		if x.ran[f] {
			continue
		}
		x.guarded(f, func() { x.script(f) })
	}
}

// apart is a job for a file that no workflow runs, with a note that says so.
func (x *extraction) apart(f *file, note string) *job {
	budget := maxFollowed
	w := &workflow{file: f}
	r := &runner{x: x, w: w, root: w, repo: f.repo, sure: 80, script: true, note: note, budget: &budget}
	r.begin()
	return r.newJob("", node{}, nil)
}

func (x *extraction) script(f *file) {
	sh := x.apart(f, "a script that no workflow runs").newShell(func(n int) int { return n }, "")
	if !sh.run(string(f.data)) {
		x.add(fact{role: unresolved, kind: "script", name: f.path, more: "its shell text has an error of syntax; it was followed as far as it goes", place: f.place(0)})
	}
}

// A jobShell is a shell that works for a job.
type jobShell struct {
	*shell
	line func(int) int // lines of the text to lines of the file
}

// newShell is a shell with the job's environment.
func (j *job) newShell(line func(int) int, step string) *jobShell {
	js := &jobShell{line: line}
	js.shell = &shell{vars: map[string][]string{}, arrays: map[string][]string{}, funcs: map[string]*syntax.Stmt{}, steps: maxSteps}
	js.look = func(s *shell, name string) ([]string, bool) { return j.variable(name) }
	js.file = func(s *shell, name string) (string, bool) { return j.smallFile(s.join(name)) }
	js.set = func(target, key, value string) { j.wrote(step, target, key, value) }
	js.assigned = func(name, value string, n int) {
		if tool, ok := pin.VersionVariable(name, value); ok {
			j.emit(fact{role: pinned, kind: string(pin.Toolchain), name: tool, place: wiring.Place{Version: value, Note: "variable " + name}}, line(n), 100)
		}
		if (j.script || j.note != "") && known(value) && !mainBranches[value] && branchName(value) {
			j.mention(value, line(n))
		}
	}
	js.document = func(text string, n int) { j.containerFile(text, line(n)) }
	js.cut = func(why string, n int) {
		j.emit(fact{role: unresolved, kind: "script", name: j.w.file.base() + ":" + strconv.Itoa(line(n)), more: why}, line(n), 100)
	}
	js.do = func(s *shell, c command) { j.command(s, c, js.line) }
	return js
}

// containerFile states what a container file that stands in a script is made
// of; first is the line of its first line.
func (j *job) containerFile(text string, first int) {
	for _, p := range pin.Read("Dockerfile", []byte(shown(text))) {
		if p.Kind == pin.Image {
			j.emit(fact{role: read, kind: wiring.Image, name: p.Name, place: wiring.Place{Version: p.Version, Note: p.Note}}, first+p.Line-1, 100)
		}
	}
}

// branchName reports a text that could be a branch of machines: words joined
// by dashes.
func branchName(s string) bool {
	return len(s) > 2 && len(s) < 60 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_/.") == "" && s[0] >= 'a'
}

// variable is what the environment of a step holds under a name.
func (j *job) variable(name string) ([]string, bool) {
	if v, ok := j.env[name]; ok {
		return v, true
	}
	switch name {
	case "GITHUB_REPOSITORY":
		return j.github([]string{"repository"})
	case "GITHUB_REPOSITORY_OWNER":
		return j.github([]string{"repository_owner"})
	case "GITHUB_REF_NAME", "GITHUB_REF":
		return j.github([]string{"ref_name"})
	case "GITHUB_SERVER_URL":
		return []string{"https://github.com"}, true
	case "GITHUB_API_URL":
		return []string{"https://api.github.com"}, true
	case "PWD":
		return []string{unknown("github_workspace")}, true
	}
	return nil, false
}

const maxSmall = 2_000 // bytes of a file whose contents are followed as a value

// smallFile is the contents of a small file of the workspace, by its path
// from the job's folder.
func (j *job) smallFile(name string) (string, bool) {
	f := j.fileAt(name)
	if f == nil || len(f.data) > maxSmall {
		return "", false
	}
	return strings.TrimRight(string(f.data), "\r\n"), true
}

// fileAt is the file at a path from the job's folder, or nil.
func (j *job) fileAt(name string) *file {
	if name == ".." || name == "" || !known(name) {
		// A folder that only a variable tells: the rest may be enough.
		if name = strings.TrimPrefix(name, openMark); name == "" {
			return nil
		}
		_, rest, ok := strings.Cut(name, closeMark+"/")
		if !ok || !known(rest) {
			return nil
		}
		if j.script && j.repo == j.w.file.repo { // that of the script itself, most often
			if f := j.x.fileOf(j.repo, path.Join(j.w.file.dir(), rest)); f != nil {
				return f
			}
		}
		name = rest
	}
	if in, ok := j.inside(name); ok {
		repo := j.x.repoOf(in.slug)
		if repo < 0 {
			return nil
		}
		return j.x.fileOf(repo, in.rest)
	}
	if j.repo < 0 {
		return nil
	}
	return j.x.fileOf(j.repo, path.Clean(name))
}

// wrote takes a value that a step hands on.
func (j *job) wrote(step, target, key, value string) {
	switch {
	case strings.Contains(target, "github-env") && key != "":
		j.env[key] = []string{value}
	case strings.Contains(target, "github-output") && key != "" && step != "":
		if old := j.outputs[step][key]; old != nil && j.depth == 0 {
			j.output(step, key, union(old, []string{value}))
			return
		}
		j.output(step, key, []string{value})
	case baseOf(target) == "CNAME":
		j.site = strings.TrimSpace(value)
	}
}

// runScript follows a script that a command runs. It reports whether the
// command names one of the workspace.
func (j *job) runScript(s *shell, name string, params []string, line int, sure int) bool {
	f := j.fileAt(s.join(name))
	if f == nil && !known(name) {
		f = j.fileAt(name)
	}
	if f == nil || !isScript(f.path) && !shebang(f.data) {
		return false
	}
	if j.depth >= maxDepth || s.depth >= maxDepth {
		return true
	}
	j.x.ran[f] = true
	r := *j.runner
	r.w, r.depth, r.script, r.sure = &workflow{file: f}, j.depth+1, true, min(sure, j.sure)
	if r.origin == nil {
		p := j.w.file.place(line)
		r.origin, r.via = &p, f.path
	}
	inner := *j
	inner.runner = &r
	inner.env = map[string][]string{}
	for k, v := range j.env {
		inner.env[k] = v
	}
	for k, v := range s.vars { // what is not exported does not count for much
		inner.env[k] = v
	}
	sh := inner.newShell(func(n int) int { return n }, "")
	sh.set = s.set
	sh.params, sh.dir, sh.depth, sh.steps = params, s.dir, s.depth+1, s.steps
	if sh.params == nil {
		sh.params = []string{}
	}
	sh.run(string(f.data))
	s.steps = sh.steps
	j.site = inner.site
	return true
}

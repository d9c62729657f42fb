package wire

import (
	"maps"
	"path"
	"regexp"
	"strings"
)

// buildFiles are the names of the files that a program looks for targets in.
var buildFiles = map[string][]string{
	"make": {"Makefile", "makefile", "GNUmakefile"}, "gmake": {"Makefile", "makefile", "GNUmakefile"},
	"just": {"justfile", "Justfile", ".justfile"},
	"task": {"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "taskfile.dist.yml", "Taskfile.dist.yaml", "taskfile.dist.yaml"},
}

// target follows the targets that make, just and the like are asked for.
func (j *job) target(s *shell, c call) {
	f := parseFlags(c.args[1:], "-C --directory -f --file -j --jobs --justfile -d --dir --working-directory -t --taskfile -o --output -c")
	dir := s.dir
	if d := f.get("-C", "--directory", "-d", "--dir", "--working-directory"); d != "" {
		dir = s.join(d)
	}
	names := buildFiles[c.args[0]]
	if n := f.get("-f", "--file", "--justfile", "-t", "--taskfile"); n != "" {
		names = []string{n}
	}
	var file *file
	for _, n := range names {
		if file == nil {
			file = j.fileAt(path.Join(dir, n))
		}
	}
	if file == nil || j.depth >= maxDepth || s.depth >= maxDepth {
		return
	}
	var wanted []string
	given := map[string]string{}
	for _, a := range f.args {
		if name, value, ok := strings.Cut(a, "="); ok {
			given[name] = value
		} else {
			wanted = append(wanted, a)
		}
	}
	if c.args[0] == "just" && len(wanted) > 1 {
		wanted = wanted[:1] // the others are its arguments
	}
	if c.args[0] == "task" && len(wanted) == 0 {
		wanted = []string{"default"}
	}
	r := *j.runner
	r.w, r.depth, r.script, r.sure = &workflow{file: file}, j.depth+1, true, min(c.sure, j.sure, 90)
	if r.origin == nil {
		p := j.w.file.place(c.at)
		r.origin, r.via = &p, file.path
	}
	inner := *j
	inner.runner = &r
	t := inner.targetsOf(file, s, dir)
	for name := range t.vars {
		if v, ok := j.env[name]; ok && known(v[0]) { // ?= leaves what the environment has
			given[name] = v[0]
		}
	}
	for _, w := range wanted {
		if t.targets[w] == nil && includesFiles(file.data) {
			j.emit(fact{role: unresolved, kind: "target", name: c.args[0] + " " + shown(w), more: "it is in a file that the " + file.base() + " includes, or nowhere"}, c.at, 100)
			continue
		}
		t.follow(w, given, 0)
	}
}

// includesFiles reports a file of targets that has more of them in others.
func includesFiles(data []byte) bool { return includeLine.Match(data) }

var includeLine = regexp.MustCompile(`(?m)^(?:[-s]?include\s+\S|includes:|import\??\s+['"]|mod\??\s+\w)`)

// A targets follows what one file of targets runs.
type targets struct {
	buildFile
	j     *job // whose runner follows the file
	shell *shell
	dir   string // that the file is in
	done  map[string]bool
}

func (j *job) targetsOf(f *file, s *shell, dir string) *targets {
	if j.x.targets[f] == nil {
		j.x.targets[f] = map[string]bool{}
	}
	return &targets{buildFileOf(f), j, s, dir, map[string]bool{}}
}

// follow follows a target, once where it is given nothing.
func (t *targets) follow(name string, given map[string]string, depth int) {
	r := t.targets[name]
	if r == nil || t.done[name] || depth > maxDepth {
		return
	}
	t.done[name] = len(given) == 0
	t.j.x.targets[t.j.w.file][name] = true
	if !t.j.spend() {
		return
	}
	for _, n := range r.needs {
		t.follow(n, given, depth+1)
	}
	vars := t.vars
	if len(r.vars) > 0 {
		vars = maps.Clone(t.vars)
		maps.Copy(vars, r.vars)
	}
	for _, l := range r.lines {
		if l.task != "" {
			next := map[string]string{}
			for k, v := range l.given {
				next[k] = t.text(v, name, vars, given)
			}
			t.follow(t.text(l.task, name, vars, given), next, depth+1)
			continue
		}
		sh := t.j.newShell(func(n int) int { return l.line + n - 1 }, "")
		sh.dir, sh.depth, sh.steps = t.dir, t.shell.depth+1, t.shell.steps
		if r.dir != "" {
			sh.dir = sh.join(t.text(r.dir, name, vars, given))
		}
		sh.run(t.text(l.text, name, vars, given))
		t.shell.steps = sh.steps
	}
}

func (t *targets) text(text, target string, vars, given map[string]string) string {
	s := substitution{target: target, vars: vars, given: given, braces: t.braces, left: maxSmall, busy: map[string]bool{}}
	return s.text(text)
}

// templated is what a Taskfile's {{ }} most often holds besides a variable: a
// value for where that is not given.
var templated = regexp.MustCompile(`^default\s+"([^"]*)"\s+\.(\w+)$|^\.(\w+)\s*\|\s*default\s+"([^"]*)"$`)

// A substitution puts variables into the texts of a target: $(X), ${X} and
// {{ X }}; $$ is one sign for the shell. With braces, only {{ X }} are
// variables.
type substitution struct {
	target      string
	vars, given map[string]string
	braces      bool
	left        int             // how many are still put in, for one may stand in another
	busy        map[string]bool // those in whose values it is: there, a name is what it was before
}

func (s *substitution) text(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		open, end := "", ""
		switch {
		case strings.HasPrefix(text[i:], "{{"):
			open, end = "{{", "}}"
		case s.braces:
		case strings.HasPrefix(text[i:], "$$"):
			b.WriteByte('$')
			i += 2
			continue
		case strings.HasPrefix(text[i:], "$@"):
			b.WriteString(s.target)
			i += 2
			continue
		case strings.HasPrefix(text[i:], "$("):
			open, end = "$(", ")"
		case strings.HasPrefix(text[i:], "${"):
			open, end = "${", "}"
		}
		if open == "" {
			b.WriteByte(text[i])
			i++
			continue
		}
		stop := strings.Index(text[i+len(open):], end)
		if stop < 0 {
			b.WriteString(text[i:])
			break
		}
		name := strings.TrimSpace(text[i+len(open) : i+len(open)+stop])
		i += len(open) + stop + len(end)
		otherwise, has := "", false
		if m := templated.FindStringSubmatch(name); m != nil {
			name, otherwise, has = m[2]+m[3], m[1]+m[4], true
		}
		name = strings.TrimPrefix(name, ".")
		value, ok := s.given[name]
		if !ok && !s.busy[name] {
			value, ok = s.vars[name]
		}
		if !ok && has {
			value, ok = otherwise, true
		}
		if s.left--; !ok || s.left < 0 {
			b.WriteString(unknown(lastName(name)))
			continue
		}
		was := s.busy[name]
		s.busy[name] = true
		b.WriteString(s.text(value))
		s.busy[name] = was
	}
	return b.String()
}

package wire

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A tool states what one command does. args[0] is the program's name.
type tool func(j *job, s *shell, c call)

// A call is a command of a step or script.
type call struct {
	command
	at int // line in the file that is followed
}

// toolOf is what states what a program does, nil for one that does nothing
// of interest.
func toolOf(name string) tool {
	switch name {
	case "gh":
		return (*job).gh
	case "git":
		return (*job).git
	case "docker", "podman", "buildah", "nerdctl":
		return (*job).docker
	case "skopeo", "crane", "gcrane", "oras", "regctl":
		return (*job).registry
	case "ko":
		return (*job).ko
	case "executor", "kaniko":
		return (*job).kaniko
	case "curl", "wget":
		return (*job).http
	case "npm", "pnpm", "yarn", "bun", "lerna", "npx", "changeset", "nx", "bunx", "pnpx":
		return (*job).node
	case "twine", "uv", "poetry", "flit", "hatch", "maturin", "pdm", "python", "python3":
		return (*job).python
	case "cargo", "mvn", "mvnw", "gradle", "gradlew", "sbt", "mill", "gem", "dotnet", "nuget", "goreleaser", "jreleaser", "semantic-release", "release-please", "cargo-release", "vsce", "ovsx", "go":
		return (*job).build
	case "helm", "kubectl", "terraform", "tofu", "terragrunt", "pulumi", "gcloud", "aws", "az", "firebase", "vercel", "netlify", "wrangler", "flyctl", "fly", "serverless", "sls", "cdk", "heroku", "mkdocs", "mike", "gh-pages", "eb", "ansible-playbook", "argocd", "railway", "surge", "rsync":
		return (*job).deploy
	case "make", "gmake", "just", "task":
		return (*job).target
	}
	return nil
}

// wrappers run the command that follows them; the number is how many words
// of their own come first.
var wrappers = map[string]int{"sudo": 0, "time": 0, "nohup": 0, "exec": 0, "command": 0, "nice": 0, "timeout": 1, "xvfb-run": 0, "retry": 0, "then": 0, "builtin": 0, "doas": 0, "chronic": 0, "stdbuf": 0, "setsid": 0}

// command states what a command does.
func (j *job) command(s *shell, c command, line func(int) int) {
	if !j.spend() {
		return
	}
	c.args = unwrapped(s, c.args)
	if len(c.args) == 0 {
		return
	}
	at := line(c.line)
	name := c.args[0]
	switch base := path.Base(name); base {
	case "bash", "sh", "zsh", "dash", "source", ".":
		j.shellCommand(s, c, at)
		return
	case "eval":
		j.text(s, strings.Join(c.args[1:], " "), at)
		return
	case "echo", "printf":
		if key, value, ok := strings.Cut(strings.TrimPrefix(strings.Join(c.args[1:], " "), "::set-output name="), "::"); ok && strings.Contains(strings.Join(c.args[1:], " "), "::set-output") {
			s.set("github-output", key, value)
		}
		return
	case "xargs":
		if rest := afterFlags(c.args[1:], "-n", "-I", "-P", "-L", "-d"); len(rest) > 0 {
			c.args = append(rest[:len(rest):len(rest)], strings.Fields(c.input)...)
			j.command(s, c, line)
		}
		return
	default:
		if strings.Contains(name, "/") && j.runScript(s, name, c.args[1:], at, c.sure) {
			return
		}
		if t := toolOf(base); t != nil {
			c.args[0] = base
			t(j, s, call{c, at})
			return
		}
		j.missingScript(s, name, at)
	}
}

// unwrapped takes the programs off that only run another, and the variables
// set for it.
func unwrapped(s *shell, args []string) []string {
	for range 8 {
		if len(args) == 0 {
			return nil
		}
		if args[0] == "env" {
			args = afterFlags(args[1:], "-u", "-C")
			for len(args) > 0 && isAssignment(args[0]) {
				name, value, _ := strings.Cut(args[0], "=")
				s.vars[name] = []string{value}
				args = args[1:]
			}
			continue
		}
		n, ok := wrappers[args[0]]
		if !ok {
			return args
		}
		args = afterFlags(args[1:], "-u", "-g", "-n", "-k", "-s", "-o", "-e", "-i")
		for len(args) > 0 && isAssignment(args[0]) {
			args = args[1:]
		}
		args = args[min(n, len(args)):]
	}
	return args
}

func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && syntax.ValidName(name)
}

// afterFlags is what follows the flags; those named take a word of their own.
func afterFlags(args []string, valued ...string) []string {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && len(args[0]) > 1 {
		takes := false
		for _, v := range valued {
			takes = takes || args[0] == v
		}
		if args[0] == "--" {
			return args[1:]
		}
		args = args[1:]
		if takes && len(args) > 0 {
			args = args[1:]
		}
	}
	return args
}

// shellCommand follows bash FILE, bash -c TEXT and source FILE.
func (j *job) shellCommand(s *shell, c command, at int) {
	args := c.args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if !strings.HasPrefix(args[0], "--") && strings.HasSuffix(args[0], "c") {
			if len(args) > 1 {
				j.text(s, args[1], at)
			}
			return
		}
		args = args[1:]
	}
	switch {
	case len(args) == 0:
		if c.input != "" {
			j.text(s, c.input, at)
		}
	case !j.runScript(s, args[0], args[1:], at, c.sure):
		j.missingScript(s, args[0], at)
	}
}

// text follows shell text within shell text; what is in it stands at one line.
func (j *job) text(s *shell, text string, at int) {
	if s.depth >= maxDepth || !known(text) && !strings.Contains(text, " ") {
		return
	}
	inner := s.clone()
	inner.depth++
	inner.do = func(s *shell, c command) { j.command(s, c, func(int) int { return at }) }
	inner.run(text)
	s.keep(inner)
}

// missingScript lists a script that is run and not there.
func (j *job) missingScript(s *shell, name string, at int) {
	if !strings.HasSuffix(name, ".sh") || !strings.Contains(name, "/") && path.Ext(name) != ".sh" || strings.HasPrefix(name, "/") || !j.ownDir(s.dir) {
		return
	}
	told := known(name)
	name = shown(name)
	if branch, ok := strings.CutSuffix(path.Base(name), "-push.sh"); ok {
		for _, c := range j.checkouts {
			if c.ref == branch { // it is called as the branch that lies there
				j.emit(fact{role: published, kind: "branch", name: branch, repo: j.x.shortOf(c.slug)}, at, 60)
			}
		}
	}
	why := "it is run, and is not in the workspace"
	if !told {
		why = "it is run, and where it lies is not told"
	}
	j.emit(fact{role: unresolved, kind: "script", name: name, more: why}, at, 100)
}

// ownDir reports the job's folder, or one of the repository in it.
func (j *job) ownDir(dir string) bool {
	if dir == "" {
		return true
	}
	if !known(dir) || j.repo < 0 {
		return false
	}
	for _, f := range j.x.repos[j.repo].Files {
		if strings.HasPrefix(f.Path, dir+"/") {
			return true
		}
	}
	return false
}

// shortOf is the short name of a repository of the workspace, else owner/repo.
func (x *extraction) shortOf(slug string) string {
	if i := x.repoOf(slug); i >= 0 {
		return x.repos[i].Name
	}
	return shown(slug)
}

// A flagSet reads the flags of a command: valued ones take a word.
type flags struct {
	args   []string // words that are no flags, in order
	values map[string][]string
	has    map[string]bool
}

// parseFlags reads args. Of -x=y, --x=y and --x y, the last two words belong
// together only for the flags in valued.
func parseFlags(args []string, valued string) flags {
	f := flags{values: map[string][]string{}, has: map[string]bool{}}
	takes := map[string]bool{}
	for v := range strings.FieldsSeq(valued) {
		takes[v] = true
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch name, value, ok := strings.Cut(a, "="); {
		case a == "--":
			f.args = append(f.args, args[i+1:]...)
			return f
		case !strings.HasPrefix(a, "-") || a == "-":
			f.args = append(f.args, a)
		case ok && known(name):
			f.has[name] = true
			f.values[name] = append(f.values[name], value)
		case takes[a] && i+1 < len(args):
			i++
			f.has[a] = true
			f.values[a] = append(f.values[a], args[i])
		case len(a) > 2 && a[1] != '-' && takes[a[:2]]:
			f.has[a[:2]] = true
			f.values[a[:2]] = append(f.values[a[:2]], a[2:])
		default:
			f.has[a] = true
		}
	}
	return f
}

// get is the last value of the first flag that has one.
func (f flags) get(names ...string) string {
	for _, n := range names {
		if v := f.values[n]; len(v) > 0 {
			return v[len(v)-1]
		}
	}
	return ""
}

// all is every value of the flags.
func (f flags) all(names ...string) (out []string) {
	for _, n := range names {
		out = append(out, f.values[n]...)
	}
	return out
}

package wire

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (s *shell) declare(c *syntax.DeclClause) {
	for _, a := range c.Args {
		if a.Name != nil && !a.Naked {
			s.assign(a)
		}
	}
}

func (s *shell) assign(a *syntax.Assign) {
	name := a.Name.Value
	switch {
	case a.Array != nil:
		var list []string
		if a.Append {
			list = slices.Clone(s.arrays[name])
		}
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				list = append(list, s.first(e.Value)...)
			}
		}
		if len(list) > maxWords {
			list = list[:maxWords]
		}
		s.arrays[name] = list
		return
	case a.Value == nil:
		s.vars[name] = []string{""}
		return
	}
	values := s.strings(a.Value)
	for i, v := range values {
		if v == openMark+closeMark { // what a command printed is called as the variable is
			values[i] = unknown(name)
		}
	}
	if a.Index != nil {
		s.arrays[name] = append(slices.Clone(s.arrays[name]), values...)
		return
	}
	if a.Append {
		if list, ok := s.arrays[name]; ok {
			s.arrays[name] = append(slices.Clone(list), values...)
			return
		}
		values = concat(s.variable(name), values)
	}
	if len(values) == 1 && s.assigned != nil {
		s.assigned(name, values[0], int(a.Pos().Line()))
	}
	delete(s.arrays, name)
	s.vars[name] = values
}

// variable is what a variable may hold.
func (s *shell) variable(name string) []string {
	if v, ok := s.vars[name]; ok {
		return v
	}
	if v, ok := s.look(s, name); ok {
		return v
	}
	return []string{unknown(name)}
}

// call follows a simple command: an assignment, a call of a function, or
// something to hand on.
func (s *shell) call(st *syntax.Stmt, c *syntax.CallExpr, input string) {
	for _, w := range c.Args {
		s.nested(w)
	}
	for _, a := range c.Assigns {
		if a.Value != nil {
			s.nested(a.Value)
		}
	}
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			s.assign(a)
		}
		return
	}
	inner := s
	if len(c.Assigns) > 0 {
		inner = s.clone()
		for _, a := range c.Assigns {
			inner.assign(a)
		}
	}
	ways := s.words(c.Args)
	for _, args := range ways {
		if len(args) == 0 {
			continue
		}
		sure := 100
		if len(ways) > 1 {
			sure = 80
		}
		inner.command(command{args: args, line: int(c.Args[0].Pos().Line()), input: input, sure: sure})
		for _, r := range st.Redirs {
			if t, ok := s.written(r); ok {
				s.writes(t, printed(args, input))
			}
		}
	}
	if inner != s {
		s.dir = inner.dir
		s.keep(inner)
	}
}

// command handles what changes the shell itself, and hands on the rest.
func (s *shell) command(c command) {
	c.dir = s.dir
	switch c.args[0] {
	case "cd", "pushd":
		if len(c.args) > 1 {
			s.dir = s.join(c.args[len(c.args)-1])
		}
		return
	case "exit":
		s.ended = true
		return
	case "return": // outside of a function it ends a text that is sourced
		s.ended = true
		return
	case "exec":
		s.do(s, c)
		s.ended = len(c.args) > 1 && !strings.HasPrefix(c.args[1], "-")
		return
	case "set":
		for i, a := range c.args {
			if a == "--" {
				s.params = slices.Clone(c.args[i+1:])
			}
		}
		return
	case "shift":
		if len(s.params) > 0 {
			s.params = s.params[1:]
		}
		return
	case "read":
		for _, a := range c.args[1:] {
			if !strings.HasPrefix(a, "-") {
				s.vars[a] = []string{unknown(a)}
			}
		}
		return
	case "echo", "printf", "cat":
		s.do(s, c)
		return
	}
	if body, ok := s.funcs[c.args[0]]; ok {
		if s.depth < maxDepth {
			params, depth := s.params, s.depth
			s.params, s.depth = c.args[1:], depth+1
			s.maybe(func() { s.stmt(body, c.input) })
			s.params, s.depth = params, depth
		}
		return
	}
	s.do(s, c)
}

// join is a path from the workspace's root; "$GITHUB_WORKSPACE/x" is x, and
// what leaves the workspace, or is not told, is "..".
func (s *shell) join(dir string) string {
	switch root := openMark + "github-workspace" + closeMark; {
	case dir == "-" || dir == "":
		return ""
	case dir == root:
		return ""
	case strings.HasPrefix(dir, root+"/"):
		dir = path.Clean(dir[len(root)+1:])
	case strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~"):
		return ".."
	default:
		dir = path.Join(s.dir, dir)
	}
	if dir == "." {
		return ""
	}
	if !known(dir) && strings.HasPrefix(dir, openMark) {
		if strings.HasSuffix(dir, closeMark) {
			return dir // a directory that is told by its variable alone
		}
		return ".."
	}
	return dir
}

// containerFile reports a statement that makes a container file of what it is
// given, or builds one.
func (s *shell) containerFile(st *syntax.Stmt) bool {
	named := func(word string) bool {
		base := strings.ToLower(baseOf(word))
		return strings.Contains(base, "dockerfile") || strings.Contains(base, "containerfile")
	}
	for _, r := range st.Redirs {
		if t, ok := s.written(r); ok && named(t) {
			return true
		}
	}
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	args := unwrapped(s.clone(), s.words(call.Args)[0])
	if len(args) == 0 {
		return false
	}
	switch path.Base(args[0]) {
	case "tee":
		return slices.ContainsFunc(args[1:], named)
	case "docker", "podman", "buildah", "nerdctl":
		return slices.ContainsFunc(args[1:], func(a string) bool { return a == "-" || a == "-f-" || a == "--file=-" })
	}
	return false
}

// written is where a redirection writes.
func (s *shell) written(r *syntax.Redirect) (target string, ok bool) {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
		return s.text(r.Word), true
	}
	return "", false
}

// writes takes what is written to the files by which a step hands on values;
// other files are the business of set too.
func (s *shell) writes(target, text string) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		key, value, ok := strings.Cut(line, "=")
		if k, end, multi := strings.Cut(line, "<<"); multi && (!ok || len(k) < len(key)) {
			var body []string
			for i++; i < len(lines) && lines[i] != end; i++ {
				body = append(body, lines[i])
			}
			s.set(target, k, strings.Join(body, "\n"))
			continue
		}
		if !ok {
			key, value = "", line
		}
		s.set(target, key, value)
	}
}

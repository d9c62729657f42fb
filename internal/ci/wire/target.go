package wire

import (
	"path"
	"strings"
)

func isMakefile(name string) bool {
	if vendored(name) {
		return false
	}
	switch base := path.Base(name); strings.ToLower(base) {
	case "makefile", "gnumakefile", "justfile", ".justfile":
		return true
	default:
		return strings.HasSuffix(base, ".mk")
	}
}

// A recipe is what one target of a makefile or justfile runs.
type recipe struct {
	needs []string
	lines []recipeLine
}

type recipeLine struct {
	text string
	line int
}

// recipes reads a makefile or justfile: targets by name, and variables.
func recipes(data []byte) (targets map[string]*recipe, vars map[string]string) {
	targets, vars = map[string]*recipe{}, map[string]string{}
	var current []*recipe
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		line, at := strings.TrimSuffix(lines[i], "\r"), i+1
		for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
			i++
			line = line + "\n" + strings.TrimSuffix(lines[i], "\r")
		}
		indented := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, " ")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
			continue
		case indented && len(current) > 0:
			for _, r := range current {
				r.lines = append(r.lines, recipeLine{strings.TrimLeft(trimmed, "@-+"), at})
			}
			continue
		}
		if name, value, ok := assignment(trimmed); ok {
			if _, given := vars[name]; !given {
				vars[name] = value
			}
			continue
		}
		names, needs, ok := strings.Cut(trimmed, ":")
		if !ok || strings.ContainsAny(names, "\"'`(") {
			current = nil
			continue
		}
		current = nil
		for j, n := range strings.Fields(names) {
			if j > 0 && strings.ContainsAny(n, "=*+") || strings.HasPrefix(n, "@") {
				continue // a parameter of a justfile's recipe
			}
			r := targets[n]
			if r == nil {
				r = &recipe{}
				targets[n] = r
			}
			needs, _, _ := strings.Cut(needs, "#")
			r.needs = append(r.needs, strings.Fields(strings.NewReplacer("(", " ", ")", " ", "|", " ").Replace(needs))...)
			current = append(current, r)
		}
	}
	return targets, vars
}

// assignment reads NAME = value, NAME := value and NAME ?= value.
func assignment(line string) (name, value string, ok bool) {
	line = strings.TrimPrefix(line, "export ")
	i := strings.IndexByte(line, '=')
	if i <= 0 || strings.HasPrefix(line[i:], "==") {
		return "", "", false
	}
	name = strings.TrimSpace(strings.TrimRight(line[:i], ":?+! "))
	if name == "" || strings.ContainsAny(name, " :/$(\"'") {
		return "", "", false
	}
	return name, strings.Trim(strings.TrimSpace(line[i+1:]), `"'`), true
}

// target follows the targets that make, just and the like are asked for.
func (j *job) target(s *shell, c call) {
	f := parseFlags(c.args[1:], "-C --directory -f --file -j --jobs --justfile -d --working-directory")
	dir := s.dir
	if d := f.get("-C", "--directory", "-d", "--working-directory"); d != "" {
		dir = s.join(d)
	}
	names := []string{"Makefile", "makefile", "GNUmakefile"}
	if c.args[0] == "just" {
		names = []string{"justfile", "Justfile", ".justfile"}
	}
	if n := f.get("-f", "--file", "--justfile"); n != "" {
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
	targets, vars := recipes(file.data)
	var wanted []string
	given := map[string]string{}
	for _, a := range f.args {
		if name, value, ok := strings.Cut(a, "="); ok {
			given[name] = value
		} else {
			wanted = append(wanted, a)
		}
	}
	for name := range vars {
		if v, ok := j.env[name]; ok && known(v[0]) { // ?= leaves what the environment has
			given[name] = v[0]
		}
	}
	if c.args[0] == "just" && len(wanted) > 1 {
		wanted = wanted[:1] // the others are its arguments
	}
	r := *j.runner
	r.w, r.depth, r.script, r.sure = &workflow{file: file}, j.depth+1, true, min(c.sure, j.sure, 90)
	if r.origin == nil {
		p := j.w.file.place(c.at)
		r.origin, r.via = &p, file.path
	}
	inner := *j
	inner.runner = &r
	done := map[string]bool{}
	var follow func(name string)
	follow = func(name string) {
		t := targets[name]
		if t == nil || done[name] {
			return
		}
		done[name] = true
		for _, n := range t.needs {
			follow(n)
		}
		for _, l := range t.lines {
			sh := inner.newShell(func(n int) int { return l.line + n - 1 }, "")
			sh.dir, sh.depth, sh.steps = dir, s.depth+1, s.steps
			budget := maxSmall
			sh.run(substituteMake(l.text, name, vars, given, &budget))
			s.steps = sh.steps
		}
	}
	for _, w := range wanted {
		follow(w)
	}
}

// substituteMake puts variables at $(X), ${X} and {{ X }} of a recipe; $$ is
// one sign for the shell.
// budget bounds how many are put in, for one may stand in another.
func substituteMake(text, target string, vars, given map[string]string, budget *int) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		open, end := "", ""
		switch {
		case strings.HasPrefix(text[i:], "$$"):
			b.WriteByte('$')
			i += 2
			continue
		case strings.HasPrefix(text[i:], "$@"):
			b.WriteString(target)
			i += 2
			continue
		case strings.HasPrefix(text[i:], "$("):
			open, end = "$(", ")"
		case strings.HasPrefix(text[i:], "${"):
			open, end = "${", "}"
		case strings.HasPrefix(text[i:], "{{"):
			open, end = "{{", "}}"
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
		value, ok := given[name]
		if !ok {
			value, ok = vars[name]
		}
		if *budget--; !ok || *budget < 0 {
			b.WriteString(unknown(lastName(name)))
			continue
		}
		b.WriteString(substituteMake(value, target, vars, given, budget))
	}
	return b.String()
}

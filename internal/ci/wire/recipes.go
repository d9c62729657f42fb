package wire

import (
	"path"
	"strings"
)

// A buildFile is what a makefile, a justfile or a Taskfile can run.
type buildFile struct {
	targets map[string]*recipe
	order   []string // names of targets as they stand
	vars    map[string]string
	braces  bool // variables stand in {{ }} only; $ is the shell's
}

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

// A recipe is what one target runs.
type recipe struct {
	needs []string
	lines []recipeLine
	dir   string            // of a Taskfile: from its folder
	vars  map[string]string // of a Taskfile: the target's own
}

type recipeLine struct {
	text  string
	line  int
	task  string            // of a Taskfile: another target, in place of a text
	given map[string]string // the variables it is given
}

// isBuildFile reports a file of targets.
func isBuildFile(name string) bool { return isMakefile(name) || isTaskfile(name) }

// buildFileOf reads a file of targets.
func buildFileOf(f *file) buildFile {
	if isTaskfile(f.path) {
		return taskfile(f.data)
	}
	b := recipes(f.data)
	b.braces = strings.Contains(strings.ToLower(f.base()), "justfile")
	return b
}

// recipes reads a makefile or justfile.
func recipes(data []byte) buildFile {
	targets, vars := map[string]*recipe{}, map[string]string{}
	var order []string
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
				r.lines = append(r.lines, recipeLine{text: strings.TrimLeft(trimmed, "@-+"), line: at})
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
				order = append(order, n)
			}
			needs, _, _ := strings.Cut(needs, "#")
			r.needs = append(r.needs, strings.Fields(strings.NewReplacer("(", " ", ")", " ", "|", " ").Replace(needs))...)
			current = append(current, r)
		}
	}
	return buildFile{targets: targets, order: order, vars: vars}
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

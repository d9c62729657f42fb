package wire

import (
	"path"
	"strings"
)

func isTaskfile(name string) bool {
	if vendored(name) {
		return false
	}
	base := strings.ToLower(path.Base(name))
	stem, ok := strings.CutSuffix(base, ".yml")
	if !ok {
		stem, ok = strings.CutSuffix(base, ".yaml")
	}
	return ok && (stem == "taskfile" || stem == "taskfile.dist")
}

// taskfile reads the tasks of a Taskfile.
func taskfile(data []byte) buildFile {
	b := buildFile{targets: map[string]*recipe{}, vars: map[string]string{}, braces: true}
	docs, _ := readYAML(data)
	if len(docs) == 0 {
		return b
	}
	b.vars = taskVars(docs[0].get("vars"))
	for _, t := range docs[0].get("tasks").pairs() {
		if b.targets[t.key] == nil {
			b.order = append(b.order, t.key)
		}
		b.targets[t.key] = taskOf(t.value)
	}
	return b
}

// taskOf reads one task: a command, a list of them, or a mapping.
func taskOf(n node) *recipe {
	r := &recipe{}
	if !n.isMap() {
		r.commands(n)
		return r
	}
	r.dir = n.get("dir").text()
	r.vars = taskVars(n.get("vars"))
	for _, d := range n.get("deps").items() {
		if d.isMap() {
			r.commands(d)
		} else {
			r.needs = append(r.needs, d.text())
		}
	}
	r.commands(n.get("cmds"))
	r.commands(n.get("cmd"))
	return r
}

// commands adds what a task runs: texts, and other tasks with their variables.
func (r *recipe) commands(n node) {
	switch {
	case n.isText():
		line := n.line()
		if n.isBlock() {
			line++
		}
		r.lines = append(r.lines, recipeLine{text: n.text(), line: line})
	case n.isList():
		for _, c := range n.items() {
			if !c.isList() {
				r.commands(c)
			}
		}
	case n.isMap():
		if name := n.get("task").text(); name != "" {
			r.lines = append(r.lines, recipeLine{task: strings.TrimPrefix(name, ":"), line: n.line(), given: taskVars(n.get("vars"))})
			return
		}
		for _, key := range []string{"cmd", "defer"} {
			if c := n.get(key); !c.isList() {
				r.commands(c)
			}
		}
	}
}

// taskVars are variables with the values that the file gives; one that a
// command gives is not told.
func taskVars(n node) map[string]string {
	out := map[string]string{}
	for _, p := range n.pairs() {
		if p.value.isText() {
			out[p.key] = p.value.text()
		}
	}
	return out
}

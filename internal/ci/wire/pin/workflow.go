package pin

import (
	"regexp"
	"slices"
	"strings"
)

var (
	setupTool   = regexp.MustCompile(`(?:^|/)(?:setup|install|action-setup)[-/]?([a-z-]*?)(?:-action)?(?:/[\w/-]*)?@`)
	versionKey  = regexp.MustCompile(`^([a-z]+(?:[-_][a-z]+){0,2})[-_]version$`)
	versionName = map[string]string{"nodejs": "node", "golang": "go", "dotnet": "dotnet", "pnpm": "pnpm", "jdk": "java"}
)

// Workflow gives what the steps of a workflow or an action pin by their inputs
// and variables: versions of tools, and images. What else a workflow does is
// not for this package.
func Workflow(path string, data []byte) []Fact {
	if len(data) > maxYAML {
		return nil
	}
	f := &file{path: path, base: base(path), data: trimmed(data)}
	docs, _ := f.documents()
	for _, d := range docs {
		f.variables(d.get("env"))
		for _, j := range d.get("jobs").entries() {
			f.variables(j.node.get("env"))
			f.steps(j.node.get("steps"), scope{d, j.node})
		}
		f.steps(d.get("runs", "steps"), scope{d, nil})
	}
	return f.finish()
}

func (f *file) steps(list *node, s scope) {
	for _, step := range list.items() {
		f.variables(step.get("env"))
		if uses, with := step.get("uses").str(), step.get("with"); uses != "" && with.kindOf() == table {
			for _, e := range with.keys {
				f.input(uses, e, s)
			}
		}
	}
}

// A scope is where an expression stands: in a job of a workflow.
type scope struct{ doc, job *node }

var plainExpression = regexp.MustCompile(`^\$\{\{\s*(env|matrix|inputs)\.([\w-]+)\s*\}\}$`)

// values are what a text may be, as far as the file tells: one value for a
// text without expressions, none for one that only a run tells.
func (s scope) values(text string) (out []string) {
	if !strings.Contains(text, "${{") {
		return []string{text}
	}
	m := plainExpression.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return nil
	}
	var found []*node
	switch name := m[2]; m[1] {
	case "env":
		for _, from := range []*node{s.job, s.doc} {
			if v := from.get("env", name); v != nil {
				found = []*node{v}
				break
			}
		}
	case "matrix":
		matrix := s.job.get("strategy", "matrix")
		found = append(found, matrix.get(name).items()...)
		for _, i := range matrix.get("include").items() {
			found = append(found, i.get(name))
		}
	case "inputs":
		for _, at := range [][]string{{"inputs"}, {"on", "workflow_call", "inputs"}, {"on", "workflow_dispatch", "inputs"}} {
			found = append(found, s.doc.get(at...).get(name).get("default"))
		}
	}
	for _, n := range found {
		values := []string{n.str()}
		if m[1] == "matrix" && strings.HasPrefix(values[0], "${{") && !strings.Contains(values[0], "matrix.") {
			values = s.values(values[0])
		}
		for _, v := range values {
			if v != "" && !strings.Contains(v, "${{") && len(out) < maxInput && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// maxInput is how many values of one input are kept.
const maxInput = 32

// tool notes the versions of a tool that an input gives; where only a run
// tells which, that it is used.
func (f *file) tool(name, value, uses string, line int, s scope) {
	values := s.values(value)
	for _, v := range values {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: name, Version: v, Line: line, Note: "input of " + uses})
	}
	if len(values) == 0 {
		f.add(Fact{Role: Reads, Kind: Toolchain, Name: name, Line: line, Note: "input of " + uses + ", which a run tells"})
	}
}

// isTool reports a tool that some file holds the version of, too.
func isTool(name string) bool {
	for _, tool := range versionFiles {
		if tool == name {
			return true
		}
	}
	return name == "dotnet" || name == "pnpm" || name == "gradle"
}

// input reads one input of a step.
func (f *file) input(uses string, e entry, s scope) {
	value := e.node.str()
	if value == "" || strings.Contains(value, "\n") {
		return
	}
	if m := versionKey.FindStringSubmatch(e.key); m != nil {
		name := strings.ReplaceAll(m[1], "_", "-")
		if tool := firstOf(versionName[name], name); isTool(tool) || strings.Contains(uses, name) {
			f.tool(tool, value, uses, e.line, s)
		}
		return
	}
	if e.key == "version" || e.key == "toolchain" {
		if m := setupTool.FindStringSubmatch(uses); m != nil {
			owner, _, _ := strings.Cut(uses, "/")
			f.tool(firstOf(versionName[m[1]], m[1], owner), value, uses, e.line, s)
		}
		return
	}
	if strings.HasSuffix(strings.ToLower(e.key), "image") {
		for _, v := range s.values(value) {
			if img, ok := parseImage(v); ok && img.version != "" && !strings.Contains(img.name, "$") {
				f.image(Reads, v, e.line, "input of "+uses)
			}
		}
	}
}

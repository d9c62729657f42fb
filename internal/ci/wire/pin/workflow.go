package pin

import (
	"regexp"
	"strings"
)

var (
	setupTool   = regexp.MustCompile(`(?:^|/)(?:setup|install|action-setup)[-/]?([a-z-]*?)(?:-action)?(?:/[\w/-]*)?@`)
	versionKey  = regexp.MustCompile(`^([a-z]+(?:-[a-z]+)?)-version$`)
	versionName = map[string]string{"nodejs": "node", "golang": "go", "dotnet": "dotnet", "pnpm": "pnpm", "jdk": "java"}
)

// Workflow gives what the inputs of a workflow's or an action's steps pin:
// versions of tools, and images. What else a workflow does is not for this
// package.
func Workflow(path string, data []byte) []Fact {
	if len(data) > maxYAML {
		return nil
	}
	f := &file{path: path, base: base(path), data: trimmed(data)}
	docs, _ := f.documents()
	for _, d := range docs {
		d.walk(func(n *node) {
			uses, with := n.get("uses").str(), n.get("with")
			if uses == "" || with.kindOf() != table {
				return
			}
			for _, e := range with.keys {
				f.input(uses, e)
			}
		})
	}
	return f.finish()
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
func (f *file) input(uses string, e entry) {
	value := e.node.str()
	if value == "" || strings.Contains(value, "\n") {
		return
	}
	if m := versionKey.FindStringSubmatch(e.key); m != nil {
		if tool := firstOf(versionName[m[1]], m[1]); isTool(tool) || strings.Contains(uses, m[1]) {
			f.add(Fact{Role: Pins, Kind: Toolchain, Name: tool, Version: value, Line: e.line, Note: "input of " + uses})
		}
		return
	}
	if e.key == "version" || e.key == "toolchain" {
		if m := setupTool.FindStringSubmatch(uses); m != nil && !strings.Contains(value, "${{") {
			owner, _, _ := strings.Cut(uses, "/")
			f.add(Fact{Role: Pins, Kind: Toolchain, Name: firstOf(versionName[m[1]], m[1], owner), Version: value, Line: e.line, Note: "input of " + uses})
		}
		return
	}
	if strings.HasSuffix(strings.ToLower(e.key), "image") {
		if img, ok := parseImage(value); ok && img.version != "" && !strings.Contains(img.name, "$") {
			f.image(Reads, value, e.line, "input of "+uses)
		}
	}
}

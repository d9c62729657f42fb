package pin

import (
	"regexp"
	"strings"
)

var (
	versionOf     = regexp.MustCompile(`^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)_VERSION$`)
	exactVersion  = regexp.MustCompile(`^v?[0-9]+(?:\.[0-9]+)+(?:[-+.][0-9A-Za-z.+-]+)?$`)
	versionAssign = regexp.MustCompile(`^\s*(?:export\s+)?([A-Z][A-Z0-9_]*_VERSION)\s*[:?]?=\s*["']?([0-9A-Za-z.+-]+)["']?\s*(?:#.*)?$`)
)

// ownVersions are words in the names of variables that hold the version of
// what is built, of a format, or one of several, rather than that of a tool.
var ownVersions = map[string]bool{
	"APP": true, "PACKAGE": true, "PROJECT": true, "RELEASE": true, "CHART": true, "API": true, "SCHEMA": true, "BUILD": true, "NEXT": true,
	"CURRENT": true, "PREVIOUS": true, "PREV": true, "NEW": true, "OLD": true, "LATEST": true, "PROTOCOL": true, "PRODUCT": true, "SPEC": true, "FORMAT": true,
	"SEMVER": true, "FULL": true, "SHORT": true, "MIN": true, "MINIMUM": true, "MAX": true, "MAXIMUM": true, "FILE": true, "ASSEMBLY": true,
}

// VersionVariable is the tool whose version a variable of this name holds,
// X_VERSION, in the way toolchains are called. ok is false where the value is
// no version, or that of something else.
func VersionVariable(name, value string) (tool string, ok bool) {
	m := versionOf.FindStringSubmatch(name)
	if m == nil || !exactVersion.MatchString(value) {
		return "", false
	}
	for word := range strings.SplitSeq(m[1], "_") {
		if ownVersions[word] {
			return "", false
		}
	}
	tool = strings.ToLower(strings.ReplaceAll(m[1], "_", "-"))
	return firstOf(asdfNames[tool], versionName[tool], tool), true
}

// variable notes the tool that a variable holds the version of.
func (f *file) variable(name, value string, line int) {
	if tool, ok := VersionVariable(name, value); ok {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: tool, Version: value, Line: line, Note: "variable " + name})
	}
}

// camelVersion is a parameter of a pipeline that gives the version of a tool.
var camelVersion = regexp.MustCompile(`^(python|node|go|java|dotnet|ruby|rust)Version$`)

// variables notes those that the entries of a table are.
func (f *file) variables(n *node) {
	for _, e := range n.entries() {
		f.variable(e.key, e.node.str(), e.line)
		if m := camelVersion.FindStringSubmatch(e.key); m != nil && exactVersion.MatchString(e.node.str()) {
			f.add(Fact{Role: Pins, Kind: Toolchain, Name: m[1], Version: e.node.str(), Line: e.line, Note: "parameter " + e.key})
		}
	}
}

// variableLine notes one that a line gives its value.
func (f *file) variableLine(n int, text string) {
	if len(text) < maxReference && strings.Contains(text, "_VERSION") {
		if m := versionAssign.FindStringSubmatch(text); m != nil {
			f.variable(m[1], m[2], n)
		}
	}
}

package extract

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxSize is the size in bytes above which a file is left out.
const MaxSize = 1 << 20

// vendored holds the directory names below which other people's code lives.
var vendored = []string{
	"vendor", "node_modules", "bower_components", "third_party", "third-party", "thirdparty",
	"site-packages", ".yarn", ".venv", "venv", "jspm_packages", "Godeps", "Pods",
}

// lockFiles holds the names of files that a package manager writes.
var lockFiles = names(`package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
	go.sum go.work.sum Cargo.lock poetry.lock Pipfile.lock pdm.lock uv.lock Gemfile.lock composer.lock
	flake.lock mix.lock pubspec.lock Podfile.lock Package.resolved packages.lock.json gradle.lockfile
	.terraform.lock.hcl MODULE.bazel.lock`)

var (
	goGenerated = regexp.MustCompile(`(?m)^(?://|#|/\*|--|;|<!--|\s\*)\s*Code generated .* DO NOT EDIT\.?`)
	atGenerated = regexp.MustCompile(`(?m)^\s*(?://|#|/?\*+|--|;|<!--|"""|''')\s*@generated\b`)
)

// LeftOut says why a file takes no part in the graph, or "" when it does:
// "too large", "binary", "not UTF-8", "lock file", "vendored", "minified" or
// "generated". The path is relative to its repository, with slashes. What a
// file's name says about secrets is no reason.
func LeftOut(name string, data []byte) string {
	dir, base := path.Split(name)
	switch {
	case len(data) > MaxSize:
		return "too large"
	case bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0:
		return "binary"
	case !utf8.Valid(data):
		return "not UTF-8"
	case lockFiles[base]:
		return "lock file"
	case inVendored(dir, base):
		return "vendored"
	case minified(base, data):
		return "minified"
	}
	// Such a remark stands in a file's head; a tool that writes it further
	// down, as text of its own, is not generated.
	head := data[:min(len(data), 4<<10)]
	if goGenerated.Match(head) || atGenerated.Match(head[:min(len(head), 1<<10)]) {
		return "generated"
	}
	return ""
}

func inVendored(dir, base string) bool {
	segments := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	for i, s := range segments {
		if slices.Contains(vendored, s) {
			return true
		}
		// A build's output, not a source directory that happens to be
		// called dist.
		if s == "dist" && i == len(segments)-1 && bundleName(base) {
			return true
		}
		if s == "releases" && i > 0 && segments[i-1] == ".yarn" {
			return true
		}
	}
	return false
}

// bundleName reports whether a file in dist/ is what a bundler writes there.
func bundleName(base string) bool {
	switch path.Ext(base) {
	case ".js", ".cjs", ".mjs", ".css", ".map":
		return true
	}
	return false
}

// minified reports whether a script or style sheet was written for machines.
func minified(base string, data []byte) bool {
	switch strings.ToLower(path.Ext(base)) {
	case ".map":
		return true
	case ".js", ".mjs", ".cjs", ".css", ".html":
	default:
		return false
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(stem, ".min") || strings.HasSuffix(stem, "-min") {
		return true
	}
	if len(data) < 2<<10 {
		return false
	}
	lines := bytes.Count(data, []byte{'\n'}) + 1
	return len(data)/lines > 300
}

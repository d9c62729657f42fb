package pin

import (
	"path"
	"regexp"
	"strings"
)

// versionFiles say the version of one tool, by name of the file.
var versionFiles = map[string]string{
	".nvmrc": "node", ".node-version": "node", ".python-version": "python", ".ruby-version": "ruby", ".go-version": "go",
	".java-version": "java", ".terraform-version": "terraform", ".opentofu-version": "opentofu", ".terragrunt-version": "terragrunt",
	".php-version": "php", ".bazelversion": "bazel", ".bun-version": "bun", ".deno-version": "deno", ".rvmrc": "ruby",
	".golangci-lint-version": "golangci-lint", ".swift-version": "swift", ".xcode-version": "xcode", ".zig-version": "zig",
	".kotlin-version": "kotlin", ".dvmrc": "deno", "rust-toolchain": "rust", ".helm-version": "helm",
}

// readVersionFile reads a file that holds the version of one tool.
func readVersionFile(f *file) {
	if n, text := f.single(); n > 0 {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: versionFiles[f.base], Version: strings.TrimPrefix(text, "ruby-"), Line: n})
	} else if f.base == "rust-toolchain" {
		readRustToolchain(f)
	}
}

// single is the line and text of the one word that a file holds besides
// comments, or 0.
func (f *file) single() (int, string) {
	line, word := 0, ""
	f.each(func(n int, text string) {
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			return
		}
		if line != 0 || strings.ContainsAny(text, " \t") {
			line = -1
			return
		}
		line, word = n, text
	})
	return max(0, line), word
}

func readRustToolchain(f *file) {
	c := parseTOML(f.data).get("toolchain", "channel")
	f.add(Fact{Role: Pins, Kind: Toolchain, Name: "rust", Version: c.str(), Line: c.at()})
}

// asdfNames are tools that asdf calls by another name than the rest.
var asdfNames = map[string]string{"nodejs": "node", "golang": "go"}

// readToolVersions reads .tool-versions.
func readToolVersions(f *file) {
	f.each(func(n int, text string) {
		text, _, _ = strings.Cut(text, "#")
		if words := strings.Fields(text); len(words) >= 2 {
			f.add(Fact{Role: Pins, Kind: Toolchain, Name: firstOf(asdfNames[words[0]], words[0]), Version: words[1], Line: n})
		}
	})
}

// readMise reads the tools of mise.toml.
func readMise(f *file) {
	for _, e := range parseTOML(f.data).get("tools").entries() {
		version := firstOf(e.node.str(), e.node.get("version").str())
		if l := e.node.items(); len(l) > 0 {
			version = l[0].str()
		}
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: firstOf(asdfNames[e.key], e.key), Version: version, Line: e.line})
	}
}

// property is a line of a Java properties file.
var property = regexp.MustCompile(`^\s*([A-Za-z0-9_.-]+)\s*[=:]\s*(.*?)\s*$`)

// wrapperVersion is the version in the address of a build tool's archive.
var wrapperVersion = regexp.MustCompile(`(gradle|apache-maven)-([0-9][A-Za-z0-9.-]*?)-(?:bin|all)\.zip`)

// readProperties reads which build tool a wrapper fetches.
func readProperties(f *file) {
	f.each(func(n int, text string) {
		m := property.FindStringSubmatch(text)
		if m == nil {
			return
		}
		switch m[1] {
		case "distributionUrl":
			if v := wrapperVersion.FindStringSubmatch(m[2]); v != nil {
				f.add(Fact{Role: Pins, Kind: Toolchain, Name: strings.TrimPrefix(v[1], "apache-"), Version: v[2], Line: n})
			}
		case "sbt.version":
			f.add(Fact{Role: Pins, Kind: Toolchain, Name: "sbt", Version: m[2], Line: n})
		}
	})
}

// maxPinFile is the largest file that can be a pin by itself, in bytes.
const maxPinFile = 512

var (
	pinVersion = regexp.MustCompile(`^v?[0-9]+(\.[0-9A-Za-z]+)+([-+][0-9A-Za-z.+-]+)?$`)
	pinCommit  = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64}|sha256:[0-9a-f]{64})$`)
	pinTag     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]*[0-9][A-Za-z0-9._-]*$`)
)

// couldPin reports a name that a file with one version may have: without an
// extension, or with one that says so.
func couldPin(p string) bool {
	name := base(p)
	lower := strings.ToLower(name)
	if strings.HasPrefix(name, ".") || strings.Count(p, "/") > 3 {
		return false
	}
	for _, word := range []string{"version", "image", "tag", "rev", "commit", "ref", "pin", "digest", "release", "sha"} {
		stem := strings.TrimSuffix(lower, path.Ext(lower))
		if strings.TrimPrefix(path.Ext(lower), ".") == word || stem == word && (path.Ext(lower) == "" || path.Ext(lower) == ".txt") ||
			path.Ext(lower) == "" && (strings.HasSuffix(lower, "-"+word) || strings.HasSuffix(lower, "_"+word)) {
			return true
		}
	}
	return false
}

// readPinFile reads a file that holds nothing but a version, a commit or an
// image. What it pins, its readers tell.
func readPinFile(f *file) {
	n, text := f.single()
	if n == 0 || len(f.data) > maxPinFile {
		return
	}
	if img, ok := parseImage(text); ok && img.version != "" && (img.host || strings.Contains(text, "@sha")) {
		f.image(Pins, text, n, "")
	} else if !pinVersion.MatchString(text) && !pinCommit.MatchString(text) && !pinTag.MatchString(text) {
		return
	}
	f.add(Fact{Role: Pins, Kind: PinFile, Name: f.path, Version: text, Line: n})
}

package pin

import (
	"regexp"
	"strings"
)

var (
	jenkinsImage   = regexp.MustCompile(`\bimage\s+["']([^"']+)["']|\.image\(\s*["']([^"']+)["']`)
	quotedText     = regexp.MustCompile(`"([^"]{3,300})"|'([^']{3,300})'`)
	jenkinsLibrary = regexp.MustCompile(`@Library\(\s*["']([^"']+)["']`)
)

// byName are the readers of files that have one name everywhere.
var byName = map[string]reader{
	"flake.lock":        readFlakeLock,
	"package.json":      readPackageJSON,
	"package-lock.json": readPackageLock, "npm-shrinkwrap.json": readPackageLock,
	"yarn.lock":      readYarnLock,
	"pnpm-lock.yaml": readPnpmLock,
	"go.mod":         readGoMod, "go.work": readGoMod,
	"Cargo.toml": readCargoToml, "Cargo.lock": readCargoLock,
	"pyproject.toml": readPyproject, "poetry.lock": readPythonLock, "uv.lock": readPythonLock, "Pipfile.lock": readPipfileLock,
	"Gemfile": readGemfile, "Gemfile.lock": readGemfileLock,
	"composer.json": readComposer, "composer.lock": readComposerLock,
	"pom.xml":            readPom,
	"libs.versions.toml": readVersionCatalog,
	"Chart.yaml":         readChart, "Chart.lock": readChart, "requirements.lock": readChart,
	"kustomization.yaml": readKustomization, "kustomization.yml": readKustomization, "Kustomization": readKustomization,
	"helmfile.yaml": readHelmfile, "helmfile.yml": readHelmfile,
	"skaffold.yaml": readSkaffold, "skaffold.yml": readSkaffold,
	"devcontainer.json": readDevcontainer, ".devcontainer.json": readDevcontainer,
	".pre-commit-config.yaml": readPreCommit, ".pre-commit-config.yml": readPreCommit,
	"marketplace.json":          readMarketplace,
	".tool-versions":            readToolVersions,
	"mise.toml":                 readMise,
	".mise.toml":                readMise,
	"rust-toolchain.toml":       readRustToolchain,
	"gradle-wrapper.properties": readProperties, "maven-wrapper.properties": readProperties, "build.properties": readProperties,
	"renovate.json": readRenovate, "renovate.json5": readRenovate, ".renovaterc": readRenovate, ".renovaterc.json": readRenovate,
	".gitlab-ci.yml": readGitLab, ".gitlab-ci.yaml": readGitLab,
	"Jenkinsfile":         readJenkinsfile,
	".terraform.lock.hcl": readTerraform,
}

// byExtension are the readers of files by what kind they are.
var byExtension = map[string]reader{
	"yaml": readManifest, "yml": readManifest, "tpl": readManifest,
	"jsonnet": readJsonnet, "libsonnet": readJsonnet,
	"tf": readTerraform, "tofu": readTerraform,
	"nix": readNix, "sbt": readSbt, "gradle": readGradle, "gemspec": readGemspec,
}

// sources are the extensions of programs that may fetch something.
var sources = map[string]bool{
	"go": true, "py": true, "rb": true, "scala": true, "sc": true, "java": true, "kt": true, "groovy": true, "rs": true,
	"js": true, "mjs": true, "cjs": true, "ts": true, "mts": true, "cts": true, "jsx": true, "tsx": true,
	"php": true, "pl": true, "ps1": true, "cs": true, "c": true, "cc": true, "cpp": true, "swift": true, "bzl": true, "bazel": true,
	"cmake": true, "mk": true, "jl": true, "ex": true, "exs": true, "hs": true, "lua": true, "conf": true, "toml": true,
}

// maxSource is the largest program that is searched for addresses, in bytes.
const maxSource = 512 << 10

// readerOf is the reader of a path, or nil.
func readerOf(p string) reader {
	if notOurs(p) {
		return nil
	}
	name := base(p)
	lower := strings.ToLower(name)
	ext := extension(name)
	dir := "/" + p[:len(p)-len(name)]
	switch {
	case dir == "/.github/workflows/":
		return nil
	case p == ".github/dependabot.yml" || p == ".github/dependabot.yaml":
		return readDependabot
	case strings.HasSuffix(dir, "/.claude/") && (name == "settings.json" || name == "settings.local.json"):
		return readClaudeSettings
	case strings.HasSuffix(dir, "/.circleci/") && (ext == "yml" || ext == "yaml"):
		return readCircle
	case strings.Contains(dir, "/.devcontainer/") && ext == "json":
		return readDevcontainer
	case lower == "action.yml" || lower == "action.yaml":
		return nil // an action of GitHub's is a workflow's part
	}
	if r := byName[name]; r != nil {
		return r
	}
	if versionFiles[name] != "" {
		return readVersionFile
	}
	switch {
	case isDockerfile(lower):
		return readDockerfile
	case strings.HasPrefix(lower, "requirements") && (ext == "txt" || ext == "in") || strings.HasSuffix(dir, "/requirements/") && (ext == "txt" || ext == "in"):
		return readRequirements
	case strings.HasSuffix(lower, ".gradle.kts"):
		return readGradle
	case strings.HasPrefix(lower, "jenkinsfile"):
		return readJenkinsfile
	case strings.HasSuffix(lower, ".pkr.hcl"):
		return readTerraform
	case ext == "scala" && strings.HasSuffix(dir, "/project/"):
		return readSbt
	case name == "requirements.yaml":
		return readChart
	case couldPin(p):
		return readPinFile
	}
	if r := byExtension[ext]; r != nil {
		return r
	}
	if (sources[ext] || lower == "justfile" || lower == "makefile" || lower == "gnumakefile") && !isTest(dir, lower) {
		return readSource
	}
	return nil
}

func isDockerfile(lower string) bool {
	return lower == "dockerfile" || lower == "containerfile" || strings.HasPrefix(lower, "dockerfile.") || strings.HasPrefix(lower, "dockerfile-") ||
		strings.HasPrefix(lower, "containerfile.") || strings.HasSuffix(lower, ".dockerfile") || strings.HasSuffix(lower, ".containerfile")
}

// foreign are folders whose files are copies of somebody else's, or made for
// tests to read: what they name, the repository does not use.
var foreign = map[string]bool{
	"node_modules": true, "vendor": true, "third_party": true, "fixtures": true, "__fixtures__": true,
	"__tests__": true, "__snapshots__": true, "test-fixtures": true, "test_fixtures": true, "golden": true,
}

func notOurs(p string) bool {
	for {
		part, rest, ok := strings.Cut(p, "/")
		if !ok {
			return false
		}
		if foreign[part] || part == ".yarn" || strings.HasPrefix(part, "testdata") {
			return true
		}
		p = rest
	}
}

// isTest reports a program that tests: its addresses are examples.
func isTest(dir, name string) bool {
	if strings.Contains(dir, "/test/") || strings.Contains(dir, "/tests/") || strings.Contains(dir, "/spec/") || strings.Contains(dir, "-tests/") || strings.Contains(dir, "-test/") {
		return true
	}
	stem, _, _ := strings.Cut(name, ".")
	return strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "test") || strings.HasSuffix(stem, "spec") ||
		strings.Contains(name, ".test.") || strings.Contains(name, ".spec.")
}

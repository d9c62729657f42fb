package wire

import (
	"path"
	"strings"
)

// isPipeline reports the settings of a service that runs scripts, other than
// those of GitHub's.
func isPipeline(name string) bool {
	if vendored(name) || !isYAML(name) {
		return false
	}
	base := strings.ToLower(path.Base(name))
	for _, stem := range []string{".gitlab-ci", "gitlab-", "azure-pipelines", "bitbucket-pipelines", ".travis", ".drone", ".woodpecker", "appveyor", ".appveyor", "circleci-", ".cirrus", "cloudbuild", "buildspec", "pipeline"} {
		if strings.HasPrefix(base, stem) {
			return true
		}
	}
	dir := "/" + path.Dir(name) + "/"
	return strings.Contains(dir, "/.circleci/") || strings.Contains(dir, "/.buildkite/") || strings.Contains(dir, "/.woodpecker/") || strings.Contains(dir, "/.gitlab/") || strings.Contains(dir, "/.azure-pipelines/")
}

// scriptKeys are the keys under which such settings have shell text.
var scriptKeys = map[string]bool{
	"script": true, "before_script": true, "after_script": true, "run": true, "command": true, "commands": true, "bash": true,
	"install": true, "before_install": true, "before_deploy": true, "after_success": true, "after-script": true, "build_script": true, "test_script": true,
}

// pipelines follows the scripts of other services.
func pipelines(x *extraction) {
	for _, f := range x.files {
		if isPipeline(f.path) {
			x.guarded(f, func() { x.pipeline(f) })
		}
	}
}

func (x *extraction) pipeline(f *file) {
	docs, err := readYAML(f.data)
	if err != nil {
		return
	}
	j := x.apart(f, "a script of another service")
	left := maxPairs
	seen := map[node]bool{}
	var down func(n node, depth int)
	down = func(n node, depth int) {
		if left--; left < 0 || depth > maxNesting || seen[n] {
			return
		}
		if !n.isText() {
			seen[n] = true
		}
		for _, p := range n.pairs() {
			for _, text := range p.value.texts() {
				if scriptKeys[p.key] && (p.key != "command" || p.value.isText()) { // a list of it is words
					j.newShell(j.lines(text), "").run(text.text())
				}
			}
			down(p.value, depth+1)
		}
		for _, i := range n.items() {
			down(i, depth+1)
		}
	}
	for _, d := range docs {
		down(d, 0)
	}
}

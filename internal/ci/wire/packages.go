package wire

import (
	"encoding/json"
	"encoding/xml"
	"path"
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// publishes states that a package goes to a registry.
func (j *job) publishes(ecosystem string, names []string, what, note string, line, sure int) {
	if len(names) == 0 {
		j.emit(fact{role: unresolved, kind: "package", name: ecosystem, more: "which package is published could not be read from " + what}, line, 100)
	}
	for _, n := range names {
		j.emit(fact{role: published, kind: wiring.Package, name: ecosystem + ":" + n, place: wiring.Place{Note: note}}, line, certaintyMin(sure, len(names)))
	}
}

func certaintyMin(sure, names int) int {
	if names > 1 {
		return min(sure, 80)
	}
	return sure
}

// isManifest reports a file that says what a package is called.
func isManifest(name string) bool {
	if vendored(name) {
		return false
	}
	switch base := path.Base(name); base {
	case "package.json", "Cargo.toml", "pyproject.toml", "setup.cfg", "build.sbt", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "go.mod", "Chart.yaml", "lerna.json":
		return true
	default:
		return strings.HasSuffix(base, ".gemspec") || strings.HasSuffix(base, ".csproj")
	}
}

// named are the names that the manifests with this base name give, the one
// in dir alone where there is one, else all of the repository.
func (j *job) named(dir, base string, name func([]byte) string) []string {
	if dir == ".." {
		dir = ""
	}
	if f := j.fileAt(path.Join(dir, base)); f != nil {
		if n := name(f.data); n != "" {
			return []string{n}
		}
	}
	return j.allNamed(base, name)
}

func (j *job) allNamed(base string, name func([]byte) string) (out []string) {
	for _, f := range j.x.files {
		if f.repo == j.repo && f.base() == base && !vendored(f.path) && !aside(f.path) {
			if n := name(f.data); n != "" {
				out = append(out, n)
			}
		}
	}
	return union(out)
}

// aside reports a path of what is made to show or to test something, and is
// not published with the rest.
func aside(name string) bool {
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		switch part {
		case "example", "examples", "test", "tests", "e2e", "benchmark", "benchmarks", "demo", "demos", "playground":
			return true
		}
	}
	return false
}

// npmName is the name of a package that is not private.
func npmName(data []byte) string {
	var p struct {
		Name    string `json:"name"`
		Private bool   `json:"private"`
	}
	if json.Unmarshal(data, &p) != nil || p.Private {
		return ""
	}
	return p.Name
}

// tomlName is the value of a key in a table of TOML, read by lines: names
// stand on lines of their own.
func tomlName(tables ...string) func([]byte) string {
	return func(data []byte) string {
		in := false
		for line := range strings.SplitSeq(string(data), "\n") {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "[") {
				in = false
				for _, t := range tables {
					in = in || strings.HasPrefix(line, "["+t+"]")
				}
				continue
			}
			key, value, ok := strings.Cut(line, "=")
			if in && ok && strings.TrimSpace(key) == "name" {
				value, _, _ = strings.Cut(value, "#")
				return strings.Trim(strings.TrimSpace(value), `"'`)
			}
		}
		return ""
	}
}

var cargoName, pyName, cfgName = tomlName("package"), tomlName("project", "tool.poetry"), tomlName("metadata")

// assigned is the text given to a name in a build file: name := "x",
// name = 'x'.
func assigned(names ...string) func([]byte) string {
	return func(data []byte) string {
		for line := range strings.SplitSeq(string(data), "\n") {
			line = strings.TrimSpace(line)
			for _, n := range names {
				rest, ok := strings.CutPrefix(line, n)
				if !ok {
					continue
				}
				rest = strings.TrimLeft(rest, " :=")
				if inner, ok := strings.CutPrefix(rest, `s"`); ok { // a text with values in it
					if text, _, ok := strings.Cut(inner, `"`); ok {
						return scalaText(text)
					}
				}
				if len(rest) > 1 && (rest[0] == '"' || rest[0] == '\'') {
					if end := strings.IndexByte(rest[1:], rest[0]); end > 0 {
						return rest[1 : end+1]
					}
				} else if rest != "" && strings.HasSuffix(n, "=") {
					return rest
				}
			}
		}
		return ""
	}
}

var scalaValue = regexp.MustCompile(`\$\{[^}]*\}|\$\w+`)

// scalaText puts an unknown part at each value that Scala puts into a text.
func scalaText(text string) string {
	return scalaValue.ReplaceAllStringFunc(text, func(v string) string {
		return unknown(lastName(strings.TrimSuffix(strings.Trim(v, "${}"), ".value")))
	})
}

func pomName(data []byte) string {
	var p struct {
		Group    string `xml:"groupId"`
		Artifact string `xml:"artifactId"`
		Parent   struct {
			Group string `xml:"groupId"`
		} `xml:"parent"`
	}
	if xml.Unmarshal(data, &p) != nil || p.Artifact == "" {
		return ""
	}
	group := p.Group
	if group == "" {
		group = p.Parent.Group
	}
	if group == "" {
		return p.Artifact
	}
	return group + ":" + p.Artifact
}

// node states what the package managers of JavaScript publish, and follows
// the scripts of package.json that they run.
func (j *job) node(s *shell, c call) {
	f := parseFlags(c.args[1:], "--tag --access --registry --filter -F --prefix -C --cwd --dir -w --workspace --otp --userconfig --loglevel --otp --git-checks")
	dir := s.dir
	if d := f.get("--prefix", "-C", "--cwd", "--dir"); d != "" {
		dir = s.join(d)
	}
	args := f.args
	switch c.args[0] {
	case "npx", "bunx", "pnpx":
		if len(args) > 0 {
			j.nodeTool(s, c, dir, args)
		}
		return
	case "lerna", "changeset", "nx":
		j.nodeTool(s, c, dir, append([]string{c.args[0]}, args...))
		return
	}
	if len(args) == 0 {
		return
	}
	note := shown(f.get("--registry"))
	switch args[0] {
	case "publish", "stage":
		if f.has["--dry-run"] {
			return
		}
		if f.has["-r"] || f.has["--recursive"] || f.has["--workspaces"] || f.has["--filter"] {
			j.publishes("npm", j.allNamed("package.json", npmName), "a package.json", note, c.at, c.sure)
			return
		}
		if len(args) > 1 { // a folder, which the job may have made
			f := j.fileAt(path.Join(dir, args[1], "package.json"))
			if f == nil {
				j.publishes("npm", nil, "a package.json", note, c.at, c.sure)
				return
			}
			dir = path.Join(dir, args[1])
		}
		j.publishes("npm", j.named(dir, "package.json", npmName), "a package.json", note, c.at, c.sure)
	case "npm":
		if len(args) > 1 && args[1] == "publish" {
			j.publishes("npm", j.named(dir, "package.json", npmName), "a package.json", note, c.at, c.sure)
		}
	case "workspaces", "workspace":
		if args[len(args)-1] == "publish" {
			j.publishes("npm", j.allNamed("package.json", npmName), "a package.json", note, c.at, c.sure)
		}
	case "exec", "dlx", "x":
		if len(args) > 1 {
			j.nodeTool(s, c, dir, args[1:])
		}
	case "run", "run-script":
		if len(args) > 1 {
			j.packageScript(s, c, dir, args[1])
		}
	default:
		if !j.packageScript(s, c, dir, args[0]) && c.args[0] != "npm" {
			j.nodeTool(s, c, dir, args)
		}
	}
}

// nodeTool states what a program from a package does.
func (j *job) nodeTool(s *shell, c call, dir string, args []string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(args[0], "@"), "@")
	switch path.Base(name) {
	case "lerna", "changeset", "nx", "cli":
		if len(args) > 1 && (args[1] == "publish" || path.Base(name) == "nx" && args[1] == "release") {
			j.publishes("npm", j.allNamed("package.json", npmName), "a package.json", path.Base(name), c.at, c.sure)
		}
	case "semantic-release":
		j.emit(fact{role: published, kind: wiring.Release, name: j.x.slug(max(j.repo, 0)), place: wiring.Place{Note: "semantic-release"}}, c.at, c.sure)
		if names := j.named(dir, "package.json", npmName); len(names) > 0 {
			j.publishes("npm", names, "a package.json", "semantic-release", c.at, min(c.sure, 80))
		}
	case "release-please":
		j.emit(fact{role: published, kind: wiring.Release, name: j.x.slug(max(j.repo, 0)), place: wiring.Place{Note: "release-please"}}, c.at, c.sure)
	case "npm", "yarn", "pnpm":
		c.args = args
		j.node(s, c)
	default:
		if t := toolOf(path.Base(name)); t != nil && path.Base(name) != "npx" {
			c.args = append([]string{path.Base(name)}, args[1:]...)
			t(j, s, c)
		}
	}
}

// packageScript follows a script of package.json. It reports whether there
// is one.
func (j *job) packageScript(s *shell, c call, dir, name string) bool {
	f := j.fileAt(path.Join(dir, "package.json"))
	if f == nil {
		return false
	}
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(f.data, &p) != nil || p.Scripts[name] == "" {
		return false
	}
	if j.x.targets[f] == nil {
		j.x.targets[f] = map[string]bool{}
	}
	j.x.targets[f][name] = true
	if s.depth < maxDepth {
		inner := s.clone()
		inner.dir = dir
		j.text(inner, p.Scripts[name], c.at)
		s.keep(inner)
	}
	return true
}

// python states what Python's tools publish.
func (j *job) python(s *shell, c call) {
	args := c.args
	if strings.HasPrefix(args[0], "python") {
		if len(args) < 3 || args[1] != "-m" {
			return
		}
		args = args[2:]
	}
	if args[0] == "uv" && len(args) > 1 && (args[1] == "run" || args[1] == "tool") {
		args = afterFlags(args[2:], "--with", "--python", "-p", "--group", "--extra", "--from", "--directory")
		if len(args) > 0 && args[0] == "run" {
			args = args[1:]
		}
		if len(args) > 0 {
			c.args = args
			j.command(s, c.command, func(int) int { return c.at })
		}
		return
	}
	f := parseFlags(args[1:], "-r --repository --repository-url -u --username -p --password --publish-url --index --config-file --directory --build --token --skip-existing")
	verb := argument(f.args, 0)
	switch {
	case args[0] == "twine" && verb == "upload", args[0] != "twine" && verb == "publish", args[0] == "maturin" && verb == "upload":
		names := j.named(s.dir, "pyproject.toml", pyName)
		if len(names) == 0 {
			names = j.named(s.dir, "setup.cfg", cfgName)
		}
		note := shown(f.get("-r", "--repository", "--repository-url", "--publish-url", "--index"))
		j.publishes("pypi", names, "a pyproject.toml", note, c.at, c.sure)
	case args[0] == "mkdocs" || args[0] == "mike":
		c.args = args
		j.deploy(s, c)
	}
}

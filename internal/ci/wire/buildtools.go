package wire

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// build states what build tools publish.
func (j *job) build(s *shell, c call) {
	f := parseFlags(c.args[1:], "-p --package --manifest-path --registry --token -P -f -pl --projects -s --source -k --api-key --config --target --features -i --packagePath -D --skip")
	line := strings.Join(f.args, " ")
	switch c.args[0] {
	case "cargo":
		switch verb := argument(f.args, 0); {
		case f.has["--dry-run"]:
		case verb == "publish" || verb == "release" || verb == "smart-release" || verb == "workspaces" || verb == "release-plz":
			names := f.all("-p", "--package")
			if len(names) == 0 {
				dir := s.dir
				if m := f.get("--manifest-path"); m != "" {
					dir = path.Join(dir, path.Dir(m))
				}
				names = j.named(dir, "Cargo.toml", cargoName)
			}
			for i := range names {
				names[i] = shown(names[i])
			}
			j.publishes("crates", names, "a Cargo.toml", "", c.at, c.sure)
		}
	case "mvn", "mvnw":
		for _, a := range f.args {
			switch {
			case a == "deploy" || strings.HasSuffix(a, ":deploy") || a == "release:perform" || strings.HasPrefix(a, "jreleaser:"):
				j.publishes("maven", j.named(s.dir, "pom.xml", pomName), "a pom.xml", "", c.at, c.sure)
				return
			case strings.HasPrefix(a, "jib:build") || strings.HasSuffix(a, "jib-maven-plugin:build"):
				j.jib(f, c)
			}
		}
	case "gradle", "gradlew":
		for _, a := range f.args {
			task := a[strings.LastIndexByte(a, ':')+1:]
			switch {
			case task == "jib":
				j.jib(f, c)
			case task == "publish" || strings.HasPrefix(task, "publish") && !strings.HasSuffix(task, "ToMavenLocal") || task == "closeAndReleaseRepository" || task == "uploadArchives":
				names := j.allNamed("settings.gradle", assigned("rootProject.name"))
				names = union(names, j.allNamed("settings.gradle.kts", assigned("rootProject.name")))
				ecosystem := "maven"
				if task == "publishPlugins" {
					ecosystem = "gradle plugin"
				}
				j.publishes(ecosystem, names, "a settings.gradle", "", c.at, c.sure)
				return
			}
		}
	case "sbt", "mill":
		for _, a := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ';' || r == '\t' || r == '\n' }) {
			a = strings.TrimPrefix(a, "+")
			task := a[strings.LastIndexAny(a, "/.")+1:]
			switch {
			case strings.HasSuffix(strings.ToLower(a), "docker/publish") || strings.EqualFold(a, "docker:publish"):
				j.sbtImage(c)
				return
			case task == "publish" || task == "publishSigned" || task == "ci-release" || task == "sonatypeRelease" || task == "release" || task == "publishAll" || task == "tlRelease" || task == "tlCiRelease" || task == "sonaRelease":
				j.publishes("maven", j.named(s.dir, "build.sbt", assigned("ThisBuild / name :", "name :")), "the build.sbt", c.args[0], c.at, min(c.sure, 90))
				return
			}
		}
	case "gem":
		if argument(f.args, 0) == "push" {
			j.publishes("gem", j.gemNames(), "a .gemspec", "", c.at, c.sure)
		}
	case "dotnet", "nuget":
		if line == "nuget push" || strings.HasPrefix(line, "nuget push ") || c.args[0] == "nuget" && argument(f.args, 0) == "push" {
			j.publishes("nuget", j.projectNames(), "a project file", shown(f.get("-s", "--source")), c.at, min(c.sure, 80))
		}
	case "goreleaser":
		if v := argument(f.args, 0); v == "release" {
			for _, a := range f.args[1:] {
				if !fixed(a) { // one that may be --snapshot
					c.sure = min(c.sure, 60)
				}
			}
			j.goreleaser(f.get("--config", "-f"), f, c.at, c.sure)
		}
	case "jreleaser", "semantic-release", "release-please", "cargo-release":
		j.emit(fact{role: published, kind: wiring.Release, name: j.x.slug(max(j.repo, 0)), place: wiring.Place{Note: c.args[0]}}, c.at, c.sure)
	case "vsce", "ovsx":
		if argument(f.args, 0) == "publish" {
			ext := j.named(s.dir, "package.json", func(data []byte) string {
				var p struct{ Name, Publisher string }
				if json.Unmarshal(data, &p) != nil || p.Publisher == "" {
					return ""
				}
				return p.Publisher + "." + p.Name
			})
			j.publishes("vscode", ext, "a package.json", "", c.at, c.sure)
		}
	case "go":
		j.goCommand(f, c)
	}
}

// goCommand states the use of Go programs of the workspace, and follows
// what runs ko and the like by go run.
func (j *job) goCommand(f flags, c call) {
	if verb := argument(f.args, 0); verb != "install" && verb != "run" && verb != "get" {
		return
	}
	for _, a := range f.args[1:] {
		program, version, ok := strings.Cut(a, "@")
		if host, _, slash := strings.Cut(program, "/"); !ok || !slash || !strings.Contains(host, ".") || strings.HasPrefix(program, ".") {
			continue
		}
		module, rest := goModule(program)
		j.emit(fact{role: pinned, kind: wiring.Package, name: "go:" + module, place: wiring.Place{Version: versionOf(version), Note: shown(rest)}}, c.at, c.sure)
	}
}

// majorPart is the last element of the path of a module from its second major
// version on.
var majorPart = regexp.MustCompile(`^v[2-9][0-9]*$`)

// goModule parts the path of a program into that of its module and the rest,
// as far as the path alone tells: hosts of repositories have modules of three
// elements, and programs of others mostly lie in cmd.
func goModule(program string) (module, rest string) {
	parts := strings.Split(program, "/")
	n := len(parts)
	switch parts[0] {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "golang.org", "gitea.com":
		n = min(n, 3)
	default:
		for i, p := range parts[1:] {
			if p == "cmd" {
				n = i + 1
				break
			}
		}
	}
	for i := 1; i < len(parts) && i <= n; i++ {
		if majorPart.MatchString(parts[i]) {
			n = i + 1
			break
		}
	}
	return strings.Join(parts[:n], "/"), strings.Join(parts[n:], "/")
}

// jib states the image that Jib pushes.
func (j *job) jib(f flags, c call) {
	to := f.get("-Djib.to.image", "-Dimage", "--image")
	if to == "" {
		for _, name := range []string{"pom.xml", "build.gradle", "build.gradle.kts"} {
			if file := j.x.fileOf(max(j.repo, 0), name); file != nil && to == "" {
				to = jibTarget(string(file.data))
			}
		}
	}
	if to == "" || strings.Contains(to, "$") {
		j.untoldImage("jib", c.at)
		return
	}
	j.pushes(to, c.at, c.sure)
}

// jibTarget is the image that a build file has Jib push to.
func jibTarget(text string) string {
	at := strings.Index(text, "jib")
	if at < 0 {
		return ""
	}
	text = text[at:]
	if at = strings.Index(text, "<to>"); at >= 0 { // Maven
		_, rest, _ := strings.Cut(text[at:], "<image>")
		image, _, _ := strings.Cut(rest, "<")
		return strings.TrimSpace(image)
	}
	for _, open := range []string{"to {", "to{", "to.image"} {
		if at = strings.Index(text, open); at >= 0 {
			return assigned("image", "to.image")([]byte(text[at+2*min(len(open)-1, 1):]))
		}
	}
	return ""
}

// sbtImage states the image that the native packager of sbt pushes.
func (j *job) sbtImage(c call) {
	repo := j.allNamed("build.sbt", assigned("dockerRepository", "Docker / dockerRepository", "ThisBuild / dockerRepository", "dockerRepository := Some("))
	user := j.allNamed("build.sbt", assigned("dockerUsername", "Docker / dockerUsername"))
	name := j.allNamed("build.sbt", assigned("Docker / packageName", "packageName in Docker"))
	if len(name) > 0 && strings.Contains(name[0], "/") && len(repo)+len(user) == 0 { // on the hub, with its owner
		j.pushes(name[0], c.at, min(c.sure, 80))
		return
	}
	name = union(name, j.allNamed("build.sbt", assigned("name :")))
	if len(name) == 0 || len(repo)+len(user) == 0 {
		j.untoldImage("docker/publish", c.at)
		return
	}
	j.pushes(strings.Join(append(append(repo[:min(len(repo), 1)], user[:min(len(user), 1)]...), name[0]), "/"), c.at, min(c.sure, 80))
}

func (j *job) gemNames() (out []string) {
	for _, f := range j.x.files {
		if name, ok := strings.CutSuffix(f.base(), ".gemspec"); ok && f.repo == j.repo {
			out = append(out, name)
		}
	}
	return union(out)
}

func (j *job) projectNames() (out []string) {
	for _, f := range j.x.files {
		if name, ok := strings.CutSuffix(f.base(), ".csproj"); ok && f.repo == j.repo && !strings.Contains(strings.ToLower(name), "test") {
			out = append(out, name)
		}
	}
	return union(out)
}

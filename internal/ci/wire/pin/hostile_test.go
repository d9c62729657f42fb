package pin

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/cputime"
)

// TestHostileFilesTakeLinearTime holds every reader to a bound that anything
// quadratic breaks by far.
func TestHostileFilesTakeLinearTime(t *testing.T) {
	inputs := map[string]string{
		"brackets": "[", "braces": `{"a":`, "dashes": "- ", "quotes": `"`, "dollars": "${", "templates": "{{", "slashes": "//", "comment": "/*",
		"tables": "[a.b]\n", "keys": "a.b = 1\n", "images": "image: a/b:1\n", "froms": "FROM a \\\n", "heredocs": "RUN <<A\n", "tags": "<a>", "hcl": "a \"b\" {\n",
		"addresses": "https://github.com/a/b/releases/download/", "anchors": "- &a [*a,*a]\n", "nix": "fetchFromGitHub {\n", "yarn": "\"a@1\":\n  version 1\n",
	}
	paths := []string{"x.yaml", "package.json", "Cargo.toml", "Dockerfile", "pom.xml", "main.tf", "flake.nix", "build.sbt", "yarn.lock", "pnpm-lock.yaml", "a.py", "Gemfile.lock",
		"package-lock.json", "go.mod", "Jenkinsfile", "build.gradle", "requirements.txt", "kustomization.yaml", ".gitlab-ci.yml", "flake.lock"}
	merges := "x0: &x0 {image: a/b:1}\n"
	for i := range 60 {
		merges += fmt.Sprintf("x%d: &x%d {<<: [*x%d, *x%d]}\n", i+1, i+1, i, i)
	}
	inputs["merges"] = merges + "#"
	for name, unit := range inputs {
		data := []byte("image: x/y:1\n" + strings.Repeat(unit, 10_000/len(unit)))
		for _, path := range paths {
			if d := cputime.Of(func() { Read(path, data) }); d > 2*time.Second {
				t.Errorf("%s in %s: %v", name, path, d)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []struct{ path, data string }{
		{"Dockerfile", "ARG A=b\nFROM ${A}:1 AS c\nCOPY --from=d/e:1 / /\n"},
		{"a.yaml", "a: &a\n  image: b/c:1\n---\n<<: *a\n"},
		{"package.json", `{"name":"a","dependencies":{"b":"github:c/d#e"}}`},
		{"Cargo.toml", "[package]\nname = 'a'\n[[x.y]]\nb = { git = \"https://github.com/a/b\" }\n"},
		{"main.tf", "module \"a\" {\n  source = \"git::https://github.com/a/b.git//c?ref=d\"\n}\n"},
		{"pom.xml", "<project><groupId>a</groupId><artifactId>b</artifactId></project>"},
		{"flake.nix", "fetchFromGitHub { owner = \"a\"; repo = \"b\"; rev = \"c\"; }"},
		{"Gemfile.lock", "GIT\n  remote: https://github.com/a/b\n  revision: c\n"},
		{"yarn.lock", "\"@a/b@1\":\n  version \"1\"\n"},
		{"requirements.txt", "a @ git+https://github.com/a/b@c\n"},
		{"x.py", "u = 'https://github.com/a/b/releases/download/v1/c-v1.zip'"},
	} {
		f.Add(s.path, []byte(s.data))
	}
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		lines, last := bytes.Count(data, []byte("\n"))+1, 0
		for _, x := range Read(path, data) {
			if x.Line < max(1, last) || x.Line > lines {
				t.Errorf("line %d after %d of %d", x.Line, last, lines)
			}
			last = x.Line
			for _, s := range []string{x.Name, x.Home, x.Version, x.Note, x.Evidence} {
				if s != plain(s, maxName) {
					t.Errorf("not one clean line: %q", s)
				}
			}
			if x.Name == "" || x.Kind == "" || x.Role == "" {
				t.Errorf("an empty fact: %+v", x)
			}
		}
	})
}

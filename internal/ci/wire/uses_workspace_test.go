package wire

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// shelf is a workspace of an umbrella "all" and the repositories named before
// the first slash of each path, of one owner.
func shelf(files map[string]string) []Repo {
	repos := []Repo{{Name: "all", URL: "https://github.com/acme/all"}}
	for _, at := range slices.Sorted(maps.Keys(files)) {
		name, rest, _ := strings.Cut(at, "/")
		i := slices.IndexFunc(repos, func(r Repo) bool { return r.Name == name })
		if i < 0 {
			i = len(repos)
			repos = append(repos, Repo{Name: name, Path: name, URL: "https://github.com/acme/" + name})
		}
		data := []byte(files[at])
		f := File{Path: rest, Blob: fmt.Sprintf("%x", sha1.Sum(data)), Size: int64(len(data))}
		if Wanted(f.Path, f.Size) {
			f.Data = data
		}
		repos[i].Files = append(repos[i].Files, f)
	}
	return repos
}

func lay(t *testing.T, files map[string]string) *wiring.Wiring {
	t.Helper()
	w, err := Extract(t.Context(), shelf(files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	return w
}

// placesText writes places as file:line@version [note].
func placesText(list []wiring.Place) string {
	var out []string
	for _, p := range list {
		s := p.File
		if p.Line > 0 {
			s += fmt.Sprintf(":%d", p.Line)
		}
		if p.Version != "" {
			s += "@" + p.Version
		}
		if p.Note != "" {
			s += " [" + p.Note + "]"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// artifactText writes one artifact's places, or says that there is none.
func artifactText(w *wiring.Wiring, kind, name string) string {
	i := slices.IndexFunc(w.Artifacts, func(a wiring.Artifact) bool { return a.Kind == kind && a.Name == name })
	if i < 0 {
		return "none"
	}
	a := w.Artifacts[i]
	var out []string
	for _, g := range []struct {
		role string
		list []wiring.Place
	}{{"published", a.Published}, {"pinned", a.Pinned}, {"read", a.Read}} {
		if len(g.list) > 0 {
			out = append(out, g.role+" "+placesText(g.list))
		}
	}
	if a.Allowed != "" {
		out = append(out, "allowed "+a.Allowed)
	}
	return strings.Join(out, "; ")
}

func wantArtifact(t *testing.T, w *wiring.Wiring, kind, name, want string) {
	t.Helper()
	if got := artifactText(w, kind, name); got != want {
		t.Errorf("%s %s:\n got %s\nwant %s", kind, name, got, want)
	}
}

const fetchCorpus = `URL = "https://github.com/acme/corpus/releases/download/{tag}/corpus-{tag}.tar.gz"
tag = open("corpus.version").read()
`

func TestPins(t *testing.T) {
	t.Run("pin_file_and_reader", func(t *testing.T) {
		w := lay(t, map[string]string{
			"site/app-image":           "ghcr.io/acme/app:v7\n",
			"site/tools/schema.py":     "image = open('app-image').read()\n",
			"ml/corpus.version":        "# moved by a person\nv1.4\n",
			"ml/fetch/corpus.py":       fetchCorpus,
			"ml/build.sbt":             "val pin = IO.read(file(\"corpus.version\"))\n",
			"ml/notes/about.md":        "The corpus.version file.\n",
			"lone/other.version":       "v1\n",
			"own/VERSION":              "1.2.3\n",
			"own/project/Build.scala":  "val version = IO.read(file(\"VERSION\"))\n",
			"own/project/Other.scala":  "val VERSION = 3\nval x = s\"$VERSION\"\n",
			"own/project/Third.scala":  "// see cat VERSION\n",
			"own/project/Fourth.scala": "val p = \"my-corpus.version\"\n",
		})
		wantArtifact(t, w, wiring.Image, "ghcr.io/acme/app", "pinned site/app-image:1@v7; read site/tools/schema.py:1 [through app-image]")
		wantArtifact(t, w, wiring.ReleaseAsset, "corpus-<tag>.tar.gz", "pinned ml/corpus.version:2@v1.4; read ml/build.sbt:1 [through corpus.version], ml/fetch/corpus.py:1@{tag}")
		wantArtifact(t, w, versionFile, "VERSION", "pinned own/VERSION:1@1.2.3; read own/project/Build.scala:1 [through VERSION]")
		wantArtifact(t, w, versionFile, "other.version", "none")
	})
	t.Run("a script that reads the version into a variable", func(t *testing.T) {
		w := lay(t, map[string]string{
			"app/guide.version": "v12\n",
			"app/get.sh":        "tag=$(cat guide.version)\ncurl -fsSLO \"https://github.com/acme/corpus/releases/download/$tag/guide-$tag.tar.gz\"\ncurl -fsSLO https://github.com/acme/corpus/releases/download/v3/other-v3.tar.gz\n",
			"corpus/.github/workflows/release.yml": "on: {push: {tags: ['v*']}}\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n" +
				"      - run: gh release upload \"$GITHUB_REF_NAME\" \"guide-$GITHUB_REF_NAME.tar.gz\" \"other-$GITHUB_REF_NAME.tar.gz\"\n",
		})
		wantArtifact(t, w, wiring.ReleaseAsset, "guide-<tag>.tar.gz", "published corpus/.github/workflows/release.yml:6; pinned app/guide.version:1@v12; read app/get.sh:2@v12 [a script that no workflow runs]")
		wantArtifact(t, w, wiring.ReleaseAsset, "other-<tag>.tar.gz", "published corpus/.github/workflows/release.yml:6; read app/get.sh:3@v3 [a script that no workflow runs]")
		wantArtifact(t, w, versionFile, "guide.version", "none")
	})
	t.Run("commented_pin_not_a_reader", func(t *testing.T) {
		w := lay(t, map[string]string{
			"ml/corpus.version":  "v1.4\n",
			"ml/fetch/corpus.py": "# reads corpus.version\n",
			"ml/src/a.scala":     "// reads corpus.version\n",
		})
		if len(w.Artifacts) != 0 {
			t.Errorf("got %+v", w.Artifacts)
		}
	})
	t.Run("compose_image_reader", func(t *testing.T) {
		w := lay(t, map[string]string{"app/docker-compose.yml": "services:\n  ml:\n    image: \"${ML:-ghcr.io/acme/ml:latest}\"\n"})
		wantArtifact(t, w, wiring.Image, "ghcr.io/acme/ml", "read app/docker-compose.yml:3@latest")
	})
	t.Run("image_reader_forms", func(t *testing.T) {
		w := lay(t, map[string]string{
			"a/docker-compose.yml": "services:\n  x:\n    image: ghcr.io/acme/app\n  y:\n    image: 'ghcr.io/acme/app:1'\n  z: {image: \"${APP:-ghcr.io/acme/app:2}\"}\n",
			"b/Dockerfile":         "FROM --platform=linux/amd64 ghcr.io/acme/app:3\nFROM ghcr.io/acme/app\n",
			"c/deploy/k.yaml":      "spec:\n  containers:\n    - image: ghcr.io/acme/app@sha256:" + strings.Repeat("ab", 32) + "\n",
		})
		wantArtifact(t, w, wiring.Image, "ghcr.io/acme/app", "read a/docker-compose.yml:3, a/docker-compose.yml:5@1, a/docker-compose.yml:6@2, b/Dockerfile:1@3 [--platform=linux/amd64], b/Dockerfile:2, "+
			"c/deploy/k.yaml:3@sha256:"+strings.Repeat("ab", 32))
	})
}

func TestPackagesOfTheWorkspace(t *testing.T) {
	w := lay(t, map[string]string{
		"lib/go.mod":           "module github.com/acme/lib\n",
		"app/go.mod":           "module github.com/acme/app\nrequire (\n\tgithub.com/acme/lib v1.2.3\n\tgithub.com/acme/gone v0.1.0 // indirect\n\tgithub.com/other/x v1.0.0\n)\n",
		"web/package.json":     `{"name": "@shop/web", "dependencies": {"@shop/ui": "^2", "react": "^19", "@acme/icons": "1"}}`,
		"web/ui/package.json":  `{"name": "@shop/ui", "version": "2.0.0"}`,
		"jvm/build.sbt":        "organization := \"dev.acme\"\nname := \"core\"\nlibraryDependencies += \"dev.acme\" %% \"util\" % \"3\"\nlibraryDependencies += \"org.other\" %% \"x\" % \"1\"\n",
		"py/pyproject.toml":    "[project]\nname = \"acme-tools\"\ndependencies = [\"acme_tools\", \"requests\"]\n",
		"job/requirements.txt": "Acme.Tools==1.0\nrequests==2\n",
	})
	for name, want := range map[string]string{
		"go:github.com/acme/lib":  "published lib/go.mod:1 [home]; pinned app/go.mod:3@v1.2.3",
		"go:github.com/acme/gone": "pinned app/go.mod:4@v0.1.0",
		"go:github.com/other/x":   "none",
		"go:github.com/acme/app":  "none",
		"npm:@shop/ui":            "published web/ui/package.json:1@2.0.0 [home]; pinned web/package.json:1@^2",
		"npm:@acme/icons":         "pinned web/package.json:1@1",
		"npm:react":               "none",
		"maven:dev.acme:util":     "pinned jvm/build.sbt:3@3",
		"maven:org.other:x":       "none",
		"pypi:acme-tools":         "published py/pyproject.toml:2 [home]; pinned job/requirements.txt:1@1.0, py/pyproject.toml:3",
		"pypi:requests":           "none",
	} {
		wantArtifact(t, w, wiring.Package, name, want)
	}
}

func TestFlakeInputsAndPlugins(t *testing.T) {
	w := lay(t, map[string]string{
		"app/flake.lock": `{"root": "root", "nodes": {
"root": {"inputs": {"kit": "kit", "nixpkgs": "nixpkgs"}},
"kit": {"locked": {"type": "github", "owner": "acme", "repo": "kit", "rev": "1111111111111111111111111111111111111111"},
  "original": {"type": "github", "owner": "acme", "repo": "kit", "ref": "v0.8.1"}},
"nixpkgs": {"locked": {"type": "github", "owner": "NixOS", "repo": "nixpkgs", "rev": "2222222222222222222222222222222222222222"}, "original": {}},
"deep": {"locked": {"type": "github", "owner": "other", "repo": "deep", "rev": "3333333333333333333333333333333333333333"}}
}}`,
		"app/flake.nix":                       "{\n  inputs.kit.url = \"github:acme/kit/v0.8.1\";\n}\n",
		"app/.claude/settings.json":           `{"extraKnownMarketplaces": {"kit": {"source": {"source": "github", "repo": "acme/kit",` + "\n" + `"ref": "v0.8.1"}}}, "enabledPlugins": {"tools@kit": true, "off@kit": false}}`,
		"kit/flake.nix":                       "{ }\n",
		"kit/.claude-plugin/marketplace.json": `{"name": "kit", "plugins": [{"name": "tools", "source": "./tools"}]}`,
	})
	wantArtifact(t, w, wiring.Repository, "acme/kit", "pinned app/.claude/settings.json:2@v0.8.1 [marketplace kit], app/flake.lock:3@v0.8.1 [input kit at 111111111111]; read app/flake.nix:2@v0.8.1 [flake input]")
	wantArtifact(t, w, wiring.Repository, "NixOS/nixpkgs", "pinned app/flake.lock:5@"+strings.Repeat("2", 40)+" [input nixpkgs]")
	wantArtifact(t, w, wiring.Repository, "other/deep", "none")
	wantArtifact(t, w, "plugin", "tools@kit", "published kit/.claude-plugin/marketplace.json:1 [home]; read app/.claude/settings.json:2@v0.8.1")
	wantArtifact(t, w, "plugin", "off@kit", "none")
}

func TestBots(t *testing.T) {
	w := lay(t, map[string]string{
		"app/.github/dependabot.yml": "version: 2\nupdates:\n  - package-ecosystem: docker\n    directory: /\n    schedule: {interval: weekly}\n  - package-ecosystem: gomod\n    directories: [\"/tools/*\"]\n    schedule: {interval: daily}\n",
		"app/Dockerfile":             "FROM alpine:3\n",
		"app/sub/Dockerfile":         "FROM alpine:3\n",
		"app/tools/a/go.mod":         "module x.example/a\nrequire y.example/b v1.0.0\n",
		"app/go.mod":                 "module x.example/app\nrequire y.example/b v1.0.0\n",
		"web/renovate.json":          `{"schedule": ["before 5am on monday"]}`,
		"web/package.json":           `{"name": "web", "dependencies": {"x": "1"}}`,
		"lib/renovate.json":          `{"extends": ["config:recommended"]}`,
		"lib/examples/package.json":  `{"name": "a", "dependencies": {"x": "1"}}`,
		"lib/package.json":           `{"name": "lib", "dependencies": {"x": "1"}}`,
		"own/renovate.json":          `{"extends": ["config:recommended"], "ignorePaths": ["old/*"]}`,
		"own/old/one/package.json":   `{"name": "b", "dependencies": {"x": "1"}}`,
		"own/examples/package.json":  `{"name": "c", "dependencies": {"x": "1"}}`,

		"app/Taskfile.yml":                "tasks:\n  a:\n    vars: {Image: 'acme/tool:1'}\n",
		"act/.github/dependabot.yml":      "updates:\n  - package-ecosystem: github-actions\n    directory: /\n",
		"act/.github/workflows/ci.yml":    "on: push\njobs: {a: {steps: [{uses: actions/checkout@v4}]}}\n",
		"act/.github/workflows/local.yml": "on: push\njobs: {a: {steps: [{uses: ./tool}]}}\n",
		"act/tool/action.yml":             "runs: {using: composite, steps: [{uses: actions/checkout@v4}]}\n",

		"off/renovate.json": `{"extends": ["docker:disable"], "nvm": {"enabled": false}, "ignoreDeps": ["actions/checkout"], "packageRules": [
			{"matchDatasources": ["node-version"], "enabled": false}, {"matchPackageNames": ["/^@acme/", "gone"], "enabled": false},
			{"matchManagers": ["gomod"], "matchFileNames": ["tools/**"], "enabled": false}, {"matchUpdateTypes": ["major"], "enabled": false}]}`,
		"off/.nvmrc":                   "24\n",
		"off/.tool-versions":           "nodejs 24.1.0\n",
		"off/Dockerfile":               "FROM alpine:3\n",
		"off/package.json":             `{"name": "off", "dependencies": {"@acme/x": "1"}}`,
		"off/sub/package.json":         `{"name": "sub", "dependencies": {"@acme/x": "1", "y": "1"}}`,
		"off/tools/go.mod":             "module x.example/t\nrequire y.example/b v1.0.0\n",
		"off/go.mod":                   "module x.example/o\nrequire y.example/b v1.0.0\n",
		"off/.pre-commit-config.yaml":  "repos:\n  - repo: https://github.com/o/r\n    rev: v1\n",
		"off/deploy.yaml":              "apiVersion: v1\nspec:\n  image: acme/app:1\n",
		"off/.github/workflows/ci.yml": "on: push\njobs: {a: {steps: [{uses: actions/checkout@v4}]}}\n",
	})
	var got []string
	for _, b := range w.Bumps {
		got = append(got, b.File+" <- "+placesText(b.Moved)+" "+b.Moved[0].When)
	}
	want := []string{
		"act/.github/workflows/ci.yml <- act/.github/dependabot.yml:2 [Dependabot] ",
		"app/Dockerfile <- app/.github/dependabot.yml:3 [Dependabot] weekly",
		"app/tools/a/go.mod <- app/.github/dependabot.yml:6 [Dependabot] daily",
		"lib/package.json <- lib/renovate.json:1 [Renovate] ",
		"off/go.mod <- off/renovate.json:1 [Renovate] ",
		"off/sub/package.json <- off/renovate.json:1 [Renovate] ",
		"own/examples/package.json <- own/renovate.json:1 [Renovate] ",
		"web/package.json <- web/renovate.json:1 [Renovate] schedule before 5am on monday",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestContracts(t *testing.T) {
	same, small := strings.Repeat("{\"field\": 1}\n", 30), "{}\n"
	text := func(w *wiring.Wiring) string {
		var out []string
		for _, c := range w.Contracts {
			s := c.Name + ": " + placesText(c.Copies)
			if c.Stated {
				s += "; stated " + placesText(c.Declared)
			}
			if c.Differs {
				s += "; differs"
			}
			out = append(out, s)
		}
		return strings.Join(out, "\n")
	}
	files := map[string]string{
		"app/core/board.schema.json": same, "site/board.schema.json": same,
		"app/LICENSE": same + "l", "site/LICENSE": same + "l",
		"app/small.json": small, "site/small.json": small,
		"app/a.proto": same + "a", "app/b/a.proto": same + "a",
		"app/vendor/x.h": same + "v", "site/vendor/x.h": same + "v",
		"app/.github/labels.yml": same + "g", "site/.github/labels.yml": same + "g",
		"app/one.txt": same + "1", "site/two.txt": same + "1",
	}
	if got, want := text(lay(t, files)), "board.schema.json: app/core/board.schema.json, site/board.schema.json"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	files["all/wiring.allow"] = "contract app/core/board.schema.json site/board.schema.json: the map reads what the app writes\n" +
		"contract app/one.txt app/small.json: no reason but the test\ncontract app/one.txt app/nowhere: gone\n"
	w := lay(t, files)
	want := "board.schema.json: app/core/board.schema.json, site/board.schema.json; stated wiring.allow:1 [the map reads what the app writes]\n" +
		"one.txt: app/one.txt, app/small.json; stated wiring.allow:2 [no reason but the test], wiring.allow:3 [gone]; differs"
	if got := text(w); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(w.Unresolved) != 1 || w.Unresolved[0].Name != "app/nowhere" || w.Unresolved[0].At[0].Line != 3 {
		t.Errorf("unresolved %+v", w.Unresolved)
	}
	for i := range maxShared + 1 {
		files[fmt.Sprintf("app/f%d.c", i)], files[fmt.Sprintf("site/f%d.c", i)] = same+fmt.Sprint(i), same+fmt.Sprint(i)
	}
	delete(files, "all/wiring.allow")
	if got := text(lay(t, files)); got != "" {
		t.Errorf("a copy of a repository is a contract:\n%.300s", got)
	}
}

func TestAllow(t *testing.T) {
	files := map[string]string{
		"all/wiring.allow":       "# NAME: reason\n\n`acme/own`: only people run it\nnobody: gone\n",
		"app/docker-compose.yml": "services:\n  own:\n    image: acme/own:dev\n    build: .\n",
	}
	w := lay(t, files)
	wantArtifact(t, w, wiring.Image, "acme/own", "published app/docker-compose.yml:3@dev [built from .]; allowed only people run it")
	if len(w.Unresolved) != 1 || w.Unresolved[0].Name != "nobody" || w.Unresolved[0].Kind != "wiring.allow" || w.Unresolved[0].At[0].Line != 4 {
		t.Errorf("unresolved %+v", w.Unresolved)
	}
	t.Run("mistakes", func(t *testing.T) {
		for in, want := range map[string]string{
			"a: x\nb: y\na: z\n": "wiring.allow:3: a stands in line 1 already",
			"a:x\n":              "wiring.allow:1: no space stands behind the colon",
			"a\n":                "wiring.allow:1: an entry without a reason",
		} {
			_, err := Extract(context.Background(), shelf(map[string]string{"all/wiring.allow": in}), Options{})
			if err == nil || err.Error() != want {
				t.Errorf("%q: %v, want %s", in, err, want)
			}
		}
	})
	t.Run("allow_entry_needs_reason", func(t *testing.T) {
		for _, line := range []string{"acme/own", "acme/own:", "acme/own: ", "acme/own:why", ": why", "contract a: why"} {
			_, err := Extract(context.Background(), shelf(map[string]string{"all/wiring.allow": "# first\n" + line + "\n"}), Options{})
			mistake := (*SettingsError)(nil)
			if !errors.As(err, &mistake) || mistake.Line != 2 || mistake.Hint() == "" {
				t.Errorf("%q: %v", line, err)
			}
		}
	})
	t.Run("only the umbrella's", func(t *testing.T) {
		lay(t, map[string]string{"app/wiring.allow": "broken\n", "app/wiring.yaml": "[\n"})
	})
}

func TestSettings(t *testing.T) {
	w := lay(t, map[string]string{
		"all/wiring.yaml": `
facts:
  - {artifact: corpus.tar, kind: release asset, repo: corpus, role: read, file: app/main.c, line: 2, reason: built from parts}
  - dispatch: rebuild
    role: sent
    file: app/main.c
    reason: a program sends it
  - site: acme.example
    role: deployed
    file: app/main.c
    reason: by hand
silence:
  - name: alpine
    kind: image
    reason: of no interest
  - file: app/old/**
    reason: not used any more
  - name: nothing
    reason: stale
`,
		"app/main.c":         "a\nb\n",
		"corpus/make.c":      "a\n",
		"app/Dockerfile":     "FROM alpine:3\nFROM debian:12\n",
		"app/old/Dockerfile": "FROM debian:11\n",
	})
	wantArtifact(t, w, wiring.ReleaseAsset, "corpus.tar", "read app/main.c:2 [built from parts]")
	wantArtifact(t, w, wiring.Image, "alpine", "none")
	wantArtifact(t, w, wiring.Image, "debian", "read app/Dockerfile:2@12")
	if len(w.Dispatches) != 1 || len(w.Deploys) != 1 || len(w.Unresolved) != 1 || w.Unresolved[0].Name != "nothing" {
		t.Errorf("got %+v %+v %+v", w.Dispatches, w.Deploys, w.Unresolved)
	}
}

func TestSettingsMistakes(t *testing.T) {
	for in, want := range map[string]string{
		"a: [":                   "wiring.yaml:1: it is no YAML",
		"- a\n":                  "wiring.yaml:1: it is no table",
		"facts: []\n---\nx: 1\n": "wiring.yaml:2: a second document",
		"facts: []\n---\n[":      "wiring.yaml:3: it is no YAML: did not",
		"facts:\n  - a: b\n c":   "wiring.yaml:2: it is no YAML: did not",
		"facts: []\nfacts: []":   "wiring.yaml:2: facts stands in line 1 already",
		"facts:\n  - {artifact: a, kind: image, role: read, file: wiring.yaml, line: 9, reason: r}":  "wiring.yaml:2: wiring.yaml has no line 9",
		"facts:\n  - {artifact: a, kind: image, role: read, file: wiring.yaml, repo: ap, reason: r}": `wiring.yaml:2: the workspace has no repository "ap"`,
		"facts: []\nother: []": `wiring.yaml:2: the key "other" means nothing`,
		"facts: x":             "wiring.yaml:1: facts is no list",
		"facts:\n  - x":        "wiring.yaml:2: an entry that is no table",
		"facts:\n  - artifact: a\n    colour: red":                                                   `wiring.yaml:3: the key "colour" means nothing here`,
		"facts:\n  - artifact: a\n    artifact: b":                                                   `wiring.yaml:3: the key "artifact" stands twice`,
		"facts:\n  - artifact: [a]":                                                                  "wiring.yaml:2: artifact has no text",
		"facts:\n  - artifact: a\n    kind: image":                                                   "wiring.yaml:2: an entry without a reason",
		"facts:\n  - {artifact: a, kind: image, role: made, reason: r}":                              `wiring.yaml:2: the role "made" is none`,
		"facts:\n  - {dispatch: a, role: read, reason: r}":                                           "wiring.yaml:2: something read has no artifact",
		"facts:\n  - {artifact: a, dispatch: b, kind: image, role: read, reason: r}":                 "wiring.yaml:2: what is read is no dispatch",
		"facts:\n  - {artifact: a, kind: image, role: read, file: no.c, reason: r}":                  `wiring.yaml:2: the workspace has no file "no.c"`,
		"facts:\n  - {artifact: a, kind: image, role: read, file: wiring.yaml, line: x, reason: r}":  `wiring.yaml:2: the line "x" is no number from 1`,
		"facts:\n  - {artifact: a, kind: image, role: read, file: wiring.yaml, line: 1x, reason: r}": `wiring.yaml:2: the line "1x" is no number from 1`,
		"facts:\n  - {artifact: a, role: read, file: wiring.yaml, reason: r}":                        "wiring.yaml:2: an artifact without a kind",
		"facts:\n  - artifact: a\n    kind: image\n    role: read\n    file: no.c\n    reason: r":    `wiring.yaml:5: the workspace has no file "no.c"`,
		"silence:\n  - reason: r":                                                                    "wiring.yaml:2: an entry that silences everything",
		"silence:\n  - name: a":                                                                      "wiring.yaml:2: an entry without a reason",
	} {
		_, err := Extract(context.Background(), shelf(map[string]string{"all/wiring.yaml": in}), Options{})
		mistake := (*SettingsError)(nil)
		if !errors.As(err, &mistake) || !strings.HasPrefix(err.Error(), want) || mistake.Hint() == "" {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	lay(t, map[string]string{"all/wiring.yaml": "# nothing yet\n"})
}

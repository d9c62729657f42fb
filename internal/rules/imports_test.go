package rules

import (
	"fmt"
	slashpath "path"
	"slices"
	"strings"
	"testing"
)

// vendored are the programs that run on other people's machines.
var vendored = []string{"cmd/route", "cmd/session-check"}

// platforms are those that the vendored programs are built for: a file for
// one of them may import what the others do not.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

// TestVendoredProgramsLinkOnlyTheStandardLibrary reads the whole build list
// of each vendored program, so that an import anywhere below counts.
func TestVendoredProgramsLinkOnlyTheStandardLibrary(t *testing.T) {
	for _, program := range vendored {
		if !exists(t, program) {
			continue
		}
		for _, platform := range platforms {
			goos, goarch, _ := strings.Cut(platform, "/")
			pkgs := list(t, []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}, "-deps", "./"+program)
			if len(pkgs) < 20 {
				t.Errorf("%s on %s: a build list of %d packages cannot be right", program, platform, len(pkgs))
			}
			for _, problem := range foreign(program, pkgs) {
				t.Errorf("%s: %s", platform, problem)
			}
		}
	}
	if !exists(t, vendored[0]) {
		t.Errorf("%s is gone: this test must follow it", vendored[0])
	}
}

// foreign names the packages that a vendored program may not link.
func foreign(program string, pkgs []listed) (problems []string) {
	for _, p := range pkgs {
		switch {
		case p.Standard:
		case wing(p.ImportPath) != "route":
			problems = append(problems, fmt.Sprintf("%s links %s, which is neither the standard library nor of its own wing", program, p.ImportPath))
		case len(p.CgoFiles) > 0:
			problems = append(problems, fmt.Sprintf("%s links %s, which needs a C compiler", program, p.ImportPath))
		}
	}
	return problems
}

func TestForeign(t *testing.T) {
	own, std := listed{ImportPath: module + "/internal/route/bundle"}, listed{ImportPath: "fmt", Standard: true}
	for _, c := range []struct {
		name string
		pkgs []listed
		want int
	}{
		{"standard library and own wing", []listed{std, own, {ImportPath: module + "/internal/command"}}, 0},
		{"a module from elsewhere", []listed{own, {ImportPath: "gopkg.in/yaml.v3"}}, 1},
		{"the builder", []listed{own, {ImportPath: module + "/internal/ci/extract"}}, 1},
		{"a package of no wing", []listed{{ImportPath: module + "/internal/stray"}}, 1},
		{"a name that only begins alike", []listed{{ImportPath: module + "/internal/router"}}, 1},
		{"own, with C", []listed{{ImportPath: module + "/internal/route/fast", CgoFiles: []string{"fast.go"}}}, 1},
	} {
		if got := foreign("cmd/route", c.pkgs); len(got) != c.want {
			t.Errorf("%s: %d problems, want %d: %q", c.name, len(got), c.want, got)
		}
	}
}

// TestWingsDoNotCross holds every package of the module to the wing it
// belongs to.
func TestWingsDoNotCross(t *testing.T) {
	pkgs := list(t, nil, "./...")
	for _, problem := range crossings(pkgs) {
		t.Error(problem)
	}
}

func TestCrossings(t *testing.T) {
	pkg := func(path string, imports ...string) listed {
		for i := range imports {
			if !strings.Contains(imports[i], ".") {
				imports[i] = module + "/" + imports[i]
			}
		}
		return listed{ImportPath: module + "/" + path, Imports: imports}
	}
	for _, c := range []struct {
		name string
		pkg  listed
		want int
	}{
		{"the builder uses the format", pkg("internal/ci/assemble", "internal/route/bundle", "internal/command"), 0},
		{"the builder uses a module", pkg("internal/ci/extract", "gopkg.in/yaml.v3"), 0},
		{"the skill router uses the words", pkg("internal/skillrouter/rank", "internal/route/lexicon"), 0},
		{"a program uses its wing", pkg("cmd/bundle-publish", "internal/ci/cli"), 0},
		{"route uses the builder", pkg("internal/route/answer", "internal/ci/extract"), 1},
		{"the dispatcher uses a wing", pkg("internal/command", "internal/route/bundle"), 0},
		{"route uses a module", pkg("internal/route/bench", "gopkg.in/yaml.v3"), 1},
		{"the skill router uses the builder", pkg("internal/skillrouter/rank", "internal/ci/extract"), 1},
		{"the builder uses the skill router", pkg("internal/ci/extract", "internal/skillrouter/rank"), 1},
		{"a program uses another wing", pkg("cmd/mega-tron", "internal/ci/cli"), 1},
		{"a stand-in uses a module", pkg("internal/testkit/runner", "gopkg.in/yaml.v3"), 0},
		{"the builder uses a stand-in", pkg("internal/ci/publish", "internal/testkit/runner"), 1},
		{"a package of no wing", pkg("internal/util"), 1},
	} {
		if got := crossings([]listed{c.pkg}); len(got) != c.want {
			t.Errorf("%s: %d problems, want %d: %q", c.name, len(got), c.want, got)
		}
	}
}

// mayUse says which wings a wing may import from, besides the standard
// library.
var mayUse = map[string][]string{
	"route":       {"route"},
	"ci":          {"ci", "route", "elsewhere"},
	"skillrouter": {"skillrouter", "route", "elsewhere"},
	"rules":       {},
	"testkit":     {"testkit", "route", "elsewhere"}, // only tests import it
}

func crossings(pkgs []listed) (problems []string) {
	for _, p := range pkgs {
		from := wing(p.ImportPath)
		if from == "" {
			problems = append(problems, fmt.Sprintf("%s belongs to no wing: put it under internal/route, internal/ci or internal/skillrouter", p.ImportPath))
			continue
		}
		for _, imported := range p.Imports {
			to := wing(imported)
			if to == "standard" || slices.Contains(mayUse[from], to) {
				continue
			}
			problems = append(problems, fmt.Sprintf("%s (%s) imports %s (%s)", p.ImportPath, from, imported, to))
		}
	}
	return problems
}

// wingOf maps the module's directories to wings; a program belongs to the
// wing it starts.
var wingOf = map[string]string{
	"internal/route": "route", "internal/command": "route", "cmd/route": "route", "cmd/session-check": "route",
	"internal/ci": "ci", "evaluation": "ci", "cmd/bundle-publish": "ci", "cmd/ruleset-sync": "ci", "cmd/skills-vendor": "ci",
	"internal/skillrouter": "skillrouter", "cmd/mega-tron": "skillrouter", "evaluation/skills": "skillrouter",
	"internal/rules": "rules", "internal/testkit": "testkit",
}

// wing is the wing of a package: "" for one of ours that has none.
func wing(path string) string {
	rel, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			return "elsewhere"
		}
		return "standard"
	}
	for dir := rel; dir != "."; dir = slashpath.Dir(dir) { // the nearest has the say
		if name, ok := wingOf[dir]; ok {
			return name
		}
	}
	return ""
}

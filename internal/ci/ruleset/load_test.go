package ruleset

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

const (
	plainRuleset  = `{"name":"main-rule","enforcement":"active","bypass_actors":[{"actor_id":5,"actor_type":"RepositoryRole","bypass_mode":"pull_request"}],"conditions":{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}},"rules":[{"type":"deletion"}]}`
	bundleRuleset = `{"name":"routing-bundle","enforcement":"active","bypass_actors":[{"actor_id":9,"actor_type":"Integration","bypass_mode":"always"}],"conditions":{"ref_name":{"include":["refs/heads/routing-bundle"],"exclude":[]}},"rules":[{"type":"update"}]}`
	anExtra       = `{"actor_id":7,"actor_type":"Integration","bypass_mode":"pull_request","reason":"it merges"}`
)

// load writes files and loads the paths.
func load(t *testing.T, files map[string]string, extras string, paths ...string) Set {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Load(func(path string) string { return filepath.Join(dir, path) }, paths, extras)
}

func TestLoad(t *testing.T) {
	dir := map[string]string{
		"rulesets/main-rule.json":      plainRuleset,
		"rulesets/routing-bundle.json": bundleRuleset,
		"rulesets/extras.json":         `{"o/a":{"main-rule":[` + anExtra + `]}}`,
		"rulesets/manifest.yaml":       "version: 1\nextras: extras.json\napps: {bundle-bot: 12}\nrulesets:\n- file: main-rule.json\n  repositories: [o/a, o/b]\n- file: routing-bundle.json\n  all-repositories-of: o\n  include-forks: true\n",
	}
	for _, tt := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"a directory", []string{"rulesets"}, "main-rule: o/a o/b; routing-bundle: all of o with forks"},
		{"a manifest", []string{"rulesets/manifest.yaml"}, "main-rule: o/a o/b; routing-bundle: all of o with forks"},
		{"files", []string{"rulesets/main-rule.json", "rulesets/routing-bundle.json"}, "main-rule: ?; routing-bundle: ?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := load(t, dir, "", tt.paths...)
			if len(set.Findings) > 0 {
				t.Fatalf("there are findings: %v", set.Findings)
			}
			var got []string
			for _, e := range set.Entries {
				line := e.Value.Name() + ":"
				if a := e.Assignment; a == nil {
					line += " ?"
				} else {
					for _, r := range a.Repositories {
						line += " " + r.String()
					}
					if a.AllOf.Owner != "" {
						line += " all of " + a.AllOf.Owner
					}
					if a.Forks {
						line += " with forks"
					}
				}
				got = append(got, line)
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("loaded is %q, want %q", got, tt.want)
			}
		})
	}
	set := load(t, dir, "", "rulesets")
	if set.Apps["bundle-bot"] != "12" {
		t.Errorf("the Apps are %v", set.Apps)
	}
	for repo, actors := range map[string]int{"o/a": 2, "O/A": 2, "o/b": 1} {
		target, err := ParseRepository(repo)
		if err != nil {
			t.Fatal(err)
		}
		v, found := set.Entries[0].Extras.Merge(set.Entries[0].Value, target)
		if got := len(v.Member("bypass_actors").Items()); got != actors || len(found) > 0 || strings.Contains(string(v.JSON()), "reason") {
			t.Errorf("%s has %d bypass actors, want %d: %s (%v)", repo, got, actors, v.JSON(), found)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const head = "version: 1\nrulesets:\n- file: r.json\n  repositories: [o/a]\n"
	for _, tt := range []struct {
		name  string
		files map[string]string // beside r.json
		want  string
	}{
		{"a name twice", map[string]string{"s.json": plainRuleset, "manifest.yaml": head + "- {file: s.json, repositories: [O/A]}\n"}, `d/s.json: error: d/s.json is for O/A and has the name "main-rule", as d/r.json has`},
		{"a file twice", map[string]string{"manifest.yaml": head + "- {file: r.json, repositories: [o/b]}\n"}, "d/manifest.yaml:5: error: r.json is listed twice"},
		{"a file elsewhere", map[string]string{"manifest.yaml": "version: 1\nrulesets:\n- {file: ../r.json, repositories: [o/a]}\n"}, `d/manifest.yaml:3: error: file: "../r.json" is not the name of a JSON file`},
		{"a file that is not there", map[string]string{"manifest.yaml": head + "- {file: t.json, repositories: [o/b]}\n"}, "d/t.json: error: "},
		{"a misspelt member", map[string]string{"manifest.yaml": "version: 1\nrulesets:\n- file: r.json\n  repos: [o/a]\n"}, "d/manifest.yaml:3: error: field repos is not known here"},
		{"a misspelt member at the top", map[string]string{"manifest.yaml": "version: 1\nruleset: []\n"}, "d/manifest.yaml:2: error: field ruleset is not known here"},
		{"a key twice", map[string]string{"manifest.yaml": head + "version: 1\n"}, "d/manifest.yaml:5: error: mapping key \"version\" already defined at line 1"},
		{"two documents", map[string]string{"manifest.yaml": head + "---\nversion: 1\n"}, "something follows"},
		{"no version", map[string]string{"manifest.yaml": "rulesets: [{file: r.json}]\n"}, "must say version: 1"},
		{"no rulesets", map[string]string{"manifest.yaml": "version: 1\n"}, "lists no rulesets"},
		{"R14 no repository", map[string]string{"manifest.yaml": "version: 1\nrulesets: [{file: r.json, repositories: [o/]}]\n"}, `"o/" is not owner/repository`},
		{"R14 no owner", map[string]string{"manifest.yaml": "version: 1\nrulesets: [{file: r.json, repositories: [/r]}]\n"}, `"/r" is not owner/repository`},
		{"both scopes", map[string]string{"manifest.yaml": "version: 1\nrulesets: [{file: r.json, repositories: [o/a], organization: o}]\n"}, "either an organisation's ruleset or its repositories'"},
		{"R15 an organisation's without a condition", map[string]string{"manifest.yaml": "version: 1\nrulesets: [{file: r.json, organization: o}]\n"}, "needs exactly one condition about repositories"},
		{"an App without an id", map[string]string{"manifest.yaml": head + "apps: {x: y}\n"}, "d/manifest.yaml:5: error: apps: x: y is not an App's slug and its id"},
		{"UTF-16", map[string]string{"manifest.yaml": "\xff\xfev\x00"}, "the file is not UTF-8"},
		{"extras elsewhere", map[string]string{"manifest.yaml": head + "extras: /etc/passwd\n"}, "is not the name of a file beside the manifest"},
		{"extras that are broken", map[string]string{"manifest.yaml": head + "extras: e.json\n", "e.json": "{\n\"o/a\":[],\n\"O/A\":[]}"}, `d/e.json:3:1: error: the key "O/A" stands twice`},
		{"R50 a ruleset that says it twice", map[string]string{"manifest.yaml": head, "r.json": `{"enforcement":"active","ENFORCEMENT":"disabled"}`}, "d/r.json:1:25: error: the key \"ENFORCEMENT\" stands twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"d/r.json": plainRuleset}
			for name, text := range tt.files {
				files["d/"+name] = text
			}
			set := load(t, files, "", "d")
			var got []string
			for _, f := range set.Errors() {
				got = append(got, f.String())
			}
			if len(got) == 0 || !strings.Contains(filepath.ToSlash(strings.Join(got, "\n")), tt.want) {
				t.Errorf("the errors are %q, want %q", got, tt.want)
			}
		})
	}
}

func TestExtras(t *testing.T) {
	for _, tt := range []struct {
		name, extras, ruleset, want string // want are findings, or the ruleset's actors
	}{
		{"by name", `{"o/r":{"main-rule":[` + anExtra + `]}}`, plainRuleset, "the role admin (in pull requests only), the App 7 (in pull requests only)"},
		{"another name", `{"o/r":{"other":[` + anExtra + `]}}`, plainRuleset, "the role admin (in pull requests only)"},
		{"another repository", `{"o/s":{"main-rule":[` + anExtra + `]}}`, plainRuleset, "the role admin (in pull requests only)"},
		{"for any ruleset", `{"o/r":[` + anExtra + `]}`, plainRuleset, "the role admin (in pull requests only), the App 7 (in pull requests only)"},
		{"in place of one that is there", `{"o/r":{"main-rule":[{"actor_id":5.0,"actor_type":"RepositoryRole","bypass_mode":"always","reason":"x"}]}}`, plainRuleset, "the role admin (always)"},
		{"for any, and one that closes a branch", `{"o/r":[` + anExtra + `]}`, bundleRuleset, `error: the extras of o/r are for any ruleset, but "routing-bundle" lets one App alone update what it covers; give them by name: {"o/r": {"RULESET": […]}}`},
		{"by name, and one that closes a branch", `{"o/r":{"routing-bundle":[` + anExtra + `]}}`, bundleRuleset, `warning: with these extras, "routing-bundle" of o/r no longer lets one App alone`},
		{"no reason", `{"o/r":{"main-rule":[{"actor_id":7,"actor_type":"Integration","bypass_mode":"always","reason":" "}]}}`, plainRuleset, "error: an extra bypass actor of o/r has no reason"},
		{"R46 no mode", `{"o/r":{"main-rule":[{"actor_id":7,"actor_type":"Integration","reason":"x"}]}}`, plainRuleset, "error: bypass_mode is missing"},
		{"no repository", `{"r":[]}`, plainRuleset, `error: "r" is not owner/repository`},
		{"no list", `{"o/r":1}`, plainRuleset, "error: o/r must have an object"},
		{"no list of a ruleset", `{"o/r":{"main-rule":null}}`, plainRuleset, "error: extras of o/r must be a list"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			extras, found := ParseExtras("e.json", []byte(tt.extras))
			v, more := extras.Merge(parse(t, tt.ruleset), Target{"o", "r"})
			got := finds(append(found, more...))
			if got == "" {
				var actors []string
				for _, a := range v.Member("bypass_actors").Items() {
					actors = append(actors, Names{}.ActorAndMode(a))
				}
				got = strings.Join(actors, ", ")
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("it is %q, want %q", got, tt.want)
			}
		})
	}
}

// TestOneName: two files of one name, both for whatever the command line says.
func TestOneName(t *testing.T) {
	set := load(t, map[string]string{"d/a.json": plainRuleset, "d/b.json": plainRuleset}, "", "d")
	if got := finds(set.Findings); !strings.HasPrefix(got, `error: it has the name "main-rule", as `) {
		t.Errorf("got %s", got)
	}
}

func TestFilesForNobody(t *testing.T) {
	set := load(t, map[string]string{
		"d/r.json": plainRuleset, "d/s.json": bundleRuleset, "d/stray.json": plainRuleset,
		"d/manifest.yaml": "version: 1\nrulesets: [{file: r.json, repositories: [o/a]}, {file: s.json}]\n",
	}, "", "d")
	if got := finds(set.Findings); got != "warning: the manifest does not list this file, so it is for nobody\n" || filepath.ToSlash(set.Findings[0].File) != "d/stray.json" {
		t.Errorf("the findings are %s", got)
	}
	if len(set.Entries) != 2 || set.Entries[0].Assignment == nil || set.Entries[1].Assignment != nil {
		t.Errorf("the entries are %+v", set.Entries)
	}
}

func TestExtrasForNothing(t *testing.T) {
	set := load(t, map[string]string{
		"d/r.json": plainRuleset, "d/e.json": `{"o/a":{"main-rule":[],"gone":[]},"o/z":{"main-rule":[]}}`,
		"d/manifest.yaml": "version: 1\nextras: e.json\nrulesets: [{file: r.json, repositories: [o/a]}]\n",
	}, "", "d")
	got := finds(set.Findings)
	if strings.Count(got, "which no file is for") != 2 || !strings.Contains(got, `"gone" of o/a`) || !strings.Contains(got, `"main-rule" of o/z`) {
		t.Errorf("the findings are %s", got)
	}
}

func TestTargets(t *testing.T) {
	for text, ok := range map[string]bool{
		"o/r": true, "O-1/r.x_y-z": true, "corp_user/r": true, "": false, "o": false, "/r": false, "o/": false, "o/r/s": false, "o/..": false, "o/.": false, "-o/r": false, "o/r?x": false, "o/r%2f": false, "o /r": false, "ö/r": false,
	} {
		if _, err := ParseRepository(text); (err == nil) != ok {
			t.Errorf("%q is a repository: %v", text, err)
		}
	}
}

// TestOurOwnRulesets: what this repository commits is in order, keeps the
// bundle's branch to one App, and is in the form that export writes.
func TestOurOwnRulesets(t *testing.T) {
	top := filepath.Join("..", "..", "..")
	set := Load(func(p string) string { return filepath.Join(top, p) }, []string{"rulesets"}, "")
	for _, f := range set.Findings {
		t.Error(f)
	}
	names := map[string]Value{}
	for _, e := range set.Entries {
		names[e.Value.Name()] = e.Value
		if e.Assignment == nil || len(e.Assignment.Repositories) == 0 {
			t.Errorf("%s is for no repository", e.File)
		}
		data, err := os.ReadFile(filepath.Join(top, e.File))
		if err != nil {
			t.Fatal(err)
		}
		if want := Export(e.Value).Indented(); string(data) != string(want) {
			t.Errorf("%s is not in the form of export:\n%s", e.File, want)
		}
	}
	if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, []string{"ci-rule", "main-rule", "routing-bundle", "routing-bundle-tag"}) {
		t.Fatalf("the rulesets are %v", got)
	}
	if v := names["routing-bundle"]; !v.ClosesBranch() || !v.hasRule("creation") || !v.hasRule("deletion") || !v.hasRule("non_fast_forward") || !slices.Equal(v.Apps(), []string{"marola-bundle-bot"}) {
		t.Errorf("routing-bundle leaves the branch open: %s", v.JSON())
	}
	if v := names["routing-bundle-tag"]; v.target() != "tag" || !v.hasRule("creation") || len(v.Member("bypass_actors").Items()) != 0 {
		t.Errorf("routing-bundle-tag leaves the hole open: %s", v.JSON())
	}
	if v := string(names["ci-rule"].JSON()); !strings.Contains(v, `"context":"ci-ok"`) {
		t.Errorf("ci-rule does not require ci-ok: %s", v)
	}
}

// FuzzManifest: a manifest that is accepted names files beside it, and
// repositories that can be asked for.
func FuzzManifest(f *testing.F) {
	for _, seed := range []string{
		"version: 1\nextras: e.json\napps: {x: 1}\nrulesets:\n- {file: r.json, repositories: [o/r]}\n- {file: s.json, all-repositories-of: o, include-forks: true}\n",
		"version: 1\nrulesets: [{file: ../r.json, organization: o}]\n", "a: &a [*a]", "version: 1\nrulesets: &r\n- {file: r.json, repositories: [o/r]}\n", "\xff\xfe", "- ", "version: !!binary x",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, found := ParseManifest("manifest.yaml", data)
		if len(Errors(found)) > 0 {
			return
		}
		for _, a := range m.Rulesets {
			if !filepath.IsLocal(a.File) || strings.ContainsAny(a.File, `/\`) {
				t.Errorf("the file %q is not beside the manifest", a.File)
			}
			for _, r := range a.Repositories {
				if _, err := ParseRepository(r.String()); err != nil {
					t.Error(err)
				}
			}
		}
		again, found := ParseManifest("manifest.yaml", m.YAML(func(string) []string { return []string{"a\nb"} }))
		if len(Errors(found)) > 0 {
			t.Errorf("written, it is refused: %v", found)
		}
		if len(again.Rulesets) != len(m.Rulesets) || again.Extras != m.Extras || !maps.Equal(again.Apps, m.Apps) {
			t.Errorf("written, %+v is %+v", m, again)
		}
	})
}

// FuzzExtras: no extra without a reason and a mode gets into a ruleset, and no
// reason is sent.
func FuzzExtras(f *testing.F) {
	for _, seed := range []string{`{"o/r":[` + anExtra + `]}`, `{"o/r":{"main-rule":[` + anExtra + `]}}`, `{"o/r":[{}]}`, `{"o/r":{"main-rule":[7]}}`} {
		f.Add([]byte(seed))
	}
	base, err := ParseObject([]byte(plainRuleset))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		extras, found := ParseExtras("e.json", data)
		if len(Errors(found)) > 0 {
			return
		}
		if strictjson.Check(data) != nil {
			t.Fatalf("%q is accepted", data)
		}
		v, _ := extras.Merge(base, Target{"o", "r"})
		for _, a := range v.Member("bypass_actors").Items() {
			if a.Has("reason") || !a.Has("bypass_mode") {
				t.Errorf("sent is %s", a.JSON())
			}
		}
	})
}

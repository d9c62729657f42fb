package wiring

import (
	"strings"
	"testing"
)

func at(repo, file string, with ...func(*Place)) Place {
	p := Place{Repo: repo, File: file, Line: 3}
	for _, w := range with {
		w(&p)
	}
	return p
}

func version(v string) func(*Place) { return func(p *Place) { p.Version = v } }
func note(n string) func(*Place)    { return func(p *Place) { p.Note = n } }
func when(w string) func(*Place)    { return func(p *Place) { p.When = w } }
func via(v string) func(*Place)     { return func(p *Place) { p.Via = v } }

// roots are those of an umbrella with an app below a folder, a site and a
// toolkit.
var roots = Roots{"all": "", "app": "parts/app", "site": "site", "kit": "kit"}

// table is the Markdown of table n without its head.
func table(w *Wiring, n int) string {
	t := w.Tables(roots)[n]
	return strings.TrimPrefix(t.Markdown(), t.Header())
}

func TestTables(t *testing.T) {
	const push = "on a push to `main`"
	for _, tt := range []struct {
		name  string
		table int
		w     Wiring
		want  string
	}{
		{"only_devkit_calls_in_tag_row", 0, Wiring{
			Artifacts: []Artifact{{Name: "acme/kit", Kind: Repository,
				Pinned: []Place{at("all", ".gitmodules", version(strings.Repeat("a", 40)), note("submodule kit")), at("app", "parts/app/.claude/settings.json", version("v2"), note("marketplace kit")),
					at("app", "parts/app/flake.lock", version("v1"), note("input kit"))},
				Read: []Place{at("app", "parts/app/flake.nix", version("v1"), note("flake input")), at("site", "site/flake.nix", version("v0"), note("flake input"))}}},
			Calls: []Call{
				{Target: "acme/kit/.github/workflows/ci.yml", Kind: CallWorkflow, From: []Place{at("site", "site/.github/workflows/a.yml", version("v1")), at("app", "parts/app/.github/workflows/a.yml", version("v1"))}},
				{Target: "acme/kit/actions/setup", Kind: CallAction, From: []Place{at("site", "site/.github/workflows/a.yml", version(strings.Repeat("b", 40)))}},
				{Target: "actions/checkout", Kind: CallAction, From: []Place{at("site", "site/.github/workflows/a.yml", version("v4"))}},
				{Target: "other/lint/.github/workflows/l.yml", Kind: CallWorkflow, From: []Place{at("app", "parts/app/.github/workflows/a.yml", version("v9"))}},
				{Target: "acme/app/.github/workflows/own.yml", Kind: CallWorkflow, From: []Place{at("app", "parts/app/.github/workflows/a.yml")}},
				{Target: "acme/app/.github/workflows/next.yml", Kind: CallRun, From: []Place{at("app", "parts/app/.github/workflows/a.yml", version("main"))}},
			}},
			"| `acme/kit` tag | kit | app `flake.lock` v1, marketplace v2; site `flake.nix` v0 | `actions/setup` bbbbbbb (site); `ci.yml` v1 (app site) |\n" +
				"| `other/lint` tag | — | — | `l.yml` v9 (app) |\n"},
		{"artifacts in the order of their kinds", 0, Wiring{Artifacts: []Artifact{
			{Name: "api-docs", Kind: Branch, Repo: "app", Published: []Place{at("app", "parts/app/.github/workflows/d.yml", when(push), via("docs.yml@v1"))}, Read: []Place{at("all", "get.sh")}},
			{Name: "api-docs", Kind: Branch, Repo: "kit", Published: []Place{at("kit", "kit/.github/workflows/d.yml")}, Read: []Place{at("all", "get.sh")}},
			{Name: "data", Kind: Branch, Repo: "site", Published: []Place{at("app", "parts/app/.github/workflows/d.yml", via("scripts/push.sh:12"))}},
			{Name: "alpine", Kind: Image, Read: []Place{at("app", "parts/app/Dockerfile")}},
			{Name: "ghcr.io/acme/app", Kind: Image, Published: []Place{at("app", "parts/app/.github/workflows/d.yml")}, Pinned: []Place{at("site", "site/app-image")},
				Read: []Place{at("site", "site/s.sh"), at("site", "site/s.sh"), at("app", "parts/app/compose.yml")}},
			{Name: "acme/app", Kind: PullRequest, Files: []string{"a.json", "b.json"}, Published: []Place{at("kit", "kit/.github/workflows/p.yml")}},
			{Name: ".github/all.txt", Kind: PullRequest, Published: []Place{at("kit", "kit/.github/workflows/p.yml", note("into each repository that the file lists"))}},
			{Name: "far/away", Kind: Push, Published: []Place{at("kit", "kit/.github/workflows/p.yml")}},
			{Name: "d-<tag>.zip", Kind: ReleaseAsset, Repo: "app", Published: []Place{at("app", "parts/app/.github/workflows/r.yml", when("on a `v*` tag"))}},
			{Name: "npm:own", Kind: Package, Published: []Place{at("app", "parts/app/own/package.json", note("home"))}, Read: []Place{at("app", "parts/app/package.json")}},
			{Name: "npm:shared", Kind: Package, Published: []Place{at("app", "parts/app/shared/package.json", note("home"))}, Read: []Place{at("site", "site/package.json")}},
			{Name: "handed-on", Kind: RunArtifact, Repo: "app", Published: []Place{at("app", "parts/app/.github/workflows/r.yml")}},
		}},
			"| `ghcr.io/acme/app` image | app `d.yml` | site `app-image` | site `s.sh`, app `compose.yml` |\n" +
				"| `d-<tag>.zip` release asset | app `r.yml` (on a `v*` tag) | — | — |\n" +
				"| `api-docs` branch | app `d.yml` (`docs.yml@v1`, on a push to `main`), kit `d.yml` | — | all `get.sh` |\n" +
				"| `data` branch of site | app `d.yml` (`scripts/push.sh`) | — | — |\n" +
				"| PRs into each repo in `.github/all.txt` | kit `p.yml` | — | — |\n" +
				"| PRs into acme/app: `a.json`, `b.json` | kit `p.yml` | — | app |\n" +
				"| pushes to far/away | kit `p.yml` | — | far/away |\n" +
				"| `npm:shared` package | app `shared/package.json` | — | site `package.json` |\n"},
		{"dispatches", 1, Wiring{Dispatches: []Dispatch{{Type: "built", Sent: []Place{at("app", "parts/app/.github/workflows/d.yml", when(push))}, Heard: []Place{at("site", "site/.github/workflows/s.yml")}}, {Type: "gone", Heard: []Place{at("all", ".github/workflows/s.yml")}}}},
			"| `built` | app `d.yml` (on a push to `main`) | site `s.yml` |\n| `gone` | — | all `s.yml` |\n"},
		{"bumps that start something", 2, Wiring{Bumps: []Bump{{Repo: "app", File: "parts/app/flake.lock", Starts: []Place{at("app", "parts/app/.github/workflows/d.yml")}}, {Repo: "site", File: "site/go.mod", Moved: []Place{at("site", "site/.github/dependabot.yml")}}}},
			"| app `flake.lock` | app `d.yml` |\n"},
		{"deploys", 3, Wiring{Deploys: []Deploy{{Site: "docs.acme.example", Kind: "pages", By: []Place{at("site", "site/.github/workflows/s.yml")}}, {Site: "live", Kind: "environment", By: []Place{at("app", "parts/app/.github/workflows/d.yml")}}}},
			"| app `d.yml` | live (environment) |\n| site `s.yml` | docs.acme.example |\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := table(&tt.w, tt.table); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

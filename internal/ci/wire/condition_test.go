package wire

import (
	"strconv"
	"testing"
)

// What a condition leaves of the triggers is what the place says starts it.
func TestWhenUnderCondition(t *testing.T) {
	for cond, want := range map[string]string{
		"true": "on a `v*` tag or a push to `main`, `next`",
		"github.event_name == 'workflow_dispatch' && inputs.x": "by hand",
		"github.event_name == 'schedule'":                      "on a schedule",
		"github.event_name == 'push' || inputs.x":              "on a `v*` tag or a push to `main`, `next`",
		"github.ref == 'refs/heads/next'":                      "on a push to `next`",
		"${{ startsWith(github.ref, 'refs/tags/v') }}":         "on a `v*` tag",
		"${{ !startsWith(github.ref, 'refs/tags/v') }}":        "on a push to `main`, `next`",
		"github.ref == 'refs/tags/v1'":                         "on a `v*` tag",
		"github.event_name == 'never'":                         "on a `v*` tag or a push to `main`, `next`",
	} {
		on := "on:\n  push:\n    branches: [main, next]\n    tags: ['v*']\n  schedule: [{cron: '0 0 * * *'}]\n  workflow_dispatch:\njobs:\n  a:\n    runs-on: ubuntu-latest\n"
		for where, flow := range map[string]string{
			"job":  on + "    if: " + strconv.Quote(cond) + "\n    steps:\n      - run: docker push acme/app:1\n",
			"step": on + "    steps:\n      - run: docker push acme/app:1\n        if: " + strconv.Quote(cond) + "\n",
		} {
			w := tree{"app/.github/workflows/a.yml": flow}.extract(t, Options{}).w
			if len(w.Artifacts) != 1 || len(w.Artifacts[0].Published) != 1 {
				t.Fatalf("%s %s: %v", where, cond, w.Artifacts)
			}
			if got := w.Artifacts[0].Published[0].When; got != want {
				t.Errorf("%s if %s: %q, want %q", where, cond, got, want)
			}
		}
	}
}

// A push is of what its filters say, of anything where there are none, and
// then of what a condition names.
func TestWhenPushed(t *testing.T) {
	for _, c := range []struct{ on, cond, want string }{
		{"push", "true", "on a push"},
		{"[push, pull_request]", "true", "on a push"},
		{"{push: {branches: [a]}}", "true", "on a push to `a`"},
		{"{push: {branches: [a, b, c, d, e]}}", "true", "on a push to `a`, `b`, `c` or 2 more"},
		{"{push: {tags: ['v*']}}", "true", "on a `v*` tag"},
		{"{push: {tags: ['v*'], branches: main}}", "true", "on a `v*` tag or a push to `main`"},
		{"{push: {branches-ignore: [x]}}", "true", "on a push to a branch"},
		{"{push: {tags-ignore: [x]}}", "true", "on a tag"},
		{"{push: {tags-ignore: [x], branches-ignore: [y]}}", "true", "on a push"},
		{"{push: {paths: [a/**]}}", "true", "on a push touching `a/**`"},
		{"push", "github.ref == 'refs/heads/main'", "on a push to `main`"},
		{"push", "github.ref_name == 'main' && github.actor != 'x'", "on a push to `main`"},
		{"push", "startsWith(github.ref, 'refs/tags/v')", "on a `v*` tag"},
		{"push", "github.ref == 'refs/heads/main' || startsWith(github.ref, 'refs/tags/')", "on a `*` tag or a push to `main`"},
		{"push", "startsWith(github.ref_name, 'v') && github.ref_type == 'tag'", "on a `v*` tag"},
		{"{push: {branches: ['**'], tags: ['v*']}}", "github.event_name != 'pull_request' && (github.ref == 'refs/heads/main' || startsWith(github.ref, 'refs/tags/v'))", "on a `v*` tag or a push to `main`"},
		{"{push: {branches: ['**']}}", "github.actor != 'x'", "on a push to `**`"},
		{"push", "startsWith(github.ref_name, 'v')", "on a `v*` tag or a push to `v*`"},
		{"push", "github.ref != 'refs/heads/main'", "on a push"},
		{"push", "github.ref == 'refs/heads/main' || inputs.x", "on a push"},
	} {
		w := tree{"app/.github/workflows/a.yml": "on: " + c.on + "\njobs:\n  a:\n    runs-on: x\n    if: " + strconv.Quote(c.cond) + "\n    steps:\n      - run: docker push acme/app:1\n"}.extract(t, Options{}).w
		if len(w.Artifacts) != 1 || len(w.Artifacts[0].Published) != 1 {
			t.Fatalf("%v: %v", c, w.Artifacts)
		}
		if got := w.Artifacts[0].Published[0].When; got != c.want {
			t.Errorf("on %s if %s: %q, want %q", c.on, c.cond, got, c.want)
		}
	}
}

// A job that needs another is started by what starts that one, unless its
// condition says that it runs whatever became of it.
func TestWhenNeeded(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"github.event_name == 'pull_request'", "true", ""},
		{"github.event_name == 'pull_request'", "always()", "on a push"},
		{"github.event_name == 'pull_request'", "!cancelled() && github.event_name == 'push'", "on a push"},
		{"github.ref == 'refs/heads/main'", "true", "on a push to `main`"},
		{"startsWith(github.ref, 'refs/tags/v')", "github.ref == 'refs/heads/main'", ""}, // by no push
		{"true", "github.ref == 'refs/heads/main'", "on a push to `main`"},
	} {
		flow := "on: [push, pull_request]\njobs:\n  first:\n    if: " + strconv.Quote(c.first) + "\n    steps: [{run: make}]\n  second:\n    needs: [first]\n    if: " + strconv.Quote(c.second) + "\n    steps:\n      - run: docker push acme/app:1\n"
		w := tree{"app/.github/workflows/a.yml": flow}.extract(t, Options{}).w
		if len(w.Artifacts) != 1 || len(w.Artifacts[0].Published) != 1 {
			t.Fatalf("%v: %v", c, w.Artifacts)
		}
		if got := w.Artifacts[0].Published[0].When; got != c.want {
			t.Errorf("after %s, if %s: %q, want %q", c.first, c.second, got, c.want)
		}
	}
}

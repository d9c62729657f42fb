package wire

import (
	"strconv"
	"testing"
)

// What a condition leaves of the triggers is what the place says starts it.
func TestWhenUnderCondition(t *testing.T) {
	for cond, want := range map[string]string{
		"true": "on a `v*` tag",
		"github.event_name == 'workflow_dispatch' && inputs.x": "by hand",
		"github.event_name == 'schedule'":                      "on a schedule",
		"github.event_name == 'push' || inputs.x":              "on a `v*` tag",
		"github.ref == 'refs/heads/next'":                      "on a push to `next`",
		"${{ startsWith(github.ref, 'refs/tags/v') }}":         "on a `v*` tag",
		"${{ !startsWith(github.ref, 'refs/tags/v') }}":        "on a push to `main`",
		"github.ref == 'refs/tags/v1'":                         "on a `v*` tag",
		"github.event_name == 'never'":                         "on a `v*` tag",
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

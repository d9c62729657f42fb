package wire

import (
	"testing"
	"testing/fstest"
)

func TestCalleesFromOutside(t *testing.T) {
	call := func(uses ...string) tree {
		steps := ""
		for _, u := range uses {
			steps += "      - uses: " + u + "\n"
		}
		return tree{
			"app/.github/workflows/a.yml": workflowText("", steps),
			"app/here/action.yml":         composite("here"),
		}
	}

	t.Run("a workflow calls another of its own repository and ref", func(t *testing.T) {
		files := tree{"app/.github/workflows/a.yml": "on: push\njobs:\n  far: {uses: far/away/.github/workflows/f.yml@v1}\n  last: {runs-on: x, steps: [{run: docker push ghcr.io/acme/last}]}\n"}
		given := fstest.MapFS{
			"far/away/v1/.github/workflows/f.yml": {Data: []byte("on: workflow_call\njobs:\n  next: {uses: ./.github/workflows/g.yml}\n")},
			"far/away/v1/.github/workflows/g.yml": {Data: []byte("on: workflow_call\njobs:\n  push: {runs-on: x, steps: [{run: docker push ghcr.io/acme/next}]}\n")},
		}
		files.extract(t, Options{Callees: given}).wants(t, "image|unresolved",
			"image ghcr.io/acme/last published app/.github/workflows/a.yml:4 when=on a push",
			"image ghcr.io/acme/next published app/.github/workflows/a.yml:3 via=f.yml@v1 when=on a push")
	})

	t.Run("a step of one uses an action of the caller", func(t *testing.T) {
		given := fstest.MapFS{"far/away/v1/action.yml": {Data: []byte("runs: {using: composite, steps: [{uses: ./here}]}\n")}}
		call("far/away@v1").extract(t, Options{Callees: given}).wants(t, "image|unresolved",
			"image ghcr.io/acme/here published app/.github/workflows/a.yml:6 via=away@v1 when=on a push")
	})

	t.Run("a ref does not lead to another", func(t *testing.T) {
		given := fstest.MapFS{"far/other/v1/action.yml": {Data: []byte(composite("other"))}}
		call("far/away@../other/v1").extract(t, Options{Callees: given}).wants(t, "image ghcr.io/acme/other")
	})
}

func composite(image string) string {
	return "runs: {using: composite, steps: [{shell: bash, run: docker push ghcr.io/acme/" + image + "}]}\n"
}

func TestUsesOutOfTheRepository(t *testing.T) {
	const why = ": it is no owner/repo@ref, ./path in the repository or docker://image: at "
	tree{"app/.github/workflows/a.yml": workflowText("", "      - uses: ./../lib/act\n      - uses: far/away/../../x@v1\n")}.
		extract(t, Options{}).wants(t, "call|unresolved",
		"unresolved action ./../lib/act"+why+"app/.github/workflows/a.yml:6",
		"unresolved action far/away/../../x@v1"+why+"app/.github/workflows/a.yml:7")
}

func TestTriggersWithoutAName(t *testing.T) {
	tree{
		"app/.github/workflows/a.yml": "on: push\njobs: {}\n",
		"app/.github/workflows/b.yml": "on:\n  workflow_run:\n    workflows: [~, '']\n",
		"app/.github/workflows/c.yml": "on: [push, ~]\njobs: {}\n",
	}.extract(t, Options{}).wants(t, "call|trigger",
		"trigger push starts app/.github/workflows/a.yml:1",
		"trigger push starts app/.github/workflows/c.yml:1",
		"trigger workflow_run workflows: starts app/.github/workflows/b.yml:2")
}

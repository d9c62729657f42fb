package answer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// wired is an engine over a bundle with this wiring.
func wired(t *testing.T, wires wiring.Wiring) *Engine {
	t.Helper()
	data, err := bundle.Encode(wires)
	if err != nil {
		t.Fatal(err)
	}
	w := world{extra: map[string][]byte{bundle.WiringName: data}}
	return w.engine(t)
}

func TestWiring(t *testing.T) {
	e := wired(t, wiring.Wiring{Schema: 1, Artifacts: []wiring.Artifact{{Name: "ghcr.io/marola-dev/marola-app", Kind: "image",
		Published: []wiring.Place{{Repo: "marola-app", File: "marola-app/.github/workflows/docker.yml", Line: 40, Note: "on every tag"}},
		Pinned:    []wiring.Place{{Repo: "marola-site", File: "marola-site/marola-image", Version: "e77c298aa0123456789012345678901234567890"}},
		Read:      []wiring.Place{{Repo: "marola-site", File: "marola-site/scripts/board-schema.sh", Line: 12}}}}})
	t.Run("wiring_rows_match_term", func(t *testing.T) {
		rows, err := e.Wiring("marola-image")
		if err != nil || len(rows) != 1 {
			t.Fatalf("got %+v, %v", rows, err)
		}
		want := `first line
ghcr.io/marola-dev/marola-app (image)  published by marola-app/.github/workflows/docker.yml:40 (on every tag) · pinned in marola-site/marola-image (e77c298) · read by marola-site/scripts/board-schema.sh:12
`
		if got := RenderWiring("first line", "marola-image", rows, 400); got != want {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("no row", func(t *testing.T) {
		rows, err := e.Wiring("zebra")
		if err != nil || rows == nil || len(rows) != 0 {
			t.Fatalf("got %+v, %v", rows, err)
		}
		if got := RenderWiring("first line", "zebra", rows, 400); got != "first line\nno wiring names \"zebra\"; git grep finds what no workflow, script or pin says\n" {
			t.Errorf("got\n%s", got)
		}
		if data, err := json.Marshal(rows); err != nil || string(data) != "[]" {
			t.Errorf("as JSON %s, %v", data, err)
		}
	})
	t.Run("a bundle without wiring", func(t *testing.T) {
		rows, err := (&world{}).engine(t).Wiring("zebra")
		if err != nil || rows == nil || len(rows) != 0 {
			t.Errorf("got %+v, %v", rows, err)
		}
	})
	t.Run("wiring of a wrong type", func(t *testing.T) {
		w := world{extra: map[string][]byte{bundle.WiringName: []byte(`{"artifacts":{}}`)}}
		_, err := w.engine(t).Wiring("zebra")
		if err == nil || !strings.Contains(err.Error(), "wiring.json: line 1, column ") {
			t.Errorf("got %v", err)
		}
	})
}

// TestWiringOfAThousandFiles: a name that everything reads still fits a
// budget.
func TestWiringOfAThousandFiles(t *testing.T) {
	a := wiring.Artifact{Name: "base-image", Kind: "image"}
	for i := range 1000 {
		a.Read = append(a.Read, wiring.Place{Repo: "app", File: fmt.Sprintf("app/service%d/Dockerfile", i), Line: 1})
	}
	rows, err := wired(t, wiring.Wiring{Artifacts: []wiring.Artifact{a}}).Wiring("base-image")
	if err != nil || len(rows) != 1 || len(rows[0].Groups[0].Places) != 1000 {
		t.Fatalf("got %d rows, %v", len(rows), err)
	}
	got := RenderWiring("first line", "base-image", rows, 400)
	if !strings.HasPrefix(got, "first line\nbase-image (image)  read by app/service0/Dockerfile:1, ") || !strings.HasSuffix(got, ", and 980 more\n") {
		t.Errorf("got\n%s", got)
	}
}

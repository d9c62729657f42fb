package answer

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func TestWiringHint(t *testing.T) {
	place := func(file string, line int) []wiring.Place {
		return []wiring.Place{{Repo: "app", File: file, Line: line}}
	}
	e := wired(t, wiring.Wiring{Schema: 1,
		Artifacts: []wiring.Artifact{
			{Name: "ghcr.io/acme/app", Kind: wiring.Image, Pinned: place("site/app-image", 1)},
			{Name: "guide-<tag>.tar.gz", Kind: wiring.ReleaseAsset, Repo: "corpus", Pinned: place("app/guide.version", 2)},
			{Name: "one", Kind: wiring.Image, Pinned: place("deploy/values.yaml", 3)},
			{Name: "two", Kind: wiring.Image, Pinned: place("deploy/values.yaml", 4)},
			{Name: "dist", Kind: wiring.RunArtifact, Repo: "app", Published: place("a.yml", 1)},
			{Name: "odd name\x1b", Kind: wiring.Branch, Repo: "app", Published: place("a.yml", 1)},
		},
		Dispatches: []wiring.Dispatch{{Type: "guide-updated", Sent: place("a.yml", 1)}},
		Triggers:   []wiring.Trigger{{Event: "push", Starts: place("a.yml", 1)}},
		Unresolved: []wiring.Unresolved{{Kind: "file", Name: "gone.sh", Why: "gone", At: place("a.yml", 1)}},
	})
	const app = "WIRING ghcr.io/acme/app (image)  route wiring "
	for _, tt := range []struct{ question, want string }{
		{"ghcr.io/acme/app", app + "ghcr.io/acme/app"},
		{"app", app + "app"},
		{"App", app + "App"},
		{"where is the app", ""},
		{"which script reads app-image?", app + "app-image"},
		{"app_image", ""},
		{"guide", "WIRING guide-<tag>.tar.gz (release asset)  route wiring guide"},
		{"who reads `guide.version`", "WIRING guide-<tag>.tar.gz (release asset)  route wiring guide.version"},
		{"guide-updated", "WIRING guide-updated (dispatch)  route wiring guide-updated"},
		{"values.yaml", ""},
		{"dist", ""},
		{"push", ""},
		{"gone.sh", ""},
		{"nothing-of-the-kind", ""},
		{"", ""},
		{"- . /", ""},
	} {
		got, err := e.WiringHint(tt.question)
		if err != nil || got != tt.want {
			t.Errorf("%q: got %q, %v, want %q", tt.question, got, err, tt.want)
		}
	}
	if got, err := (&world{}).engine(t).WiringHint("app"); got != "" || err != nil {
		t.Errorf("a bundle without wiring: %q, %v", got, err)
	}
}

func TestWiringTables(t *testing.T) {
	long := strings.Repeat("two", 30)
	e := wired(t, wiring.Wiring{Schema: 1,
		Artifacts:  []wiring.Artifact{{Name: "ghcr.io/acme/app", Kind: wiring.Image, Published: []wiring.Place{{Repo: "app", File: "app/.github/workflows/a.yml", Line: 3}}}},
		Dispatches: []wiring.Dispatch{{Type: "one"}, {Type: long}},
	})
	tables, err := e.WiringTables()
	if err != nil {
		t.Fatal(err)
	}
	const want = "first\n\n| Artifact | Published by | Pinned in | Read by |\n|---|---|---|---|\n| `ghcr.io/acme/app` image | app `a.yml` | — | — |\n" +
		"\n| Dispatch | Sent by | Triggers |\n|---|---|---|\n| `one` | — | — |\n"
	if got := RenderTables("first", tables, 400); got != want+"| `"+long+"` | — | — |\n" {
		t.Errorf("got\n%s", got)
	}
	if got := RenderTables("first", tables, 84); got != want+"left out: 1 row; --budget 168 shows more\n" {
		t.Errorf("got\n%s", got)
	}
	for budget := range 100 {
		if got := RenderTables("first", tables, budget); len(got) > 3*budget {
			t.Errorf("budget %d: %d bytes", budget, len(got))
		}
	}
	none, err := (&world{}).engine(t).WiringTables()
	if got := RenderTables("first", none, 400); err != nil || got != "first\nnothing is wired together here that a workflow, a script or a pin tells\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

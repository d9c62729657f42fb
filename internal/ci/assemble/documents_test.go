package assemble

import (
	"maps"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/decisions"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// documented is the shop with documents that tell of it.
func documented() map[string]map[string]string {
	repos := map[string]map[string]string{}
	for path, files := range shop {
		repos[path] = maps.Clone(files)
	}
	repos[""]["README.md"] = "# Shop\n\nThe [cart](web/src/cart.ts) asks `till.Total()`.\n"
	repos[""]["docs/adr/0001-cents.md"] = "# Cents\n\nStatus: accepted\n\n## Decision\n\nPrices are whole numbers of cents.\n"
	repos["libs/lib"]["README.md"] = "# Till\n\n`Till.Add` is in `till/price.go`.\n"
	repos["libs/lib"]["vendor/x/README.md"] = "`Till.Add`\n"
	return repos
}

func TestDocuments(t *testing.T) {
	w := gittest.New(t)
	dir := checkout(w, origins(w, documented()), "shop", documented())
	res := build(t, w, dir, Options{})
	same(t, "joined", joined(t, parts(t, w, dir)), res)

	var links doccode.DocCode
	if err := strictjson.Decode(res.contents()[bundle.DocCodeName], &links); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range links.Docs {
		for _, p := range d.Passages {
			for _, l := range p.Links {
				got[d.File+" "+l.Text] = links.Nodes[l.To[0]].String()
			}
		}
	}
	want := map[string]string{"README.md web/src/cart.ts": "web/src/cart.ts", "README.md till.Total()": "libs/lib/till/price.go#Total",
		"libs/lib/README.md Till.Add": "libs/lib/till/price.go#Till.Add", "libs/lib/README.md till/price.go": "libs/lib/till/price.go"}
	if !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}

	var why decisions.Decisions
	if err := strictjson.Decode(res.contents()[bundle.WhyName], &why); err != nil {
		t.Fatal(err)
	}
	if len(why.Rows) != 1 || why.Rows[0].File != "docs/adr/0001-cents.md" || why.Rows[0].Line != 7 || why.Rows[0].Status != "accepted" {
		t.Errorf("got %+v", why.Rows)
	}
}

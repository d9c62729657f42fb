package source_test

import (
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/source"
)

func TestForget(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	o := options(p.World, p.clone)
	if f, err := source.Forget(t.Context(), o); err != nil || len(f.Refs) != 0 {
		t.Errorf("with nothing there: %+v, %v", f, err)
	}
	text := make([]byte, 50_000)
	for i, x := 0, uint32(1); i < len(text); i++ { // does not compress
		x = x*1664525 + 1013904223
		text[i] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"[x>>26]
	}
	p.publish("words/00.json", `"`+string(text)+`"`)
	fetch := func() {
		if _, err := source.Fetch(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	fetch()
	p.Git(p.clone, "update-ref", "refs/marola/mine", "HEAD")
	f, err := source.Forget(t.Context(), o)
	if err != nil || len(f.Refs) != 1 || f.Refs[0] != source.PrivateRef || f.Shared != "" || f.Built != "main@"+p.Head(p.clone)[:7] {
		t.Errorf("got %+v, %v", f, err)
	}
	if f.Bytes < 30_000 || f.Bytes > 60_000 {
		t.Errorf("it held %d bytes", f.Bytes)
	}
	if got := p.Git(p.clone, "for-each-ref", "--format=%(refname)", "refs/marola"); got != "refs/marola/mine" {
		t.Errorf("refs are %q", got)
	}
	fetch()
	p.Git(p.clone, "fetch", "-q", "origin")
	if f, err := source.Forget(t.Context(), o); err != nil || f.Shared != "refs/remotes/origin/routing-bundle" || f.Bytes != 0 {
		t.Errorf("with the remote's branch here: %+v, %v", f, err)
	}
}

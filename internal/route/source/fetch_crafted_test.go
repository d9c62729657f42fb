package source_test

import (
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// rawTree stores a tree as no git writes it: every name as it is, in the
// order given.
func (p *pair) rawTree(dir string, entries ...gittest.Entry) string {
	p.T.Helper()
	var raw strings.Builder
	for _, e := range entries {
		hash, err := hex.DecodeString(e.Hash)
		if err != nil {
			p.T.Fatal(err)
		}
		raw.WriteString(strings.TrimPrefix(e.Mode, "0") + " " + e.Name + "\x00" + string(hash))
	}
	return p.Pipe(dir, raw.String(), "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
}

// TestFetchTakesNoCraftedObjects: a tree that some git would check out over
// its own files does not even get into the object store.
func TestFetchTakesNoCraftedObjects(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	good := p.publish("words/00.json", "{}")
	files := p.Files(bundle.Build{Repo: "marola", Branch: "main", Head: p.Head(p.clone)})
	whole := p.Entries(p.bare, files)
	blob := p.Blob(p.bare, []byte("x"))
	tree := p.Tree(p.bare, gittest.Entry{Mode: "100644", Type: "blob", Hash: blob, Name: "config"})
	swapped := append([]gittest.Entry{}, whole...)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	for _, way := range []struct {
		name, url string
		set       string
	}{{"file", "file://" + filepath.ToSlash(p.bare), ""}, {"http", serve(t, p, true), ""}, {"a configuration that looks away", p.bare, "false"}} {
		o := options(p.World, p.clone)
		o.Umbrella = way.url
		if way.set != "" {
			p.Git(p.clone, "config", "fetch.fsckObjects", way.set)
			p.Git(p.clone, "config", "transfer.fsckObjects", way.set)
		}
		p.Git(p.bare, "update-ref", "refs/heads/routing-bundle", good)
		p.fetched(t, o, good)
		for name, entries := range map[string][]gittest.Entry{
			".git":     append([]gittest.Entry{{Mode: "40000", Hash: tree, Name: ".git"}}, whole...),
			"..":       append([]gittest.Entry{{Mode: "40000", Hash: tree, Name: ".."}}, whole...),
			"a path":   append([]gittest.Entry{{Mode: "100644", Hash: blob, Name: "../x"}}, whole...),
			"unsorted": swapped,
			"twice":    append([]gittest.Entry{whole[0]}, whole...),
		} {
			t.Run(way.name+" "+name, func(t *testing.T) {
				crafted := p.rawTree(p.bare, entries...)
				commit := p.CommitTree(p.bare, "refs/heads/routing-bundle", crafted)
				_, err := source.Fetch(t.Context(), o)
				refused := (*bundle.Refused)(nil)
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), "git found an object in it that no git writes, and kept nothing (") || !strings.Contains(refused.Hint(), "what was here before is kept") {
					t.Errorf("got %v", err)
				}
				for _, object := range []string{crafted, commit} {
					if _, err := gittest.Run(p.Env, p.clone, "", "cat-file", "-e", object); err == nil {
						t.Errorf("%s is in the object store", object)
					}
				}
				if got := p.ref(p.clone); got != good {
					t.Errorf("%s is at %s", source.PrivateRef, got)
				}
			})
		}
	}
}

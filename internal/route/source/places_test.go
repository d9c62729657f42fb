package source_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// notes are what the status says about the places, by their numbers.
func notes(t testing.TB, o source.Options) map[int]string {
	t.Helper()
	st, err := source.Inspect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	by := map[int]string{}
	for _, p := range st.Places {
		by[p.Number] = p.Note
	}
	return by
}

func TestStatusSaysWhatIsNewer(t *testing.T) {
	t.Parallel()
	const takes = "; newer than what answers; route fetch takes it"
	p := newPair(t)
	o := options(p.World, p.clone)
	at := func(time string) bundle.Build {
		b := mainBuild(p.World, p.clone)
		b.CommitTime = time
		return b
	}
	const before, then, after = "2026-10-20T07:00:00Z", "2026-10-20T08:00:00Z", "2026-10-20T09:00:00Z"
	p.Commit(p.clone, source.PrivateRef, p.Files(at(then)))
	for _, c := range []struct {
		name, time string
		newer      bool
	}{{"later", after, true}, {"the same commit", then, false}, {"earlier", before, false}} {
		t.Run("a remote branch, "+c.name, func(t *testing.T) {
			p.Commit(p.clone, "refs/remotes/origin/routing-bundle", p.Files(at(c.time), "words/00.json", "{}"))
			if got := notes(t, o)[3]; strings.HasSuffix(got, takes) != c.newer || !c.newer && strings.Contains(got, "newer") {
				t.Errorf("got %q", got)
			}
		})
	}
	local := func(repo, time string) bundle.Build {
		b := at(time)
		b.Repo, b.Head = repo, strings.Repeat("ab", 20)
		return b
	}
	other := "of another commit: it was built from abababa, this checkout is at " + p.Head(p.clone)[:7]
	for _, c := range []struct {
		name, want string
		build      bundle.Build
	}{
		{"later", other + "; newer than what answers", local("marola", after)},
		{"earlier", other, local("marola", before)},
		{"of another repository", other, local("else", after)},
	} {
		t.Run("a local graph, "+c.name, func(t *testing.T) {
			p.Write(source.LocalDir(p.Env, p.clone), p.Files(c.build))
			if got := notes(t, o)[1]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("nothing is newer than a local graph that answers", func(t *testing.T) {
		p.Write(source.LocalDir(p.Env, p.clone), p.Files(at(before)))
		if got := notes(t, o); strings.Contains(got[1]+got[2]+got[3], "newer") {
			t.Errorf("got %v", got)
		}
	})
}

func TestStaleLocalGraph(t *testing.T) {
	t.Parallel()
	w := gittest.New(t)
	w.Repo("app")
	umbrella := w.Repo("marola")
	w.Git(umbrella, "submodule", "-q", "add", "../app", "apps/app")
	w.Git(umbrella, "commit", "-q", "-m", "with app")
	inner := filepath.Join(umbrella, "apps", "app")
	none := func(dir, want string) {
		t.Helper()
		_, err := open(t, options(w, dir))
		if got := source.NoneLine(err); !errors.Is(err, source.ErrNone) || got != "no routing bundle; use git grep"+want {
			t.Errorf("got %v: %q, want %q", err, got, want)
		}
	}
	none(umbrella, "")
	none(inner, "")
	b := mainBuild(w, umbrella)
	b.Submodules = []bundle.Submodule{{Name: "app", Path: "apps/app", Head: strings.Repeat("ab", 20)}}
	w.Write(source.LocalDir(w.Env, umbrella), w.Files(b))
	none(umbrella, " (the local graph has another commit of a submodule; bundle-publish build --local renews it)")
	none(inner, " (the umbrella's local graph has another commit of a submodule; bundle-publish build --local there renews it)")
	was := w.Head(umbrella)[:7]
	w.Git(umbrella, "commit", "-q", "--allow-empty", "-m", "on")
	none(inner, " (the umbrella's local graph is of "+was+", the umbrella is at "+w.Head(umbrella)[:7]+"; bundle-publish build --local there renews it)")
	w.Git(umbrella, "checkout", "-q", "--orphan", "new")
	none(umbrella, "")
}

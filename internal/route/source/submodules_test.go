package source_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

func TestSubmodules(t *testing.T) {
	w := gittest.New(t)
	w.Repo("app")
	umbrella := w.Repo("marola")
	w.Git(umbrella, "submodule", "-q", "add", "../app", "apps/app é")
	w.Git(umbrella, "commit", "-q", "-m", "with app")
	inner := filepath.Join(umbrella, "apps/app é")
	cache := filepath.Join(source.CacheDir(w.Env), "marola-graph", "marola") // where others write
	o := options(w, umbrella)
	wins := func(t *testing.T, want bool) {
		t.Helper()
		got := line(t, o)
		if strings.Contains(got, "(local graph)") != want {
			t.Errorf("got %q", got)
		}
	}
	two := func(status string) {
		if err := os.RemoveAll(cache); err != nil {
			t.Fatal(err)
		}
		w.Write(cache, map[string][]byte{
			"graph.json": []byte(`{"nodes":[],"links":[]}`),
			"build.json": w.Encode(map[string]string{"head": w.Head(umbrella), "submodules": status}),
		})
	}
	raw := func() string {
		out, err := gittest.Run(w.Env, umbrella, "", "submodule", "status")
		if err != nil {
			t.Fatal(err)
		}
		return out // trimmed, as some writers store it
	}
	t.Run("local_graph_wins_when_head_matches two keys", func(t *testing.T) {
		two(raw())
		wins(t, true)
		two(" " + w.Head(inner) + " apps/app é (heads/other-text)\n")
		wins(t, true)
		two("")
		wins(t, false)
		two(strings.Replace(raw(), w.Head(inner), strings.Repeat("0", 40), 1))
		wins(t, false)
	})
	t.Run("G13 one stray gitlink", func(t *testing.T) {
		two(raw())
		w.Git(umbrella, "update-index", "--add", "--cacheinfo", "160000,"+w.Head(inner)+",stray")
		wins(t, true)
		w.Git(umbrella, "update-index", "--force-remove", "stray")
	})
	t.Run("local_graph_wins_when_head_matches in full", func(t *testing.T) {
		b := mainBuild(w, umbrella)
		b.Submodules = []bundle.Submodule{{Name: "app é", Path: "apps/app é", Head: w.Head(inner)}}
		w.Write(cache, w.Files(b))
		wins(t, true)
		w.Git(inner, "commit", "-q", "--allow-empty", "-m", "on")
		wins(t, false)
	})
	t.Run("a submodule that moved counts in two keys", func(t *testing.T) {
		two(" " + w.Git(inner, "rev-parse", "HEAD~1") + " apps/app é")
		wins(t, false)
		two(raw()) // with a plus
		wins(t, true)
	})
	t.Run("from the submodule's own git directory", func(t *testing.T) {
		if got := line(t, options(w, inner)); !strings.HasSuffix(got, "(local graph)") {
			t.Errorf("the umbrella's local graph of two keys: got %q", got)
		}
		if err := os.RemoveAll(cache); err != nil {
			t.Fatal(err)
		}
		if _, err := open(t, options(w, inner)); !errors.Is(err, source.ErrNone) {
			t.Fatalf("got %v", err)
		}
		places := func(answers int, notes ...string) {
			t.Helper()
			st, err := source.Inspect(t.Context(), options(w, inner))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range st.Lines() {
				if strings.HasPrefix(line, "place ") {
					got = append(got, line)
				}
			}
			for _, p := range st.Places {
				if p.Answers != (p.Number == answers) {
					t.Errorf("place %d: answers is %v", p.Number, p.Answers)
				}
			}
			if text := strings.Join(got, "\n"); len(got) != 5 || len(notes) > 0 && !strings.Contains(text, strings.Join(notes, "\n")) {
				t.Errorf("got\n%s", text)
			}
		}
		places(0)
		b := mainBuild(w, umbrella)
		b.Submodules = []bundle.Submodule{{Name: "app", Path: "apps/app é", Head: w.Head(inner)}}
		w.Write(source.LocalDir(w.Env, umbrella), w.Files(b))
		if got, want := line(t, options(w, inner)), "answers from main@"+w.Head(umbrella)[:7]+" (local graph)"; got != want {
			t.Errorf("the umbrella's local graph: got %q, want %q", got, want)
		}
		places(4, "place 4: the umbrella's local graph "+filepath.ToSlash(source.LocalDir(w.Env, umbrella))+": it matches the umbrella around this checkout (answers)",
			"place 5: the umbrella's bundle refs/marola/routing-bundle: there is none")
		if err := os.RemoveAll(source.LocalDir(w.Env, umbrella)); err != nil {
			t.Fatal(err)
		}
		b.Submodules = []bundle.Submodule{{Name: "app", Path: "apps/app é", Head: w.Git(inner, "rev-parse", "HEAD~1")}}
		w.Commit(umbrella, source.PrivateRef, w.Files(b))
		want := "(bundle, 2 h old); it has app@" + b.Submodules[0].Head[:7] + ", this checkout is at " + w.Head(inner)[:7]
		if got := line(t, options(w, inner)); !strings.HasSuffix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		places(5)
	})
}

package source_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

func TestCheckout(t *testing.T) {
	w := gittest.New(t)
	app := w.Repo("marola-app")
	head := w.Head(app)
	old := strings.Repeat("ab", 20)
	type build = bundle.Build
	sub := func(name, url, head string) bundle.Build {
		return build{Repo: "marola", Branch: "main", Head: old, Submodules: []bundle.Submodule{{Name: name, Path: "apps/" + name, URL: url, Head: head}}}
	}
	const here = "; it has marola-app@abababa, this checkout is at "
	rooted := func(name string) string {
		return "; paths start at the workspace's root, this checkout is apps/" + name + "/"
	}
	for _, c := range []struct {
		name     string
		origin   string
		build    bundle.Build
		relation source.Relation
		end      string
	}{
		{"a submodule by its commit", "", sub("other", "", head), source.Same, "2 h old)" + rooted("other")},
		{"a submodule by its address", "ssh://git@example.org/acme/app.git", sub("marola-app", "https://example.org/acme/app", old), source.MovedOn, here + head[:7] + rooted("marola-app")},
		{"a submodule by the name in its address", "https://example.org/x/marola-app", sub("marola-app", "", old), source.MovedOn, here + head[:7] + rooted("marola-app")},
		{"a submodule by its directory", "", sub("marola-app", "", old), source.MovedOn, here + head[:7] + rooted("marola-app")},
		{"a repository that it does not know", "", sub("else", "", old), source.Unknown, "2 h old)"},
		{"the umbrella itself", "", build{Repo: "marola-app", Head: old}, source.MovedOn, "; this checkout is at " + head[:7]},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.origin != "" {
				w.Git(app, "remote", "add", "origin", c.origin)
				defer w.Git(app, "remote", "remove", "origin")
			}
			w.Commit(app, source.PrivateRef, w.Files(c.build))
			s, err := open(t, options(w, app))
			if err != nil {
				t.Fatal(err)
			}
			if s.Checkout.Relation != c.relation || !strings.HasSuffix(s.Line(source.Now(w.Env)), c.end) {
				t.Errorf("got %+v, %q", s.Checkout, s.Line(source.Now(w.Env)))
			}
		})
	}
	t.Run("the folder of a submodule in JSON", func(t *testing.T) {
		w.Commit(app, source.PrivateRef, w.Files(sub("marola-app", "", head)))
		s, err := open(t, options(w, app))
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(s.Info(source.Now(w.Env)))
		if err != nil || !strings.Contains(string(data), `"prefix":"apps/marola-app/"}`) {
			t.Errorf("got %s, %v", data, err)
		}
	})
	t.Run("a submodule with a git directory of its own in the workspace", func(t *testing.T) {
		umbrella := w.Repo("around")
		w.Write(umbrella, map[string][]byte{".gitmodules": []byte("[submodule \"a\"]\n\tpath = apps/app\n")})
		inner := filepath.Join(umbrella, "apps", "app")
		w.Git(w.Home, "clone", "-q", app, inner)
		w.Commit(inner, source.PrivateRef, w.Files(sub("marola-app", "", head)))
		if got := line(t, options(w, inner)); !strings.HasSuffix(got, "2 h old)") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("a repository that has the commit", func(t *testing.T) {
		w.Commit(app, source.PrivateRef, w.Files(build{Repo: "else", Head: head}))
		w.Git(app, "commit", "-q", "--allow-empty", "-m", "second")
		if got, want := line(t, options(w, app)), "; this checkout is at "+w.Head(app)[:7]; !strings.HasSuffix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("a recorded commit that is something else", func(t *testing.T) {
		w.Commit(app, source.PrivateRef, w.Files(build{Repo: "else", Head: w.Blob(app, []byte("x"))}))
		if s, err := open(t, options(w, app)); err != nil || s.Checkout.Relation != source.Unknown {
			t.Errorf("got %+v, %v", s, err)
		}
	})
	t.Run("G22 unborn", func(t *testing.T) {
		w.Git(app, "checkout", "-q", "--orphan", "new")
		s, err := open(t, options(w, app))
		if err != nil || s.Checkout.Relation != source.Unknown || s.Checkout.Head != "" {
			t.Errorf("got %+v, %v", s, err)
		}
	})
}

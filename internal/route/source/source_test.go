package source_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

func options(w *gittest.World, dir string) source.Options {
	return source.Options{Dir: dir, Env: w.Env}
}

// open opens the source and closes it with the test.
func open(t testing.TB, o source.Options) (*source.Source, error) {
	s, err := source.Open(t.Context(), o)
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, err
}

// line is the first line of an answer, or the error.
func line(t testing.TB, o source.Options) string {
	s, err := open(t, o)
	if err != nil {
		return err.Error()
	}
	return s.Line(source.Now(o.Env))
}

func mainBuild(w *gittest.World, dir string) bundle.Build {
	return bundle.Build{Repo: "marola", Branch: "main", Head: w.Head(dir), URL: "https://example.org/acme/marola.git"}
}

func TestOrder(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("marola")
	head := w.Head(dir)
	w.Git(dir, "remote", "add", "fork", "https://example.org/me/marola.git")
	w.Git(dir, "remote", "add", "up", "git@Example.org:acme/marola")
	o := options(w, dir)
	o.Umbrella = "https://example.org/acme/marola.git/"

	if _, err := open(t, o); !errors.Is(err, source.ErrNone) {
		t.Fatalf("with nothing there: %v", err)
	}
	t.Run("the branch of a remote that is not the umbrella", func(t *testing.T) {
		w.Commit(dir, "refs/remotes/fork/routing-bundle", w.Files(mainBuild(w, dir)))
		if _, err := open(t, o); !errors.Is(err, source.ErrNone) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the umbrella's branch", func(t *testing.T) {
		w.Commit(dir, "refs/remotes/up/routing-bundle", w.Files(mainBuild(w, dir)))
		if got, want := line(t, o), "answers from main@"+head[:7]+" (up/routing-bundle, 2 h old)"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("the private ref, in one process", func(t *testing.T) {
		w.Commit(dir, source.PrivateRef, w.Files(mainBuild(w, dir)))
		counted := *w
		log := counted.CountingGit()
		o := o
		o.Env = counted.Env
		if got, want := line(t, o), "answers from main@"+head[:7]+" (bundle, 2 h old)"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if lines := gittest.Lines(log); len(lines) != 1 {
			t.Errorf("git was started as %q", lines)
		}
	})
	t.Run("local_graph_wins_when_head_matches", func(t *testing.T) {
		cache := source.LocalDir(w.Env, dir)
		w.Write(cache, w.Files(mainBuild(w, dir)))
		if got, want := line(t, o), "answers from main@"+head[:7]+" (local graph)"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		t.Run("not when it is damaged", func(t *testing.T) {
			w.Write(cache, map[string][]byte{bundle.ManifestName: []byte("{")})
			if got := line(t, o); !strings.Contains(got, "(bundle, ") {
				t.Errorf("got %q", got)
			}
			w.Write(cache, w.Files(mainBuild(w, dir)))
		})
		for _, gone := range [][]string{{"manifest.json"}, {"manifest.json", "words", "nodes"}, {"manifest.json", "build.json"}} {
			t.Run("not when a build was cut short, without "+strings.Join(gone, " and "), func(t *testing.T) {
				w.Write(cache, map[string][]byte{"graph.json": []byte(`{"nodes":[],"links":[]}`)})
				for _, name := range gone {
					if err := os.RemoveAll(filepath.Join(cache, name)); err != nil {
						t.Fatal(err)
					}
				}
				if got := line(t, o); !strings.Contains(got, "(bundle, ") {
					t.Errorf("got %q", got)
				}
				w.Write(cache, w.Files(mainBuild(w, dir)))
			})
		}
		t.Run("not overwritten by another checkout of this name", func(t *testing.T) {
			other := w.Repo("second/marola")
			w.Write(source.LocalDir(w.Env, other), w.Files(mainBuild(w, other)))
			for _, at := range []string{dir, other} {
				if got, want := line(t, options(w, at)), "answers from main@"+w.Head(at)[:7]+" (local graph)"; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
		t.Run("also from the directory that only the name chooses", func(t *testing.T) {
			plain := filepath.Join(filepath.Dir(cache), "marola")
			if err := os.Rename(cache, plain); err != nil {
				t.Fatal(err)
			}
			if got := line(t, o); !strings.Contains(got, "(local graph)") {
				t.Errorf("got %q", got)
			}
			w.Write(plain, w.Files(bundle.Build{Repo: "marola", Head: strings.Repeat("ab", 20)}))
			if got := line(t, o); !strings.Contains(got, "(bundle, ") {
				t.Errorf("of another repository: got %q", got)
			}
			w.Write(cache, w.Files(mainBuild(w, dir)))
		})
		t.Run("not in a checkout of another name", func(t *testing.T) {
			tree := filepath.Join(w.Home, "elsewhere")
			w.Git(dir, "worktree", "add", "-q", "--detach", tree)
			if got := line(t, options(w, tree)); !strings.Contains(got, "(bundle, ") {
				t.Errorf("got %q", got)
			}
		})
		t.Run("not after the next commit", func(t *testing.T) {
			w.Git(dir, "commit", "-q", "--allow-empty", "-m", "second")
			want := "answers from main@" + head[:7] + " (bundle, 2 h old); this checkout is at " + w.Head(dir)[:7]
			if got := line(t, o); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	})
}

func TestReadsOriginBranchWhenPrivateRefAbsent(t *testing.T) {
	t.Run("reads_origin_branch_when_private_ref_absent", func(t *testing.T) {
		w := gittest.New(t)
		umbrella := w.Repo("marola")
		w.Commit(umbrella, "refs/heads/routing-bundle", w.Files(mainBuild(w, umbrella)))
		clone := filepath.Join(w.Home, "clone")
		w.Git(w.Home, "clone", "-q", umbrella, clone)
		if got, want := line(t, options(w, clone)), "answers from main@"+w.Head(clone)[:7]+" (origin/routing-bundle, 2 h old)"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestNamedBundle(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("marola")
	head := w.Head(dir)
	hash := w.Commit(dir, "refs/heads/bundles/x", w.Files(mainBuild(w, dir)))
	w.Git(dir, "update-ref", "refs/tags/bundles/x", head) // must not come before the branch
	whole, plain, empty := filepath.Join(dir, "out"), filepath.Join(w.Home, "graph"), filepath.Join(w.Home, "empty")
	w.Write(whole, w.Files(mainBuild(w, dir)))
	w.Write(plain, map[string][]byte{"graph.json": []byte(`{"nodes":[],"links":[]}`)})
	w.Write(empty, map[string][]byte{"x": nil})
	// What graphify leaves has a build.json of two keys; what a build that was
	// cut short leaves has our build.json, or pieces.
	graphify, cut, pieces := filepath.Join(w.Home, "graphify"), filepath.Join(w.Home, "cut"), filepath.Join(w.Home, "pieces")
	w.Write(graphify, map[string][]byte{"graph.json": []byte(`{"nodes":[],"links":[]}`), "build.json": []byte(`{"head":"` + head + `","submodules":""}`)})
	w.Write(cut, map[string][]byte{"graph.json": []byte(`{"nodes":[],"links":[]}`), "build.json": w.Encode(mainBuild(w, dir))})
	w.Write(pieces, map[string][]byte{"graph.json": []byte(`{"nodes":[],"links":[]}`), "words/00.json": []byte("{}")})
	for _, c := range []struct{ name, bundle, want string }{
		{"G05 branch before tag", "bundles/x", "answers from main@" + head[:7] + " (bundle, 2 h old)"},
		{"full name", "refs/heads/bundles/x", "answers from main@" + head[:7] + " (bundle, 2 h old)"},
		{"hash", hash, "answers from main@" + head[:7] + " (bundle, 2 h old)"},
		{"directory", whole, "answers from main@" + head[:7] + " (directory)"},
		{"relative directory", "out", "answers from main@" + head[:7] + " (directory)"},
		{"plain graph", plain, "answers from graph.json (directory)"},
		{"plain graph with a record", graphify, "answers from " + head[:7] + " (directory)"},
		{"a build that was cut short", cut, "manifest.json: it is missing, so what lies in " + cut + " is part of a bundle"},
		{"pieces of a bundle", pieces, "manifest.json: it is missing, so what lies in " + pieces + " is part of a bundle"},
		{"neither", empty, "holds neither manifest.json nor graph.json"},
		{"a commit that is no bundle", "refs/heads/main", "refs/heads/main holds no manifest.json"},
		{"nothing", "nowhere", `"nowhere" is neither a directory nor a ref`},
		{"an option", "--upload-pack=x", "neither a directory nor a ref"},
		{"an expression", "main^{/x}", "neither a directory nor a ref"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(w, dir)
			o.Bundle = c.bundle
			if got := line(t, o); !strings.HasSuffix(got, c.want) && !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("a directory where there is no repository", func(t *testing.T) {
		o := source.Options{Dir: w.Home, Env: w.With("PATH="), Bundle: whole}
		s, err := open(t, o)
		if err != nil || s.Bundle == nil || s.Checkout.Relation != source.Unknown {
			t.Errorf("got %+v, %v", s, err)
		}
	})
	t.Run("a plain graph has no bundle", func(t *testing.T) {
		o := options(w, dir)
		o.Bundle = plain
		s, err := open(t, o)
		if err != nil || s.Bundle != nil {
			t.Fatalf("got %+v, %v", s, err)
		}
		if data, err := s.Files.ReadFile(bundle.GraphName); err != nil || len(data) == 0 {
			t.Errorf("ReadFile: %v", err)
		}
	})
}

func TestRefusedBundles(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("marola")
	files := func(change func(map[string][]byte)) map[string][]byte {
		f := w.Files(mainBuild(w, dir))
		change(f)
		return f
	}
	for _, c := range []struct {
		name, want string
		files      map[string][]byte
	}{
		{"unknown schema", "version 2", files(func(f map[string][]byte) { f["manifest.json"] = []byte(`{"schema":2,"files":[]}`) })},
		{"no manifest", "holds no manifest.json", files(func(f map[string][]byte) { delete(f, "manifest.json") })},
		{"another build.json", "the manifest says", files(func(f map[string][]byte) { f["build.json"] = []byte("{}") })},
		{"no commit", "head is", files(func(f map[string][]byte) {
			f["build.json"] = []byte(`{"schema":1,"head":"x"}`)
			w.Seal(f)
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.Commit(dir, source.PrivateRef, c.files)
			_, err := open(t, options(w, dir))
			if r := (*bundle.Refused)(nil); !errors.As(err, &r) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestForeignTextIsOneLine(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("marola")
	b := mainBuild(w, dir)
	b.Branch = "ma\nin\x1b[31m\u202e" + strings.Repeat("x", 500)
	b.Head = strings.Repeat("cd", 20)
	w.Commit(dir, source.PrivateRef, w.Files(b))
	got := line(t, options(w, dir))
	if strings.ContainsAny(got, "\n\x1b\u202e") || len(got) > 200 {
		t.Errorf("got %q", got)
	}
}

func TestStatesOfTheDirectory(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("My Drive/é @x")
	w.Commit(dir, source.PrivateRef, w.Files(mainBuild(w, dir)))
	if got := line(t, options(w, dir)); !strings.Contains(got, "(bundle, 2 h old)") {
		t.Errorf("path with spaces and non-ASCII: %q", got)
	}
	for _, c := range []struct {
		name string
		o    source.Options
		want error
	}{
		{"G22 not a repository", source.Options{Dir: filepath.Dir(dir), Env: w.Env}, gitstore.ErrNotRepository},
		{"G22 deleted directory", source.Options{Dir: filepath.Join(dir, "gone"), Env: w.Env}, gitstore.ErrNoDirectory},
		{"G22 no directory", source.Options{Env: w.Env}, gitstore.ErrNoDirectory},
		{"another owner", source.Options{Dir: dir, Env: w.With("GIT_TEST_ASSUME_DIFFERENT_OWNER=1")}, gitstore.ErrOwner},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := open(t, c.o); !errors.Is(err, c.want) || errors.Is(err, source.ErrNone) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

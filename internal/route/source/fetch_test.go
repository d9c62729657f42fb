package source_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// A published umbrella and a clone of it.
type pair struct {
	*gittest.World
	bare, clone string
}

func newPair(t testing.TB) *pair {
	t.Helper()
	w := gittest.New(t)
	seed := w.Repo("seed")
	p := &pair{w, filepath.Join(w.Home, "marola.git"), filepath.Join(w.Home, "marola")}
	w.Git(w.Home, "clone", "-q", "--bare", seed, p.bare)
	for _, setting := range []string{"uploadpack.allowFilter", "http.receivepack"} {
		w.Git(p.bare, "config", setting, "true")
	}
	w.Git(w.Home, "clone", "-q", p.bare, p.clone)
	return p
}

// publish rewrites the bundle branch as a new root, as the publisher does.
func (p *pair) publish(more ...string) string {
	p.T.Helper()
	b := bundle.Build{Repo: "marola", Branch: "main", Head: p.Git(p.bare, "rev-parse", "refs/heads/main")}
	return p.Commit(p.bare, "refs/heads/routing-bundle", p.Files(b, more...))
}

// ref is the commit at the private ref of dir, or "".
func (p *pair) ref(dir string) string {
	out, err := gittest.Run(p.Env, dir, "", "rev-parse", "--verify", "--quiet", source.PrivateRef)
	if err != nil {
		return ""
	}
	return out
}

// fetched fetches into dir and wants the given commit there.
func (p *pair) fetched(t testing.TB, o source.Options, want string) source.Fetched {
	t.Helper()
	f, err := source.Fetch(t.Context(), o)
	if err != nil {
		t.Fatalf("Fetch: %v", err)
	}
	if got := p.ref(o.Dir); got != want || f.Source.RefCommit != want {
		t.Errorf("%s is at %s, want %s", source.PrivateRef, got, want)
	}
	if left := p.Git(o.Dir, "for-each-ref", "refs/marola/incoming"); left != "" {
		t.Errorf("left behind: %s", left)
	}
	return f
}

func TestFetchLeavesTheCloneAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		with func(*pair, *source.Options)
	}{
		{"G06 rewritten branch", func(*pair, *source.Options) {}},
		{"G01 fetch.prune", func(p *pair, _ *source.Options) {
			p.Git(p.clone, "config", "fetch.prune", "true")
			p.Git(p.clone, "config", "fetch.pruneTags", "true")
		}},
		{"G05 tag shadows branch", func(p *pair, _ *source.Options) {
			p.Git(p.bare, "update-ref", "refs/tags/routing-bundle", "refs/heads/main")
			p.Git(p.bare, "update-ref", "refs/tags/refs/heads/routing-bundle", "refs/heads/main")
		}},
		{"G02 G03 G04 by address", func(p *pair, o *source.Options) { o.Umbrella = "file://" + filepath.ToSlash(p.bare) }},
		{"relative address", func(_ *pair, o *source.Options) { o.Umbrella = "../marola.git" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPair(t)
			o := options(p.World, p.clone)
			c.with(p, &o)
			before := p.Git(p.clone, "for-each-ref") + p.Git(p.clone, "config", "--local", "--list")
			for i, text := range []string{`"a"`, `"b"`, `"c"`} {
				want := p.publish("words/00.json", text)
				f := p.fetched(t, o, want)
				if f.Current || f.Built != "main@"+p.Head(p.clone)[:7] || f.Age != "2 h old" {
					t.Errorf("round %d: %+v", i, f)
				}
			}
			if f := p.fetched(t, o, p.ref(p.clone)); !f.Current {
				t.Error("the fourth fetch brought something")
			}
			p.Git(p.clone, "update-ref", "-d", source.PrivateRef)
			if after := p.Git(p.clone, "for-each-ref") + p.Git(p.clone, "config", "--local", "--list"); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
			for _, name := range []string{"shallow", "FETCH_HEAD"} {
				if _, err := os.Stat(filepath.Join(p.clone, ".git", name)); err == nil {
					t.Errorf(".git/%s is there", name)
				}
			}
			other := filepath.Join(p.Home, "other.git")
			p.Git(p.Home, "init", "-q", "--bare", other)
			p.Git(p.clone, "push", "-q", other, "main")
		})
	}
}

func TestFetchIntoOtherClones(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.Git(p.clone, "commit", "-q", "--allow-empty", "-m", "second")
	p.Git(p.clone, "push", "-q", "origin", "main")
	want := p.publish("words/00.json", strings.Repeat(" ", 5000)+"{}")
	address := "file://" + filepath.ToSlash(p.bare)
	clone := func(name string, args ...string) source.Options {
		dir := filepath.Join(p.Home, name)
		p.Git(p.Home, append(append([]string{"clone", "-q"}, args...), address, dir)...)
		return options(p.World, dir)
	}
	t.Run("shallow clone", func(t *testing.T) {
		o := clone("shallow", "--depth", "1")
		path := filepath.Join(o.Dir, ".git", "shallow")
		before := gittest.Lines(path)
		p.fetched(t, o, want)
		if after := gittest.Lines(path); len(before) == 0 || strings.Join(after, "\n") != strings.Join(before, "\n") {
			t.Errorf("shallow: %q, then %q", before, after)
		}
	})
	for name, filter := range map[string]string{"partial clone": "blob:none", "partial clone without trees": "tree:0"} {
		t.Run(name, func(t *testing.T) {
			o := clone(name, "--filter="+filter, "--no-checkout")
			p.fetched(t, o, want)
			o.Env = p.With("GIT_NO_LAZY_FETCH=1")
			if got := line(t, o); !strings.Contains(got, "(bundle, 2 h old)") {
				t.Errorf("got %q", got)
			}
		})
	}
	t.Run("worktree", func(t *testing.T) {
		o := clone("main tree")
		tree := filepath.Join(p.Home, "tree")
		p.Git(o.Dir, "worktree", "add", "-q", "--detach", tree)
		p.fetched(t, options(p.World, tree), want)
		if got := p.ref(o.Dir); got != want {
			t.Errorf("the main worktree has %q", got)
		}
	})
	t.Run("bare repository", func(t *testing.T) { p.fetched(t, clone("bare.git", "--bare"), want) })
	t.Run("unborn branch", func(t *testing.T) {
		dir := filepath.Join(p.Home, "unborn")
		p.Git(p.Home, "init", "-q", dir)
		o := options(p.World, dir)
		o.Umbrella = address
		p.fetched(t, o, want)
	})
	t.Run("path with spaces and non-ASCII", func(t *testing.T) { p.fetched(t, clone("My Drive/é @x"), want) })
	t.Run("G08 GIT_DIR from an outer hook", func(t *testing.T) {
		o := clone("mine")
		o.Env = p.With("GIT_DIR="+filepath.Join(p.clone, ".git"), "GIT_WORK_TREE="+p.clone, "GIT_INDEX_FILE="+filepath.Join(p.clone, ".git/index"))
		p.fetched(t, o, want)
		if got := p.ref(p.clone); got != "" {
			t.Errorf("the outer repository has it: %s", got)
		}
	})
	t.Run("a submodule finds the umbrella around it", func(t *testing.T) {
		app := p.Repo("app")
		p.Git(p.clone, "config", "remote.origin.url", "../marola.git") // relative to the umbrella, not to the submodule
		p.Git(p.clone, "submodule", "-q", "add", app, "app")
		inner := options(p.World, filepath.Join(p.clone, "app"))
		f := p.fetched(t, inner, want)
		if f.Umbrella.From != "the superproject's remote origin" || p.ref(p.clone) != "" {
			t.Errorf("got %+v", f.Umbrella)
		}
	})
}

func TestUmbrella(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	want := p.publish()
	app := p.Repo("marola-app")
	const address = "https://example.org/acme/marola.git"
	// G09: what CI hands over through the environment reaches the fetch.
	rewrite := p.With("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url."+p.bare+".insteadOf", "GIT_CONFIG_VALUE_0="+address)
	settings := filepath.Join(app, ".claude", "routing.json")
	commit := func(text string) { p.Write(app, map[string][]byte{".claude/routing.json": []byte(text)}) }
	try := func(t *testing.T, o source.Options, from string) {
		t.Helper()
		if f := p.fetched(t, o, want); f.Umbrella.From != from {
			t.Errorf("named by %q, want %q", f.Umbrella.From, from)
		}
		p.Git(app, "update-ref", "-d", source.PrivateRef)
	}
	fails := func(t *testing.T, o source.Options, want string) {
		t.Helper()
		if _, err := source.Fetch(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	o := source.Options{Dir: app, Env: rewrite}
	fails(t, o, "routing bundle unreachable (nothing names the umbrella")
	commit(`{"umbrella":"` + address + `","plugin":"x"}`)
	t.Run("G09 the committed file", func(t *testing.T) { try(t, o, ".claude/routing.json") })
	t.Run("its branch", func(t *testing.T) {
		commit(`{"umbrella":"` + address + `","branch":"other"}`)
		fails(t, o, "routing bundle unreachable (the umbrella "+address+" has no branch other)")
		o := o
		o.Branch = "routing-bundle"
		try(t, o, ".claude/routing.json")
	})
	p.Git(app, "config", "marola.umbrella", p.bare)
	t.Run("git config before it", func(t *testing.T) {
		commit(`{"umbrella":"` + address + `"}`)
		try(t, source.Options{Dir: app, Env: p.Env}, "git config marola.umbrella")
	})
	t.Run("the environment before that", func(t *testing.T) {
		try(t, source.Options{Dir: app, Env: p.With("MAROLA_UMBRELLA=" + p.bare + "/")}, "MAROLA_UMBRELLA")
	})
	t.Run("the flag before all", func(t *testing.T) {
		try(t, source.Options{Dir: app, Env: p.With("MAROLA_UMBRELLA=/nowhere"), Umbrella: p.bare}, "--umbrella")
	})
	for name, value := range map[string]string{"an option": "--upload-pack=touch x", "a helper": "ext::sh -c x", "a line": "https://x/\ny"} {
		for _, o := range []source.Options{{Dir: app, Env: p.Env, Umbrella: value}, {Dir: app, Env: p.With("MAROLA_UMBRELLA=" + value)}} {
			t.Run(name, func(t *testing.T) {
				_, err := source.Fetch(t.Context(), o)
				if bad := (*source.SettingError)(nil); !errors.As(err, &bad) {
					t.Errorf("got %v", err)
				}
			})
		}
	}
	p.Git(app, "config", "--unset", "marola.umbrella")
	for name, text := range map[string]string{
		"a file":         `{"umbrella":"` + filepath.ToSlash(p.bare) + `"}`,
		"a file address": `{"umbrella":"file://` + filepath.ToSlash(p.bare) + `"}`,
		"an option":      `{"umbrella":"--upload-pack=touch x"}`,
		"a helper":       `{"umbrella":"ext::sh -c x"}`,
		"not a string":   `{"umbrella":["` + address + `"]}`,
		"twice":          `{"umbrella":"` + address + `","umbrella":"x"}`,
		"another branch": `{"umbrella":"` + address + `","branch":"--x"}`,
		"HEAD":           `{"umbrella":"` + address + `","branch":"HEAD"}`,
		"too long":       `{"umbrella":"` + address + `","x":"` + strings.Repeat("x", 64<<10) + `"}`,
	} {
		t.Run("the committed file must not name "+name, func(t *testing.T) {
			commit(text)
			fails(t, o, ".claude/routing.json: ")
			if p.ref(app) != "" {
				t.Error("it was fetched")
			}
		})
	}
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
}

func TestFetchRefusesAndKeeps(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	o := options(p.World, p.clone)
	good := p.publish()
	p.fetched(t, o, good)
	b := bundle.Build{Repo: "marola", Branch: "main", Head: p.Head(p.clone)}
	files := func(change func(map[string][]byte)) string {
		f := p.Files(b)
		change(f)
		return p.Tree(p.bare, p.Entries(p.bare, f)...)
	}
	whole := files(func(map[string][]byte) {})
	for _, c := range []struct {
		name, tree, want string
		parents          []string
	}{
		{"parents", whole, "has history", []string{good}},
		{"an unlisted file", files(func(f map[string][]byte) { f["words/77.json"] = []byte("{}") }), "does not list it", nil},
		{"a file of another name", files(func(f map[string][]byte) { f["run.sh"] = []byte("x") }), "no bundle holds", nil},
		{"another size", files(func(f map[string][]byte) { f["graph.json"] = []byte("{}") }), "bytes", nil},
		{"another hash", files(func(f map[string][]byte) { f["graph.json"] = []byte("{\"nodes\":[],\"linkz\":[]}\n") }), "SHA-256", nil},
		{"unknown schema", files(func(f map[string][]byte) { f["manifest.json"] = []byte(`{"schema":9,"files":[]}`) }), "version 9", nil},
		{"no manifest", p.Tree(p.bare), "manifest.json", nil},
		{"G20 a link", p.Tree(p.bare, gittest.Entry{Mode: "120000", Type: "blob", Hash: p.Blob(p.bare, []byte("/etc/passwd")), Name: "manifest.json"}), "symbolic link", nil},
		{"G28 a huge file", p.Tree(p.bare, gittest.Entry{Mode: "100644", Type: "blob", Hash: p.Blob(p.bare, []byte(strings.Repeat(" ", bundle.MaxFile+1))), Name: "manifest.json"}), "at most", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.CommitTree(p.bare, "refs/heads/routing-bundle", c.tree, c.parents...)
			_, err := source.Fetch(t.Context(), o)
			if r := (*bundle.Refused)(nil); !errors.As(err, &r) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if hint := err.(interface{ Hint() string }).Hint(); c.name != "unknown schema" && hint != "what was here before is kept; tell whoever publishes the bundle" {
				t.Errorf("hint %q", hint)
			}
			if got := p.Git(p.clone, "for-each-ref", "--format=%(refname) %(objectname)", "refs/marola"); got != source.PrivateRef+" "+good {
				t.Errorf("refs are\n%s", got)
			}
		})
	}
}

func TestFetchFailures(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.publish()
	fails := func(t *testing.T, o source.Options, want string) {
		t.Helper()
		_, err := source.Fetch(t.Context(), o)
		far := (*source.Unreachable)(nil)
		if !errors.As(err, &far) || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	at := func(url string, set ...string) source.Options {
		return source.Options{Dir: p.clone, Env: p.With(set...), Umbrella: url}
	}
	t.Run("no repository there", func(t *testing.T) { fails(t, at(p.Home), "there is no repository at "+p.Home) })
	t.Run("nothing there", func(t *testing.T) { fails(t, at(filepath.Join(p.Home, "nowhere")), "there is no repository at") })
	t.Run("no branch", func(t *testing.T) { fails(t, at(filepath.Join(p.Home, "seed")), "no branch routing-bundle") })
	t.Run("no host", func(t *testing.T) { fails(t, at("http://127.0.0.1:1/x"), "no connection to the host") })
	t.Run("a credential is not shown", func(t *testing.T) {
		_, err := source.Fetch(t.Context(), at("http://me:secret@127.0.0.1:1/x"))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("G22 not a repository", func(t *testing.T) {
		fails(t, source.Options{Dir: p.Home, Env: p.Env, Umbrella: p.bare}, "not in a git repository")
	})
	t.Run("G22 deleted directory", func(t *testing.T) {
		fails(t, source.Options{Dir: filepath.Join(p.Home, "gone"), Env: p.Env, Umbrella: p.bare}, "does not exist any more")
	})
	t.Run("another owner", func(t *testing.T) {
		fails(t, at(p.bare, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1"), "git refuses this directory (different owner)")
	})
	t.Run("a ref named refs/marola", func(t *testing.T) {
		p.Git(p.clone, "update-ref", "refs/marola", "HEAD")
		fails(t, at(p.bare), "refs/marola cannot be written")
		p.Git(p.clone, "update-ref", "-d", "refs/marola")
	})
	t.Run("G10 ssh that asks", func(t *testing.T) {
		args := filepath.Join(p.Home, "ssh.args")
		ssh := p.Script("slow-ssh", `echo "$*" > '`+args+`'; sleep 60`)
		start := time.Now()
		fails(t, at("ssh://git@example.org/x", "GIT_SSH_COMMAND="+ssh, source.TimeoutVariable+"=500ms"), "no answer within 500ms")
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("it took %s", took)
		}
		if got := strings.Join(gittest.Lines(args), ""); !strings.Contains(got, "-oBatchMode=yes") {
			t.Errorf("ssh was called with %q", got)
		}
	})
	t.Run("a fetch that was cut off is cleared away", func(t *testing.T) {
		p.Git(p.clone, "update-ref", "refs/marola/incoming/1000-1", "HEAD")
		p.fetched(t, at(p.bare), p.Git(p.bare, "rev-parse", "refs/heads/routing-bundle"))
	})
}

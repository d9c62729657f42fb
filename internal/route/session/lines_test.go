package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

const optIn = `▸ opt-in: this repository offers the plugin devkit@acme, which is not installed. ` +
	"Installed, it runs on this machine, from acme/devkit" + "@v0.8.3: a formatter after each edit. " +
	`The place to ask is before the person's request, in one question with three answers. ` +
	`Install: the person runs ! claude plugin install devkit@acme. Not now: nothing, asked again next session. ` +
	`Never: "env": {"MAROLA_PLUGIN_OPTOUT": "1"} in ~/.claude/settings.json, shown before it is written. ` +
	`Routing works either way. Where nobody can be asked, nothing is said.`

// TestLines goes through the table of the design: each condition and its
// line.
func TestLines(t *testing.T) {
	f := newFixture(t)
	routing := fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old)", f.build.Head)
	check := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", what, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	check("plugin_missing_asks", f.start(), routing, optIn)
	check("optout_env_silent", f.start("MAROLA_PLUGIN_OPTOUT=1"), routing)
	check("remote_session_silent", f.start("CLAUDE_CODE_REMOTE=true"), routing)
	check("a variable that says no", f.start("CLAUDE_CODE_REMOTE=false"), routing, optIn)
	for _, source := range []string{"resume", "clear", "compact", "fork", "other", ""} {
		check("resume_source_silent: H09 "+source, f.hook(f.dir, `{"source":"`+source+`"}`))
	}
	f.client("plugins/installed_plugins.json", `{"version":2,"plugins":{"devkit@acme":[{"scope":"user"}]}}`)
	check("plugin_installed_silent", f.start(), routing)
	for _, no := range []string{"off", "0", "FALSE", "no"} {
		check("H14 the hook is turned off with "+no, f.start("MAROLA_SESSION_CHECK="+no))
	}
	f.settings(`{"quiet":true}`)
	check("quiet with nothing to tell", f.start())

	later := f.Git(f.dir, "commit-tree", "-m", "later", "-p", "HEAD", "HEAD^{tree}")
	f.Git(f.dir, "update-ref", "refs/remotes/origin/main", later)
	check("stale_bundle_line, and quiet", f.start(), routing+", stale; route fetch refreshes it")
	f.Git(f.dir, "symbolic-ref", "-d", "refs/remotes/origin/HEAD")
	check("stale, the remote's HEAD unknown", f.start(), routing+", stale; route fetch refreshes it")
	f.Git(f.dir, "pack-refs", "--all")
	check("stale, refs packed", f.start(), routing+", stale; route fetch refreshes it")
	f.Git(f.dir, "config", "remote.origin.url", "https://github.com/someone/umbrella")
	check("a fork, of which the bundle knows nothing", f.start())
	f.Git(f.dir, "config", "remote.upstream.url", "ssh://git@github.com/acme/umbrella.git")
	f.Git(f.dir, "update-ref", "refs/remotes/upstream/main", later)
	check("a fork, with the umbrella as another remote", f.start(), routing+", stale; route fetch refreshes it")

	f.Git(f.dir, "update-ref", "-d", "refs/marola/routing-bundle")
	check("no bundle, and quiet", f.start(), "▸ routing: no bundle yet; route fetch")
}

// TestNewerBundle: a bundle of a commit that a whole clone has not fetched is
// not called stale: a fetch of it would change nothing.
func TestNewerBundle(t *testing.T) {
	f := newFixture(t)
	f.build.Head, f.build.CommitTime = strings.Repeat("ab", 20), "2026-10-20T09:30:00Z"
	f.bundle()
	if got, want := f.start()[0], "▸ routing: bundle main@abababa (30 min old), newer than origin here"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.build.CommitTime = gittest.Built
	f.bundle()
	if got, want := f.start()[0], "▸ routing: bundle main@abababa (2 h old), stale; route fetch refreshes it"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOwnCloneOfASubmodule: its row is that of its remote's address, and its
// bundle comes from elsewhere.
func TestOwnCloneOfASubmodule(t *testing.T) {
	f := newFixture(t)
	app := f.Repo("app")
	f.Git(app, "config", "remote.origin.url", "git@github.com:acme/app.git")
	f.Git(app, "update-ref", "refs/remotes/origin/main", "HEAD")
	f.build.Submodules = []bundle.Submodule{{Name: "x", Path: "x", Head: f.build.Head, URL: "https://github.com/acme/x"},
		{Name: "app", Path: "apps/app", Head: f.Head(app), URL: "https://github.com/acme/app"}}
	f.Commit(app, "refs/marola/routing-bundle", f.Files(f.build))
	routing := fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old)", f.build.Head)
	if got := f.hook(app, startup); !slices.Equal(got, []string{routing}) {
		t.Errorf("at the commit of the bundle: %q", got)
	}
	f.Git(app, "update-ref", "refs/remotes/origin/main", f.Git(app, "commit-tree", "-m", "later", "HEAD^{tree}"))
	if got := f.hook(app, startup); !slices.Equal(got, []string{routing + ", stale; route fetch refreshes it"}) {
		t.Errorf("moved on: %q", got)
	}
	// A library among its own submodules is nothing that a bundle answers for.
	f.Write(app, map[string][]byte{".gitmodules": []byte("[submodule \"lib\"]\n\tpath = lib\n\turl = ../lib\n")})
	f.Git(app, "update-index", "--add", "--cacheinfo", "160000,"+f.build.Head+",lib")
	if got := f.hook(app, startup); len(got) != 1 {
		t.Errorf("with a library as a submodule: %q", got)
	}
}

// TestSubmodules: uninitialised_submodule_line, for one, several and many;
// stray entries are passed over.
func TestSubmodules(t *testing.T) {
	f := newFixture(t)
	f.settings(`{}`)
	const tail = " not checked out: route answers from the bundle; git submodule update --init for local reads"
	module := func(path string) string {
		return fmt.Sprintf("[submodule %q]\n\tpath = %s\n\turl = ../%s\n", path, path, filepath.Base(path))
	}
	last := func(what, want string) {
		t.Helper()
		got := f.start()
		if len(got) == 0 || got[len(got)-1] != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	routing := f.start()[0]
	f.Write(f.dir, map[string][]byte{".gitmodules": []byte(module("apps/app"))})
	last("in .gitmodules, not in the index", routing)
	f.Git(f.dir, "update-index", "--add", "--cacheinfo", "160000,"+f.build.Head+",apps/app")
	f.Git(f.dir, "update-index", "--add", "--cacheinfo", "160000,"+f.build.Head+",stray")
	last("G13 one, beside a stray gitlink", "▸ submodule apps/app"+tail)
	f.Git(f.dir, "clone", "-q", f.dir, filepath.Join(f.dir, "apps", "app"))
	last("checked out", routing)
	all := module("apps/app")
	for i := range 50 {
		path := fmt.Sprintf("m%02d", i)
		all += module(path)
		f.Git(f.dir, "update-index", "--add", "--cacheinfo", "160000,"+f.build.Head+","+path)
	}
	f.Write(f.dir, map[string][]byte{".gitmodules": []byte(all)})
	last("many", "▸ submodules m00, m01, m02, 47 more"+tail)
	f.Git(f.dir, "worktree", "add", "-q", "--detach", filepath.Join(f.Home, "tree"))
	if got := f.hook(filepath.Join(f.Home, "tree"), startup); !slices.Equal(got, []string{routing}) {
		t.Errorf("a worktree of a commit without submodules: %q", got)
	}
}

// TestInsideTheUmbrella: a submodule without a bundle of its own is told of
// the umbrella's.
func TestInsideTheUmbrella(t *testing.T) {
	f := newFixture(t)
	app := f.Repo("app")
	f.Git(f.dir, "submodule", "--quiet", "add", app, "apps/app")
	inside := filepath.Join(f.dir, "apps", "app")
	f.build.Submodules = []bundle.Submodule{{Name: "app", Path: "apps/app", Head: f.Head(app), URL: app}}
	f.bundle()
	want := []string{fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old)", f.build.Head)}
	if got := f.hook(inside, startup); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	f.Git(f.dir, "update-ref", "-d", "refs/marola/routing-bundle")
	f.Commit(f.dir, "refs/remotes/origin/routing-bundle", f.Files(f.build))
	if got := f.hook(inside, startup); !slices.Equal(got, want) {
		t.Errorf("from the umbrella's remote branch: got %q, want %q", got, want)
	}
	if got := f.start(); !strings.HasPrefix(got[0], want[0]) {
		t.Errorf("in the umbrella: got %q, want %q", got, want)
	}
}

// TestH08H10OnDemand: where a client runs no hook, as in a session that starts
// in a subdirectory, nothing depends on it: the same lines are there for the
// asking, from anywhere in the repository and without a message.
func TestH08H10OnDemand(t *testing.T) {
	f := newFixture(t)
	deeper := filepath.Join(f.dir, "a", "b")
	f.Write(deeper, map[string][]byte{"x": nil})
	want := f.start()
	if len(want) != 2 {
		t.Fatalf("the hook says %q", want)
	}
	var out, errs bytes.Buffer
	code := Main(command.Process{Args: []string{"--now"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Env: f.Env, Dir: deeper})
	if got := strings.Join(want, "\n") + "\n"; code != 0 || errs.Len() > 0 || out.String() != got {
		t.Errorf("exit %d, %q, %q; want %q", code, out.String(), errs.String(), got)
	}
	page, err := os.ReadFile("../../../docs/session-check.md")
	if text := strings.Join(strings.Fields(string(page)), " "); err != nil || !strings.Contains(text, "a session that starts in a subdirectory does not read the repository's settings") ||
		!strings.Contains(text, "`session-check --now` and `route status` say the same on demand") {
		t.Errorf("docs/session-check.md does not tell of it: %v", err)
	}
}

package session

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

func TestMain(m *testing.M) {
	deadline, gitLimit = time.Minute, time.Minute
	os.Exit(m.Run())
}

const (
	umbrellaURL = "https://github.com/acme/umbrella"
	startup     = `{"session_id":"x","hook_event_name":"SessionStart","source":"startup","cwd":"/"}`
)

// A fixture is a clone of an umbrella that has a bundle, on a machine with a
// home directory in which no plugin is installed.
type fixture struct {
	*gittest.World
	dir   string
	build bundle.Build
}

func newFixture(t testing.TB) *fixture {
	w := gittest.New(t)
	f := &fixture{World: w, dir: w.Repo("umbrella")}
	w.Git(f.dir, "config", "remote.origin.url", umbrellaURL+".git")
	w.Git(f.dir, "update-ref", "refs/remotes/origin/main", "HEAD")
	w.Git(f.dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	f.settings(`{"plugin":"devkit","marketplace":"acme","runs":"a formatter after each edit"}`)
	w.Write(f.dir, map[string][]byte{".claude/settings.json": []byte(
		"{\n  // where it comes from\n  \"extraKnownMarketplaces\": {\"acme\": {\"source\": {\"source\": \"github\", \"repo\": \"acme/devkit\", \"ref\": \"v0.8.3\"}}},\n}\n")})
	f.build = bundle.Build{Repo: "umbrella", URL: umbrellaURL, Branch: "main", Head: w.Head(f.dir)}
	f.bundle()
	return f
}

func (f *fixture) settings(text string) {
	f.Write(f.dir, map[string][]byte{".claude/routing.json": []byte(text)})
}

// bundle makes the bundle of f.build the one that was fetched.
func (f *fixture) bundle(more ...string) {
	f.Commit(f.dir, "refs/marola/routing-bundle", f.Files(f.build, more...))
}

// client writes a file into the person's directory of the client.
func (f *fixture) client(name, text string) {
	f.Write(filepath.Join(f.Home, ".claude"), map[string][]byte{name: []byte(text)})
}

// hook runs the hook in dir and returns its lines.
func (f *fixture) hook(dir, stdin string, set ...string) []string {
	f.T.Helper()
	var out, errs bytes.Buffer
	code := Main(command.Process{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Env: f.With(set...), Dir: dir})
	if code != 0 || errs.Len() > 0 {
		f.T.Errorf("exit %d, stderr %q", code, errs.String())
	}
	text := out.String()
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > 3 || len([]rune(text)) > maxText {
		f.T.Errorf("%d lines, %d characters", len(lines), len([]rune(text)))
	}
	return lines
}

// start is the hook at the start of a session in the fixture's clone.
func (f *fixture) start(set ...string) []string {
	f.T.Helper()
	return f.hook(f.dir, startup, set...)
}

// asks reports whether a line tells of the plugin.
func asks(lines []string) bool { return strings.Contains(strings.Join(lines, "\n"), "▸ opt-in: ") }

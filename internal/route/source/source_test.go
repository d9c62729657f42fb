package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A world is a home directory without any git configuration of this machine.
type world struct {
	t    testing.TB
	home string
	env  []string
}

func newWorld(t testing.TB) *world {
	t.Helper()
	home := t.TempDir()
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	w := &world{t: t, home: home}
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.org",
		"GIT_AUTHOR_DATE=2026-10-20T08:00:00Z", "GIT_COMMITTER_DATE=2026-10-20T08:00:00Z",
		ClockVariable + "=2026-10-20T10:00:00Z",
	}
	if root := os.Getenv("SystemRoot"); root != "" {
		w.env = append(w.env, "SystemRoot="+root)
	}
	w.git(home, "config", "--global", "init.defaultBranch", "main")
	w.git(home, "config", "--global", "protocol.file.allow", "always")
	return w
}

func (w *world) now() time.Time { return Now(w.env) }

// git runs plain git, as a person would, and returns what it printed.
func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	return w.gitIn(dir, "", args...)
}

func (w *world) gitIn(dir, stdin string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, w.env, strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// repo makes a repository with one commit.
func (w *world) repo(name string) string {
	w.t.Helper()
	dir := filepath.Join(w.home, name)
	w.git(w.home, "init", "-q", dir)
	w.git(dir, "commit", "-q", "--allow-empty", "-m", "first in "+name)
	return dir
}

func (w *world) head(dir string) string { return w.git(dir, "rev-parse", "HEAD") }

func (w *world) options(dir string) Options { return Options{Dir: dir, Env: w.env} }

// open opens the source and closes it with the test.
func (w *world) open(o Options) (*Source, error) {
	s, err := Open(w.t.Context(), o)
	if err == nil {
		w.t.Cleanup(func() { s.Close() })
	}
	return s, err
}

// files are the files of a small whole bundle.
func (w *world) files(b bundle.Build, more ...string) map[string][]byte {
	w.t.Helper()
	if b.Schema == 0 {
		b.Schema = bundle.Schema
	}
	if b.CommitTime == "" {
		b.CommitTime = "2026-10-20T08:00:00Z"
	}
	files := map[string][]byte{bundle.BuildName: w.encode(b), bundle.GraphName: []byte("{\"nodes\":[],\"links\":[]}\n")}
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = []byte(more[i+1])
	}
	m, err := bundle.NewManifest(files)
	if err != nil {
		w.t.Fatal(err)
	}
	files[bundle.ManifestName] = w.encode(m)
	return files
}

func (w *world) encode(v any) []byte {
	w.t.Helper()
	data, err := bundle.Encode(v)
	if err != nil {
		w.t.Fatal(err)
	}
	return data
}

func (w *world) write(dir string, files map[string][]byte) {
	w.t.Helper()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			w.t.Fatal(err)
		}
	}
}

// commit writes files as one commit without parents into dir's repository,
// points ref at it and returns it.
func (w *world) commit(dir, ref string, files map[string][]byte) string {
	w.t.Helper()
	work := w.t.TempDir()
	w.write(work, files)
	index := filepath.Join(w.t.TempDir(), "index")
	gitDir := w.git(dir, "rev-parse", "--absolute-git-dir")
	with := func(args ...string) string {
		return w.git(work, append([]string{"-c", "core.autocrlf=false", "--git-dir=" + gitDir, "--work-tree=" + work}, args...)...)
	}
	saved := w.env
	w.env = append(append([]string{}, w.env...), "GIT_INDEX_FILE="+index)
	with("add", "-A", ".")
	tree := with("write-tree")
	w.env = saved
	commit := w.git(dir, "commit-tree", "-m", "bundle", tree)
	w.git(dir, "update-ref", ref, commit)
	return commit
}

func TestOpenReadsThePrivateRef(t *testing.T) {
	w := newWorld(t)
	dir := w.repo("marola")
	head := w.head(dir)
	w.commit(dir, PrivateRef, w.files(bundle.Build{Repo: "marola", Head: head, Branch: "main"}, "words/0a.json", "{}\n"))
	s, err := w.open(w.options(dir))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Line(w.now()), "answers from main@"+head[:7]+" (bundle, 2 h old)"; got != want {
		t.Errorf("Line = %q, want %q", got, want)
	}
	if s.Kind != Bundled || s.Checkout.Relation != Same || s.Checkout.Repo != "marola" {
		t.Errorf("got %+v", s)
	}
	s.Prefetch("words/0a.json", "words/0b.json")
	if data, err := s.Bundle.Read("words/0a.json"); err != nil || string(data) != "{}\n" {
		t.Errorf("Read = %q, %v", data, err)
	}
}

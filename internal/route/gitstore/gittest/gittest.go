// Package gittest makes git repositories and bundles for tests, apart from
// the machine's own git configuration.
package gittest

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Times of a [World], in RFC 3339.
const (
	Built = "2026-10-20T08:00:00Z" // of every commit
	Now   = "2026-10-20T10:00:00Z" // what MAROLA_NOW says
)

// A World is a home directory and an environment without any git
// configuration of this machine.
type World struct {
	T    testing.TB
	Home string   // absolute, without symbolic links
	Env  []string // as os.Environ gives it
}

// New makes a world that goes with the test.
func New(t testing.TB) *World {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &World{T: t, Home: home}
	w.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + os.TempDir(), "SystemRoot=" + os.Getenv("SystemRoot"),
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.org",
		"GIT_AUTHOR_DATE=" + Built, "GIT_COMMITTER_DATE=" + Built,
		"MAROLA_NOW=" + Now,
		"GORACE=atexit_sleep_ms=10", // rather than a second, each time that a program under the race detector ends
	}
	w.Write(home, map[string][]byte{"gitconfig": []byte(
		"[core]\n\tfsync = none\n[init]\n\tdefaultBranch = main\n\ttemplateDir =\n[protocol \"file\"]\n\tallow = always\n[gc]\n\tauto = 0\n")})
	return w
}

// With returns a copy of the environment in which these "NAME=value" hold.
func (w *World) With(set ...string) []string {
	env := slices.Clone(w.Env)
	for _, kv := range set {
		name, _, _ := strings.Cut(kv, "=")
		env = slices.DeleteFunc(env, func(old string) bool { return strings.HasPrefix(old, name+"=") })
	}
	return append(env, set...)
}

// Git runs plain git as a person would, and returns what it printed without
// blanks at the ends. A failure ends the test.
func (w *World) Git(dir string, args ...string) string {
	w.T.Helper()
	return w.Pipe(dir, "", args...)
}

// Pipe is [World.Git] with standard input.
func (w *World) Pipe(dir, stdin string, args ...string) string {
	w.T.Helper()
	out, err := Run(w.Env, dir, stdin, args...)
	if err != nil {
		w.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// Run runs plain git and returns both its streams, without blanks at the
// ends.
func Run(env []string, dir, stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// RunProgram runs any program likewise.
func RunProgram(env []string, dir, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// Repo makes a repository with one commit in the home directory.
func (w *World) Repo(name string) string {
	w.T.Helper()
	dir := filepath.Join(w.Home, filepath.FromSlash(name))
	w.Git(w.Home, "init", "-q", dir)
	w.Git(dir, "commit", "-q", "--allow-empty", "-m", "first in "+name)
	return dir
}

// Head is the commit that is checked out in dir.
func (w *World) Head(dir string) string {
	w.T.Helper()
	return w.Git(dir, "rev-parse", "HEAD")
}

// Files are the files of a small, whole bundle: build.json, an empty graph,
// further names and contents, and the manifest.
func (w *World) Files(b bundle.Build, more ...string) map[string][]byte {
	w.T.Helper()
	if b.Schema == 0 {
		b.Schema = bundle.Schema
	}
	if b.CommitTime == "" {
		b.CommitTime = Built
	}
	files := map[string][]byte{bundle.BuildName: w.Encode(b), bundle.GraphName: []byte("{\"nodes\":[],\"links\":[]}\n")}
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = []byte(more[i+1])
	}
	w.Seal(files)
	return files
}

// Seal writes the manifest of files into them.
func (w *World) Seal(files map[string][]byte) {
	w.T.Helper()
	m, err := bundle.NewManifest(files)
	if err != nil {
		w.T.Fatal(err)
	}
	files[bundle.ManifestName] = w.Encode(m)
}

// Encode is [bundle.Encode] that cannot fail.
func (w *World) Encode(v any) []byte {
	w.T.Helper()
	data, err := bundle.Encode(v)
	if err != nil {
		w.T.Fatal(err)
	}
	return data
}

// Write writes files below dir.
func (w *World) Write(dir string, files map[string][]byte) {
	w.T.Helper()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			w.T.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			w.T.Fatal(err)
		}
	}
}

// An Entry is one line of a tree.
type Entry struct{ Mode, Type, Hash, Name string }

// Blob stores bytes and returns their hash.
func (w *World) Blob(dir string, data []byte) string {
	w.T.Helper()
	return w.Pipe(dir, string(data), "hash-object", "-w", "--stdin", "--no-filters")
}

// Tree stores a tree of just these entries and returns its hash.
func (w *World) Tree(dir string, entries ...Entry) string {
	w.T.Helper()
	var in bytes.Buffer
	for _, e := range entries {
		fmt.Fprintf(&in, "%s %s %s\t%s\x00", e.Mode, e.Type, e.Hash, e.Name)
	}
	return w.Pipe(dir, in.String(), "mktree", "-z", "--missing")
}

// Entries stores files and returns the entries of their top directory,
// sorted by name.
func (w *World) Entries(dir string, files map[string][]byte) []Entry {
	w.T.Helper()
	below := map[string]map[string][]byte{}
	var entries []Entry
	for name, data := range files {
		if top, rest, ok := strings.Cut(name, "/"); ok {
			if below[top] == nil {
				below[top] = map[string][]byte{}
			}
			below[top][rest] = data
			continue
		}
		entries = append(entries, Entry{"100644", "blob", w.Blob(dir, data), name})
	}
	for top, rest := range below {
		entries = append(entries, Entry{"040000", "tree", w.Tree(dir, w.Entries(dir, rest)...), top})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries
}

// Commit stores files as one commit without parents, points ref at it and
// returns it.
func (w *World) Commit(dir, ref string, files map[string][]byte) string {
	w.T.Helper()
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit %s\ncommitter c <c@example.org> 1792483200 +0000\ndata 7\nbundle\n", ref) // the second of Built
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(files[name]), files[name])
	}
	w.Pipe(dir, in.String(), "fast-import", "--quiet", "--force")
	return w.Git(dir, "show-ref", "--verify", "--hash", ref)
}

// CommitTree is [World.Commit] of a stored tree.
func (w *World) CommitTree(dir, ref, tree string, parents ...string) string {
	w.T.Helper()
	args := []string{"commit-tree", "-m", "bundle"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	commit := w.Git(dir, append(args, tree)...)
	w.Git(dir, "update-ref", ref, commit)
	return commit
}

// Script writes an executable shell script and returns its path.
func (w *World) Script(name, body string) string {
	w.T.Helper()
	path := filepath.Join(w.Home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		w.T.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o777); err != nil {
		w.T.Fatal(err)
	}
	return path
}

// CountingGit puts a git in front of the real one that writes a line into
// the file returned each time it starts: its arguments.
func (w *World) CountingGit() (log string) {
	w.T.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		w.T.Fatal(err)
	}
	log = filepath.Join(w.Home, "git.log")
	w.Script("counting/git", `echo "$*" >> '`+log+`'; exec '`+real+`' "$@"`)
	w.Env = w.With("PATH=" + filepath.Join(w.Home, "counting") + string(os.PathListSeparator) + os.Getenv("PATH"))
	return log
}

// Lines are the lines of a file; none when it does not exist.
func Lines(path string) []string {
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\n"), "\n")
}

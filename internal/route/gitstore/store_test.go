package gitstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

const ref = "refs/marola/routing-bundle"

func open(t testing.TB, env []string, dir string) *gitstore.Store {
	s := gitstore.Open(t.Context(), gitstore.Git{Dir: dir, Env: env})
	t.Cleanup(func() { s.Close() })
	return s
}

func commit(t testing.TB, s *gitstore.Store, name string) gitstore.Commit {
	t.Helper()
	found, err := s.Commits(name)
	if err != nil {
		t.Fatalf("Commits(%s): %v", name, err)
	}
	return found[0]
}

func TestOneProcessAnswersEverything(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("r")
	var more []string
	for i := range 200 { // more requests than are on their way at once
		more = append(more, bundle.PieceName(bundle.WordsDir, i), strings.Repeat("x", i*100))
	}
	hash := w.Commit(dir, ref, w.Files(bundle.Build{Head: w.Head(dir)}, more...))
	log := w.CountingGit()
	s := open(t, w.Env, dir)
	found, err := s.Commits("HEAD", ref, "refs/remotes/origin/routing-bundle", "refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	if found[0].Hash != found[3].Hash || found[0].Hash == "" || found[1].Hash != hash || found[2].Exists() {
		t.Errorf("Commits = %+v", found)
	}
	if want := time.Date(2026, 10, 20, 8, 0, 0, 0, time.UTC); !found[1].Time.Equal(want) || found[1].Parents != 0 {
		t.Errorf("commit = %+v", found[1])
	}
	tree := s.Tree(found[1])
	var names []string
	for i := 0; i < len(more); i += 2 {
		names = append(names, more[i])
	}
	tree.Prefetch(append(names, "words/ff.json", "nodes/00.json", "../x")...)
	for i := len(more) - 2; i >= 0; i -= 2 {
		if data, err := tree.ReadFile(more[i]); err != nil || string(data) != more[i+1] {
			t.Fatalf("%s: %d bytes, %v", more[i], len(data), err)
		}
	}
	if _, err := tree.ReadFile("words/ff.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a name that is not there: %v", err)
	}
	list, err := tree.List()
	if err != nil || len(list) != 203 || !slices.IsSorted(list) {
		t.Errorf("List = %d names, %v", len(list), err)
	}
	if lines := gittest.Lines(log); len(lines) != 1 || !strings.HasSuffix(lines[0], "cat-file --batch") {
		t.Errorf("git was started as %q", lines)
	}
	if _, err := bundle.Verify(tree); err == nil || !strings.Contains(err.Error(), "words/") {
		t.Errorf("Verify = %v, want the pieces refused, which are no JSON", err)
	}
}

func TestSHA256Repository(t *testing.T) {
	w := gittest.New(t)
	dir := filepath.Join(w.Home, "r")
	if out, err := gittest.Run(w.Env, w.Home, "", "init", "-q", "--object-format=sha256", dir); err != nil {
		t.Logf("this git has no SHA-256 repositories: %s", out)
		return
	}
	hash := w.Commit(dir, ref, w.Files(bundle.Build{Head: strings.Repeat("0", 64)}, "words/00.json", "{}"))
	s := open(t, w.Env, dir)
	c := commit(t, s, ref)
	if c.Hash != hash || len(c.Hash) != 64 {
		t.Fatalf("commit = %+v", c)
	}
	if _, err := bundle.Verify(s.Tree(c)); err != nil {
		t.Error(err)
	}
}

func TestRefs(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("r")
	other := w.CommitTree(dir, "refs/heads/other", w.Tree(dir))

	t.Run("G05 tag shadows branch", func(t *testing.T) {
		w.Git(dir, "update-ref", "refs/tags/"+ref, other)
		if c := commit(t, open(t, w.Env, dir), ref); c.Exists() {
			t.Errorf("a tag called %s passes for that ref", ref)
		}
		mine := w.CommitTree(dir, ref, w.Tree(dir), w.Head(dir))
		if c := commit(t, open(t, w.Env, dir), ref); c.Hash != mine || c.Parents != 1 {
			t.Errorf("got %+v, want %s", c, mine)
		}
		w.Git(dir, "update-ref", "-d", ref)
		w.Git(dir, "update-ref", "-d", "refs/tags/"+ref)
	})
	t.Run("a ref that is no commit", func(t *testing.T) {
		w.Git(dir, "update-ref", ref, w.Blob(dir, []byte("x")))
		_, err := open(t, w.Env, dir).Commits(ref)
		if r := (*bundle.Refused)(nil); !errors.As(err, &r) || !strings.Contains(err.Error(), "names a blob") {
			t.Errorf("got %v", err)
		}
		w.Git(dir, "update-ref", "-d", ref)
	})
	t.Run("names that are expressions", func(t *testing.T) {
		s := open(t, w.Env, dir)
		for _, name := range []string{"refs/heads/main^{tree}", "refs/heads/main~1", ":/x", "main", "-x", "refs/heads/a\nHEAD", "refs/heads/main@{1}", ""} {
			if _, err := s.Commits(name); err == nil {
				t.Errorf("%q is taken", name)
			}
		}
	})
	t.Run("replacement refs are not followed", func(t *testing.T) {
		mine := w.Commit(dir, ref, w.Files(bundle.Build{Head: w.Head(dir)}))
		w.Git(dir, "replace", mine, other)
		if c := commit(t, open(t, w.Env, dir), ref); c.Tree == w.Git(dir, "rev-parse", other+"^{tree}") {
			t.Error("the replacement is read")
		}
	})
	t.Run("G30 refs that change during reading", func(t *testing.T) {
		w.Commit(dir, ref, w.Files(bundle.Build{Head: w.Head(dir)}, "words/00.json", `"old"`))
		s := open(t, w.Env, dir)
		tree := s.Tree(commit(t, s, ref))
		if _, err := tree.ReadFile(bundle.ManifestName); err != nil {
			t.Fatal(err)
		}
		w.Commit(dir, ref, w.Files(bundle.Build{Head: w.Head(dir)}, "words/00.json", `"new"`))
		b, err := bundle.Open(tree)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := b.Read("words/00.json"); err != nil || string(data) != `"old"` {
			t.Errorf("got %q, %v", data, err)
		}
	})
}

func TestEntries(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("r")
	blob := w.Blob(dir, []byte("{}"))
	empty := w.Tree(dir)
	for _, c := range []struct {
		name  string
		entry gittest.Entry
		want  string
	}{
		{"G20 symlink", gittest.Entry{Mode: "120000", Type: "blob", Hash: blob, Name: "graph.json"}, "a symbolic link"},
		{"G20 directory", gittest.Entry{Mode: "040000", Type: "tree", Hash: empty, Name: "graph.json"}, "a directory"},
		{"G20 gitlink", gittest.Entry{Mode: "160000", Type: "commit", Hash: w.Head(dir), Name: "graph.json"}, "a submodule"},
		{"G20 executable", gittest.Entry{Mode: "100755", Type: "blob", Hash: blob, Name: "graph.json"}, "an executable"},
		{"G20 file in place of a directory", gittest.Entry{Mode: "100644", Type: "blob", Hash: blob, Name: "words"}, "not a directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.CommitTree(dir, ref, w.Tree(dir, c.entry))
			s := open(t, w.Env, dir)
			tree := s.Tree(commit(t, s, ref))
			name := c.entry.Name
			if name == "words" {
				name = "words/00.json"
			}
			_, err := tree.ReadFile(name)
			if r := (*bundle.Refused)(nil); !errors.As(err, &r) || !strings.Contains(r.Reason, c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	t.Run("G29 non-UTF-8 and newline in paths", func(t *testing.T) {
		odd := []string{"a\nb", "a\xff.scala", "a\xfe.scala"}
		var entries []gittest.Entry
		for _, name := range odd {
			entries = append(entries, gittest.Entry{Mode: "100644", Type: "blob", Hash: blob, Name: name})
		}
		w.CommitTree(dir, ref, w.Tree(dir, entries...))
		s := open(t, w.Env, dir)
		tree := s.Tree(commit(t, s, ref))
		list, err := tree.List()
		slices.Sort(odd)
		if err != nil || !slices.Equal(list, odd) {
			t.Errorf("List = %q, %v", list, err)
		}
		for _, name := range odd {
			if _, err := tree.ReadFile(name); err == nil {
				t.Errorf("%q is read", name)
			}
		}
	})
	t.Run("directories without end", func(t *testing.T) {
		deep := empty
		for i := range 12 {
			deep = w.Tree(dir, gittest.Entry{Mode: "040000", Type: "tree", Hash: deep, Name: fmt.Sprint("d", i)})
		}
		w.CommitTree(dir, ref, deep)
		s := open(t, w.Env, dir)
		if _, err := s.Tree(commit(t, s, ref)).List(); err == nil || !strings.Contains(err.Error(), "deeper") {
			t.Errorf("got %v", err)
		}
	})
}

func TestSizes(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("r")
	huge := w.Blob(dir, bytes.Repeat([]byte("x"), bundle.MaxFile+1))
	largest := w.Blob(dir, bytes.Repeat([]byte("y"), bundle.MaxFile))
	small := w.Blob(dir, []byte("{}"))
	w.CommitTree(dir, ref, w.Tree(dir,
		gittest.Entry{Mode: "100644", Type: "blob", Hash: small, Name: "build.json"},
		gittest.Entry{Mode: "100644", Type: "blob", Hash: huge, Name: "graph.json"},
		gittest.Entry{Mode: "100644", Type: "blob", Hash: largest, Name: "wiring.json"}))
	for _, name := range []string{"G28 huge blob", "oversized_file_refused"} {
		t.Run(name, func(t *testing.T) {
			s := open(t, w.Env, dir)
			tree := s.Tree(commit(t, s, ref))
			tree.Prefetch("graph.json", "build.json")
			_, err := tree.ReadFile("graph.json")
			if r := (*bundle.Refused)(nil); !errors.As(err, &r) || !strings.Contains(r.Reason, "20971521 bytes") {
				t.Errorf("got %v", err)
			}
			if data, err := tree.ReadFile("build.json"); err != nil || string(data) != "{}" {
				t.Errorf("what was asked for behind it: %q, %v", data, err)
			}
			if data, err := tree.ReadFile("wiring.json"); err != nil || len(data) != bundle.MaxFile {
				t.Errorf("the largest that is read: %d bytes, %v", len(data), err)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	w := gittest.New(t)
	dir, other := w.Repo("r"), w.Repo("other")
	mine := w.Commit(dir, ref, w.Files(bundle.Build{Head: w.Head(dir)}))
	w.Commit(other, ref, w.Files(bundle.Build{Head: w.Head(other)}, "words/00.json", "{}"))
	git := filepath.Join(other, ".git")
	for _, kv := range []string{
		"GIT_DIR=" + git, "GIT_WORK_TREE=" + other, "GIT_INDEX_FILE=" + git + "/index", "GIT_COMMON_DIR=" + git,
		"GIT_OBJECT_DIRECTORY=" + git + "/objects", "GIT_NAMESPACE=x", "GIT_PREFIX=sub/", "GIT_ALTERNATE_OBJECT_DIRECTORIES=/nowhere",
		"GIT_SHALLOW_FILE=" + git + "/x", "GIT_CONFIG=" + git + "/config", "GIT_REPLACE_REF_BASE=refs/x", "GIT_QUARANTINE_PATH=" + git,
	} {
		name, _, _ := strings.Cut(kv, "=")
		t.Run("G08 "+name, func(t *testing.T) {
			s := open(t, w.With(kv), dir)
			c := commit(t, s, ref)
			if c.Hash != mine {
				t.Fatalf("got %s, want %s", c.Hash, mine)
			}
			if _, err := bundle.Verify(s.Tree(c)); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("G08 from a real hook", func(t *testing.T) {
		// The hook of another repository prints its environment; that is
		// the environment we are then started in.
		env := filepath.Join(w.Home, "hook.env")
		hook := w.Script("other/.git/hooks/pre-commit", "env > '"+env+"'")
		w.Git(other, "-c", "core.hooksPath="+filepath.Dir(hook), "commit", "-q", "--allow-empty", "-m", "x")
		inherited := gittest.Lines(env)
		if !slices.ContainsFunc(inherited, func(kv string) bool { return strings.HasPrefix(kv, "GIT_INDEX_FILE=") }) {
			t.Fatalf("the hook saw %q", inherited)
		}
		if c := commit(t, open(t, inherited, dir), ref); c.Hash != mine {
			t.Errorf("got %s, want %s", c.Hash, mine)
		}
	})
	t.Run("G19 filters and textconv", func(t *testing.T) {
		marker := filepath.Join(w.Home, "ran")
		run := "touch '" + marker + "'; cat"
		w.Git(dir, "config", "filter.x.smudge", run)
		w.Git(dir, "config", "diff.x.textconv", run)
		w.Git(dir, "config", "core.fsmonitor", "touch '"+marker+"'")
		if err := os.MkdirAll(filepath.Join(dir, ".git/info"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".git/info/attributes"), []byte("* filter=x diff=x\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		s := open(t, w.Env, dir)
		if _, err := bundle.Verify(s.Tree(commit(t, s, ref))); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(marker); err == nil {
			t.Error("a configured program was run")
		}
	})
}

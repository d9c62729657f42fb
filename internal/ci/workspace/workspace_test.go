package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// commit puts files into a repository's checkout and commits them.
func commit(w *gittest.World, dir, subject string, files map[string]string) string {
	w.T.Helper()
	for name, text := range files {
		w.Write(dir, map[string][]byte{name: []byte(text)})
	}
	w.Git(dir, "add", "-A")
	w.Git(dir, "commit", "-q", "--allow-empty", "-m", subject)
	return w.Head(dir)
}

func open(t *testing.T, w *gittest.World, dir string) *Workspace {
	t.Helper()
	ws, err := Open(t.Context(), Options{Dir: dir, Env: w.Env})
	if err != nil {
		t.Fatal(err)
	}
	return ws
}

// contents reads every file.
func contents(t *testing.T, r *Repo) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := r.Read(t.Context(), func(int) bool { return true }, func(i int, data []byte) error {
		got[r.Files[i].Path] = string(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func paths(r *Repo) (list []string) {
	for _, f := range r.Files {
		list = append(list, f.Path)
	}
	return list
}

func TestPlainRepository(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("shop")
	head := commit(w, dir, "two", map[string]string{"b.go": "package b\n", "a/x.go": "package a\n"})
	w.Git(dir, "remote", "add", "origin", "https://me:secret@example.org/acme/shop.git")
	w.Write(dir, map[string][]byte{"untracked.go": nil})

	ws := open(t, w, filepath.Join(dir, "a"))
	r := ws.Repos[0]
	built, _ := time.Parse(time.RFC3339, gittest.Built)
	if ws.Root != dir || ws.Branch != "main" || !ws.CommitTime.Equal(built) || len(ws.Dirty) > 0 || len(ws.Moved)+len(ws.Shallow) > 0 || len(ws.Repos) != 1 {
		t.Errorf("workspace is %+v", ws)
	}
	if r.Name != "shop" || r.Path != "" || r.Dir != dir || r.Head != head || r.URL != "https://example.org/acme/shop.git" {
		t.Errorf("repository is %+v", r)
	}
	if got, want := contents(t, r), map[string]string{"b.go": "package b\n", "a/x.go": "package a\n"}; !reflect.DeepEqual(got, want) {
		t.Errorf("files are %q, want %q", got, want)
	}

	w.Write(dir, map[string][]byte{"b.go": []byte("package other\n")})
	if ws := open(t, w, dir); len(ws.Dirty) != 1 || ws.Dirty[0] != "." || contents(t, ws.Repos[0])["b.go"] != "package b\n" {
		t.Error("an edit that is not committed: it must be told, and not read")
	}
}

func TestStatesOfACheckout(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	commit(w, dir, "two", map[string]string{"a.go": "package a\n"})

	t.Run("detached HEAD", func(t *testing.T) {
		other := filepath.Join(w.Home, "detached")
		w.Git(dir, "clone", "-q", dir, other)
		w.Git(other, "checkout", "-q", "--detach")
		if ws := open(t, w, other); ws.Branch != "" || len(ws.Repos[0].Files) != 1 {
			t.Errorf("branch %q, files %v", ws.Branch, paths(ws.Repos[0]))
		}
	})
	t.Run("worktree", func(t *testing.T) {
		tree := filepath.Join(w.Home, "tree")
		w.Git(dir, "worktree", "add", "-q", "-b", "topic", tree)
		commit(w, tree, "three", map[string]string{"b.go": "package b\n"})
		if ws := open(t, w, tree); ws.Root != tree || ws.Branch != "topic" || len(ws.Repos[0].Files) != 2 {
			t.Errorf("root %s, branch %q, files %v", ws.Root, ws.Branch, paths(ws.Repos[0]))
		}
	})
	t.Run("unborn HEAD", func(t *testing.T) {
		unborn := filepath.Join(w.Home, "unborn")
		w.Git(w.Home, "init", "-q", unborn)
		_, err := Open(t.Context(), Options{Dir: unborn, Env: w.Env})
		if e := (*UnbornError)(nil); !errors.As(err, &e) || !strings.Contains(e.Error(), "has no commit yet") {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("a tree without files", func(t *testing.T) {
		ws := open(t, w, w.Repo("empty"))
		if len(ws.Repos[0].Files) != 0 || len(contents(t, ws.Repos[0])) != 0 {
			t.Errorf("files are %v", paths(ws.Repos[0]))
		}
	})
	bare := filepath.Join(w.Home, "bare.git")
	w.Git(w.Home, "clone", "-q", "--bare", dir, bare)
	plain := filepath.Join(w.Home, "plain")
	if err := os.Mkdir(plain, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, dir, want string }{
		{"bare repository", bare, "bare repository"},
		{"inside .git", filepath.Join(dir, ".git"), "inside of .git"},
		{"no repository", plain, "not in a git repository"},
		{"no directory", filepath.Join(w.Home, "gone"), "not in a git repository"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(t.Context(), Options{Dir: tt.dir, Env: w.With("GIT_CEILING_DIRECTORIES=" + w.Home)})
			if e := (*NotCheckoutError)(nil); !errors.As(err, &e) || !strings.Contains(e.Error(), tt.want) || !strings.Contains(e.Hint(), "--root") {
				t.Errorf("error is %v", err)
			}
		})
	}
	t.Run("a directory of somebody else", func(t *testing.T) {
		_, err := Open(t.Context(), Options{Dir: dir, Env: w.With("GIT_TEST_ASSUME_DIFFERENT_OWNER=1")})
		if !errors.Is(err, gitstore.ErrOwner) {
			t.Errorf("error is %v", err)
		}
	})
}

func TestDateThatNoBundleCanRecord(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("shop")
	for _, seconds := range []string{"253402300800", "99999999999999"} {
		raw := strings.Replace(w.Git(dir, "cat-file", "commit", "HEAD"), "\n\n", "\n\nLate ", 1)
		lines := strings.Split(raw, "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, "committer ") {
				lines[i] = "committer A <a@example.org> " + seconds + " +0000"
			}
		}
		late := strings.TrimSpace(w.Pipe(dir, strings.Join(lines, "\n")+"\n", "hash-object", "-t", "commit", "-w", "--stdin"))
		w.Git(dir, "checkout", "-q", "--detach", late)
		_, err := Open(t.Context(), Options{Dir: dir, Env: w.Env})
		if bad := (*DateError)(nil); !errors.As(err, &bad) || !strings.Contains(err.Error(), late[:7]) {
			t.Errorf("%s seconds: %v", seconds, err)
		}
	}
}

func TestShallowClone(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	for _, subject := range []string{"two", "three"} {
		commit(w, dir, subject, map[string]string{"a.go": subject})
	}
	clone := filepath.Join(w.Home, "clone")
	w.Git(w.Home, "clone", "-q", "--depth=1", "file://"+dir, clone)
	ws := open(t, w, clone)
	list, err := ws.Repos[0].History(t.Context(), 10, nil)
	if err != nil || len(list) != 1 || list[0].Subject != "three" || !slices.Equal(ws.Shallow, []string{"workspace"}) {
		t.Errorf("history %v, shallow %q, %v", list, ws.Shallow, err)
	}
}

// TestPartialClone: a build reads what is there and downloads nothing; what
// is missing is an error that its own hint mends.
func TestPartialClone(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	commit(w, dir, "two", map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	w.Git(dir, "config", "uploadpack.allowFilter", "true")
	clone := func(name string, args ...string) string {
		to := filepath.Join(w.Home, name)
		w.Git(w.Home, append(append([]string{"clone", "-q", "--filter=blob:none"}, args...), "file://"+dir, to)...)
		return to
	}

	whole := open(t, w, clone("checked out"))
	if got := contents(t, whole.Repos[0]); len(got) != 2 {
		t.Errorf("files of the checked-out commit: %q", got)
	}
	if list, err := whole.Repos[0].History(t.Context(), 10, nil); err != nil || len(list) != 2 {
		t.Errorf("history %v, %v", list, err)
	}

	lacking := clone("it's empty", "--no-checkout")
	_, err := Open(t.Context(), Options{Dir: lacking, Env: w.Env})
	e := (*PartialError)(nil)
	if !errors.As(err, &e) {
		t.Fatalf("error is %v", err)
	}
	w.Script("mend", e.Hint())
	if out, err := gittest.RunProgram(w.Env, w.Home, filepath.Join(w.Home, "mend")); err != nil {
		t.Fatalf("%s: %v\n%s", e.Hint(), err, out)
	}
	if got := contents(t, open(t, w, lacking).Repos[0]); len(got) != 2 {
		t.Errorf("after %s: %q", e.Hint(), got)
	}
}

// TestOuterGit is G08 GIT_DIR of an outer hook redirects us: with every
// variable that could.
func TestOuterGit(t *testing.T) {
	w := gittest.New(t)
	ours, other := w.Repo("ours"), w.Repo("other")
	commit(w, ours, "two", map[string]string{"ours.go": "package ours\n"})
	commit(w, other, "two", map[string]string{"other.go": "package other\n"})
	w.Git(ours, "update-ref", "refs/replace/"+w.Head(ours), w.Git(ours, "rev-parse", "HEAD~1"))
	git := filepath.Join(other, ".git")
	for _, set := range []string{
		"GIT_DIR=" + git, "GIT_WORK_TREE=" + other, "GIT_INDEX_FILE=" + filepath.Join(git, "index"), "GIT_COMMON_DIR=" + git,
		"GIT_OBJECT_DIRECTORY=" + filepath.Join(git, "objects"), "GIT_NAMESPACE=x", "GIT_CONFIG=" + filepath.Join(git, "config"),
		"GIT_PREFIX=x/", "GIT_EXTERNAL_DIFF=false", "GIT_LITERAL_PATHSPECS=1", "GIT_DIFF_OPTS=-u9",
	} {
		t.Run("G08 "+set[:strings.IndexByte(set, '=')], func(t *testing.T) {
			ws, err := Open(t.Context(), Options{Dir: ours, Env: w.With(set)})
			if err != nil {
				t.Fatal(err)
			}
			if got := contents(t, ws.Repos[0]); len(got) != 1 || got["ours.go"] == "" || ws.Root != ours {
				t.Errorf("read %q of %s", got, ws.Root)
			}
			if list, err := ws.Repos[0].History(t.Context(), 9, nil); err != nil || len(list) != 2 {
				t.Errorf("history %v, %v", list, err)
			}
		})
	}
}

// TestSettingsOfTheMachine: no configuration changes what is read.
func TestSettingsOfTheMachine(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	commit(w, dir, "ä two", map[string]string{"x/a.go": "package a\r\n", "x/b.txt": "b\n", ".gitattributes": "*.txt filter=loud text eol=crlf\n"})
	w.Git(dir, "mv", "x/a.go", "x/moved.go")
	commit(w, dir, "three", nil)
	before, beforeHistory := read(t, w, dir)
	for _, set := range [][2]string{
		{"diff.renames", "copies"}, {"diff.relative", "true"}, {"diff.orderFile", "/dev/null"}, {"log.showSignature", "true"},
		{"i18n.logOutputEncoding", "ISO-8859-1"}, {"core.quotePath", "true"}, {"core.autocrlf", "true"}, {"color.ui", "always"},
		{"filter.loud.smudge", "tr a-z A-Z"}, {"filter.loud.clean", "tr a-z A-Z"}, {"format.pretty", "oneline"}, {"log.follow", "true"},
		{"core.ignoreCase", "true"}, {"diff.external", "false"}, {"log.date", "relative"}, {"status.short", "true"}, {"log.mailmap", "false"},
	} {
		w.Git(dir, "config", set[0], set[1])
	}
	if after, history := read(t, w, dir); !reflect.DeepEqual(after, before) || !reflect.DeepEqual(history, beforeHistory) {
		t.Errorf("with settings: %q, %q; without: %q, %q", after, history, before, beforeHistory)
	}
}

func read(t *testing.T, w *gittest.World, dir string) (map[string]string, []Commit) {
	t.Helper()
	r := open(t, w, filepath.Join(dir, "x")).Repos[0]
	list, err := r.History(t.Context(), 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return contents(t, r), list
}

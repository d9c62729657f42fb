package skillupstream

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// An upstream is a repository of somebody else's, and a machine that reads it.
type upstream struct {
	*gittest.World
	dir string
}

func newUpstream(t *testing.T) *upstream {
	w := gittest.New(t)
	w.Write(w.Home, map[string][]byte{"gitconfig": []byte("[init]\n\tdefaultBranch = main\n[core]\n\tfsync = none\n[protocol \"file\"]\n\tallow = always\n[uploadpack]\n\tallowFilter = true\n")})
	return &upstream{w, w.Repo("up")}
}

// commit commits files and returns the commit; the contents "-" remove one.
func (u *upstream) commit(date string, files map[string]string) string {
	u.T.Helper()
	for name, text := range files {
		if text == "-" {
			u.Git(u.dir, "rm", "-q", name)
		} else {
			u.Write(u.dir, map[string][]byte{name: []byte(text)})
		}
	}
	u.Git(u.dir, "add", "-A")
	out, err := gittest.Run(u.With("GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date), u.dir, "", "commit", "-q", "-m", "x")
	if err != nil {
		u.T.Fatalf("%v: %s", err, out)
	}
	return u.Head(u.dir)
}

func (u *upstream) open(set ...string) *Repo {
	u.T.Helper()
	r, err := Open(context.Background(), "file://"+filepath.ToSlash(u.dir), u.With(set...))
	if err != nil {
		u.T.Fatal(err)
	}
	u.T.Cleanup(func() {
		if err := r.Close(); err != nil {
			u.T.Error(err)
		}
		if _, err := os.Stat(r.dir); !errors.Is(err, os.ErrNotExist) {
			u.T.Errorf("it leaves %s: %v", r.dir, err)
		}
	})
	return r
}

func at(text string) time.Time {
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return when
}

const later = "2027-01-01T00:00:00Z"

func TestFiles(t *testing.T) {
	u, ctx := newUpstream(t), context.Background()
	u.Write(u.dir, map[string][]byte{"s/run.sh": nil})
	if err := os.Chmod(filepath.Join(u.dir, "s/run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	head := u.commit("2026-08-01T00:00:00Z", map[string]string{"s/SKILL.md": "x\n", "s/sub/a": "a\r\n", "st/b": "b", "LICENSE": "MIT", "[s]/x": "1"})
	r := u.open()
	files, err := r.Files(ctx, head, "s")
	if err != nil || len(files) != 3 || !files["run.sh"].Executable || files["SKILL.md"].Executable || files["sub/a"].Path != "s/sub/a" {
		t.Fatalf("%v, %v", files, err)
	}
	if got, err := r.Files(ctx, head, "[s]"); err != nil || len(got) != 1 { // a name and no pattern
		t.Errorf("%v, %v", got, err)
	}
	if got, err := r.Files(ctx, head, "none"); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	contents, err := r.Contents(ctx, head, []string{files["sub/a"].Blob, files["SKILL.md"].Blob, files["SKILL.md"].Blob})
	if err != nil || string(contents[files["sub/a"].Blob]) != "a\r\n" || len(contents) != 2 {
		t.Errorf("%q, %v", contents, err)
	}
	if f, ok, err := r.One(ctx, head, "LICENSE"); err != nil || !ok || f.Blob == "" {
		t.Errorf("%v, %v, %v", f, ok, err)
	}
	for _, absent := range []string{"s", "none", "L*"} {
		if f, ok, err := r.One(ctx, head, absent); err != nil || ok {
			t.Errorf("%s: %v, %v, %v", absent, f, ok, err)
		}
	}
	if !r.Has(ctx, head, "s/sub") || r.Has(ctx, head, "x") || r.TreeOf(ctx, head, "s/sub") == "" {
		t.Error("what is there is not found, or the other way round")
	}
}

// TestFilesRefused: what a tree may hold and a skill may not.
func TestFilesRefused(t *testing.T) {
	u, ctx := newUpstream(t), context.Background()
	blob := u.Blob(u.dir, []byte("x"))
	tree := func(entries ...gittest.Entry) string { return u.Tree(u.dir, entries...) }
	file := func(name string) gittest.Entry {
		return gittest.Entry{Mode: "100644", Type: "blob", Hash: blob, Name: name}
	}
	for name, c := range map[string]struct {
		skill string // the tree of the skill's directory
		want  string
	}{
		"a link":                 {tree(gittest.Entry{Mode: "120000", Type: "blob", Hash: blob, Name: "l"}), "is a symbolic link"},
		"a submodule":            {tree(gittest.Entry{Mode: "160000", Type: "commit", Hash: u.Head(u.dir), Name: "m"}), "is a submodule"},
		"names that are one":     {tree(file("A"), file("a")), "but for case"},
		"a name of Windows":      {tree(file("aux.md")), "is not a path"},
		"G29 a line break":       {tree(file("a\nb")), "is not a path"},
		"G29 bytes of no script": {tree(file("a\xff")), "is not a path"},
	} {
		t.Run(name, func(t *testing.T) {
			top := tree(gittest.Entry{Mode: "040000", Type: "tree", Hash: c.skill, Name: "s"})
			commit := u.CommitTree(u.dir, "refs/heads/main", top)
			r := u.open()
			files, err := r.Files(ctx, commit, "s")
			if refused := (*Refused)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) || refused.Hint() == "" {
				t.Errorf("%v, %v; want %q", files, err, c.want)
			}
			if err != nil && (strings.Contains(err.Error(), "\n") || !utf8.ValidString(err.Error())) {
				t.Errorf("the message is %q", err)
			}
			// Of a whole repository that is none of a skill's business.
			if all, err := r.Files(ctx, commit, ""); err != nil {
				t.Errorf("%v, %v", all, err)
			}
		})
	}
	t.Run("G28 a file that is too large", func(t *testing.T) {
		big := strings.Repeat("x", 9<<20)
		head := u.commit("2026-08-03T00:00:00Z", map[string]string{"s/big": big})
		r := u.open()
		f, _, err := r.One(ctx, head, "s/big")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Contents(ctx, head, []string{f.Blob}); err == nil || !strings.Contains(err.Error(), "more bytes than a skill's may") {
			t.Errorf("%v", err)
		}
	})
}

// TestNewest: the newest commit of a directory that is old enough, and the
// highest version among releases that are.
func TestNewest(t *testing.T) {
	u, ctx := newUpstream(t), context.Background()
	first := u.commit("2026-08-01T00:00:00Z", map[string]string{"s/a": "1"})
	second := u.commit("2026-09-01T00:00:00Z", map[string]string{"s/a": "2"})
	other := u.commit("2026-10-01T00:00:00Z", map[string]string{"x": "1"})
	for tag, commit := range map[string]string{"v1.9.0": first, "v1.10.0": second, "v2.0.0-rc.1": other, "nightly": other, "v9": other, "1.0.0": first} {
		u.Git(u.dir, "tag", tag, commit)
	}
	out, err := gittest.Run(u.With("GIT_COMMITTER_DATE=2026-10-19T00:00:00Z"), u.dir, "", "tag", "-a", "-m", "x", "v3.0.0", other)
	if err != nil {
		t.Fatal(out)
	}
	r := u.open()
	for _, c := range []struct {
		dir      string
		releases bool
		before   string
		want     string
	}{
		{"s", false, later, second}, {"", false, later, other}, {"s", false, "2026-08-15T00:00:00Z", first}, {"s", false, "2026-07-01T00:00:00Z", ""}, {"none", false, later, ""},
		{"s", true, later, other}, {"s", true, "2026-10-18T00:00:00Z", second}, {"s", true, "2026-08-15T00:00:00Z", first}, {"none", true, later, ""},
	} {
		got, ok, err := r.Newest(ctx, c.dir, c.releases, at(c.before))
		if err != nil || ok != (c.want != "") || got.Hash != c.want {
			t.Errorf("%+v: %+v, %v, %v", c, got, ok, err)
		}
	}
	if got, _, _ := r.Newest(ctx, "s", true, at(later)); got.Tag != "v3.0.0" || !got.Date.Equal(at("2026-10-19T00:00:00Z")) {
		t.Errorf("the release is %+v", got)
	}
	if !r.Older(ctx, first, second) || !r.Older(ctx, first, first) || r.Older(ctx, second, first) {
		t.Error("what is older is not told")
	}
	history, err := r.History(ctx, "s", 200)
	if err != nil || len(history) != 2 || history[0].Hash != second || history[1].Hash != first {
		t.Errorf("%v, %v", history, err)
	}
	if one, err := r.History(ctx, "", 1); err != nil || len(one) != 1 || one[0].Hash != other {
		t.Errorf("%v, %v", one, err)
	}
	diff, err := r.Diff(ctx, first, second, []string{"s/a"})
	if err != nil || !strings.Contains(diff, "-1\n") || !strings.Contains(diff, "+2\n") {
		t.Errorf("%s, %v", diff, err)
	}
	if none, err := r.Diff(ctx, first, second, nil); err != nil || none != "" {
		t.Errorf("%q, %v", none, err)
	}
}

// TestPin: a commit that no branch has is fetched; what is no commit is not.
func TestPin(t *testing.T) {
	u, ctx := newUpstream(t), context.Background()
	head := u.commit("2026-08-01T00:00:00Z", map[string]string{"s/a": "1"})
	apart := u.Git(u.dir, "commit-tree", "-m", "apart", "-p", head, head+"^{tree}")
	u.Git(u.dir, "update-ref", "refs/pull/1/head", apart)
	r := u.open()
	for _, commit := range []string{head, apart} {
		if c, err := r.Pin(ctx, commit); err != nil || c.Hash != commit {
			t.Errorf("%v, %v", c, err)
		}
	}
	for _, none := range []string{strings.Repeat("1", 40), u.Blob(u.dir, []byte("blob"))} {
		far := (*Unreached)(nil)
		if c, err := r.Pin(ctx, none); !errors.As(err, &far) || far.Hint() == "" {
			t.Errorf("%s: %v, %v", none, c, err)
		}
	}
}

// TestExport: what Go builds from, and nothing that only tests read.
func TestExport(t *testing.T) {
	u, ctx := newUpstream(t), context.Background()
	head := u.commit("2026-08-01T00:00:00Z", map[string]string{"go.mod": "module x\n", "cmd/a/main.go": "package main\n", "cmd/a/main_test.go": "x", "cmd/a/testdata/x": "x", "other/x.go": "x", ".gitattributes": "*.go filter=bad text eol=crlf\n"})
	to := t.TempDir()
	if err := u.open().Export(ctx, head, to, "go.mod", "go.sum", "cmd"); err != nil {
		t.Fatal(err)
	}
	var found []string
	err := filepath.WalkDir(to, func(file string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(to, file)
			found = append(found, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil || !slices.Equal(found, []string{"cmd/a/main.go", "go.mod"}) {
		t.Errorf("it wrote %q, %v", found, err)
	}
	if data, err := os.ReadFile(filepath.Join(to, "cmd/a/main.go")); err != nil || string(data) != "package main\n" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestOpen: addresses that lead nowhere, and a machine that is not plain.
func TestOpen(t *testing.T) {
	u, ctx := newUpstream(t), context.Background()
	head := u.commit("2026-08-01T00:00:00Z", map[string]string{"s/a": "1", ".gitattributes": "* filter=bad diff=bad\n"})
	for _, bad := range []string{"", "--upload-pack=touch x", "ext::sh -c x", "file://" + u.Home + "/nowhere", "http://example.org/x"} {
		far := (*Unreached)(nil)
		if r, err := Open(ctx, bad, u.Env); !errors.As(err, &far) {
			t.Errorf("%q: %v, %v", bad, r, err)
		}
	}
	t.Run("G08 another git's environment", func(t *testing.T) {
		decoy := u.Repo("decoy")
		before := u.Git(decoy, "for-each-ref")
		r := u.open("GIT_DIR="+filepath.Join(decoy, ".git"), "GIT_INDEX_FILE="+filepath.Join(decoy, ".git/index"), "GIT_OBJECT_DIRECTORY="+filepath.Join(decoy, ".git/objects"), "GIT_WORK_TREE="+decoy)
		if files, err := r.Files(ctx, head, "s"); err != nil || len(files) != 1 {
			t.Errorf("%v, %v", files, err)
		}
		if after := u.Git(decoy, "for-each-ref"); after != before {
			t.Errorf("the other repository has changed: %s", after)
		}
	})
	t.Run("G01 G02 a person's settings for fetching", func(t *testing.T) {
		set := []string{"GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=fetch.prune", "GIT_CONFIG_VALUE_0=true", "GIT_CONFIG_KEY_1=fetch.recurseSubmodules", "GIT_CONFIG_VALUE_1=true", "GIT_CONFIG_KEY_2=remote.origin.tagOpt", "GIT_CONFIG_VALUE_2=--tags"}
		r := u.open(set...)
		if _, ok, err := r.Newest(ctx, "s", true, at(later)); err != nil || ok {
			t.Errorf("a release where there is none: %v, %v", ok, err)
		}
		if c, ok, err := r.Newest(ctx, "s", false, at(later)); err != nil || !ok || c.Hash != head {
			t.Errorf("%v, %v, %v", c, ok, err)
		}
	})
	t.Run("G10 G11 a remote that asks for a password", func(t *testing.T) {
		marker := filepath.Join(u.Home, "asked")
		ask := u.Script("ask", "touch '"+marker+"'; sleep 60")
		ssh := u.Script("ssh", `case " $* " in *" -oBatchMode=yes "*) exit 255 ;; esac; touch '`+marker+"'; sleep 60")
		begin := time.Now()
		if r, err := Open(ctx, "ssh://git@example.org/x.git", u.With("GIT_ASKPASS="+ask, "SSH_ASKPASS="+ask, "GIT_SSH_COMMAND="+ssh)); err == nil {
			t.Errorf("it is read: %v", r)
		}
		if _, err := os.Stat(marker); !errors.Is(err, os.ErrNotExist) || time.Since(begin) > 30*time.Second {
			t.Errorf("somebody was asked: %v, after %v", err, time.Since(begin))
		}
	})
	t.Run("G19 filters and drivers of a person's", func(t *testing.T) {
		marker := filepath.Join(u.Home, "ran")
		run := u.Script("driver", "touch '"+marker+"'; cat")
		set := []string{"GIT_CONFIG_COUNT=4"}
		for i, key := range []string{"filter.bad.smudge", "filter.bad.clean", "diff.bad.textconv", "diff.bad.command"} {
			n := string(rune('0' + i))
			set = append(set, "GIT_CONFIG_KEY_"+n+"="+key, "GIT_CONFIG_VALUE_"+n+"="+run)
		}
		next := u.commit("2026-08-02T00:00:00Z", map[string]string{"s/a": "2"})
		r := u.open(set...)
		if diff, err := r.Diff(ctx, head, next, []string{"s/a"}); err != nil || !strings.Contains(diff, "+2") {
			t.Errorf("%s, %v", diff, err)
		}
		if err := r.Export(ctx, next, t.TempDir(), "s"); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(marker); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a driver ran: %v", err)
		}
	})
}

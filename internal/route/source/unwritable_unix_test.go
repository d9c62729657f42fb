//go:build unix

package source_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// G32: nothing below .git can be written. Root can write everywhere, so as
// root git is started as somebody else, who owns what is there.
func TestUnwritableRepository(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	want := p.publish()
	p.Commit(p.clone, source.PrivateRef, p.Files(mainBuild(p.World, p.clone)))
	if os.Getuid() == 0 {
		const nobody = 65534
		p.Env = p.With("PATH=" + asUser(t, p.World, nobody) + string(os.PathListSeparator) + os.Getenv("PATH"))
		for dir := p.Home; strings.HasPrefix(dir, os.TempDir()) && dir != os.TempDir(); dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		each(t, p.Home, func(path string) error { return os.Lchown(path, nobody, nobody) })
	}
	git := filepath.Join(p.clone, ".git")
	each(t, git, func(path string) error { return chmod(path, 0o222, false) })
	t.Cleanup(func() { each(t, git, func(path string) error { return chmod(path, 0o200, true) }) })
	o := options(p.World, p.clone)
	if got := line(t, o); !strings.Contains(got, "(bundle, 2 h old)") {
		t.Errorf("G32 reading: %q", got)
	}
	_, err := source.Fetch(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "routing bundle unreachable (") || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("G32 fetching: %v", err)
	}
	if got := line(t, o); !strings.Contains(got, "(bundle, 2 h old)") || strings.Contains(got, want[:7]) {
		t.Errorf("G32 reading afterwards: %q", got)
	}
}

// asUser returns a directory with a git that runs as that user: this test
// program again, see TestMain.
func asUser(t *testing.T, w *gittest.World, uid int) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(w.Script("other/git", "MAROLA_TEST_RUN_AS="+strconv.Itoa(uid)+" exec '"+self+"' \"$@\""))
}

func TestMain(m *testing.M) {
	if uid := os.Getenv("MAROLA_TEST_RUN_AS"); uid != "" {
		runAs(uid)
	}
	os.Exit(m.Run())
}

func each(t *testing.T, root string, do func(string) error) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = do(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func chmod(path string, bits fs.FileMode, set bool) error {
	st, err := os.Lstat(path)
	if err != nil || st.Mode()&fs.ModeSymlink != 0 {
		return err
	}
	mode := st.Mode().Perm() &^ bits
	if set {
		mode |= bits
	}
	return os.Chmod(path, mode)
}

// runAs becomes git under another user, and does not return.
func runAs(uid string) {
	n, err := strconv.Atoi(uid)
	if err != nil {
		panic(err)
	}
	git := "/usr/bin/git"
	for _, dir := range filepath.SplitList(os.Getenv("PATH"))[1:] {
		if path := filepath.Join(dir, "git"); exists(path) {
			git = path
			break
		}
	}
	err = syscall.Setgroups(nil)
	if err == nil {
		err = syscall.Setgid(n)
	}
	if err == nil {
		err = syscall.Setuid(n)
	}
	if err == nil {
		err = syscall.Exec(git, append([]string{"git"}, os.Args[1:]...), append(os.Environ(), "MAROLA_TEST_RUN_AS="))
	}
	os.Stderr.WriteString(err.Error())
	os.Exit(125)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

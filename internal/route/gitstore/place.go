package gitstore

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Place is where a repository lies, found by its files alone: enough to
// look for a local graph and to know the checkout's name. Git has the last
// word on whether it is a repository.
type Place struct {
	Top       string // root of the checkout; "" in a bare repository and inside .git
	GitDir    string // this checkout's own git directory
	CommonDir string // the one that all worktrees share
}

// Name is the name of the checkout's directory, or of the bare repository
// without ".git".
func (p Place) Name() string {
	if p.Top != "" {
		return filepath.Base(p.Top)
	}
	if filepath.Base(p.CommonDir) == ".git" {
		return filepath.Base(filepath.Dir(p.CommonDir))
	}
	return strings.TrimSuffix(filepath.Base(p.CommonDir), ".git")
}

// Locate finds the repository of dir by walking up from it.
func Locate(dir string) (Place, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Place{}, false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for {
		if p, ok := at(dir); ok {
			return p, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Place{}, false
		}
		dir = parent
	}
}

// at reports the repository whose root, or whose git directory, dir is.
func at(dir string) (Place, bool) {
	dot := filepath.Join(dir, ".git")
	if target, ok := pointer(dot, "gitdir: "); ok && isGitDir(target) {
		return Place{dir, target, commonDir(target)}, true
	}
	if isGitDir(dot) {
		return Place{dir, dot, commonDir(dot)}, true
	}
	if isGitDir(dir) {
		return Place{"", dir, commonDir(dir)}, true
	}
	return Place{}, false
}

// isGitDir has git's own three signs.
func isGitDir(dir string) bool {
	if st, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil || st.IsDir() {
		return false
	}
	common := commonDir(dir)
	for _, sub := range []string{"objects", "refs"} {
		if st, err := os.Stat(filepath.Join(common, sub)); err != nil || !st.IsDir() {
			return false
		}
	}
	return true
}

func commonDir(gitDir string) string {
	if dir, ok := pointer(filepath.Join(gitDir, "commondir"), ""); ok {
		return dir
	}
	return gitDir
}

// pointer reads a file that names a directory, relative to its own.
func pointer(path, lead string) (string, bool) {
	data, err := readSmall(path, 8<<10)
	if err != nil {
		return "", false
	}
	target, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), lead)
	if !ok || target == "" {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	return filepath.Clean(target), true
}

// readSmall reads a regular file of at most max bytes.
func readSmall(path string, max int64) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > max {
		return nil, errors.New(path + ": not a small file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, max))
}

// Head returns the commit that is checked out, read from the repository's
// files; ok is false where they do not tell (an unborn branch, or a way of
// storing refs that is not files).
func (p Place) Head() (hash string, ok bool) {
	data, err := readSmall(filepath.Join(p.GitDir, "HEAD"), 8<<10)
	if err != nil {
		return "", false
	}
	text := strings.TrimSpace(string(data))
	name, symbolic := strings.CutPrefix(text, "ref: ")
	if !symbolic {
		return text, IsHash(text)
	}
	hash, ok = p.follow(name)
	return hash, ok && hash != ""
}

// Superproject is the repository that has this one as a submodule inside its
// own git directory, which is where git puts it.
func (p Place) Superproject() (Place, bool) {
	if p.Top == "" {
		return Place{}, false
	}
	outer, ok := Locate(filepath.Dir(p.Top))
	if !ok || outer.Top == "" {
		return Place{}, false
	}
	for _, dir := range []string{outer.GitDir, outer.CommonDir} {
		if strings.HasPrefix(p.GitDir, filepath.Join(dir, "modules")+string(filepath.Separator)) {
			return outer, true
		}
	}
	return Place{}, false
}

// Branch is the name of the branch that is checked out, born or not; "" when
// HEAD is detached.
func (p Place) Branch() string {
	data, err := readSmall(filepath.Join(p.GitDir, "HEAD"), 8<<10)
	if err != nil {
		return ""
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: refs/heads/")
	if !ok || !ValidRef(name) || name == ".invalid" {
		return ""
	}
	return name
}

// Whole reports whether the clone has the full history: it is not shallow.
func (p Place) Whole() bool {
	_, err := os.Lstat(filepath.Join(p.CommonDir, "shallow"))
	return os.IsNotExist(err)
}

// IsRoot reports whether dir is the root of a checkout, or a bare repository.
func IsRoot(dir string) bool { _, ok := at(dir); return ok }

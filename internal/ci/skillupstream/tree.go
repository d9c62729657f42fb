package skillupstream

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A File is one file of an upstream's commit.
type File struct {
	Blob       string
	Path       string // upstream
	Executable bool
}

// Files are the files of a directory in a commit, by their path below it. A
// link, a submodule or a path that a skill may not have is refused.
func (r *Repo) Files(ctx context.Context, commit, dir string) (map[string]File, error) {
	if dir == "" {
		return r.list(ctx, commit, "")
	}
	return r.list(ctx, commit, dir, dir+"/")
}

// list are the files of a commit that these paths name, by their path below
// the directory.
func (r *Repo) list(ctx context.Context, commit, dir string, paths ...string) (map[string]File, error) {
	out, err := r.git.Output(ctx, append([]string{"ls-tree", "-r", "-z", "--full-tree", commit, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	refused := func(format string, args ...any) error {
		return &Refused{r.Name, commit, fmt.Sprintf(format, args...)}
	}
	files := map[string]File{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if entry == "" {
			continue
		}
		about, name, ok := strings.Cut(entry, "\t")
		f := strings.Fields(about)
		if !ok || len(f) != 3 || !gitstore.IsHash(f[2]) {
			return nil, refused("git ls-tree gave %.80q", entry)
		}
		rel := name
		if dir != "" {
			if rel, ok = strings.CutPrefix(name, dir+"/"); !ok {
				return nil, refused("%q is outside of %s", plaintext.Line(name, 200), dir)
			}
		}
		switch {
		case f[0] == "100644" || f[0] == "100755" || f[0] == "100664":
			files[rel] = File{Blob: f[2], Path: name, Executable: f[0] == skillslock.Executable}
		case dir == "":
			// Of a whole repository a skill is a few files; the rest may be anything.
		case f[0] == "120000":
			return nil, refused("%s is a symbolic link", plaintext.Line(name, 200))
		default:
			return nil, refused("%s is a submodule or nothing that git knows", plaintext.Line(name, 200))
		}
	}
	if dir == "" {
		maps.DeleteFunc(files, func(file string, _ File) bool { return !skillslock.ValidPath(file) })
		return files, nil
	}
	if len(files) > skillslock.MaxFiles {
		return nil, refused("%s has %d files; a skill has at most %d", dir, len(files), skillslock.MaxFiles)
	}
	if err := skillslock.CheckPaths(slices.Sorted(maps.Keys(files))); err != nil {
		return nil, refused("%s: %v", dir, err)
	}
	return files, nil
}

// One is one file of a commit. ok is false when it is not a plain file there.
func (r *Repo) One(ctx context.Context, commit, file string) (f File, ok bool, err error) {
	files, err := r.list(ctx, commit, "", file)
	if err != nil {
		return f, false, err
	}
	f, ok = files[file]
	return f, ok, nil
}

// Contents are the contents of blobs, by hash. Those that are not here yet
// are fetched at once.
func (r *Repo) Contents(ctx context.Context, commit string, blobs []string) (map[string][]byte, error) {
	if err := r.prefetch(ctx, blobs); err != nil {
		return nil, err
	}
	all, total := map[string][]byte{}, 0
	for _, blob := range blobs {
		if _, done := all[blob]; done {
			continue
		}
		size, err := r.git.Output(ctx, "cat-file", "-s", blob)
		if err != nil {
			return nil, &Unreached{r.Name, err}
		}
		if n := strings.TrimSpace(string(size)); len(n) > 8 {
			return nil, &Refused{r.Name, commit, "a file has " + n + " bytes, more than a skill's may"}
		}
		data, err := r.git.Output(ctx, "cat-file", "blob", blob)
		if err != nil {
			return nil, &Refused{r.Name, commit, fmt.Sprintf("a file cannot be read, or has more bytes than a skill's may: %s", plaintext.Line(err.Error(), 200))}
		}
		if skillslock.Blob(data) != blob {
			return nil, &Refused{r.Name, commit, "a file is not what its hash says"}
		}
		if total += len(data); total > skillslock.MaxSkill {
			return nil, &Refused{r.Name, commit, fmt.Sprintf("a skill has more than %d bytes", skillslock.MaxSkill)}
		}
		all[blob] = data
	}
	return all, nil
}

// prefetch gets blobs that are not here. A server that does not send parts
// has sent them all before.
func (r *Repo) prefetch(ctx context.Context, blobs []string) error {
	var missing []string
	for _, blob := range blobs {
		if r.got[blob] || slices.Contains(missing, blob) {
			continue
		}
		if _, err := r.git.Output(ctx, "cat-file", "-e", blob); err != nil {
			missing = append(missing, blob)
		}
		r.got[blob] = true
	}
	if len(missing) == 0 {
		return nil
	}
	if err := r.fetch(ctx, missing...); err != nil {
		return &Unreached{r.Name, err}
	}
	return nil
}

// Diff is the unified diff of these files between two commits.
func (r *Repo) Diff(ctx context.Context, from, to string, files []string) (string, error) {
	if len(files) == 0 {
		return "", nil
	}
	var blobs []string
	for _, commit := range []string{from, to} {
		all, err := r.list(ctx, commit, "", files...)
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if f, ok := all[file]; ok {
				blobs = append(blobs, f.Blob)
			}
		}
	}
	if err := r.prefetch(ctx, blobs); err != nil {
		return "", err
	}
	args := append([]string{"diff-tree", "-p", "-r", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", from, to, "--"}, files...)
	out, err := r.git.Output(ctx, args...)
	return string(out), err
}

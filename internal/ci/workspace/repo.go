package workspace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// A Repo is one repository of the workspace at one commit.
type Repo struct {
	Name string // short name: last segment of its URL or path
	Path string // its folder in the workspace, slashes; "" for the umbrella
	Dir  string // where its checkout is
	Head string // the commit read, full
	URL  string // https or ssh address without credentials, or ""

	Files []File // tracked regular files, sorted by path

	links map[string]string // path of each gitlink → the commit it records
	signs map[string]bool   // paths of symbolic links
	git   gitstore.Git
}

// A File is one tracked file.
type File struct {
	Path string // in its repository, slashes; any bytes but NUL
	Blob string // object id
	Size int64  // bytes
}

// openRepo lists the tracked regular files of a commit.
func openRepo(ctx context.Context, git gitstore.Git, rev string) (*Repo, error) {
	r := &Repo{Dir: git.Dir, git: git, links: map[string]string{}, signs: map[string]bool{}}
	head, err := git.Output(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if exit := (*gitstore.ExitError)(nil); errors.As(err, &exit) {
		if rev == "HEAD" {
			return nil, &UnbornError{git.Dir}
		}
		return nil, errNoCommit
	} else if err != nil {
		return nil, err
	}
	r.Head = strings.TrimSpace(string(head))
	err = git.Stream(ctx, nil, r.readTree, "ls-tree", "-r", "-z", "--long", "--full-tree", r.Head)
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return r, r.whole(err)
}

// Links are the paths of the commit's symbolic links, sorted.
func (r *Repo) Links() []string { return slices.Sorted(maps.Keys(r.signs)) }

// NotFile says what stands at a path of the commit in place of a file, "" for
// a file, a folder, or nothing.
func (r *Repo) NotFile(path string) string {
	switch {
	case r.signs[path]:
		return "a symbolic link"
	case r.links[path] != "":
		return "a submodule"
	}
	return ""
}

// whole explains why a partial clone cannot be read.
func (r *Repo) whole(err error) error {
	if errors.Is(err, gitstore.ErrNotLocal) {
		return &PartialError{r.Dir}
	}
	return err
}

// readTree reads rows of mode SP type SP object SP size TAB path NUL.
func (r *Repo) readTree(in *bufio.Reader) error {
	for {
		row, err := in.ReadString(0)
		if err == io.EOF && row == "" {
			return nil
		}
		if err != nil {
			return err
		}
		meta, name, ok := strings.Cut(row[:len(row)-1], "\t")
		f := strings.Fields(meta)
		switch {
		case !ok || len(f) != 4:
			return fmt.Errorf("a row that git ls-tree does not give: %.80q", row)
		case f[1] == "commit":
			r.links[name] = f[2]
		case f[0] == "120000": // a symbolic link has no content of its own
			r.signs[name] = true
		case f[1] == "blob":
			size, err := strconv.ParseInt(f[3], 10, 64)
			if err != nil {
				return fmt.Errorf("git cannot tell the size of %q: %s", name, f[3])
			}
			r.Files = append(r.Files, File{Path: name, Blob: f[2], Size: size})
		}
	}
}

// commitTime is the committer date of the commit read, in UTC. One that git
// cannot tell, or that has a year of more than four digits, is a
// [*DateError].
func (r *Repo) commitTime(ctx context.Context) (time.Time, error) {
	out, err := r.git.Output(ctx, "log", "-1", "--no-show-signature", "--format=%ct", r.Head)
	if err != nil {
		return time.Time{}, err
	}
	text := strings.TrimSpace(string(out))
	sec, err := strconv.ParseInt(text, 10, 64)
	t := time.Unix(sec, 0).UTC()
	if err != nil || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}, &DateError{r.Head, text}
	}
	return t, nil
}

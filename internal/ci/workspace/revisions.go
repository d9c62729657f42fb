package workspace

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// Revisions are some files of a repository as they are at every commit of
// its clone: what [Repo.ReadAt] would read, to be read without the clone.
type Revisions struct {
	Names   map[string]string // tags and the remote's branches, as "refs/tags/v1" → commit
	Commits []Revision        // each behind its first parent
	Blobs   map[string][]byte // contents by object id

	number map[string]int // commit → place in Commits, made when first asked
}

// A Revision is one commit: its first parent's files, and what is otherwise.
type Revision struct {
	ID      string
	Parent  int               // place in Commits, -1 for none
	Changes map[string]string // path → object id, "" for one that is gone
}

// Revisions reads the history of the files that match one of git's pathspecs,
// of the newest limit commits. Files above maxSize bytes count as absent.
func (r *Repo) Revisions(ctx context.Context, limit int, maxSize int64, pathspecs ...string) (*Revisions, error) {
	v := &Revisions{Names: map[string]string{}, Blobs: map[string][]byte{}}
	args := append([]string{"log", "--all", r.Head, "--topo-order", "--reverse", "--max-count=" + strconv.Itoa(limit), "--full-history", "--sparse", "--diff-merges=first-parent",
		"--no-renames", "--no-ext-diff", "--no-relative", "-O/dev/null", "--ignore-submodules=none", "--no-show-signature", "--raw", "--no-abbrev", "-z", "--format=%x00%H%x00%P%x00", "--"}, pathspecs...)
	if err := r.git.Stream(ctx, nil, v.readLog, args...); err != nil {
		return nil, r.whole(err)
	}
	ids := map[string]bool{}
	for _, c := range v.Commits {
		for _, id := range c.Changes {
			ids[id] = true
		}
	}
	delete(ids, "")
	if len(ids) == 0 { // no commit has such files
		v.Commits = nil
		return v, nil
	}
	if err := r.readBlobs(ctx, v, slices.Sorted(maps.Keys(ids)), maxSize); err != nil {
		return nil, r.whole(err)
	}
	return v, r.whole(r.readNames(ctx, v))
}

// readLog reads fields that end in NUL: an empty one, a commit, its parents,
// then for each change a row ":mode mode object object X" and its path.
func (v *Revisions) readLog(in *bufio.Reader) error {
	place := map[string]int{}
	for {
		field, err := in.ReadString(0)
		if err == io.EOF && field == "" {
			return nil
		}
		if err != nil {
			return err
		}
		row := strings.Trim(field, "\n\x00")
		switch {
		case row == "":
		case row[0] == ':':
			name, err := in.ReadString(0)
			f := strings.Fields(row)
			if err != nil || len(f) != 5 || len(v.Commits) == 0 {
				return fmt.Errorf("a row that git log does not give: %.80q", row)
			}
			id := f[3]
			if f[1] == "160000" || strings.Trim(id, "0") == "" {
				id = ""
			}
			c := &v.Commits[len(v.Commits)-1]
			if c.Changes == nil {
				c.Changes = map[string]string{}
			}
			c.Changes[strings.TrimSuffix(name, "\x00")] = id
		default:
			parents, err := in.ReadString(0)
			if err != nil {
				return fmt.Errorf("git log ended early: %w", err)
			}
			first, _, _ := strings.Cut(strings.Trim(parents, "\n\x00"), " ")
			c := Revision{ID: row, Parent: -1}
			if at, ok := place[first]; ok {
				c.Parent = at
			}
			place[row] = len(v.Commits)
			v.Commits = append(v.Commits, c)
		}
	}
}

func (r *Repo) readBlobs(ctx context.Context, v *Revisions, ids []string, maxSize int64) error {
	in := func(ids []string) *bytes.Buffer { return bytes.NewBufferString(strings.Join(ids, "\n") + "\n") }
	var small []string
	err := r.git.Stream(ctx, in(ids), func(out *bufio.Reader) error {
		for _, id := range ids {
			row, err := out.ReadString('\n')
			if err != nil {
				return err
			}
			f := strings.Fields(row)
			if len(f) != 3 || f[1] != "blob" {
				continue // a partial clone lacks it, and is asked for no more than it has
			}
			if size, err := strconv.ParseInt(f[2], 10, 64); err == nil && size > 0 && size <= maxSize { // ReadAt tells an empty file from none no better
				small = append(small, id)
			}
		}
		return nil
	}, "cat-file", "--batch-check", "--buffer")
	if err != nil || len(small) == 0 {
		return err
	}
	return r.git.Stream(ctx, in(small), func(out *bufio.Reader) error {
		for _, id := range small {
			data, err := readObject(out)
			if err != nil {
				return err
			}
			v.Blobs[id] = data
		}
		return nil
	}, "cat-file", "--batch", "--buffer")
}

// readNames finds the commits of tags and of the remote's branches.
func (r *Repo) readNames(ctx context.Context, v *Revisions) error {
	var names []string
	err := r.git.Stream(ctx, nil, func(out *bufio.Reader) error {
		for {
			row, err := out.ReadString('\n')
			if err == io.EOF && row == "" {
				return nil
			}
			if err != nil {
				return err
			}
			names = append(names, strings.TrimSuffix(row, "\n"))
		}
	}, "for-each-ref", "--format=%(refname)", "refs/tags", "refs/remotes/origin")
	if err != nil || len(names) == 0 {
		return err
	}
	ask := bytes.NewBufferString(strings.Join(names, "^{commit}\n") + "^{commit}\n")
	return r.git.Stream(ctx, ask, func(out *bufio.Reader) error {
		for _, name := range names {
			row, err := out.ReadString('\n')
			if err != nil {
				return err
			}
			if f := strings.Fields(row); len(f) == 3 && f[1] == "commit" {
				v.Names[name] = f[0]
			}
		}
		return nil
	}, "cat-file", "--batch-check", "--buffer")
}

// ReadAt is [Repo.ReadAt] for the files that were kept.
func (v *Revisions) ReadAt(rev, path string) []byte {
	if !gitstore.ValidRef(rev) || strings.HasPrefix(rev, "refs/") {
		return nil
	}
	if v.number == nil {
		v.number = make(map[string]int, len(v.Commits))
		for i, c := range v.Commits {
			v.number[c.ID] = i
		}
	}
	id, ok := v.Names["refs/tags/"+rev]
	if !ok {
		id, ok = v.Names["refs/remotes/origin/"+rev]
	}
	if !ok && isCommitID(rev) {
		id = rev
	}
	at, ok := v.number[id]
	if !ok {
		return nil
	}
	for ; at >= 0; at = v.Commits[at].Parent {
		if blob, ok := v.Commits[at].Changes[path]; ok {
			return v.Blobs[blob]
		}
	}
	return nil
}

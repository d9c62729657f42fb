package workspace

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// Read gives the bytes of the files for whose number want is true, in order,
// to each, through one git process. The bytes are each's own.
func (r *Repo) Read(ctx context.Context, want func(i int) bool, each func(i int, data []byte) error) error {
	var picked []int
	var ids bytes.Buffer
	for i, f := range r.Files {
		if want(i) {
			picked = append(picked, i)
			ids.WriteString(f.Blob + "\n")
		}
	}
	if len(picked) == 0 {
		return nil
	}
	return r.whole(r.git.Stream(ctx, &ids, func(in *bufio.Reader) error {
		for _, i := range picked {
			data, err := readObject(in)
			if err == nil {
				err = each(i, data)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", r.Files[i].Path, err)
			}
		}
		return nil
	}, "cat-file", "--batch", "--buffer"))
}

// ReadFile returns the committed bytes of one file, or nil when the commit
// has none of this path or it is larger than limit bytes.
func (r *Repo) ReadFile(ctx context.Context, path string, limit int64) (data []byte, err error) {
	err = r.Read(ctx, func(i int) bool { return r.Files[i].Path == path && r.Files[i].Size <= limit },
		func(_ int, b []byte) error { data = b; return nil })
	return data, err
}

// readObject reads one answer of cat-file --batch.
func readObject(in *bufio.Reader) ([]byte, error) {
	header, err := in.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git cat-file ended early: %w", err)
	}
	f := strings.Fields(header)
	if len(f) != 3 || f[1] != "blob" {
		return nil, fmt.Errorf("git cannot read the object: %s", strings.TrimSpace(header))
	}
	size, err := strconv.Atoi(f[2])
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, err
	}
	_, err = in.Discard(1)
	return data, err
}

// ReadAt returns the bytes of one file at another commit, tag or branch that
// the clone has: a branch's name means the remote's branch. nil means that
// the clone has no such revision, that the revision has no such file, or that
// the file is larger than limit bytes.
func (r *Repo) ReadAt(ctx context.Context, rev, path string, limit int64) ([]byte, error) {
	if !gitstore.ValidRef(rev) || strings.HasPrefix(rev, "refs/") {
		return nil, ctx.Err()
	}
	for _, name := range []string{"refs/tags/" + rev, "refs/remotes/origin/" + rev, rev} {
		if name == rev && !isCommitID(rev) {
			break
		}
		id, err := r.git.Output(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue
		}
		at := strings.TrimSpace(string(id)) + ":" + path
		size, err := r.git.Output(ctx, "cat-file", "-s", at)
		if err != nil {
			return nil, ctx.Err()
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(size)), 10, 64); err != nil || n > limit {
			return nil, err
		}
		data, err := r.git.Output(ctx, "cat-file", "blob", at)
		if err != nil { // a folder
			return nil, ctx.Err()
		}
		return data, nil
	}
	return nil, nil
}

// isCommitID reports a commit's whole name.
func isCommitID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}

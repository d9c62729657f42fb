package skillsvendor

import (
	"context"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/ci/skillupstream"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// prepare gets what an update needs and finds out whether it can be done.
// Nothing is written yet.
func prepare(ctx context.Context, s *shelf, pl *plan, repo *skillupstream.Repo, env []string) (*change, error) {
	c := &change{name: pl.name, plan: pl, contents: map[string][]byte{}}
	c.before, _ = s.lock.Row(pl.name)
	if pl.status == held || pl.status == none {
		return c, nil
	}
	if len(pl.files) == 0 {
		return nil, &skillupstream.Refused{Upstream: repo.Name, Commit: pl.to.Hash, Reason: "it has none of the skill's files"}
	}
	found, err := s.scan(pl.name, c.before)
	if err != nil {
		return nil, err
	}
	for file, f := range found {
		if f.Refused != "" {
			return nil, stopf("remove it, then update again", "%s %s", path.Join(pl.name, plaintext.Line(file, 200)), f.Refused)
		}
	}
	row := pl.row
	row.Commit, row.Files, row.UpstreamFiles = pl.to.Hash, hashes(pl.files), nil
	if pl.status == current && pl.to.Hash != c.before.Commit {
		row.Commit = c.before.Commit // the same files: the pin stays
	}
	row.Modes = modes(pl.files, pl.row.Modes != nil)
	if pl.status == current {
		row.Modes = c.before.Modes
	}
	if row.LocalEdits == "" {
		err = c.need(ctx, repo, found)
	} else {
		row.UpstreamFiles = row.Files
		row.Files, err = c.edited(ctx, s, repo, found, env)
	}
	if err != nil {
		return nil, err
	}
	if pl.behind() {
		if err := c.licence(ctx, repo, &row); err != nil {
			return nil, err
		}
		if row.Toolchain, err = toolchain(ctx, repo, row); err != nil {
			return nil, err
		}
	}
	if err := c.strangers(row, found); err != nil {
		return nil, err
	}
	for file, f := range found {
		if _, stays := row.Files[file]; stays && hasBits() && row.Modes != nil && f.Executable != (row.Modes[file] != "") && c.contents[file] == nil {
			c.chmod = append(c.chmod, file)
		}
	}
	if pl.behind() {
		if c.diff, err = pl.diff(ctx, repo); err != nil {
			return nil, err
		}
	}
	was := s.lock.Bytes()
	if err := s.lock.Set(pl.name, row); err != nil {
		return nil, err
	}
	c.row, c.rowChanged = &row, string(was) != string(s.lock.Bytes())
	return c, nil
}

// need gets the contents of the files that are not as they must be.
func (c *change) need(ctx context.Context, repo *skillupstream.Repo, found map[string]skillslock.File) error {
	var blobs []string
	for file, f := range c.plan.files {
		if found[file].Blob != f.Blob {
			blobs = append(blobs, f.Blob)
		}
	}
	all, err := repo.Contents(ctx, c.plan.to.Hash, blobs)
	if err != nil {
		return err
	}
	for file, f := range c.plan.files {
		if found[file].Blob != f.Blob {
			c.contents[file] = all[f.Blob]
		}
	}
	return nil
}

// strangers finds the files to remove, and refuses to lose what is not in the
// lock.
func (c *change) strangers(row skillslock.Row, found map[string]skillslock.File) error {
	for _, file := range slices.Sorted(maps.Keys(found)) {
		_, was := c.before.Files[file]
		_, stays := row.Files[file]
		switch {
		case was && !stays && found[file].Blob != c.before.Files[file]:
			return stopf("put the change upstream, or keep the file under another name outside of the skill", "%s was removed upstream, and is changed here", path.Join(c.name, file))
		case was && !stays:
			c.remove = append(c.remove, file)
		case !was && stays && found[file].Blob != row.Files[file]:
			return stopf("move it away, then update again", "%s is new upstream, and there is another file of that name here", path.Join(c.name, file))
		}
	}
	return nil
}

// edited puts the local edits on the upstream's files, in a place of its own,
// and returns the hashes of what comes out.
func (c *change) edited(ctx context.Context, s *shelf, repo *skillupstream.Repo, found map[string]skillslock.File, env []string) (map[string]string, error) {
	var blobs []string
	for _, f := range c.plan.files {
		blobs = append(blobs, f.Blob)
	}
	all, err := repo.Contents(ctx, c.plan.to.Hash, blobs)
	if err != nil {
		return nil, err
	}
	patch, err := s.readPatch(c.before.LocalEdits)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "skills-vendor")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	work, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer work.Close()
	for file, f := range c.plan.files {
		if err := replace(work, path.Join("tree", c.name, file), all[f.Blob], 0o644); err != nil {
			return nil, err
		}
	}
	if err := replace(work, "patch", patch, 0o644); err != nil {
		return nil, err
	}
	// Outside of any repository, so that its settings and attributes do nothing.
	git := gitstore.Git{Dir: filepath.Join(dir, "tree"), Env: append(slices.Clone(env), "GIT_CEILING_DIRECTORIES="+dir)}
	if _, err := git.Output(ctx, "apply", "--whitespace=nowarn", filepath.Join(dir, "patch")); err != nil {
		return nil, stopf("make the patch anew for the present upstream, or put a hold on the skill", "%s: the local edits %s no longer fit: %s", c.name, c.before.LocalEdits, plaintext.Line(err.Error(), 300))
	}
	files, err := skillslock.Scan(work, "tree", nil, false)
	if err != nil {
		return nil, err
	}
	result := map[string]string{}
	for name, f := range files {
		file, ours := cutDir(name, c.name)
		if !ours || f.Refused != "" || !skillslock.ValidPath(file) {
			return nil, stopf("a patch is for its own skill's plain files", "%s: the local edits make %s, which is no file of the skill", c.name, plaintext.Line(name, 200))
		}
		result[file] = f.Blob
		if found[file].Blob != f.Blob {
			if c.contents[file], err = work.ReadFile(path.Join("tree", name)); err != nil {
				return nil, err
			}
		}
	}
	return result, nil
}

func cutDir(name, dir string) (string, bool) {
	if len(name) > len(dir)+1 && name[:len(dir)+1] == dir+"/" {
		return name[len(dir)+1:], true
	}
	return "", false
}

const maxPatch = 4 << 20 // bytes

func (s *shelf) readPatch(name string) ([]byte, error) {
	f, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, stopf("put the patch back, or set local_edits to null", "the local edits %s cannot be read", name)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPatch+1))
	if err == nil && len(data) > maxPatch {
		err = stopf("a change of this size belongs upstream", "the local edits %s have more than %d bytes", name, maxPatch)
	}
	return data, err
}

// write puts a change on disk.
func (c *change) write(s *shelf) error {
	for _, file := range slices.Sorted(maps.Keys(c.contents)) {
		if err := replace(s.root, path.Join(c.name, file), c.contents[file], c.mode(file)); err != nil {
			return err
		}
	}
	for _, file := range c.chmod {
		if err := s.root.Chmod(path.Join(c.name, file), c.mode(file)); err != nil {
			return err
		}
	}
	for _, file := range c.remove {
		if err := s.root.Remove(path.Join(c.name, file)); err != nil {
			return err
		}
		// Git has no empty directories.
		for dir := path.Dir(file); dir != "." && s.root.Remove(path.Join(c.name, dir)) == nil; {
			dir = path.Dir(dir)
		}
	}
	return nil
}

func (c *change) mode(file string) fs.FileMode {
	if c.row.Modes[file] != "" {
		return 0o755
	}
	return 0o644
}

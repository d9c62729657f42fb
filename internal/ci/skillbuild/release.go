package skillbuild

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// ReleaseCommit builds the programs from the commit that is checked out in
// the clone at dir, and makes a commit on top of it that holds them, too. No
// branch moves and the work tree stays as it is; the tag of a release names
// the commit. The same commit gives the same release commit, on any machine.
func ReleaseCommit(ctx context.Context, dir string, env []string) (commit string, size Size, err error) {
	g := &gitIn{ctx: ctx, dir: dir, env: env}
	head := g.line("rev-parse", "--verify", "HEAD^{commit}")
	date := g.line("log", "-1", "--format=%cI", head)
	tmp, err := os.MkdirTemp("", "release")
	if err != nil {
		return "", Size{}, err
	}
	defer os.RemoveAll(tmp)
	source, skill := filepath.Join(tmp, "source"), filepath.Join(tmp, "skill")
	tree, err := g.run(nil, nil, "archive", "--format=tar", head)
	if err == nil {
		err = unpack(tree, source)
	}
	if err == nil {
		err = Build(ctx, source, skill, Platforms, env)
	}
	if err != nil {
		return "", Size{}, err
	}
	if _, size, err = Measure(ctx, skill, Platforms, env); err != nil {
		return "", Size{}, err
	}
	if over := size.Over(); over != "" {
		return "", size, errors.New(over)
	}
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(tmp, "index")}
	var rows strings.Builder
	for _, p := range Platforms {
		data, err := os.ReadFile(filepath.Join(skill, filepath.FromSlash(p.Program())))
		if err != nil {
			return "", size, err
		}
		blob, err := g.run(nil, data, "hash-object", "-w", "--stdin", "--no-filters")
		if err != nil {
			return "", size, err
		}
		fmt.Fprintf(&rows, "100755 %s 0\t%s\n", strings.TrimSpace(string(blob)), path.Join(Dir, p.Program()))
	}
	const who = "marola-routing release"
	identity := []string{"GIT_AUTHOR_NAME=" + who, "GIT_AUTHOR_EMAIL=release@marola-routing.invalid", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=" + who, "GIT_COMMITTER_EMAIL=release@marola-routing.invalid", "GIT_COMMITTER_DATE=" + date}
	if _, err = g.run(index, nil, "read-tree", head); err == nil {
		_, err = g.run(index, []byte(rows.String()), "update-index", "--add", "--index-info")
	}
	if err != nil {
		return "", size, err
	}
	written, err := g.run(index, nil, "write-tree")
	if err != nil {
		return "", size, err
	}
	made, err := g.run(identity, nil, "-c", "commit.gpgSign=false", "-c", "i18n.commitEncoding=utf-8", "commit-tree", "-p", head,
		"-m", "Release the routing skill with its programs", strings.TrimSpace(string(written)))
	if g.failed != nil {
		err = g.failed
	}
	return strings.TrimSpace(string(made)), size, err
}

// gitIn runs git in one clone.
type gitIn struct {
	ctx context.Context
	dir string
	env []string

	failed error
}

// line is the output of a command whose failure shows later.
func (g *gitIn) line(args ...string) string {
	out, err := g.run(nil, nil, args...)
	if g.failed == nil {
		g.failed = err
	}
	return strings.TrimSpace(string(out))
}

func (g *gitIn) run(set []string, input []byte, args ...string) ([]byte, error) {
	if g.failed != nil {
		return nil, g.failed
	}
	cmd := exec.CommandContext(g.ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = g.dir, append(append([]string{}, g.env...), set...), bytes.NewReader(input)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}

// unpack writes the files of an archive that git made below dir.
func unpack(archive []byte, dir string) error {
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(filepath.FromSlash(h.Name)) {
			if h.Typeflag == tar.TypeXGlobalHeader {
				continue
			}
			return fmt.Errorf("the archive holds %q", h.Name)
		}
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(to, 0o755)
		case tar.TypeReg:
			err = writeFile(to, r, fs.FileMode(h.Mode).Perm())
		}
		if err != nil {
			return err
		}
	}
}

func writeFile(to string, r io.Reader, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, mode|0o200)
}

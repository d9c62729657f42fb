package workspace

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := command(ctx, r.Dir, r.env, "cat-file", "--batch", "--buffer")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = &ids, &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return gitError("cat-file", err, nil)
	}
	in := bufio.NewReaderSize(out, 1<<18)
	for _, i := range picked {
		data, err := readObject(in)
		if err == nil {
			err = each(i, data)
		}
		if err != nil {
			cancel()
			cmd.Wait()
			return fmt.Errorf("%s: %w", r.Files[i].Path, err)
		}
	}
	if err := cmd.Wait(); err != nil {
		return gitError("cat-file", err, stderr.Bytes())
	}
	return nil
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

// A Commit is one step of the history, for the words its author chose.
type Commit struct {
	ID      string
	Subject string
	Paths   []string // files it changed, in the repository
}

// History returns the newest commits up to the one that is built, merges
// left out, at most limit. A shallow clone has a short history.
func (r *Repo) History(ctx context.Context, limit int) ([]Commit, error) {
	out, err := git(ctx, r.Dir, r.env, "log", "--no-merges", "--no-renames", "--no-ext-diff", "--no-show-signature",
		"--max-count="+strconv.Itoa(limit), "--format=%x01%H%x00%s", "--name-only", "-z", r.Head)
	if err != nil {
		return nil, err
	}
	var list []Commit
	for row := range strings.SplitSeq(string(out), "\x01") {
		f := strings.Split(row, "\x00")
		if len(f) < 2 {
			continue
		}
		c := Commit{ID: f[0], Subject: f[1]}
		for _, p := range f[2:] {
			if p = strings.TrimPrefix(p, "\n"); p != "" {
				c.Paths = append(c.Paths, p)
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// git runs git in dir and returns its output.
func git(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := command(ctx, dir, env, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, gitError(args[0], err, stderr.Bytes())
	}
	return out, nil
}

func command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	cmd.Env = env
	return cmd
}

func gitError(verb string, err error, stderr []byte) error {
	line, _, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n")
	if line == "" {
		line = err.Error()
	}
	return fmt.Errorf("git %s: %s", verb, line)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// tools are the programs under test.
type tools struct{ route, publish string }

// A measured module: what its bundle cost, and how its questions went.
type measured struct {
	name         string
	files        int
	build        time.Duration
	raw, packed  int64 // bytes
	query, words []time.Duration
	one, ripgrep []time.Duration
}

// module lays a module out as a repository, builds its bundle and asks its
// questions.
func (t tools) module(ctx context.Context, name, dir string, questions []question, r *report) error {
	tree, bundle := filepath.Join(dir, "tree"), filepath.Join(dir, "bundle")
	if err := download(ctx, name, tree); err != nil {
		return err
	}
	if err := commit(ctx, tree); err != nil {
		return err
	}
	m := measured{name: name}
	start := time.Now()
	if _, err := output(ctx, tree, t.publish, "build", "--no-cache", "--root", tree, "--out", bundle); err != nil {
		return err
	}
	m.build = time.Since(start)
	var err error
	if m.files, err = tracked(ctx, tree); err != nil {
		return err
	}
	if m.raw, m.packed, err = sizes(ctx, bundle, filepath.Join(dir, "packed")); err != nil {
		return err
	}
	for _, q := range questions {
		if q.Module != name {
			continue
		}
		rank, took, err := t.ask(ctx, tree, bundle, q)
		if err != nil {
			return err
		}
		r.results = append(r.results, result{q, rank})
		m.query = append(m.query, took)
		m.compare(ctx, tree, q.Text)
	}
	r.modules = append(r.modules, m)
	return nil
}

// ask returns where the first right file stands in the answer, from 0, or −1.
func (t tools) ask(ctx context.Context, tree, bundle string, q question) (rank int, took time.Duration, err error) {
	args := []string{"query", "--json", "--bundle", bundle, "--", q.Text}
	if _, err := output(ctx, tree, t.route, args...); err != nil { // warms the disk's cache for all alike
		return 0, 0, err
	}
	start := time.Now()
	text, err := output(ctx, tree, t.route, args...)
	took = time.Since(start)
	if err != nil {
		return 0, 0, err
	}
	var a struct{ Files []struct{ Path string } }
	if err := json.Unmarshal(text, &a); err != nil {
		return 0, 0, err
	}
	for i, f := range a.Files {
		for _, r := range q.Right {
			if f.Path == r {
				return i, took, nil
			}
		}
	}
	return -1, took, nil
}

// compare times git grep and ripgrep for the words of a question, and git
// grep for the longest of them.
func (m *measured) compare(ctx context.Context, tree, text string) {
	words := grepWords(text)
	if len(words) == 0 {
		return
	}
	timed := func(list *[]time.Duration, program string, args ...string) {
		start := time.Now()
		_, err := output(ctx, tree, program, args...)
		var none *exec.ExitError // finding nothing is an exit code of theirs
		if err == nil || errors.As(err, &none) && none.ExitCode() == 1 {
			*list = append(*list, time.Since(start))
		}
	}
	args := []string{"grep", "-n", "-i", "-F"}
	longest := words[0]
	for _, w := range words {
		args = append(args, "-e", w)
		if len(w) > len(longest) {
			longest = w
		}
	}
	timed(&m.words, "git", args...)
	timed(&m.one, "git", "grep", "-n", "-i", "-F", "-e", longest)
	if _, err := exec.LookPath("rg"); err == nil {
		timed(&m.ripgrep, "rg", append([]string{"-n", "-i", "-F"}, args[4:]...)...)
	}
}

func grepWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

// download brings a module through the client of its kind.
func download(ctx context.Context, name, tree string) error {
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return err
	}
	if npm, ok := strings.CutPrefix(name, "npm:"); ok {
		work := filepath.Dir(tree)
		file, err := output(ctx, work, "npm", "pack", "--silent", npm)
		if err != nil {
			return err
		}
		_, err = output(ctx, work, "tar", "xzf", strings.TrimSpace(string(file)), "-C", tree, "--strip-components=1")
		return err
	}
	text, err := output(ctx, filepath.Dir(tree), "go", "mod", "download", "-json", name)
	if err != nil {
		return err
	}
	var at struct{ Dir string }
	if err := json.Unmarshal(text, &at); err != nil {
		return err
	}
	return copyTree(at.Dir, tree)
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
}

// commit makes a repository of a folder.
func commit(ctx context.Context, tree string) error {
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A", "-f"}, {"-c", "user.name=where", "-c", "user.email=where@example.com", "commit", "-q", "-m", "as published"}} {
		if _, err := output(ctx, tree, "git", args...); err != nil {
			return err
		}
	}
	return nil
}

func tracked(ctx context.Context, tree string) (int, error) {
	out, err := output(ctx, tree, "git", "ls-files", "-z")
	return strings.Count(string(out), "\x00"), err
}

// sizes returns the bytes of a folder's files, and of the pack that git makes
// of them.
func sizes(ctx context.Context, dir, work string) (raw, packed int64, err error) {
	if err := copyTree(dir, work); err != nil {
		return 0, 0, err
	}
	if err := commit(ctx, work); err != nil {
		return 0, 0, err
	}
	if _, err := output(ctx, work, "git", "repack", "-a", "-d", "-q"); err != nil {
		return 0, 0, err
	}
	err = filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch inside := strings.HasPrefix(path, filepath.Join(work, ".git")+string(filepath.Separator)); {
		case !inside:
			raw += info.Size()
		case filepath.Ext(path) == ".pack":
			packed += info.Size()
		}
		return nil
	})
	return raw, packed, err
}

// output runs a program and returns what it printed.
func output(ctx context.Context, dir, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return out, fmt.Errorf("%s %s: %w: %s", filepath.Base(program), args[0], err, strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
}

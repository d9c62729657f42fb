package workspace

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Commit is one step of the history, for the words its author chose.
type Commit struct {
	ID      string
	Subject string   // one line, UTF-8 as far as git could make it so
	Paths   []string // files it changed, in the repository

	// State is the ids of the commit, its parents and its tree, as the clone
	// has them: where it is the same, so are Paths.
	State string
}

// History returns the newest commits up to the one that is built, merges
// left out, at most limit. A shallow clone has a short history. known are the
// paths of commits by their state, as an earlier call gave them; to compare
// trees takes most of the time, and is not done for these.
func (r *Repo) History(ctx context.Context, limit int, known map[string][]string) ([]Commit, error) {
	count := "--max-count=" + strconv.Itoa(limit)
	if len(known) == 0 {
		return r.log(ctx, nil, "--name-only", count, r.Head)
	}
	list, err := r.log(ctx, nil, "--no-patch", count, r.Head)
	if err != nil {
		return nil, err
	}
	var ids bytes.Buffer
	var missing []int
	for i := range list {
		var there bool
		if list[i].Paths, there = known[list[i].State]; !there {
			missing = append(missing, i)
			ids.WriteString(list[i].ID + "\n")
		}
	}
	if len(missing) == 0 {
		return list, nil
	}
	more, err := r.log(ctx, &ids, "--name-only", "--no-walk=unsorted", "--stdin")
	if err != nil {
		return nil, err
	}
	for n, i := range missing {
		if n >= len(more) || more[n].ID != list[i].ID {
			return nil, fmt.Errorf("git log does not give the commit %s that it was asked for", list[i].ID)
		}
		list[i].Paths = more[n].Paths
	}
	return list, nil
}

// log answers every setting that has a say in which commits and files are
// told, or in what order.
func (r *Repo) log(ctx context.Context, stdin io.Reader, args ...string) (list []Commit, err error) {
	err = r.git.Stream(ctx, stdin, func(in *bufio.Reader) (err error) {
		list, err = readLog(in)
		return err
	}, append([]string{"log", "--no-merges", "--no-renames", "--no-ext-diff", "--no-relative", "-O/dev/null", "--ignore-submodules=none", "--no-show-signature", "--encoding=UTF-8",
		"--format=%x00%H %P %T%x00%s%x00", "-z"}, args...)...)
	return list, r.whole(err)
}

// readLog reads fields that end in NUL. A commit is an empty one, its state, its
// subject, an empty one, then its paths, none of which is empty; the first
// stands on a new line.
func readLog(in *bufio.Reader) ([]Commit, error) {
	var list []Commit
	field := func() (string, error) {
		s, err := in.ReadString(0)
		return strings.TrimSuffix(s, "\x00"), err
	}
	for at := 0; ; at++ {
		s, err := field()
		switch {
		case err == io.EOF && s == "":
			return list, nil
		case err != nil:
			return nil, err
		case s != "":
			if at == 0 {
				return nil, fmt.Errorf("a row that git log does not give: %.80q", s)
			}
			c := &list[len(list)-1]
			if len(c.Paths) == 0 {
				s = strings.TrimPrefix(s, "\n")
			}
			c.Paths = append(c.Paths, s)
			continue
		}
		var c Commit
		for _, to := range []*string{&c.State, &c.Subject, new(string)} {
			if *to, err = field(); err != nil {
				return nil, fmt.Errorf("git log ended early: %w", err)
			}
		}
		c.ID, _, _ = strings.Cut(c.State, " ")
		list = append(list, c)
	}
}

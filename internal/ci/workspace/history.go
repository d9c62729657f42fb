package workspace

import (
	"bufio"
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
}

// History returns the newest commits up to the one that is built, merges
// left out, at most limit. A shallow clone has a short history.
func (r *Repo) History(ctx context.Context, limit int) ([]Commit, error) {
	var list []Commit
	// Every setting that has a say in which commits and files are told, or in
	// what order, is answered here.
	err := r.git.Stream(ctx, nil, func(in *bufio.Reader) (err error) {
		list, err = readLog(in)
		return err
	}, "log", "--no-merges", "--no-renames", "--no-ext-diff", "--no-relative", "-O/dev/null", "--ignore-submodules=none", "--no-show-signature", "--encoding=UTF-8",
		"--max-count="+strconv.Itoa(limit), "--format=%x00%H%x00%s%x00", "--name-only", "-z", r.Head)
	return list, r.whole(err)
}

// readLog reads fields that end in NUL. A commit is an empty one, its id, its
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
		for _, to := range []*string{&c.ID, &c.Subject, new(string)} {
			if *to, err = field(); err != nil {
				return nil, fmt.Errorf("git log ended early: %w", err)
			}
		}
		list = append(list, c)
	}
}

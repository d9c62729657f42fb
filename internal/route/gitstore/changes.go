package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// A Change is a run of lines of one file that differ. Lines count from 1.
type Change struct {
	File     string // from the repository's top, slashes; as it was, before
	From, To int    // lines before that are gone or changed; To is From−1 where lines are only added behind To
	Added    int    // lines that stand in their place now
	New      bool   // the file was not there
}

// maxChanges bounds how many runs are read.
const maxChanges = 100_000

// Changes compares a commit with another one, or with the working tree where
// to is "". Files that git does not track are not looked at. No filter, no
// text conversion and no other program runs.
func (g Git) Changes(ctx context.Context, from, to string) ([]Change, error) {
	args, err := g.withoutFilters(ctx)
	if err != nil {
		return nil, err
	}
	args = append(args, "-c", "core.quotePath=false",
		"diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--unified=0", "--inter-hunk-context=0", "--ignore-submodules=dirty",
		"--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=histogram", "--end-of-options", from)
	if to != "" {
		args = append(args, to)
	}
	out, err := g.Output(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	return parseChanges(out)
}

// withoutFilters are settings that take their programs from all filters that
// the configuration has. Attributes name filters by their names only.
func (g Git) withoutFilters(ctx context.Context) ([]string, error) {
	config, err := g.Config(ctx)
	if err != nil {
		return nil, err
	}
	var args []string
	for _, s := range config {
		name, isFilter := strings.CutPrefix(s.Key, "filter.")
		if i := strings.LastIndexByte(name, '.'); isFilter && i >= 0 && !strings.Contains(name, "=") {
			filter := "filter." + name[:i]
			args = append(args, "-c", filter+".clean=", "-c", filter+".process=", "-c", filter+".required=false")
		}
	}
	return args, nil
}

// MergeBase is the commit that a branch and what is checked out have in
// common.
func (g Git) MergeBase(ctx context.Context, branch string) (string, error) {
	out, err := g.Output(ctx, "merge-base", "--end-of-options", branch, "HEAD")
	hash := strings.TrimSpace(string(out))
	if err == nil && !IsHash(hash) {
		err = fmt.Errorf("git merge-base said %q", hash)
	}
	return hash, err
}

// parseChanges reads what git diff prints without context lines.
func parseChanges(out []byte) ([]Change, error) {
	var list []Change
	var c Change
	left := 0 // lines of a hunk's body that follow: they may look like anything
	for row := range bytes.SplitSeq(out, []byte{'\n'}) {
		line := string(row[:min(len(row), 1<<13)])
		if left > 0 && line != "" && (line[0] == '+' || line[0] == '-') {
			left--
			continue
		}
		switch {
		case strings.HasPrefix(line, "diff --git "):
			c = Change{}
		case strings.HasPrefix(line, "new file mode "):
			c.New = true
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			if name := diffName(line[4:]); name != "" {
				c.File = name
			}
		case strings.HasPrefix(line, "@@ -"):
			old, rest, _ := strings.Cut(line[4:], " +")
			now, _, ok := strings.Cut(rest, " @@")
			at, gone, fine := hunkRange(old)
			_, added, fineNow := hunkRange(now)
			if !ok || !fine || !fineNow || c.File == "" || at == 0 && gone > 0 {
				return nil, fmt.Errorf("git diff printed %q", line)
			}
			if len(list) == maxChanges {
				return nil, fmt.Errorf("more than %d runs of lines differ", maxChanges)
			}
			c.From, c.To, c.Added = at, at+gone-1, added
			if gone == 0 {
				c.From, c.To = at+1, at
			}
			list = append(list, c)
			left = gone + added
		}
	}
	return list, nil
}

// diffName is the path behind "--- " or "+++ ", or "" where there is none.
func diffName(s string) string {
	s = strings.TrimSuffix(s, "\t") // stands behind a name that has a blank
	if strings.HasPrefix(s, `"`) {
		plain, err := strconv.Unquote(s)
		if err != nil {
			return ""
		}
		s = plain
	}
	if len(s) > 2 && (s[:2] == "a/" || s[:2] == "b/") {
		return s[2:]
	}
	return ""
}

// hunkRange reads "12,3", or "12" for one line.
func hunkRange(s string) (at, n int, ok bool) {
	first, size, several := strings.Cut(s, ",")
	at, err := strconv.Atoi(first)
	n = 1
	if err == nil && several {
		n, err = strconv.Atoi(size)
	}
	const most = 1 << 30
	return at, n, err == nil && at >= 0 && n >= 0 && at < most && n < most
}

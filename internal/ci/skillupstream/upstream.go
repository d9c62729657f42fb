// Package skillupstream reads the repositories that skills are vendored
// from.
//
// A repository is fetched without its files into a directory of its own, and
// only the files that are asked for follow. Nothing is checked out, so no
// hook, filter or link of it does anything here. What its trees say is
// foreign: paths, modes and sizes are checked before a byte is believed.
package skillupstream

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A Repo is one upstream.
type Repo struct {
	Name string // as the lock has it
	git  gitstore.Git
	dir  string
	tags bool // that they were fetched
	got  map[string]bool
}

// Unreached is an upstream that could not be read.
type Unreached struct {
	Upstream string
	Err      error
}

func (e *Unreached) Error() string {
	return fmt.Sprintf("%s cannot be read: %s", e.Upstream, plaintext.Line(e.Err.Error(), 400))
}

func (e *Unreached) Unwrap() error { return e.Err }

// Hint is the next step.
func (e *Unreached) Hint() string {
	return "look at the address and the network; git ls-remote with the same address tells more"
}

// Refused is an upstream that has what a skill may not have.
type Refused struct {
	Upstream, Commit, Reason string
}

func (e *Refused) Error() string {
	return fmt.Sprintf("%s at %.7s: %s", e.Upstream, e.Commit, e.Reason)
}

// Hint is the next step.
func (e *Refused) Hint() string {
	return "nothing was changed; look at the upstream, and put a hold on the skill until it is in order"
}

// Open fetches an upstream into a directory that [Repo.Close] removes.
func Open(ctx context.Context, upstream string, env []string) (*Repo, error) {
	address, err := skillslock.Address(upstream)
	if err != nil {
		return nil, &Unreached{upstream, err}
	}
	dir, err := os.MkdirTemp("", "skills-vendor")
	if err != nil {
		return nil, err
	}
	// Paths of an upstream are names and no patterns; and where no directory
	// above is looked at, no other repository answers.
	env = append(slices.Clone(env), "GIT_LITERAL_PATHSPECS=1", "GIT_CEILING_DIRECTORIES="+path.Dir(dir))
	r := &Repo{Name: upstream, dir: dir, git: gitstore.Git{Dir: dir, Env: env}, got: map[string]bool{}}
	_, err = r.git.Output(ctx, "init", "-q", "--bare", "--template=", ".")
	if err == nil {
		_, err = r.git.Output(ctx, "config", "remote.origin.url", address)
	}
	if err == nil {
		err = r.fetch(ctx, "+HEAD:refs/upstream/head")
	}
	if err != nil {
		_ = r.Close()
		return nil, &Unreached{upstream, err}
	}
	return r, nil
}

// Close removes what was fetched.
func (r *Repo) Close() error { return os.RemoveAll(r.dir) }

func (r *Repo) fetch(ctx context.Context, refs ...string) error {
	_, err := r.git.Network(ctx, "", append([]string{"fetch", "-q", "--no-tags", "--no-write-fetch-head", "--filter=blob:none", "origin"}, refs...)...)
	return err
}

// A Commit is one commit, with the date it was made at.
type Commit struct {
	Hash string
	Date time.Time // the committer's, or a tag's
	Tag  string    // of a release, or ""
}

var releaseTag = regexp.MustCompile(`^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$`)

// Newest is the newest commit of the default branch that changed the
// directory and is no younger than before; of releases, if they are followed,
// the one with the highest version. ok is false when there is none.
func (r *Repo) Newest(ctx context.Context, dir string, releases bool, before time.Time) (c Commit, ok bool, err error) {
	if releases {
		return r.newestRelease(ctx, dir, before)
	}
	args := []string{"log", "-1", "--format=%H %ct", "--before=" + before.UTC().Format(time.RFC3339), "refs/upstream/head"}
	if dir != "" {
		args = append(args, "--", dir)
	}
	out, err := r.git.Output(ctx, args...)
	if err != nil {
		return c, false, err
	}
	return parseCommit(string(out))
}

func parseCommit(line string) (c Commit, ok bool, err error) {
	hash, seconds, two := strings.Cut(strings.TrimSpace(line), " ")
	if !two {
		return c, false, nil
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || !gitstore.IsHash(hash) {
		return c, false, fmt.Errorf("git log gave %.80q", line)
	}
	return Commit{Hash: hash, Date: time.Unix(n, 0).UTC()}, true, nil
}

func (r *Repo) newestRelease(ctx context.Context, dir string, before time.Time) (best Commit, ok bool, err error) {
	if !r.tags {
		if err := r.fetch(ctx, "+refs/tags/*:refs/upstream/tags/*"); err != nil {
			return best, false, &Unreached{r.Name, err}
		}
		r.tags = true
	}
	out, err := r.git.Output(ctx, "for-each-ref", "--format=%(refname:lstrip=3) %(creatordate:unix) %(objectname) %(*objectname)", "refs/upstream/tags")
	if err != nil {
		return best, false, err
	}
	var version [3]int
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		m := releaseTag.FindStringSubmatch(f[0])
		seconds, err := strconv.ParseInt(f[1], 10, 64)
		if m == nil || err != nil || time.Unix(seconds, 0).After(before) {
			continue
		}
		var v [3]int
		for i := range v {
			v[i], _ = strconv.Atoi(m[i+1])
		}
		if (!ok || slices.Compare(v[:], version[:]) > 0) && r.Has(ctx, f[len(f)-1], dir) {
			best, version, ok = Commit{Hash: f[len(f)-1], Date: time.Unix(seconds, 0).UTC(), Tag: f[0]}, v, true
		}
	}
	return best, ok, nil
}

// Has reports whether the commit has the directory.
func (r *Repo) Has(ctx context.Context, commit, dir string) bool {
	return r.TreeOf(ctx, commit, dir) != ""
}

// TreeOf is the hash of a path in a commit, or "".
func (r *Repo) TreeOf(ctx context.Context, commit, file string) string {
	out, err := r.git.Output(ctx, "rev-parse", "--verify", "-q", commit+":"+file)
	if err != nil || !gitstore.IsHash(strings.TrimSpace(string(out))) {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Pin is the commit with this hash, which is fetched if no branch or tag has
// it.
func (r *Repo) Pin(ctx context.Context, hash string) (Commit, error) {
	show := func() (Commit, bool, error) {
		out, err := r.git.Output(ctx, "log", "-1", "--format=%H %ct", hash+"^{commit}")
		if err != nil {
			return Commit{}, false, err
		}
		return parseCommit(string(out))
	}
	if c, ok, err := show(); err == nil && ok {
		return c, nil
	}
	if err := r.fetch(ctx, hash); err != nil {
		return Commit{}, &Unreached{r.Name + " at " + hash[:min(7, len(hash))], err}
	}
	c, ok, err := show()
	if err != nil || !ok {
		return Commit{}, &Unreached{r.Name + " at " + hash[:min(7, len(hash))], errors.Join(err, errors.New("it is not a commit"))}
	}
	return c, nil
}

// Older reports whether a is an ancestor of b, or b itself.
func (r *Repo) Older(ctx context.Context, a, b string) bool {
	_, err := r.git.Output(ctx, "merge-base", "--is-ancestor", a, b)
	return err == nil
}

// History is the newest commits of the default branch that changed the
// directory, at most n, the newest first.
func (r *Repo) History(ctx context.Context, dir string, n int) (all []Commit, err error) {
	args := []string{"log", "-" + strconv.Itoa(n), "--format=%H %ct", "refs/upstream/head"}
	if dir != "" {
		args = append(args, "--", dir)
	}
	out, err := r.git.Output(ctx, args...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		if c, ok, err := parseCommit(line); err != nil {
			return nil, err
		} else if ok {
			all = append(all, c)
		}
	}
	return all, nil
}

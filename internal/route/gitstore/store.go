package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Largest commit and tree that are read, in bytes. A bundle's commit has a
// few hundred bytes, its largest tree a few tens of thousands.
const (
	maxCommit = 1 << 20
	maxTree   = 4 << 20
)

// A Store reads objects of one repository through one git process, started
// with the first question. It is safe for concurrent use.
type Store struct {
	git Git
	ctx context.Context

	mu    sync.Mutex
	batch *batch
	queue []*request // asked and not answered, oldest first
	sent  int        // how many of queue are written to the process
	bytes int        // the length of those
	err   error      // why git cannot be asked
}

// Open returns the store of the repository that git finds from g's
// directory. Whether there is one shows with the first question. ctx bounds
// everything that the store does.
func Open(ctx context.Context, g Git) *Store { return &Store{git: g, ctx: ctx} }

// Git is how the store runs git.
func (s *Store) Git() Git { return s.git }

// Close ends the git process.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
	return nil
}

func (s *Store) stop() {
	if s.batch != nil {
		s.batch.stop()
	}
	s.batch, s.sent, s.bytes = nil, 0, 0
}

// ask puts requests on the way without waiting for an answer.
func (s *Store) ask(rs ...*request) {
	s.queue = append(s.queue, rs...)
	s.push()
}

// push writes requests while the window has room.
func (s *Store) push() {
	if s.batch == nil || s.err != nil {
		return
	}
	var b strings.Builder
	for s.sent < len(s.queue) {
		n := len(s.queue[s.sent].name) + 1
		if s.sent > 0 && s.bytes+n > window {
			break
		}
		b.WriteString(s.queue[s.sent].name)
		b.WriteByte('\n')
		s.sent++
		s.bytes += n
	}
	if b.Len() > 0 {
		// A process that has ended is noticed, and explained, on reading.
		_, _ = s.batch.in.Write([]byte(b.String()))
	}
}

// wait reads answers until r has its own.
func (s *Store) wait(r *request) error {
	for !r.done {
		if s.err != nil {
			return s.err
		}
		if s.batch == nil {
			if s.batch, s.err = startBatch(s.ctx, s.git); s.err != nil {
				return s.err
			}
		}
		s.push()
		first := s.queue[0]
		intact, err := s.batch.receive(first)
		if err != nil {
			s.err = s.batch.failed(err)
			s.batch = nil
			return s.err
		}
		s.queue = s.queue[1:]
		s.sent--
		s.bytes -= len(first.name) + 1
		if !intact {
			s.stop() // what is queued goes to a fresh process
		}
	}
	return nil
}

// A Commit is what the store knows of one commit.
type Commit struct {
	Hash    string // full, lower case
	Tree    string
	Parents int
	Time    time.Time // committer date, UTC; zero when the commit has none that can be read
}

// Exists reports whether there is such a commit.
func (c Commit) Exists() bool { return c.Hash != "" }

// Commits resolves full ref names ("refs/…"), "HEAD" and full hashes, all in
// one exchange. The result has one entry a name; a name that does not exist
// has a zero entry. A ref that names anything but a commit is refused.
func (s *Store) Commits(names ...string) ([]Commit, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var asked []*request
	alias := map[string][]*request{}
	for _, name := range names {
		if name != "HEAD" && !IsHash(name) && !(strings.HasPrefix(name, "refs/") && ValidRef(name)) {
			return nil, fmt.Errorf("%q is not the full name of a ref", name)
		}
		r := &request{name: name, kind: "commit", max: maxCommit}
		asked = append(asked, r)
		s.ask(r)
		if !IsHash(name) {
			for _, other := range shadows(name) {
				alias[name] = append(alias[name], &request{name: other, kind: "commit", max: maxCommit})
			}
			s.ask(alias[name]...)
		}
	}
	commits := make([]Commit, len(names))
	for i, r := range asked {
		if err := s.wait(r); err != nil {
			return nil, err
		}
		exact := r
		for _, other := range alias[r.name] {
			if err := s.wait(other); err != nil {
				return nil, err
			}
			if !other.missing && !r.missing {
				exact = nil
			}
		}
		if exact == nil {
			var err error
			if exact, err = s.resolveExactly(r.name); err != nil {
				return nil, err
			}
		}
		c, err := parseCommit(r.name, exact)
		if err != nil {
			return nil, err
		}
		commits[i] = c
	}
	return commits, nil
}

// resolveExactly asks git for the ref of just this name, which the batch
// cannot do: another process, for repositories where it makes a difference.
func (s *Store) resolveExactly(name string) (*request, error) {
	out, err := s.git.Output(s.ctx, "show-ref", "--verify", "--hash", "--", name)
	hash := strings.TrimSpace(string(out))
	switch exit, ok := err.(*ExitError); {
	case ok && exit.Code > 0:
		return &request{name: name, missing: true, done: true}, nil
	case err != nil:
		return nil, err
	case !IsHash(hash):
		return nil, fmt.Errorf("git show-ref gives %.80q for %s", hash, name)
	}
	r := &request{name: hash, kind: "commit", max: maxCommit}
	s.ask(r)
	return r, s.wait(r)
}

func parseCommit(name string, r *request) (Commit, error) {
	switch {
	case r.missing:
		return Commit{}, nil
	case r.found != r.kind:
		return Commit{}, &bundle.Refused{Reason: fmt.Sprintf("%s names a %s, not a commit", name, r.found)}
	case r.size > r.max:
		return Commit{}, &bundle.Refused{Reason: fmt.Sprintf("the commit at %s has %d bytes; at most %d are read", name, r.size, r.max)}
	}
	c := Commit{Hash: r.hash}
	head, _, _ := bytes.Cut(r.data, []byte("\n\n"))
	for line := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents++
		case "committer":
			c.Time = stamp(value)
		}
	}
	if !IsHash(c.Tree) {
		return Commit{}, &bundle.Refused{Reason: fmt.Sprintf("the commit at %s names no tree", name)}
	}
	return c, nil
}

// stamp reads the time at the end of "name <mail> seconds zone".
func stamp(line string) time.Time {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return time.Time{}
	}
	sec, err := strconv.ParseInt(fields[len(fields)-2], 10, 64)
	if err != nil || sec < 0 || sec > 253402300799 { // the last second that RFC 3339 can write
		return time.Time{}
	}
	return time.Unix(sec, 0).UTC()
}

// Package usage counts in the transcripts that agents keep on this machine
// how often a session asked route and how often it ran grep.
//
// It reads Claude Code's, Codex's and Gemini's files, as streams, and returns
// numbers: no text of a conversation leaves it. A transcript is foreign data:
// lines and files have a largest size, what cannot be understood is passed
// over and counted.
package usage

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/order"
)

// A Session is one conversation.
type Session struct {
	Client  string    `json:"client"`  // "claude", "codex" or "gemini"
	ID      string    `json:"session"` // as the client calls it
	Project string    `json:"project"` // the directory's base name, or ""
	Start   time.Time `json:"start"`   // of the first entry that counts, UTC
	Counts
}

// Counts is how often something was done.
type Counts struct {
	Route    int `json:"route"`    // calls of route
	Prompted int `json:"prompted"` // of these, after a prompt that names route, the routing skill or the wiring
	Wiring   int `json:"wiring"`   // calls of route wiring, and reads of the wiring's block or file
	Grep     int `json:"grep"`     // searches with grep, git grep, rg and the like
}

func (c Counts) sum() int { return c.Route + c.Wiring + c.Grep }

func (c *Counts) add(other Counts) {
	c.Route += other.Route
	c.Prompted += other.Prompted
	c.Wiring += other.Wiring
	c.Grep += other.Grep
}

// A Report is what a scan found.
type Report struct {
	Since    string    `json:"since,omitempty"` // RFC 3339, UTC; left out when everything counts
	Sessions []Session `json:"sessions"`        // those that searched at all, latest first
	Read     int       `json:"sessions_read"`   // all of the time asked for
	Asked    int       `json:"sessions_asking"` // of these, those that called route
	Total    Counts    `json:"total"`
	Passed   int       `json:"passed_over"` // files and lines that could not be read
}

// maxFiles bounds how many transcripts are read.
const maxFiles = 200_000

// Scan reads the transcripts of the clients whose directories env names, from
// since on; a zero since means all of them.
func Scan(ctx context.Context, env []string, since time.Time) (Report, error) {
	s := &scan{since: since, seen: map[uint64]bool{}, sessions: map[string]*Session{}}
	for _, c := range clients(env) {
		s.client = c.name
		err := filepath.WalkDir(c.dir, func(file string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				if file != c.dir {
					s.report.Passed++
				}
				return skipDir(d)
			case d.IsDir() && strings.Count(file[len(c.dir):], string(filepath.Separator)) > maxDepth:
				return filepath.SkipDir
			case !d.Type().IsRegular() || !c.is(filepath.ToSlash(file)):
				return nil
			}
			if st, err := d.Info(); err != nil || st.ModTime().Before(since) {
				return nil
			}
			if s.files++; s.files > maxFiles {
				return filepath.SkipAll
			}
			s.file(file)
			return nil
		})
		if err != nil {
			return Report{}, err
		}
	}
	return s.done(), nil
}

const maxDepth = 6

// skipDir goes on beside what cannot be read.
func skipDir(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return filepath.SkipDir
	}
	return nil
}

// done sums the sessions up.
func (s *scan) done() Report {
	r := s.report
	r.Sessions = []Session{}
	if !s.since.IsZero() {
		r.Since = s.since.UTC().Format(time.RFC3339)
	}
	for _, one := range s.sessions {
		r.Read++
		if one.Route > 0 {
			r.Asked++
		}
		r.Total.add(one.Counts)
		if one.sum() > 0 {
			r.Sessions = append(r.Sessions, *one)
		}
	}
	order.By(r.Sessions, func(a, b Session) int {
		return cmp.Or(b.Start.Compare(a.Start), cmp.Compare(a.Client, b.Client), cmp.Compare(a.ID, b.ID))
	})
	return r
}

// A client keeps its transcripts below a directory.
type client struct {
	name, dir string
	is        func(file string) bool // whether a file is a transcript; slashes
}

func clients(env []string) []client {
	home := getenv(env, "HOME")
	if home == "" {
		home = getenv(env, "USERPROFILE")
	}
	dir := func(variable, below, sub string) string {
		if set := getenv(env, variable); set != "" {
			return filepath.Join(set, sub)
		}
		if home == "" {
			return filepath.Join(string(filepath.Separator), "nonexistent", sub)
		}
		return filepath.Join(home, below, sub)
	}
	lines := func(file string) bool { return strings.HasSuffix(file, ".jsonl") }
	return []client{
		{"claude", dir("CLAUDE_CONFIG_DIR", ".claude", "projects"), lines},
		{"codex", dir("CODEX_HOME", ".codex", "sessions"), lines},
		{"gemini", dir("GEMINI_CLI_HOME", "", ".gemini/tmp"), func(file string) bool {
			return strings.Contains(file, "/chats/") && (lines(file) || strings.HasSuffix(file, ".json"))
		}},
	}
}

func getenv(env []string, name string) string {
	value := ""
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			value = v
		}
	}
	return value
}

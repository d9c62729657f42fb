package source

import (
	"fmt"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// ClockVariable fixes the clock for tests and recorded sessions, as an RFC
// 3339 time.
const ClockVariable = "MAROLA_NOW"

// Now is the time by the client's clock, or by [ClockVariable].
func Now(env []string) time.Time {
	if t, err := time.Parse(time.RFC3339, getenv(env, ClockVariable)); err == nil {
		return t
	}
	return time.Now()
}

// skew is how far ahead of this machine's clock another may be.
const skew = 2 * time.Minute

// Age says how old something of time t is, as in "2 h old". A time in the
// future or at the epoch is a clock that was wrong: "age unknown".
func Age(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case t.Unix() < 24*3600 || d < -skew:
		return "age unknown"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min old", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h old", int(d.Hours()))
	}
	return fmt.Sprintf("%d days old", int(d.Hours()/24))
}

// Built names what the source was built from, as in "main@e77c298".
func (s *Source) Built() string {
	switch {
	case s.Commit == "":
		return "graph.json"
	case s.Branch == "":
		return short(s.Commit)
	}
	return plaintext.Line(s.Branch, 60) + "@" + short(s.Commit)
}

// where is the source's kind in words; a remote's branch goes by its name.
func (s *Source) where() string {
	if s.Kind == RemoteBranch {
		return plaintext.Line(strings.TrimPrefix(s.Ref, "refs/remotes/"), 80)
	}
	return string(s.Kind)
}

// Line is the first line of every answer: which source answers, how old it
// is, and whether this checkout is at another commit.
func (s *Source) Line(now time.Time) string {
	line := "answers from " + s.Built() + " (" + s.where()
	if s.Kind == Bundled || s.Kind == RemoteBranch {
		line += ", " + Age(s.Time, now)
	}
	return line + ")" + s.moved() + s.rooted()
}

// moved is the part of the line about this checkout, or "".
func (s *Source) moved() string {
	c := s.Checkout
	switch {
	case c.Relation != MovedOn:
		return ""
	case c.submodule:
		return fmt.Sprintf("; it has %s@%s, this checkout is at %s", plaintext.Line(c.Repo, 60), short(c.Recorded), short(c.Head))
	}
	return "; this checkout is at " + short(c.Head)
}

// rooted is the part of the line about what the answer's paths are relative
// to, or "".
func (s *Source) rooted() string {
	if s.Checkout.Prefix == "" {
		return ""
	}
	return "; paths start at the workspace's root, this checkout is " + plaintext.Line(s.Checkout.Prefix, 200)
}

// Info is a source in the JSON that every verb prints as "source".
type Info struct {
	Kind       Kind     `json:"kind"`
	Commit     string   `json:"commit"`                // the umbrella's, full; "" when unknown
	Branch     string   `json:"branch"`                // "" when unknown
	CommitTime string   `json:"commit_time,omitempty"` // RFC 3339, UTC
	AgeSeconds *int64   `json:"age_seconds,omitempty"` // left out when unknown
	Ref        string   `json:"ref,omitempty"`
	RefCommit  string   `json:"ref_commit,omitempty"`
	Dir        string   `json:"dir,omitempty"`
	Checkout   Checkout `json:"checkout"`
}

// Info returns the source for --json.
func (s *Source) Info(now time.Time) Info {
	i := Info{Kind: s.Kind, Commit: s.Commit, Branch: plaintext.Line(s.Branch, 200), Ref: s.Ref, RefCommit: s.RefCommit, Dir: s.Dir, Checkout: s.Checkout}
	i.Checkout.Repo = plaintext.Line(i.Checkout.Repo, 200)
	i.Checkout.Prefix = plaintext.Line(i.Checkout.Prefix, 1000)
	if !s.Time.IsZero() {
		i.CommitTime = s.Time.UTC().Format(time.RFC3339)
		if Age(s.Time, now) != "age unknown" {
			age := max(0, int64(now.Sub(s.Time).Seconds()))
			i.AgeSeconds = &age
		}
	}
	return i
}

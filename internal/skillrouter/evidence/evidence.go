// Package evidence keeps what sessions said of skills, and decides what of it
// counts.
//
// A model ends its reply with tags (see [Tags]). What a tag says is admitted
// (see [Admission]) when its session was shown the skill, looked it up, or
// really used it, and when the reason says something. An admitted verdict
// stands in the [Store] once for a session, a skill and a turn; a later one of
// the same turn replaces it. From the verdicts follow a skill's counts and its
// [skill.Status], which are also written into its SKILL.md, where that is safe.
//
// The store is the truth, and everything else is made from it: a process that
// is killed between the two leaves a SKILL.md that the next one brings up to
// date.
package evidence

import (
	"strings"
	"time"
	"unicode"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A Label is what a verdict says.
type Label string

// The labels.
const (
	Helpful Label = "HELPFUL" // used, and its advice is right
	Harmful Label = "HARMFUL" // its advice is wrong or outdated, used or not
	Neutral Label = "NEUTRAL" // without influence; refreshes when it was last used
)

// LabelOf reads a label in any case. It is "" for a word that is none.
func LabelOf(s string) Label {
	switch l := Label(strings.ToUpper(strings.TrimSpace(s))); l {
	case Helpful, Harmful, Neutral:
		return l
	}
	return ""
}

// CLI is the host of verdicts that a person or a script gave.
const CLI skill.Host = "cli"

// A Turn is what a verdict counts once for.
type Turn struct {
	Session string
	Host    skill.Host
	ID      string // of the turn in its session
	At      time.Time
}

// A Verdict is one that counts.
type Verdict struct {
	ID      int64      `json:"id"` // grows
	Skill   string     `json:"skill"`
	Label   Label      `json:"verdict"`
	Reason  string     `json:"reason"`
	Session string     `json:"session_id"`
	Host    skill.Host `json:"host"`
	Turn    string     `json:"turn"`
	At      time.Time  `json:"occurred_at"`
}

// Bounds on foreign text, in bytes.
const (
	maxID     = 200
	maxName   = 200
	maxReason = 1000
)

// clean brings foreign text to one line of at most n bytes, without what hides
// or reorders it.
func clean(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u200b' || r == '\u2060' || r == '\ufeff':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > n {
		s = strings.TrimSpace(strings.ToValidUTF8(s[:n], ""))
	}
	return s
}

// stamp is a time as it is written: UTC, to the second.
func stamp(t time.Time) string { return t.UTC().Truncate(time.Second).Format(time.RFC3339) }

// parseStamp is the time of a stamp, the zero time of anything else.
func parseStamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

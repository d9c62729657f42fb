package evidence

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A Trend says how a skill does lately, worst first.
type Trend string

// The trends.
const (
	Broken    Trend = "broken"    // it used to help, and half or more of the recent verdicts are harmful
	Regressed Trend = "regressed" // it used to help, and hardly does now
	Unused    Trend = "unused"    // too few recent verdicts to tell
	Stable    Trend = "stable"
)

var severity = map[Trend]int{Broken: 0, Regressed: 1, Unused: 2, Stable: 3}

// baseline is how often a skill must have helped before, to have lost that.
const baseline = 5

// A Regression compares the last days of a skill with as many before them.
type Regression struct {
	Skill         string `json:"skill"`
	Trend         Trend  `json:"trend"`
	Helpful       int    `json:"helpful"` // in the window
	Harmful       int    `json:"harmful"`
	Neutral       int    `json:"neutral"`
	HelpfulBefore int    `json:"helpful_before"` // in the window before it
	HarmfulBefore int    `json:"harmful_before"`
}

// Regressions compares, for each skill with verdicts in either window, the
// last window with the one before. Least is how many verdicts tell something.
func (s *Store) Regressions(ctx context.Context, window time.Duration, least int, host skill.Host) ([]Regression, error) {
	now := s.now()
	list, err := s.Verdicts(ctx, Query{Since: now.Add(-2 * window), Host: host})
	if err != nil {
		return nil, err
	}
	by := map[string]*Regression{}
	for _, v := range list {
		r := by[v.Skill]
		if r == nil {
			r = &Regression{Skill: v.Skill}
			by[v.Skill] = r
		}
		recent := !v.At.Before(now.Add(-window))
		switch {
		case v.Label == Neutral && recent:
			r.Neutral++
		case v.Label == Helpful && recent:
			r.Helpful++
		case v.Label == Harmful && recent:
			r.Harmful++
		case v.Label == Helpful:
			r.HelpfulBefore++
		case v.Label == Harmful:
			r.HarmfulBefore++
		}
	}
	out := []Regression{}
	for _, r := range by {
		r.Trend = r.trend(least)
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Regression) int {
		return cmp.Or(cmp.Compare(severity[a.Trend], severity[b.Trend]), strings.Compare(a.Skill, b.Skill))
	})
	return out, nil
}

func (r *Regression) trend(least int) Trend {
	used := r.HelpfulBefore >= baseline
	switch {
	case r.Helpful+r.Harmful+r.Neutral < least:
		return Unused
	case used && 2*r.Harmful >= r.Helpful+r.Harmful && r.Harmful > 0:
		return Broken
	case used && (r.Helpful == 0 && r.Harmful > 0 || r.Harmful == 0 && 5*r.Helpful <= r.HelpfulBefore):
		return Regressed
	}
	return Stable
}

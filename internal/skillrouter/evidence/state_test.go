package evidence

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// run replays a history: + helpful, - harmful, 0 neutral.
func run(s state, history string) state {
	for _, c := range history {
		s = s.after(map[rune]Label{'+': Helpful, '-': Harmful, '0': Neutral}[c])
	}
	return s
}

func TestState(t *testing.T) {
	for _, c := range []struct {
		history string
		want    skill.Status
	}{
		{"", ""},
		{"0", skill.Active},
		{"+", skill.Active},
		{"--", skill.Active},
		{"---", skill.Archived},
		{"-0-0-", skill.Archived}, // a neutral one neither breaks a row nor makes it longer
		{"--+-", skill.Active},    // four say nothing of a rate
		{"--+-+", skill.Suspect},
		{"+++--", skill.Suspect},
		{"++++-", skill.Active},
		{"+-++-++-++++++++++-", skill.Suspect},             // more than three in the window
		{"+++--" + strings.Repeat("+", 8), skill.Suspect},  // 2 of 13
		{"+++--" + strings.Repeat("+", 20), skill.Active},  // the window has forgotten them
		{"--" + strings.Repeat("+", 18), skill.Suspect},    // two of twenty do not clear it
		{"--+-++" + strings.Repeat("+", 20), skill.Active}, // back from suspect
		{"---++", skill.Archived},
		{"---+++", skill.Suspect}, // on trial again
		{"---+++---", skill.Archived},
		{"---+++" + strings.Repeat("+", 20), skill.Active},
		{strings.Repeat("+", 100) + "---", skill.Archived},
	} {
		if got := run(state{}, c.history).status; got != c.want {
			t.Errorf("%s: %q, want %q", c.history, got, c.want)
		}
	}
}

func TestStateLooksAtTheWindowOnly(t *testing.T) {
	past := run(state{}, strings.Repeat("-+", 50)+strings.Repeat("+", window))
	if len(past.recent) != window || past.status != skill.Active {
		t.Errorf("%d verdicts remembered, %s", len(past.recent), past.status)
	}
}

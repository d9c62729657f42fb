package source

import "testing"

func TestNearKeys(t *testing.T) {
	for _, c := range []struct {
		key, known string
		want       bool
	}{
		{"umbrela", "umbrella", true}, {"Umbrella", "umbrella", true}, {"umberlla", "umbrella", true}, {"umbrellas", "umbrella", true},
		{"brnach", "branch", true}, {"privat", "private", true}, {"branches", "branch", true},
		{"plugin", "umbrella", false}, {"", "branch", false}, {"b", "branch", false}, {"umbrellaumbrella", "umbrella", false},
	} {
		if got := near(c.key, c.known); got != c.want {
			t.Errorf("%q near %q: %v", c.key, c.known, got)
		}
	}
}

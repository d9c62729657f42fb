package evidence

import (
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
)

func TestGate(t *testing.T) {
	for _, c := range []struct {
		label  Label
		reason string
		words  int
		passes bool
	}{
		{Helpful, "used HMAC compare helper for the signature check", 8, true},
		{Helpful, "used hmac.compare_digest as the skill described; test_webhook.py::test_hmac_signature now passes", 8, true},
		{Helpful, "used hmac.compare_digest as the skill described; tests/webhooks.py passes", 8, true},
		{Helpful, "used HMAC compare helper for the signature check", 15, false},
		{Helpful, "", 8, false},
		{Helpful, "OK.", 0, false},
		{Harmful, "n/a", 0, false},
		{Helpful, "It helped!", 0, false},
		{Helpful, "short but not empty", 8, false},
		{Helpful, "ok ok ok ok ok ok ok ok ok ok", 8, false},
		{Helpful, "one concrete sentence in English about what the skill changed here", 8, false},
		{Helpful, "- - - - - - - - - - - -", 8, false},
		{Neutral, "", 8, true},
		{Helpful, "anything else passes", 0, true},
	} {
		if why := (Gate{c.words}).Refuse(c.label, c.reason); (why == "") != c.passes {
			t.Errorf("%s %q at %d words: %q", c.label, c.reason, c.words, why)
		}
	}
}

func TestGateOfTheEnvironment(t *testing.T) {
	for value, want := range map[string]int{"": 8, "15": 15, "0": 0, "no": 8, "99": 40, "-3": 8} {
		c := &config.Config{Env: func(string) string { return value }}
		if got := GateOf(c).Words; got != want {
			t.Errorf("MEGA_REASON_WORDS=%q: %d words, want %d", value, got, want)
		}
	}
}

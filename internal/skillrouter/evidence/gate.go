package evidence

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
)

// A Gate is what a reason must be to count.
type Gate struct {
	Words int // at least so many
}

// Bounds of MEGA_REASON_WORDS. The least that is asked for by default lets one
// concrete clause pass: "used the compare helper for the signature check".
const (
	defaultWords = 8
	mostWords    = 40
)

// GateOf is the gate that the environment sets.
func GateOf(c *config.Config) Gate {
	return Gate{Words: min(c.Int("MEGA_REASON_WORDS", defaultWords), mostWords)}
}

// empty are reasons that say nothing, as bare words; template are words of the
// contract itself, which a model repeats rather than fills in.
var (
	empty = map[string]bool{"": true, "ok": true, "okay": true, "yes": true, "no": true, "na": true, "n/a": true, "none": true, "test": true, "tests": true,
		"testing": true, "todo": true, "tbd": true, "fix": true, "fixed": true, "broken": true, "bad": true, "good": true, "great": true, "fine": true,
		"true": true, "false": true, "x": true, "y": true, "z": true, "helpful": true, "harmful": true, "it helped": true, "it worked": true, "was helpful": true,
		"was useful": true, "useful": true, "not useful": true, "evidence": true, "evidence a": true, "evidence b": true, "evidence c": true, "reason": true}
	template = []string{"one concrete sentence", "one concrete english sentence", "concrete evidence in english", "your reason here", "reason goes here"}
)

// Refuse says why a reason does not count, or "".
func (g Gate) Refuse(l Label, reason string) string {
	if l == Neutral {
		return ""
	}
	var words []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(reason), unicode.IsSpace) {
		if w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); w != "" {
			words = append(words, w)
		}
	}
	plain := strings.Join(words, " ")
	if empty[plain] {
		return "its reason says nothing"
	}
	for _, t := range template {
		if strings.Contains(plain, t) {
			return "its reason is the contract's own example"
		}
	}
	if len(words) < g.Words {
		return fmt.Sprintf("its reason has %d words; at least %d count", len(words), g.Words)
	}
	distinct := len(slices.Compact(slices.Sorted(slices.Values(words))))
	if 2*distinct < min(len(words), 2*g.Words) {
		return "its reason repeats a few words"
	}
	return ""
}

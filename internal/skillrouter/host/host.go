// Package host speaks with the four agents that mega-tron serves: it reads the
// events that their hooks are given, tells which of them is a person's prompt,
// and writes an answer in the form that each takes.
//
// An event comes from another program and holds what a person, a web page or a
// file said. It is bounded in size and in time, only known fields are read,
// and nothing of it reaches a shell.
package host

import (
	"bytes"
	"encoding/json"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A Host is one agent.
type Host interface {
	// Name is the host's in the store of evidence.
	Name() skill.Host
	// Target is the host's for blocks and on the command line.
	Target() block.Target
	// Mark is the kind of the mark that a session was told of skills.
	Mark() string
	// Read takes an event. The error says what is wrong with its form.
	Read(message []byte) (Event, error)
	// Render is what the hook writes, one line, for a text that is not "".
	Render(text string) []byte
	// CatalogueOff reports whether the agent does not see the host's own list
	// of skills, as its settings for a directory say.
	CatalogueOff(c *config.Config, dir string) bool
	// Hides reports whether the host's own list is to leave out, from the
	// first answer of a session on, what did not fit.
	Hides(c *config.Config) bool
	// Loads reports whether the agent can load a skill by its name.
	Loads(c *config.Config, dir string, s *skill.Skill) bool
}

// The hosts.
var (
	Codex  Host = codex{}
	Claude Host = claude{}
	Gemini Host = gemini{}
	Hermes Host = hermes{}
)

// All are the hosts, in the order in which they are listed.
func All() []Host { return []Host{Codex, Claude, Gemini, Hermes} }

// A Kind says what an event asks for.
type Kind int

// The kinds.
const (
	Other  Kind = iota // nothing: Skip says why
	Prompt             // skills for a prompt
	Reset              // the session's context is gone: it is told anew
)

// An Event is what a hook was given.
type Event struct {
	Kind    Kind
	Skip    string // why nothing is done, with Other
	Session string // id, "" where there is none
	Turn    string // id, "" where there is none
	Dir     string // where the work is, absolute, or ""
	Prompt  string // not blank, with Prompt
}

// Nothing is what a hook writes that has nothing to say and must say so.
func Nothing() []byte { return []byte("{}\n") }

// specific is the answer of those hosts that took it from one another.
func specific(event, text string) []byte {
	type output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	return line(map[string]output{"hookSpecificOutput": {event, text}})
}

func line(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a bracket has one byte, not six
	if e.Encode(v) != nil {
		return Nothing() // strings always have a JSON form
	}
	return b.Bytes()
}

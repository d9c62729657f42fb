package capture

import (
	"encoding/json"
	"io"
	"path/filepath"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence/transcript"
	"github.com/marola-dev/marola-routing/internal/skillrouter/host"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// patience is how long the event is waited for. Nobody waits for this hook: on
// a busy machine a late verdict is better than none.
const patience = 10 * time.Second

// endings are the events that end a turn, by host. An event without a name is
// one of them.
var endings = map[skill.Host]string{skill.Codex: "Stop", skill.Claude: "Stop", skill.Gemini: "AfterAgent", skill.Hermes: "post_llm_call"}

// An event is what a host says at the end of a turn.
type event struct {
	name       string
	session    string
	turn       string // "" where the host does not count
	cwd        string // absolute, or ""
	transcript string // absolute, or ""
	reply      string // "" where the host does not say it
	again      bool   // the turn went on because a hook asked for more
	history    []transcript.Record
}

func readEvent(r io.Reader) (event, error) {
	data, err := host.Message(r, patience)
	if err != nil {
		return event{}, err
	}
	var fields, extra map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil || fields == nil {
		return event{}, host.ErrForm
	}
	_ = json.Unmarshal(fields["extra"], &extra) // what is none has no fields
	first := func(names ...string) string {
		for _, n := range names {
			for _, m := range []map[string]json.RawMessage{fields, extra} {
				var s string
				if json.Unmarshal(m[n], &s) == nil && s != "" {
					return s
				}
			}
		}
		return ""
	}
	e := event{name: first("hook_event_name"), session: first("session_id", "sessionId"), turn: first("turn_id"),
		cwd: first("cwd"), transcript: first("transcript_path"), reply: first("last_assistant_message", "prompt_response", "assistant_response")}
	_ = json.Unmarshal(fields["stop_hook_active"], &e.again) // anything else is no
	if !filepath.IsAbs(e.cwd) {
		e.cwd = ""
	}
	if !filepath.IsAbs(e.transcript) {
		e.transcript = ""
	}
	var history []json.RawMessage
	_ = json.Unmarshal(extra["conversation_history"], &history)
	for _, m := range history {
		e.history = append(e.history, transcript.Decode(m))
	}
	return e, nil
}

package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// Bounds on an event.
const (
	// MaxMessage is of a whole event, in bytes: Hermes gives the conversation
	// with it.
	MaxMessage = 16 << 20
	// ReadLimit is how long the host may take to write it.
	ReadLimit = time.Second

	maxID     = 256
	maxDir    = 4096
	maxPrompt = 64 << 10
)

// Errors of an event that is none.
var (
	ErrLate  = errors.New("no event came on standard input in time")
	ErrEmpty = errors.New("there is no event on standard input")
	ErrForm  = errors.New("the event is no JSON object")
	ErrSize  = fmt.Errorf("the event has more than %d MiB", MaxMessage>>20)
)

// Message reads the first JSON value of the input, which may never end, be
// empty, or be anything else. It waits at most limit.
func Message(in io.Reader, limit time.Duration) ([]byte, error) {
	if in == nil {
		return nil, ErrEmpty
	}
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := first(in)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-time.After(limit):
		return nil, ErrLate
	}
}

func first(in io.Reader) ([]byte, error) {
	limited := &io.LimitedReader{R: in, N: MaxMessage + 1}
	mark := make([]byte, 1, 3)
	n, err := io.ReadFull(limited, mark)
	if err != nil {
		return nil, ErrEmpty
	}
	if mark[0] == 0xEF { // a byte order mark has two more bytes
		mark = mark[:3]
		if n, err = io.ReadFull(limited, mark[1:]); err != nil {
			return nil, ErrForm
		}
		n++
	}
	var raw json.RawMessage
	err = json.NewDecoder(io.MultiReader(bytes.NewReader(bytes.TrimPrefix(mark[:n], []byte("\xef\xbb\xbf"))), limited)).Decode(&raw)
	switch {
	case limited.N <= 0:
		return nil, ErrSize
	case errors.Is(err, io.EOF):
		return nil, ErrEmpty
	case err != nil:
		return nil, ErrForm
	}
	return raw, nil
}

// A text is a string field. What is there of another type is "", for a host
// may put more into a field than it once did.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if len(data) > 0 && data[0] == '"' && json.Unmarshal(data, &s) == nil {
		*t = text(s)
	}
	return nil
}

// id is a field that names something, "" when it cannot.
func (t text) id() string {
	if len(t) > maxID {
		return ""
	}
	return string(t)
}

// dir is a field that is an absolute directory, "" when it cannot be.
func (t text) dir() string {
	s := string(t)
	if len(s) > maxDir || strings.ContainsRune(s, 0) || !filepath.IsAbs(s) {
		return ""
	}
	return filepath.Clean(s)
}

// prompt is the beginning of a prompt.
func (t text) prompt() string {
	s := strings.TrimSpace(string(t))
	if len(s) > maxPrompt {
		s = strings.ToValidUTF8(s[:maxPrompt], "")
	}
	return s
}

// common are the fields that Codex, Claude Code and Gemini CLI share.
type common struct {
	Session text `json:"session_id"`
	Event   text `json:"hook_event_name"`
	Dir     text `json:"cwd"`
	Prompt  text `json:"prompt"`
	Source  text `json:"source"`   // of a session's start; of a prompt, who gave it
	Agent   text `json:"agent_id"` // of a sub-agent
}

func decode(message []byte, into any) error {
	if json.Unmarshal(message, into) != nil {
		return ErrForm
	}
	return nil
}

// prompted is the event of a prompt.
func (f common) prompted(turn text) Event {
	e := Event{Kind: Prompt, Session: f.Session.id(), Turn: turn.id(), Dir: f.Dir.dir(), Prompt: f.Prompt.prompt()}
	if e.Prompt == "" {
		return skipped("the prompt is empty")
	}
	return e
}

func (f common) reset() Event { return Event{Kind: Reset, Session: f.Session.id()} }

func skipped(why string) Event { return Event{Kind: Other, Skip: why} }

// unasked is an event that the hook has nothing to do with.
func (f common) unasked() Event {
	return skipped(fmt.Sprintf("there is nothing to do for the event %.60q", string(f.Event)))
}

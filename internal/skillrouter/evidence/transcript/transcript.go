// Package transcript reads what a host wrote of a session: the reply that
// ended it last, and which tools were called.
//
// It knows the files of Codex (rollout), Claude Code, Gemini CLI and Hermes,
// as JSON lines and as one document, by the shape of each record rather than
// by who is said to have written it. A record that it does not know is passed
// over. Lines are read one at a time, backwards where the end is wanted, so
// that the size of a file costs no memory.
package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Kind says what a record is.
type Kind int

// The kinds.
const (
	Other  Kind = iota
	Prompt      // of the person
	Reply       // of the model, with text or calls
	Result      // of a tool
	Rewind      // what stands behind the record ID was taken back, and so was it
)

// A Record is one entry of a transcript.
type Record struct {
	Kind  Kind
	ID    string // of the record, "" where it has none
	Text  string
	Calls []Call
}

// A Call is a use of a tool.
type Call struct {
	Tool string
	Args []Arg
}

// An Arg is a text among a call's arguments, however deep it stands.
type Arg struct{ Name, Text string }

// record has the fields of all four hosts.
type record struct {
	Type      string          `json:"type"`
	ID        any             `json:"id"`
	UUID      string          `json:"uuid"`
	Timestamp any             `json:"timestamp"`
	Meta      bool            `json:"isMeta"`
	Side      bool            `json:"isSidechain"`
	RewindTo  string          `json:"$rewindTo"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Message   json.RawMessage `json:"message"`
	Payload   *payload        `json:"payload"`

	GeminiCalls []struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"toolCalls"`
	OpenAICalls []struct {
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// payload is what Codex wraps.
type payload struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Action    json.RawMessage `json:"action"`
}

// part is an element of a content list.
type part struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Other string          `json:"content"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`

	FunctionCall *struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	FunctionResponse json.RawMessage `json:"functionResponse"`
	Thought          any             `json:"thought"`
}

// Decode reads one record. What is none has the kind Other.
func Decode(data []byte) (whole Record) {
	var r record
	if json.Unmarshal(data, &r) != nil {
		// A field of an unknown type leaves the others: a record is worth
		// what can be read of it.
		if r.Type == "" && r.Role == "" && r.Payload == nil {
			return Record{}
		}
	}
	out := Record{ID: firstOf(r.UUID, text(r.ID))}
	defer func() {
		if whole.Kind == Prompt && whole.ID == "" && r.Timestamp != nil {
			whole.ID = fmt.Sprint(r.Timestamp)
		}
	}()
	switch {
	case r.RewindTo != "":
		return Record{Kind: Rewind, ID: r.RewindTo}
	case r.Payload != nil:
		return r.Payload.decode(out)
	case r.Type == "assistant" || r.Type == "user":
		var m struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		}
		if len(r.Message) > 0 && json.Unmarshal(r.Message, &m) == nil {
			out = content(out, m.Content)
		} else {
			out = content(out, r.Content)
		}
		return kindOf(out, r.Type, r.Meta, r.Side)
	case r.Type == "gemini" || r.Type == "model":
		out = content(out, r.Content)
		for _, c := range r.GeminiCalls {
			out.Calls = append(out.Calls, Call{c.Name, args(c.Args)})
			out.Text = "" // it was said before the call
		}
		return kindOf(out, "assistant", false, false)
	case r.Role != "":
		out = content(out, r.Content)
		for _, c := range r.OpenAICalls {
			out.Calls = append(out.Calls, Call{c.Function.Name, args(c.Function.Arguments)})
			out.Text = ""
		}
		return kindOf(out, r.Role, false, false)
	}
	return Record{}
}

func kindOf(r Record, role string, meta, side bool) Record {
	switch {
	case role == "tool" || role == "function" || r.Kind == Result:
		return Record{Kind: Result, ID: r.ID}
	case role == "assistant" || role == "model" || role == "gemini":
		if side {
			r.Text = "" // another agent's
		}
		if r.Text == "" && len(r.Calls) == 0 {
			return Record{}
		}
		r.Kind = Reply
		return r
	case role == "user" && !meta && !side && r.Text != "":
		return Record{Kind: Prompt, ID: r.ID, Text: r.Text}
	}
	return Record{}
}

func (p *payload) decode(out Record) Record {
	switch p.Type {
	case "message":
		out = content(out, p.Content)
		if p.Role == "user" && ofHost(out.Text) {
			return Record{}
		}
		return kindOf(out, p.Role, false, false)
	case "function_call", "custom_tool_call":
		in := p.Arguments
		if len(in) == 0 {
			in = p.Input
		}
		out.Calls = []Call{{p.Name, args(in)}}
	case "local_shell_call":
		out.Calls = []Call{{p.Type, args(p.Action)}}
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		return Record{Kind: Result}
	default:
		return Record{}
	}
	out.Kind = Reply
	return out
}

// ofHost reports whether what stands as the person's words is the host's own
// about the environment.
func ofHost(text string) bool {
	text = strings.TrimSpace(text)
	for _, begin := range []string{"<environment_context", "<user_instructions", "<permissions", "<turn_aborted", "<skill>", "# AGENTS.md instructions"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// content reads a text, or a list of parts.
func content(out Record, data json.RawMessage) Record {
	var s string
	if json.Unmarshal(data, &s) == nil {
		out.Text = s
		return out
	}
	var parts []part
	_ = json.Unmarshal(data, &parts) // the parts that can be read count
	var texts []string
	for _, p := range parts {
		switch {
		case p.Type == "tool_result" || len(p.FunctionResponse) > 0:
			out.Kind = Result
		case p.Type == "tool_use":
			out.Calls = append(out.Calls, Call{p.Name, args(p.Input)})
			texts = nil // what was said before a call is not the end
		case p.FunctionCall != nil:
			out.Calls = append(out.Calls, Call{p.FunctionCall.Name, args(p.FunctionCall.Args)})
			texts = nil
		case p.Type == "thinking" || p.Type == "reasoning" || p.Thought != nil:
		case p.Text != "":
			texts = append(texts, p.Text)
		case p.Type == "text" || p.Type == "output_text":
			texts = append(texts, p.Other)
		}
	}
	out.Text = strings.Join(texts, "\n")
	return out
}

// Bounds on what is kept of a call's arguments.
const (
	maxArgs  = 64
	maxDepth = 6
)

// args lists the texts among arguments, which may be JSON within JSON.
func args(data json.RawMessage) (list []Arg) {
	var v any
	if len(data) == 0 || json.Unmarshal(data, &v) != nil {
		return nil
	}
	if s, ok := v.(string); ok {
		var inner any
		if json.Unmarshal([]byte(s), &inner) == nil {
			v = inner
		}
	}
	var walk func(name string, v any, depth int)
	walk = func(name string, v any, depth int) {
		if depth > maxDepth || len(list) >= maxArgs {
			return
		}
		switch v := v.(type) {
		case string:
			list = append(list, Arg{name, v})
		case []any:
			for _, x := range v {
				walk(name, x, depth+1)
			}
		case map[string]any:
			for k, x := range v {
				walk(k, x, depth+1)
			}
		}
	}
	walk("", v, 0)
	return list
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

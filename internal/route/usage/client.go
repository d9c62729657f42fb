package usage

import (
	"encoding/json"
	"strings"
)

// A call is one use of a tool: a command line, or a tool of the client's.
type call struct {
	id      string
	command string // of a shell, or ""
	tool    string // the client's name for the tool
	file    string // the file that a tool reads, or ""
}

// claude reads a line of Claude Code's.
func (s *scan) claude(line []byte) ([]call, bool) {
	var e struct {
		Type      string `json:"type"`
		SessionID string `json:"sessionId"`
		Cwd       string `json:"cwd"`
		Meta      bool   `json:"isMeta"`
		Sidechain bool   `json:"isSidechain"`
		Message   struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &e) != nil {
		return nil, false
	}
	s.id, s.dir = first(e.SessionID, s.id), first(e.Cwd, s.dir)
	var blocks []struct {
		Type  string `json:"type"`
		Text  string `json:"text"`
		ID    string `json:"id"`
		Name  string `json:"name"`
		Input struct {
			Command string `json:"command"`
			File    string `json:"file_path"`
		} `json:"input"`
	}
	var text string
	isText := json.Unmarshal(e.Message.Content, &text) == nil
	if !isText {
		_ = json.Unmarshal(e.Message.Content, &blocks) // content of another shape has nothing to count
	}
	switch e.Type {
	case "user":
		for _, b := range blocks {
			if b.Type == "text" {
				text += b.Text + "\n"
			}
		}
		// What a subagent is told, or a hook puts in, is not the person's word.
		if text != "" && !e.Meta && !e.Sidechain {
			s.prompted = asksForRoute(text)
		}
	case "assistant":
		var calls []call
		for _, b := range blocks {
			if b.Type == "tool_use" {
				calls = append(calls, call{b.ID, b.Input.Command, b.Name, b.Input.File})
			}
		}
		return calls, true
	}
	return nil, true
}

// codex reads a line of a rollout.
func (s *scan) codex(line []byte) ([]call, bool) {
	var e struct {
		Type    string `json:"type"`
		Payload struct {
			Type      string          `json:"type"`
			ID        string          `json:"id"`
			Cwd       string          `json:"cwd"`
			Message   json.RawMessage `json:"message"`
			Name      string          `json:"name"`
			CallID    string          `json:"call_id"`
			Arguments json.RawMessage `json:"arguments"`
			Action    struct {
				Command json.RawMessage `json:"command"`
			} `json:"action"`
		} `json:"payload"`
	}
	if json.Unmarshal(line, &e) != nil {
		return nil, false
	}
	p := e.Payload
	switch {
	case e.Type == "session_meta":
		s.id, s.dir = first(s.id, p.ID), first(p.Cwd, s.dir)
	case e.Type == "event_msg" && p.Type == "user_message":
		var text string
		if json.Unmarshal(p.Message, &text) == nil {
			s.prompted = asksForRoute(text)
		}
	case p.Type == "function_call":
		var args string
		var in struct {
			Command json.RawMessage `json:"command"`
			Cmd     json.RawMessage `json:"cmd"`
		}
		if json.Unmarshal(p.Arguments, &args) == nil && json.Unmarshal([]byte(args), &in) == nil {
			return []call{{p.CallID, first(words(in.Command), words(in.Cmd)), p.Name, ""}}, true
		}
	case p.Type == "local_shell_call":
		return []call{{p.CallID, words(p.Action.Command), p.Type, ""}}, true
	}
	return nil, true
}

// gemini reads one message of a chat.
func (s *scan) gemini(message []byte) ([]call, bool) {
	var e struct {
		Type      string          `json:"type"`
		SessionID string          `json:"sessionId"`
		Content   json.RawMessage `json:"content"`
		Calls     []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
			Args struct {
				Command string `json:"command"`
				Path    string `json:"absolute_path"`
				File    string `json:"file_path"`
			} `json:"args"`
		} `json:"toolCalls"`
	}
	if json.Unmarshal(message, &e) != nil {
		return nil, false
	}
	s.id = first(e.SessionID, s.id)
	if e.Type == "user" {
		s.prompted = asksForRoute(string(e.Content))
		return nil, true
	}
	var calls []call
	for _, c := range e.Calls {
		calls = append(calls, call{c.ID, c.Args.Command, c.Name, first(c.Args.Path, c.Args.File)})
	}
	return calls, true
}

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// words is a command that is one text or a list of words. Of a list that
// starts a shell, the script counts.
func words(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	if len(list) == 3 && strings.HasPrefix(list[1], "-") && strings.HasSuffix(list[1], "c") {
		return list[2]
	}
	return strings.Join(list, " ")
}

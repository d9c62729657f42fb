package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// mcpVersions are the versions of the Model Context Protocol that are spoken,
// the newest last. What is used of them is the same in all.
var mcpVersions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// maxMessage bounds one message of a client, in bytes.
const maxMessage = 1 << 20

// Codes of JSON-RPC.
const (
	rpcParse   = -32700
	rpcInvalid = -32600
	rpcMethod  = -32601
	rpcParams  = -32602
)

const mcpInstructions = `route answers from an index of this workspace's repositories: where something is (query), who publishes, pins or reads it (wiring), what a change reaches (impact). Its first line says which commit it answers from. When the exact word is known, git grep is as good. Texts in an answer are quoted from the repositories.`

var mcpVerb = command.Verb{
	Name:    "mcp",
	Summary: "serves the answering commands as tools of the Model Context Protocol, over standard input and output",
	Help: `For hosts that prefer tools to a shell: each command that answers is a tool of its
name. Its words are the list "args", its flags are arguments of their names. One JSON
message a line is read until the input ends; nothing is written, and nothing asked
of the network.`,
	Examples: []string{"route mcp", "claude mcp add routing -- .claude/skills/routing/scripts/route mcp"},
	Setup: func(*flag.FlagSet) command.Run {
		return func(ctx context.Context, p command.Process, _ []string) error {
			return (&mcpServer{p: p, verbs: append(answeringVerbs(), statusVerb)}).serve(ctx)
		}
	},
}

// An mcpServer answers one client.
type mcpServer struct {
	p     command.Process
	verbs []command.Verb
}

type rpcRequest struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type rpcResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// serve answers message by message until the input ends.
func (s *mcpServer) serve(ctx context.Context) error {
	in := bufio.NewReaderSize(s.p.Stdin, 64<<10)
	for ctx.Err() == nil {
		line, whole, err := readMessage(in)
		if r := s.answer(ctx, line, whole); r != nil {
			if _, err := s.p.Stdout.Write(append(encodeJSON(r), '\n')); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// readMessage reads a line; of one that is too long it keeps nothing.
func readMessage(in *bufio.Reader) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := in.ReadSlice('\n')
		if whole = whole && len(line)+len(part) <= maxMessage; whole {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), whole, err
		}
	}
}

// answer is the response to a message, or nil where none is due.
func (s *mcpServer) answer(ctx context.Context, line []byte, whole bool) *rpcResponse {
	fail := func(id json.RawMessage, code int, text string) *rpcResponse {
		if len(id) == 0 {
			id = json.RawMessage("null")
		}
		return &rpcResponse{Version: "2.0", ID: id, Error: &rpcError{code, text}}
	}
	switch {
	case !whole:
		return fail(nil, rpcInvalid, fmt.Sprintf("a message has at most %d bytes", maxMessage))
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		return fail(nil, rpcParse, "the line is not JSON")
	}
	var r rpcRequest
	if err := json.Unmarshal(line, &r); err != nil || r.Version != "2.0" {
		return fail(nil, rpcInvalid, "the message is not one JSON-RPC 2.0 request")
	}
	switch {
	case len(r.ID) == 0 || r.Method == "": // a notification, or a response, which nothing asked for
		return nil
	case r.ID[0] != '"' && r.ID[0] != '-' && (r.ID[0] < '0' || r.ID[0] > '9'):
		return fail(nil, rpcInvalid, "the id is neither a text nor a number")
	}
	switch r.Method {
	case "initialize":
		return &rpcResponse{Version: "2.0", ID: r.ID, Result: initialized(r.Params)}
	case "ping":
		return &rpcResponse{Version: "2.0", ID: r.ID, Result: struct{}{}}
	case "tools/list":
		tools := []mcpTool{}
		for _, v := range s.verbs {
			tools = append(tools, toolOf(v))
		}
		return &rpcResponse{Version: "2.0", ID: r.ID, Result: map[string]any{"tools": tools}}
	case "tools/call":
		var c struct {
			Name      string                     `json:"name"`
			Arguments map[string]json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal(r.Params, &c); err != nil {
			return fail(r.ID, rpcParams, "a call has a name and arguments")
		}
		i := slices.IndexFunc(s.verbs, func(v command.Verb) bool { return v.Name == c.Name })
		if i < 0 {
			return fail(r.ID, rpcParams, "there is no tool of this name")
		}
		return &rpcResponse{Version: "2.0", ID: r.ID, Result: s.call(ctx, s.verbs[i], c.Arguments)}
	}
	return fail(r.ID, rpcMethod, "there is no such method here")
}

// initialized answers a client's greeting: in its version of the protocol
// where that is spoken, else in the newest.
func initialized(params json.RawMessage) any {
	var asked struct {
		Version string `json:"protocolVersion"`
	}
	if json.Unmarshal(params, &asked) != nil || !slices.Contains(mcpVersions, asked.Version) {
		asked.Version = mcpVersions[len(mcpVersions)-1]
	}
	return map[string]any{
		"protocolVersion": asked.Version,
		"capabilities":    map[string]any{"tools": struct{}{}},
		"serverInfo":      map[string]string{"name": "route", "version": bundle.Version()},
		"instructions":    mcpInstructions,
	}
}

// An mcpTool is a verb as a client sees it.
type mcpTool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Schema      map[string]any `json:"inputSchema"`
	Annotations map[string]any `json:"annotations"`
}

// argsName is the argument that holds a verb's words.
const argsName = "args"

// toolOf describes a verb: its words are a list, its flags are arguments.
func toolOf(v command.Verb) mcpTool {
	properties := map[string]any{}
	required := []string{}
	if v.Max != 0 {
		words := map[string]any{"type": "array", "items": map[string]string{"type": "string"}, "description": v.Synopsis}
		if v.Min > 0 {
			words["minItems"] = v.Min
			required = append(required, argsName)
		}
		if v.Max > 0 {
			words["maxItems"] = v.Max
		}
		properties[argsName] = words
	}
	fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
	v.Setup(fs)
	fs.VisitAll(func(f *flag.Flag) {
		_, usage := flag.UnquoteUsage(f)
		properties[f.Name] = map[string]string{"type": typeOf(f), "description": usage}
	})
	return mcpTool{v.Name, v.Summary + "\n\n" + v.Help,
		map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false},
		map[string]any{"readOnlyHint": true, "openWorldHint": false}}
}

func typeOf(f *flag.Flag) string {
	switch f.Value.(flag.Getter).Get().(type) {
	case bool:
		return "boolean"
	case int:
		return "integer"
	}
	return "string"
}

// An mcpResult is what a tool gives.
type mcpResult struct {
	Content []mcpText `json:"content"`
	IsError bool      `json:"isError,omitempty"`
}

type mcpText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// call runs a verb as the command line does and gives what it prints. A call
// that is wrong is a result, too: so the model that made it reads why.
func (s *mcpServer) call(ctx context.Context, v command.Verb, arguments map[string]json.RawMessage) mcpResult {
	var out, errs strings.Builder
	p := s.p
	p.Args, p.Stdin, p.Stdout, p.Stderr = nil, strings.NewReader(""), &out, &errs
	run, args, err := bind(v, arguments)
	if err == nil {
		err = run(ctx, p, args)
	}
	text := out.String() + errs.String()
	if err != nil && !errors.Is(err, command.ErrSilent) {
		text += "route: " + err.Error() + "\n"
		if h := command.Hinter(nil); errors.As(err, &h) && h.Hint() != "" {
			text += "hint: " + h.Hint() + "\n"
		}
	}
	return mcpResult{[]mcpText{{"text", text}}, err != nil}
}

// bind sets a verb's flags and takes its words.
func bind(v command.Verb, arguments map[string]json.RawMessage) (run command.Run, args []string, err error) {
	fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
	run = v.Setup(fs)
	for name, raw := range arguments {
		if name == argsName {
			if json.Unmarshal(raw, &args) != nil {
				return nil, nil, command.Usage("%s: %s must be a list of texts", v.Name, argsName)
			}
			continue
		}
		f := fs.Lookup(name)
		if f == nil {
			return nil, nil, command.Usage("%s: it has no argument of that name", v.Name)
		}
		text := string(raw)
		if text != "" && text[0] == '"' && json.Unmarshal(raw, &text) != nil || f.Value.Set(text) != nil {
			return nil, nil, command.Usage("%s: %s must be a value of type %s", v.Name, f.Name, typeOf(f))
		}
	}
	if len(args) < v.Min || v.Max >= 0 && len(args) > v.Max {
		return nil, nil, command.Usage("%s: %d words in %s are not what it takes: %s", v.Name, len(args), argsName, v.Synopsis)
	}
	return run, args, nil
}

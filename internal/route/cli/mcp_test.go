package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/marola-dev/marola-routing/internal/command"
)

// mcpSession starts route mcp as a program and connects the official client.
func mcpSession(t *testing.T, env []string, dir string) *mcp.ClientSession {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: self, Args: []string{"route", "mcp"}, Env: env, Dir: dir, Stderr: os.Stderr}
	client := mcp.NewClient(&mcp.Implementation{Name: "a client", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ended badly: %v", err)
		}
	})
	return session
}

// TestMCP: the official client lists every command that answers, and a call of
// each gives what the command prints.
func TestMCP(t *testing.T) {
	s := newShore(t, "")
	session := mcpSession(t, s.Env, s.repo)
	if info := session.InitializeResult(); info.ServerInfo.Name != "route" || info.Instructions == "" || info.Capabilities.Tools == nil {
		t.Errorf("it greets with %+v", info)
	}
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string][]string{
		"query": {"one"}, "explain": {"one"}, "path": {"callOne", "one"}, "wiring": {}, "docs": {"one"}, "code": {"one"}, "why": {"one"},
		"impact": {"one"}, "where-used": {"one"}, "tests": {"one"}, "outline": {"a.go"}, "status": nil,
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		args, known := words[tool.Name]
		if !known {
			t.Errorf("the tool %s is not tried here", tool.Name)
			continue
		}
		t.Run(tool.Name, func(t *testing.T) {
			if tool.Description == "" || tool.Annotations == nil || !tool.Annotations.ReadOnlyHint {
				t.Errorf("described as %+v", tool)
			}
			for _, asJSON := range []bool{false, true} {
				call := map[string]any{"bundle": s.bundle, "json": asJSON}
				line := append([]string{tool.Name, "--bundle", s.bundle}, args...)
				if args != nil {
					call["args"], call["budget"] = args, 300
					line = append(line, "--budget", "300")
				}
				if asJSON {
					line = append(line, "--json")
				}
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: call})
				if err != nil {
					t.Fatal(err)
				}
				var out strings.Builder
				code := Main(command.Process{Args: line, Stdout: &out, Stderr: &out, Env: s.Env, Dir: s.repo})
				got := result.Content[0].(*mcp.TextContent).Text
				if result.IsError || code != 0 || steady(got) != steady(out.String()) || got == "" {
					t.Errorf("error %v:\n%s\nwant\n%s", result.IsError, got, out.String())
				}
			}
		})
	}
	for _, v := range answeringVerbs() {
		if !slices.Contains(names, v.Name) {
			t.Errorf("%s is no tool", v.Name)
		}
	}
	t.Run("calls that are wrong", func(t *testing.T) {
		for _, tt := range []struct {
			name string
			args map[string]any
			want string
		}{
			{"query", nil, "route: query: 0 words in args are not what it takes"},
			{"explain", map[string]any{"args": []string{"a", "b"}}, "route: explain: 2 words in args are not what it takes"},
			{"query", map[string]any{"args": "one"}, "route: query: args must be a list of texts"},
			{"query", map[string]any{"args": []string{"one"}, "budget": "much"}, "route: query: budget must be a value of type integer"},
			{"query", map[string]any{"args": []string{"one"}, "output": "x"}, "route: query: it has no argument of that name"},
			{"query", map[string]any{"args": []string{"one"}, "limit": 0}, "route: query: --limit must be 1 to 1000"},
			{"query", map[string]any{"args": []string{"--limit"}, "bundle": s.bundle}, ""},
			{"outline", map[string]any{"args": []string{"nowhere"}, "bundle": s.bundle}, ""},
			{"query", map[string]any{"args": []string{"one"}, "repo": "/nowhere/at/all"}, "route: query: --repo /nowhere/at/all does not exist\nhint: "},
		} {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.name, Arguments: tt.args})
			if err != nil {
				t.Fatal(err)
			}
			text := result.Content[0].(*mcp.TextContent).Text
			if result.IsError != (tt.want != "") || !strings.HasPrefix(text, tt.want) || text == "" {
				t.Errorf("%s %v: %v %q", tt.name, tt.args, result.IsError, text)
			}
		}
		for _, name := range []string{"fetch", "forget", "mcp", ""} {
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err == nil {
				t.Errorf("%q can be called", name)
			}
		}
	})
}

// steady leaves out the age of a source, which is of the clock.
func steady(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, `"age_seconds"`) && !strings.HasPrefix(line, "answers from ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// TestMCPMessages: what a client sends that is no sound request.
func TestMCPMessages(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"no JSON", "hello\n", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"another version of JSON-RPC", `{"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"an unknown method", `{"jsonrpc":"2.0","id":"a","method":"resources/list"}`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32601,`},
		{"an unknown tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		{"a call of nothing", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ``},
		{"a response", `{"jsonrpc":"2.0","id":1,"result":{}}`, ``},
		{"empty lines", "\n\r\n\n", ``},
		{"a ping without a line's end", `{"jsonrpc":"2.0","id":-7,"method":"ping"}`, `{"jsonrpc":"2.0","id":-7,"result":{}}`},
		{"an old version", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`, `{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{}},"instructions":`},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", maxMessage) + "\"}\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs strings.Builder
			code := Main(command.Process{Args: []string{"mcp"}, Stdin: strings.NewReader(tt.in), Stdout: &out, Stderr: &errs, Dir: t.TempDir()})
			if code != 0 || errs.String() != "" || !strings.HasPrefix(out.String(), tt.want) || tt.want == "" && out.String() != "" {
				t.Errorf("%d %q %q, want %q", code, out.String(), errs.String(), tt.want)
			}
			if tt.name == "too long" && !strings.HasSuffix(out.String(), `{"jsonrpc":"2.0","id":2,"result":{}}`+"\n") {
				t.Errorf("the message behind it is lost: %q", out.String())
			}
		})
	}
	for asked, want := range map[string]string{"2024-11-05": "2024-11-05", "2025-06-18": "2025-06-18", "1999-01-01": "2025-11-25", "": "2025-11-25"} {
		got := string(encodeJSON(initialized(json.RawMessage(fmt.Sprintf(`{"protocolVersion":%q}`, asked)))))
		if !strings.Contains(got, `"protocolVersion":"`+want+`"`) {
			t.Errorf("asked for %q: %s", asked, got)
		}
	}
}

func FuzzMCP(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"args":["x"],"budget":1e99}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{"repo":null,"bundle":{}}}}`, "[]\n{}\nnull\n\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if strings.Contains(in, "bundle") || strings.Contains(in, "repo") {
			return // names of files of this machine
		}
		var out, errs strings.Builder
		code := Main(command.Process{Args: []string{"mcp"}, Stdin: strings.NewReader(in), Stdout: &out, Stderr: &errs, Dir: ""})
		if code != 0 {
			t.Errorf("%q: %d %s", in, code, errs.String())
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%q: %q", in, line)
			}
		}
	})
}

package host_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/host"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// abs is a path that is absolute on this system.
func abs(path string) string {
	if runtime.GOOS == "windows" {
		return `C:` + filepath.FromSlash(path)
	}
	return path
}

func TestRead(t *testing.T) {
	work, _ := json.Marshal(abs("/w/shop"))
	prompt := host.Event{Kind: host.Prompt, Session: "s1", Dir: abs("/w/shop"), Prompt: "validate this webhook"}
	turn := prompt
	turn.Turn = "t1"
	reset := host.Event{Kind: host.Reset, Session: "s1"}
	skip := func(why string) host.Event { return host.Event{Skip: why} }
	for _, tt := range []struct {
		name    string
		host    host.Host
		message string
		want    host.Event
	}{
		{"codex prompt", host.Codex, `{"session_id":"s1","turn_id":"t1","transcript_path":null,"cwd":CWD,"hook_event_name":"UserPromptSubmit","model":"m","permission_mode":"default","prompt":"validate this webhook"}`, turn},
		{"codex compaction", host.Codex, `{"session_id":"s1","turn_id":"t9","transcript_path":"/x","cwd":CWD,"hook_event_name":"PostCompact","model":"m","trigger":"auto"}`, reset},
		{"codex clear", host.Codex, `{"session_id":"s1","hook_event_name":"SessionStart","source":"clear"}`, reset},
		{"codex resume", host.Codex, `{"session_id":"s1","hook_event_name":"SessionStart","source":"resume"}`, skip(`there is nothing to do for the event "SessionStart"`)},
		{"codex sub-agent", host.Codex, `{"session_id":"s1","hook_event_name":"UserPromptSubmit","agent_id":"a7","prompt":"x"}`, skip("the prompt is a sub-agent's")},
		{"codex stop", host.Codex, `{"session_id":"s1","hook_event_name":"Stop","stop_hook_active":false}`, skip(`there is nothing to do for the event "Stop"`)},

		{"claude prompt", host.Claude, `{"session_id":"s1","transcript_path":"/x.jsonl","cwd":CWD,"permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"validate this webhook"}`, prompt},
		{"claude prompt of a person", host.Claude, `{"session_id":"s1","cwd":CWD,"hook_event_name":"UserPromptSubmit","source":"user","prompt":" validate this webhook\n"}`, prompt},
		{"claude system prompt", host.Claude, `{"session_id":"s1","hook_event_name":"UserPromptSubmit","source":"system","prompt":"x"}`, skip("no person gave the prompt")},
		{"claude sub-agent", host.Claude, `{"session_id":"s1","hook_event_name":"UserPromptSubmit","agent_id":"a1","agent_type":"Explore","prompt":"x"}`, skip("the prompt is a sub-agent's")},
		{"claude notice", host.Claude, `{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"<task-notification>\n<task-id>b1</task-id> done"}`, skip("the prompt is a notice of the host")},
		{"claude compaction", host.Claude, `{"session_id":"s1","hook_event_name":"SessionStart","source":"compact"}`, reset},
		{"claude start", host.Claude, `{"session_id":"s1","hook_event_name":"SessionStart","source":"startup"}`, skip(`there is nothing to do for the event "SessionStart"`)},

		{"gemini prompt", host.Gemini, `{"session_id":"s1","transcript_path":"/x.json","cwd":CWD,"hook_event_name":"BeforeAgent","timestamp":"2026-08-21T10:00:00Z","prompt":"validate this webhook"}`, prompt},
		{"gemini compression", host.Gemini, `{"session_id":"s1","hook_event_name":"PreCompress","trigger":"auto"}`, reset},
		{"gemini clear", host.Gemini, `{"session_id":"s1","hook_event_name":"SessionStart","source":"clear"}`, reset},
		{"gemini tool", host.Gemini, `{"session_id":"s1","hook_event_name":"BeforeTool","tool_name":"x"}`, skip(`there is nothing to do for the event "BeforeTool"`)},

		{"hermes message", host.Hermes, `{"hook_event_name":"pre_llm_call","tool_name":null,"tool_input":null,"session_id":"s1","cwd":CWD,"profile":"default","extra":{"user_message":"validate this webhook","conversation_history":[{"role":"user","content":"x"}],"is_first_turn":true,"model":"m","platform":"cli","turn_id":"t1"}}`, turn},
		{"hermes parts", host.Hermes, `{"hook_event_name":"pre_llm_call","session_id":"s1","cwd":CWD,"extra":{"user_message":[{"type":"image_url","image_url":{"url":"data:"}},{"type":"text","text":"validate"},{"type":"text","text":"this webhook"}]}}`, host.Event{Kind: host.Prompt, Session: "s1", Dir: abs("/w/shop"), Prompt: "validate\nthis webhook"}},
		{"hermes image", host.Hermes, `{"hook_event_name":"pre_llm_call","session_id":"s1","extra":{"user_message":[{"type":"image_url"}]}}`, skip("the prompt is empty")},
		{"hermes child", host.Hermes, `{"hook_event_name":"pre_llm_call","session_id":"c1","extra":{"user_message":"x","parent_session_id":"s1"}}`, skip("the message is a sub-agent's")},
		{"hermes cron", host.Hermes, `{"hook_event_name":"pre_llm_call","session_id":"c1","extra":{"user_message":"x","platform":"cron"}}`, skip("no person gave the message")},
		{"hermes reset", host.Hermes, `{"hook_event_name":"on_session_reset","session_id":"s1","extra":{"reason":"new"}}`, reset},

		{"no prompt", host.Codex, `{"session_id":"s1","hook_event_name":"UserPromptSubmit"}`, skip("the prompt is empty")},
		{"blank prompt", host.Claude, `{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":" \n\t"}`, skip("the prompt is empty")},
		{"fields of other types", host.Gemini, `{"session_id":7,"cwd":["/"],"hook_event_name":"BeforeAgent","prompt":"validate this webhook","agent_id":null}`, host.Event{Kind: host.Prompt, Prompt: "validate this webhook"}},
		{"directories that are none", host.Codex, `{"cwd":"../etc","hook_event_name":"UserPromptSubmit","prompt":"validate this webhook"}`, host.Event{Kind: host.Prompt, Prompt: "validate this webhook"}},
		{"an id that is too long", host.Codex, `{"session_id":"` + strings.Repeat("s", 300) + `","hook_event_name":"UserPromptSubmit","prompt":"validate this webhook"}`, host.Event{Kind: host.Prompt, Prompt: "validate this webhook"}},
		{"an event's name with more in it", host.Codex, `{"hook_event_name":"\u001b[2J"}`, skip(`there is nothing to do for the event "\x1b[2J"`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.host.Read([]byte(strings.ReplaceAll(tt.message, "CWD", string(work))))
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
}

func TestReadRefusesWhatIsNoObject(t *testing.T) {
	for _, h := range host.All() {
		for _, message := range []string{`[]`, `"x"`, `7`, `{`, ``} {
			if _, err := h.Read([]byte(message)); !errors.Is(err, host.ErrForm) {
				t.Errorf("%s: %q gives %v", h.Target(), message, err)
			}
		}
	}
}

func TestLongPromptIsCut(t *testing.T) {
	data, _ := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": strings.Repeat("é", 1<<20)})
	e, err := host.Codex.Read(data)
	if err != nil || len(e.Prompt) > 64<<10 || !utf8.ValidString(e.Prompt) || !strings.HasPrefix(e.Prompt, "éé") {
		t.Errorf("%d bytes, %v", len(e.Prompt), err)
	}
}

func TestMessage(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		err            error
	}{
		{"object", `{"a":1}`, `{"a":1}`, nil},
		{"byte order mark", "\xef\xbb\xbf{\"a\":1}", `{"a":1}`, nil},
		{"more behind it", "{\"a\":1}\n{\"b\":2}", `{"a":1}`, nil},
		{"white space before it", " \r\n {}", `{}`, nil},
		{"nothing", "", "", host.ErrEmpty},
		{"white space", "  \n", "", host.ErrEmpty},
		{"half of one", `{"a":`, "", host.ErrForm},
		{"no JSON", "hello", "", host.ErrForm},
		{"half a mark", "\xef\xbb", "", host.ErrForm},
		{"too deep", strings.Repeat("[", 20_000), "", host.ErrForm},
		{"too large", `"` + strings.Repeat("x", host.MaxMessage), "", host.ErrSize},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := host.Message(strings.NewReader(tt.in), time.Minute)
			if string(got) != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %.50q, %v; want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
	if _, err := host.Message(nil, time.Minute); !errors.Is(err, host.ErrEmpty) {
		t.Errorf("without an input: %v", err)
	}
}

func TestMessageDoesNotWaitForTheEnd(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go func() { _, _ = w.Write([]byte(`{"hook_event_name":"Stop"}`)) }()
	if got, err := host.Message(r, time.Minute); err != nil || len(got) == 0 {
		t.Errorf("got %q, %v", got, err)
	}
	never, open := io.Pipe()
	defer open.Close()
	begin := time.Now()
	if _, err := host.Message(never, 20*time.Millisecond); !errors.Is(err, host.ErrLate) || time.Since(begin) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(begin), err)
	}
}

func TestRender(t *testing.T) {
	for _, tt := range []struct {
		host host.Host
		want string
	}{
		{host.Codex, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a <b/>\n\"c\""}}`},
		{host.Claude, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a <b/>\n\"c\""}}`},
		{host.Gemini, `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"a <b/>\n\"c\""}}`},
		{host.Hermes, `{"context":"a <b/>\n\"c\""}`},
	} {
		if got := string(tt.host.Render("a <b/>\n\"c\"")); got != tt.want+"\n" {
			t.Errorf("%s: %s", tt.host.Target(), got)
		}
	}
}

func TestNamesAreApart(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range host.All() {
		for _, s := range []string{"n" + string(h.Name()), "t" + string(h.Target()), "m" + h.Mark()} {
			if seen[s] {
				t.Errorf("%s stands for two hosts", s)
			}
			seen[s] = true
		}
	}
}

// person is a home with files, and its settings.
func person(t *testing.T, env map[string]string, files ...string) (*config.Config, string) {
	t.Helper()
	home := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		file := filepath.Join(home, filepath.FromSlash(files[i]))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(files[i+1]), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return &config.Config{Home: home, Env: func(name string) string { return strings.ReplaceAll(env[name], "HOME", home) }}, home
}

func TestCatalogueOff(t *testing.T) {
	const off, on = "[skills]\ninclude_instructions = false\n", "[skills]\ninclude_instructions = true\n"
	for _, tt := range []struct {
		name  string
		host  host.Host
		env   map[string]string
		files []string
		want  bool
	}{
		{"codex as it comes", host.Codex, nil, nil, false},
		{"codex off", host.Codex, nil, []string{".codex/config.toml", "model = \"m\"\n" + off}, true},
		{"codex elsewhere", host.Codex, map[string]string{"CODEX_HOME": "HOME/c"}, []string{"c/config.toml", off}, true},
		{"codex elsewhere, not here", host.Codex, map[string]string{"CODEX_HOME": "HOME/c"}, []string{".codex/config.toml", off}, false},
		{"codex on in the repository", host.Codex, nil, []string{".codex/config.toml", off, "work/.codex/config.toml", on}, false},
		{"codex, a repository that does not speak of it", host.Codex, nil, []string{".codex/config.toml", off, "work/.codex/config.toml", "model = \"m\"\n"}, true},
		{"codex, a file that is no TOML", host.Codex, nil, []string{".codex/config.toml", "[skills\ninclude_instructions = false"}, false},
		{"claude as it comes", host.Claude, nil, nil, false},
		{"claude active", host.Claude, map[string]string{"MEGA_CLAUDE_NATIVE_MODE": "active"}, nil, false},
		{"claude strict", host.Claude, map[string]string{"MEGA_CLAUDE_NATIVE_MODE": "Strict "}, nil, true},
		{"gemini as it comes", host.Gemini, nil, []string{".gemini/settings.json", `{}`}, false},
		{"gemini without skills", host.Gemini, nil, []string{".gemini/settings.json", `{"skills":{"enabled":false}} // mine`}, true},
		{"gemini with some disabled by the person", host.Gemini, nil, []string{".gemini/settings.json", `{"skills":{"disabled":["a"]}}`}, false},
		{"gemini with the list cut", host.Gemini, nil, []string{".gemini/settings.json", `{"hooks":{"BeforeAgent":[{"_megaTronManaged":"1"}]},"skills":{"disabled":["a"]}}`}, true},
		{"gemini, not to be cut", host.Gemini, map[string]string{"MEGA_GEMINI_MODE": "Passive"}, []string{".gemini/settings.json", `{"hooks":{"BeforeAgent":[{"_megaTronManaged":"1"}]},"skills":{"disabled":["a"]}}`}, false},
		{"hermes", host.Hermes, nil, []string{".hermes/config.yaml", "skills: {disabled: [a]}\n"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, home := person(t, tt.env, tt.files...)
			if got := tt.host.CatalogueOff(c, filepath.Join(home, "work")); got != tt.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

func TestHides(t *testing.T) {
	const ours = `{"hooks":{"X":[{"_megaTronManaged":"1"}]}}`
	for _, tt := range []struct {
		name  string
		host  host.Host
		env   map[string]string
		files []string
		want  bool
	}{
		{"codex", host.Codex, nil, []string{".codex/hooks.json", ours}, false},
		{"hermes", host.Hermes, nil, nil, false},
		{"claude as it comes", host.Claude, nil, []string{".claude/settings.json", ours}, false},
		{"claude passive", host.Claude, map[string]string{"MEGA_CLAUDE_NATIVE_MODE": "passive"}, []string{".claude/settings.json", ours}, false},
		{"claude active", host.Claude, map[string]string{"MEGA_CLAUDE_NATIVE_MODE": "active"}, []string{".claude/settings.json", ours}, true},
		{"claude strict", host.Claude, map[string]string{"MEGA_CLAUDE_NATIVE_MODE": "strict"}, []string{".claude/settings.json", ours}, true},
		{"claude elsewhere", host.Claude, map[string]string{"MEGA_CLAUDE_NATIVE_MODE": "active", "CLAUDE_CONFIG_DIR": "HOME/c"}, []string{"c/settings.json", ours}, true},
		{"claude, not set up", host.Claude, map[string]string{"MEGA_CLAUDE_NATIVE_MODE": "active"}, []string{".claude/settings.json", "{}"}, false},
		{"gemini", host.Gemini, nil, []string{".gemini/settings.json", ours}, true},
		{"gemini passive", host.Gemini, map[string]string{"MEGA_GEMINI_MODE": "passive"}, []string{".gemini/settings.json", ours}, false},
		{"gemini, not set up", host.Gemini, nil, nil, false},
	} {
		c, _ := person(t, tt.env, tt.files...)
		if got := tt.host.Hides(c); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestGeminiLoads(t *testing.T) {
	for _, tt := range []struct {
		name, dir string
		files     []string
		want      bool
	}{
		{"its own", ".gemini/skills/a", []string{".gemini/skills/a/SKILL.md", ""}, true},
		{"shared", ".agents/skills/a", []string{".agents/skills/a/SKILL.md", ""}, true},
		{"found elsewhere, but there as well", ".claude/skills/a", []string{".gemini/skills/a/SKILL.md", ""}, true},
		{"elsewhere", ".claude/skills/a", nil, false},
		{"in the workspace", "work/.claude/skills/a", nil, true},
		{"of an extension", ".gemini/extensions/x/skills/a", nil, true},
		{"disabled", ".gemini/skills/a", []string{".gemini/skills/a/SKILL.md", "", ".gemini/settings.json", `{"skills":{"disabled":["B","A"]}}`}, false},
		{"skills are off", ".gemini/skills/a", []string{".gemini/skills/a/SKILL.md", "", ".gemini/settings.json", `{"skills":{"enabled":false}}`}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, home := person(t, nil, tt.files...)
			s := &skill.Skill{Name: "a", Dir: filepath.Join(home, filepath.FromSlash(tt.dir))}
			if got := host.Gemini.Loads(c, filepath.Join(home, "work"), s); got != tt.want {
				t.Errorf("got %t", got)
			}
			if !host.Codex.Loads(c, "", s) || !host.Claude.Loads(c, "", s) || !host.Hermes.Loads(c, "", s) {
				t.Error("a host that reads any path does not load it")
			}
		})
	}
}

func FuzzEvent(f *testing.F) {
	for _, seed := range []string{
		`{"session_id":"s1","turn_id":"t1","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"p"}`,
		`{"hook_event_name":"BeforeAgent","prompt":"p","timestamp":"x"}`,
		`{"hook_event_name":"pre_llm_call","extra":{"user_message":[{"type":"text","text":"p"}]}}`,
		`{"hook_event_name":"SessionStart","source":"compact"}`,
		"\xef\xbb\xbf{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"\xff\u0000\"}", `{"prompt":{}}`, `[1]`, `{"extra":null}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		message, err := host.Message(bytes.NewReader(data), time.Minute)
		if err != nil {
			return
		}
		for _, h := range host.All() {
			e, err := h.Read(message)
			switch {
			case err != nil:
			case e.Kind == host.Prompt && (strings.TrimSpace(e.Prompt) == "" || !utf8.ValidString(e.Prompt) || e.Skip != ""):
				t.Errorf("%s: a prompt %+v", h.Target(), e)
			case e.Kind == host.Other && e.Skip == "":
				t.Errorf("%s: skipped without a reason", h.Target())
			case len(e.Session) > 256 || len(e.Turn) > 256 || e.Dir != "" && !filepath.IsAbs(e.Dir):
				t.Errorf("%s: %+v", h.Target(), e)
			}
			var v map[string]any
			if out := h.Render(e.Prompt + e.Skip); json.Unmarshal(out, &v) != nil || bytes.Count(out, []byte("\n")) != 1 {
				t.Errorf("%s writes %q", h.Target(), out)
			}
		}
	})
}

package capture

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence/transcript"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
	"github.com/marola-dev/marola-routing/internal/skillrouter/turns"
)

const (
	plain = "---\nname: webhook-signer\ndescription: Signs webhooks.\n---\n# Body\n"
	tag   = `<skill-used name="webhook-signer" verdict="HELPFUL" reason="used HMAC compare helper for the signature check"/>`
)

// person has a home with one skill in it.
type person struct {
	t    *testing.T
	c    *config.Config
	file string
}

func newPerson(t *testing.T) *person {
	t.Helper()
	home := t.TempDir()
	run, err := os.MkdirTemp("", "mt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(run) })
	env := map[string]string{"HOME": home, "USERPROFILE": home, "XDG_RUNTIME_DIR": run}
	c, err := config.Load(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t, c, filepath.Join(home, ".agents", "skills", "webhook-signer", skill.FileName)}
	if err := os.MkdirAll(filepath.Dir(p.file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.file, []byte(plain), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *person) shown(session string, names ...string) {
	p.t.Helper()
	log, err := turns.Open(p.c)
	if err != nil {
		p.t.Fatal(err)
	}
	var list []turns.Skill
	for _, n := range names {
		list = append(list, turns.Skill{Name: n})
	}
	if err := log.Shown(session, skill.Claude, "", list); err != nil {
		p.t.Fatal(err)
	}
}

func (p *person) stop(host skill.Host, event map[string]any) {
	p.t.Helper()
	data, err := json.Marshal(event)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := Stop(context.Background(), p.c, host, strings.NewReader(string(data))); err != nil {
		p.t.Fatal(err)
	}
}

// counts are those of the store, 0 and 0 without one.
func (p *person) counts() (helpful, harmful int) {
	p.t.Helper()
	s, err := evidence.Existing(context.Background(), evidence.Place(p.c))
	if err != nil {
		return 0, 0
	}
	defer s.Close()
	r, _, err := s.Record(context.Background(), "webhook-signer")
	if err != nil {
		p.t.Fatal(err)
	}
	return r.Helpful, r.Harmful
}

// TestEachHostsEventAndTranscript feeds what each host sends and writes. The
// skill was not shown: that the transcript has a trace of it is what counts.
func TestEachHostsEventAndTranscript(t *testing.T) {
	testdata, err := filepath.Abs(filepath.Join("..", "transcript", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(testdata, name) }
	history := []any{map[string]any{"role": "assistant", "content": "", "tool_calls": []any{map[string]any{"function": map[string]any{"name": "skill_view", "arguments": `{"name":"webhook-signer"}`}}}}}
	for name, c := range map[string]struct {
		host  skill.Host
		event map[string]any
	}{
		"codex":              {skill.Codex, map[string]any{"session_id": "s", "turn_id": "7", "hook_event_name": "Stop", "transcript_path": in("codex.jsonl"), "stop_hook_active": false, "last_assistant_message": "Signed. " + tag}},
		"codex, no message":  {skill.Codex, map[string]any{"session_id": "s", "turn_id": "7", "hook_event_name": "Stop", "transcript_path": in("codex.jsonl"), "last_assistant_message": nil}},
		"claude":             {skill.Claude, map[string]any{"session_id": "s", "hook_event_name": "Stop", "transcript_path": in("claude.jsonl"), "last_assistant_message": "Signed. " + tag}},
		"claude, no message": {skill.Claude, map[string]any{"session_id": "s", "hook_event_name": "Stop", "transcript_path": in("claude.jsonl"), "stop_hook_active": false}},
		"gemini":             {skill.Gemini, map[string]any{"session_id": "s", "hook_event_name": "AfterAgent", "transcript_path": in("gemini.jsonl"), "prompt": "sign", "prompt_response": "Signed. " + tag}},
		"gemini, lines":      {skill.Gemini, map[string]any{"session_id": "s", "hook_event_name": "AfterAgent", "transcript_path": in("gemini.jsonl")}},
		"gemini, document":   {skill.Gemini, map[string]any{"session_id": "s", "hook_event_name": "AfterAgent", "transcript_path": in("gemini.json")}},
		"hermes":             {skill.Hermes, map[string]any{"session_id": "s", "hook_event_name": "post_llm_call", "tool_name": nil, "extra": map[string]any{"assistant_response": "Signed. " + tag, "conversation_history": history}}},
		"hermes, document":   {skill.Hermes, map[string]any{"session_id": "s", "transcript_path": in("hermes.json"), "extra": "none"}},
		"hermes, lines":      {skill.Hermes, map[string]any{"sessionId": "s", "transcript_path": in("hermes.jsonl")}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t)
			for range 3 { // a host may send an event again
				p.stop(c.host, c.event)
			}
			if helpful, harmful := p.counts(); helpful != 1 || harmful != 0 {
				t.Errorf("%d helpful and %d harmful, want 1 and 0", helpful, harmful)
			}
			data, err := os.ReadFile(p.file)
			if err != nil || !strings.Contains(string(data), "helpful_count: 1\n") || !strings.HasSuffix(string(data), "---\n# Body\n") {
				t.Errorf("SKILL.md: %v\n%s", err, data)
			}
		})
	}
}

func TestWhatCounts(t *testing.T) {
	claude := func(session, reply string) map[string]any {
		return map[string]any{"session_id": session, "hook_event_name": "Stop", "last_assistant_message": reply}
	}
	for name, c := range map[string]struct {
		shown bool
		event map[string]any
		want  int
	}{
		"shown":                    {true, claude("s", tag), 1},
		"shown to another":         {true, claude("other", tag), 0},
		"claimed only":             {false, claude("s", tag), 0},
		"a session without a name": {true, claude("", tag), 0},
		"another event":            {true, map[string]any{"session_id": "s", "hook_event_name": "SubagentStop", "last_assistant_message": tag}, 0},
		"no tag":                   {true, claude("s", "done"), 0},
		"a reason of no weight":    {true, claude("s", `<skill-used name="webhook-signer" verdict="HELPFUL" reason="good"/>`), 0},
		"fields of other types":    {true, map[string]any{"session_id": "s", "transcript_path": 7, "cwd": []int{1}, "stop_hook_active": "yes", "last_assistant_message": tag}, 1},
		"a transcript that is not": {true, map[string]any{"session_id": "s", "transcript_path": "/nowhere/at all", "last_assistant_message": tag}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t)
			if c.shown {
				p.shown("s", "webhook-signer")
			}
			p.stop(skill.Claude, c.event)
			if helpful, _ := p.counts(); helpful != c.want {
				t.Errorf("%d helpful, want %d", helpful, c.want)
			}
		})
	}
}

func TestACorrectionInTheSameTurnReplaces(t *testing.T) {
	p := newPerson(t)
	p.shown("s", "webhook-signer")
	event := map[string]any{"session_id": "s", "hook_event_name": "Stop", "last_assistant_message": tag}
	p.stop(skill.Claude, event)
	event["stop_hook_active"] = true
	event["last_assistant_message"] = `<skill-used name="webhook-signer" verdict="HARMFUL" reason="its compare helper leaks how long the comparison took"/>`
	p.stop(skill.Claude, event)
	if helpful, harmful := p.counts(); helpful != 0 || harmful != 1 {
		t.Errorf("%d helpful and %d harmful, want 0 and 1", helpful, harmful)
	}
}

func TestDropsAreLoggedWithTheirReason(t *testing.T) {
	p := newPerson(t)
	p.stop(skill.Claude, map[string]any{"session_id": "s", "last_assistant_message": tag + `<skill-used name="invented" verdict="HELPFUL" reason="used it for all that had to be done here"/>`})
	s, err := evidence.Existing(context.Background(), evidence.Place(p.c))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	entries, err := s.Log().Recent(10)
	if err != nil || len(entries) != 2 || !strings.Contains(entries[0].Why, "did not use it") || entries[1].Why != "there is no skill of this name" {
		t.Errorf("%+v, %v", entries, err)
	}
}

func TestBrokenEventsAreErrors(t *testing.T) {
	p := newPerson(t)
	for _, text := range []string{"", "null", "[]", "{", "\x00"} {
		if err := Stop(context.Background(), p.c, skill.Codex, strings.NewReader(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestUses(t *testing.T) {
	k := &skill.Skill{Name: "Signer", Dir: "/home/ann/.agents/skills/signer"}
	for _, c := range []struct {
		tool, arg, text string
		want            bool
	}{
		{"Skill", "skill", "Signer", true},
		{"Skill", "skill", "tools:signer", true},
		{"Skill", "skill", "other", false},
		{"Read", "file_path", "/home/ann/.agents/skills/signer/SKILL.md", true},
		{"read_file", "absolute_path", `C:\Users\ann\.gemini\skills\signer\SKILL.md`, true},
		{"Bash", "command", "cd x && python ~/.agents/skills/signer/scripts/run.py", true},
		{"Bash", "command", "cat 'signer/SKILL.md'", true},
		{"Bash", "command", "cat other-signer/SKILL.md", false},
		{"Bash", "command", "mega-tron search signer", false},
		{"Bash", "command", "grep -r signer/SKILL .", false},
	} {
		if got := uses(transcript.Call{Tool: c.tool, Args: []transcript.Arg{{Name: c.arg, Text: c.text}}}, k); got != c.want {
			t.Errorf("%s %s: %v", c.tool, c.text, got)
		}
	}
	call := transcript.Call{Tool: "exec_command", Args: []transcript.Arg{{Name: "cmd", Text: "python scripts/run.py"}, {Name: "workdir", Text: k.Dir}}}
	if !uses(call, k) {
		t.Error("a script run from the skill's directory is no use")
	}
}

func FuzzStop(f *testing.F) {
	f.Add(`{"session_id":"s","hook_event_name":"Stop","last_assistant_message":"x"}`)
	f.Add(`{"extra":{"conversation_history":[{"role":"assistant","tool_calls":[{"function":{"arguments":"{"}}]},3]}}`)
	f.Add(`{"transcript_path":"/dev/zero","cwd":"/"}`)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := readEvent(strings.NewReader(text))
		if err == nil && (e.cwd != "" && !filepath.IsAbs(e.cwd) || e.transcript != "" && !filepath.IsAbs(e.transcript)) {
			t.Errorf("%q: relative paths %q, %q", text, e.cwd, e.transcript)
		}
	})
}

package usage

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// home is a copy of the fixture's home directory.
func home(t testing.TB) (dir string, env []string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "home")
	if err := os.CopyFS(dir, os.DirFS("testdata/home")); err != nil {
		t.Fatal(err)
	}
	return dir, []string{"HOME=" + dir}
}

func read(t testing.TB, env []string, since string) Report {
	t.Helper()
	var from time.Time
	if since != "" {
		var err error
		if from, err = time.Parse(time.RFC3339, since); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Scan(context.Background(), env, from)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestScan: the sessions of three clients, with a session that goes on in
// another file, a subagent, a line that was cut short.
func TestScan(t *testing.T) {
	_, env := home(t)
	r := read(t, env, "")
	at := func(text string) time.Time { v, _ := time.Parse(time.RFC3339, text); return v }
	want := []Session{
		{"gemini", "g1", "", at("2026-11-01T10:00:00Z"), Counts{Route: 1, Prompted: 1, Grep: 1}},
		{"codex", "c1", "site", at("2026-11-01T09:00:00Z"), Counts{Route: 2, Wiring: 1, Grep: 2}},
		{"claude", "s2", "app", at("2026-11-01T08:00:08Z"), Counts{Route: 1}},
		{"claude", "s1", "app", at("2026-11-01T08:00:00Z"), Counts{Route: 3, Prompted: 1, Wiring: 2, Grep: 4}},
	}
	// The two files of s1 are read in the order of their names: what a
	// subagent did counts without a prompt of the person's in its file.
	if !reflect.DeepEqual(r.Sessions, want) {
		t.Errorf("sessions:\n got %+v\nwant %+v", r.Sessions, want)
	}
	total := Counts{Route: 7, Prompted: 2, Wiring: 3, Grep: 7}
	if r.Total != total || r.Read != 4 || r.Asked != 4 || r.Passed != 1 {
		t.Errorf("in total %+v, read %d, asked %d, passed over %d; want %+v, 4, 4, 1", r.Total, r.Read, r.Asked, r.Passed, total)
	}
	later := read(t, env, "2026-11-02T00:00:00Z")
	if len(later.Sessions) != 1 || later.Sessions[0].ID != "s2" || later.Total != (Counts{Route: 1}) || later.Since != "2026-11-02T00:00:00Z" {
		t.Errorf("since the second day: %+v", later)
	}
}

// TestWhere: the directories that the clients' variables name.
func TestWhere(t *testing.T) {
	dir, _ := home(t)
	for env, want := range map[string]int{
		"CLAUDE_CONFIG_DIR=" + filepath.Join(dir, ".claude"): 2,
		"CODEX_HOME=" + filepath.Join(dir, ".codex"):         1,
		"GEMINI_CLI_HOME=" + dir:                             1,
		"USERPROFILE=" + dir:                                 4,
		"HOME=":                                              0,
	} {
		if r := read(t, []string{env}, ""); len(r.Sessions) != want || r.Sessions == nil {
			t.Errorf("%s: %d sessions, want %d", env, len(r.Sessions), want)
		}
	}
}

// TestHostileTranscripts: long lines, deep ones, other shapes, links and
// pipes end a file at most, never the scan.
func TestHostileTranscripts(t *testing.T) {
	dir, env := home(t)
	projects := filepath.Join(dir, ".claude", "projects", "x")
	if err := os.MkdirAll(projects, 0o755); err != nil {
		t.Fatal(err)
	}
	good := `{"type":"assistant","sessionId":"h","timestamp":"2026-11-01T08:00:08Z","message":{"content":[{"type":"tool_use","id":"ID","name":"Grep"}]}}` + "\n"
	long := `{"type":"user","message":{"content":"` + strings.Repeat("x", maxLine) + `"}}` + "\n"
	files := map[string]string{
		"long.jsonl":  strings.Replace(good, "ID", "1", 1) + long + strings.Replace(good, "ID", "2", 1),
		"deep.jsonl":  strings.Repeat("[", 20_000) + "\n" + strings.Replace(good, "ID", "3", 1),
		"shape.jsonl": "[1]\n7\nnull\n{\"type\":\"assistant\",\"message\":{\"content\":{\"a\":1}}}\n\x00\xff\n" + strings.Replace(good, "ID", "4", 1),
		"empty.jsonl": "", "cut.jsonl": good[:40],
		"time.jsonl": strings.Replace(strings.Replace(good, "ID", "5", 1), "2026-11-01T08:00:08Z", "yesterday", 1),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(projects, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/dev/zero", filepath.Join(projects, "zero.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".gemini/tmp/abc/chats/bad.json"), []byte(`{"messages":[{"type":"user"},`), 0o644); err != nil {
		t.Fatal(err)
	}
	before := read(t, []string{"HOME=" + filepath.Join("testdata", "home")}, "")
	r := read(t, env, "")
	if got := r.Total.Grep - before.Total.Grep; got != 4 {
		t.Errorf("%d searches were found, want 4", got)
	}
	if r.Passed <= before.Passed {
		t.Errorf("%d were passed over, before %d", r.Passed, before.Passed)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Scan(ctx, env, time.Time{}); err == nil {
		t.Error("a scan that was given up ends well")
	}
}

func TestCommands(t *testing.T) {
	for line, want := range map[string]Counts{
		`route query x`:                                     {Route: 1},
		`./bin/route explain X --json | jq .`:               {Route: 1},
		`route add default gw 10.0.0.1`:                     {},
		`/sbin/route -n`:                                    {},
		`echo "route query x"`:                              {},
		`git log --grep=x`:                                  {},
		`git -C a --no-pager grep -n x`:                     {Grep: 1},
		`find . | xargs grep -l x; timeout 5 rg y`:          {Grep: 2},
		`LC_ALL=C grep x f && A=1 B=2 route status`:         {Grep: 1, Route: 1},
		`cat out/wiring.json`:                               {Wiring: 1},
		`sed -n '/wiring:start/,/wiring:end/p' F`:           {Wiring: 1},
		`route wiring`:                                      {Route: 1, Wiring: 1},
		`C:\x\.claude\skills\routing\bin\route.exe query x`: {},
		`'C:\x\route.exe' query x`:                          {Route: 1},
		"for f in a b; do grep x $f; done":                  {Grep: 1},
		`"$(route query 'a b')"`:                            {Route: 1},
		"`route path a b`":                                  {Route: 1},
		"'":                                                 {},
		`\`:                                                 {},
		``:                                                  {},
	} {
		var got Counts
		for _, c := range simple(line) {
			got.add(classify(c))
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
	}
}

// FuzzEntry: nothing that a transcript holds makes a scan fail.
func FuzzEntry(f *testing.F) {
	for _, file := range []string{"testdata/home/.claude/projects/-home-x-app/s1.jsonl", "testdata/home/.codex/sessions/2026/11/01/rollout-2026-11-01T09-00-00-c1.jsonl",
		"testdata/home/.gemini/tmp/abc/chats/session-2026-11-01T10-00-g1.json"} {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			f.Add(line)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, client := range []string{"claude", "codex", "gemini"} {
			s := &scan{client: client, seen: map[uint64]bool{}, sessions: map[string]*Session{}}
			s.entry(data)
			s.document(bytes.NewReader(data))
			for _, c := range s.sessions {
				if c.Prompted > c.Route || c.Route < 0 {
					t.Errorf("%+v", c)
				}
			}
			if _, err := json.Marshal(s.done()); err != nil {
				t.Error(err)
			}
		}
	})
}

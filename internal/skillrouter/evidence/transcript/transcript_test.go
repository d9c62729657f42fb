package transcript

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestTheFourHosts reads what each host writes: the last reply alone, without
// what was said before a call, taken back, thought, or said by another agent.
func TestTheFourHosts(t *testing.T) {
	for file, want := range map[string]struct{ turn, tool, arg string }{
		"codex.jsonl":  {"2026-05-04T12:00:00.200Z", "exec_command", "webhook-signer/SKILL.md"},
		"claude.jsonl": {"u1", "Skill", "webhook-signer"},
		"gemini.jsonl": {"g1", "activate_skill", "webhook-signer"},
		"gemini.json":  {"g1", "activate_skill", "webhook-signer"},
		"hermes.json":  {"1.7778960005e+09", "skill_view", "webhook-signer"},
		"hermes.jsonl": {"2026-05-04T12:00:00.000000", "skill_view", "webhook-signer"},
	} {
		t.Run(file, func(t *testing.T) {
			f := open(t, filepath.Join("testdata", file))
			end, err := f.Last(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(end.Reply, "Signed.\n<skill-used name=\"webhook-signer\"") || strings.Count(end.Reply, "<skill-used") != 1 {
				t.Errorf("reply %q", end.Reply)
			}
			if end.Turn != want.turn {
				t.Errorf("turn %q, want %q", end.Turn, want.turn)
			}
			found := false
			err = f.Calls(context.Background(), []string{"webhook-signer"}, func(c Call) bool {
				for _, a := range c.Args {
					found = found || c.Tool == want.tool && strings.Contains(a.Text, want.arg)
				}
				return true
			})
			if err != nil || !found {
				t.Errorf("call of %s not found: %v", want.tool, err)
			}
		})
	}
}

func open(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestATurnThatIsNotOverHasNoReply(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	lines := `{"type":"user","uuid":"u1","message":{"role":"user","content":"one"}}
{"type":"assistant","uuid":"u2","message":{"role":"assistant","content":[{"type":"text","text":"answer to one"}]}}
not JSON
{"type":"user","uuid":"u3","message":{"role":"user","content":"two"}}
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	end, err := open(t, path).Last(context.Background())
	if err != nil || end.Reply != "" || end.Turn != "u3" {
		t.Errorf("%+v, %v", end, err)
	}
}

func TestOpenRefusesWhatWouldBeWaitedFor(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a directory was opened")
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing file was opened")
	}
}

// huge is a session of size bytes that is nowhere: lines of results of tools,
// and the end of a real session.
type huge struct {
	size  int64
	line  string
	begin string
	end   string
}

func (h huge) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) {
		at := off + int64(n)
		var from string
		switch tail := h.size - int64(len(h.end)); {
		case at >= h.size:
			return n, io.EOF
		case at >= tail:
			from = h.end[at-tail:]
		case at < int64(len(h.begin)):
			from = h.begin[at:]
		default:
			from = h.line[(at-int64(len(h.begin)))%int64(len(h.line)):]
			from = from[:min(int64(len(from)), tail-at)]
		}
		n += copy(p[n:], from)
	}
	return n, nil
}

// TestALargeTranscriptCostsNoMemory reads 200 MB in both directions, in which
// the turn begins at the very start.
func TestALargeTranscriptCostsNoMemory(t *testing.T) {
	h := huge{size: 200 << 20,
		line:  fmt.Sprintf(`{"type":"user","uuid":"r","message":{"role":"user","content":[{"type":"tool_result","content":"%s"}]}}`+"\n", strings.Repeat("0123456789 ", 3000)),
		begin: `{"type":"user","uuid":"u1","message":{"role":"user","content":"one"}}` + "\n",
		end:   "\n" + `{"type":"assistant","uuid":"u2","message":{"role":"assistant","content":[{"type":"text","text":"Signed."}]}}` + "\n"}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	peak := uint64(0)
	watch := func() {
		runtime.ReadMemStats(&after)
		peak = max(peak, after.HeapSys-min(after.HeapSys, before.HeapSys))
	}
	var e ending
	n := 0
	err := backwards(context.Background(), h, h.size, func(line []byte) bool {
		if n++; n%1000 == 0 {
			watch()
		}
		return e.before(quick(line))
	})
	if err != nil || e.turn != "u1" || !strings.HasPrefix(e.reply(), "Signed.") {
		t.Errorf("backwards: turn %q, reply %q, %v", e.turn, e.reply(), err)
	}
	seen := 0
	err = forwards(context.Background(), io.NewSectionReader(h, 0, h.size), func([]byte) bool {
		if seen++; seen%1000 == 0 {
			watch()
		}
		return true
	})
	if err != nil || seen < 5000 {
		t.Errorf("forwards: %d lines, %v", seen, err)
	}
	if peak > 48<<20 {
		t.Errorf("the heap grew by %d MB", peak>>20)
	}
}

// TestLinesThatAreTooLong are passed over in both directions.
func TestLinesThatAreTooLong(t *testing.T) {
	text := "first\n" + strings.Repeat("x", maxLine+1) + "\n\n  last  "
	var back, on []string
	if err := backwards(context.Background(), strings.NewReader(text), int64(len(text)), func(l []byte) bool { back = append(back, string(l)); return true }); err != nil {
		t.Fatal(err)
	}
	if err := forwards(context.Background(), strings.NewReader(text), func(l []byte) bool { on = append(on, strings.TrimSpace(string(l))); return true }); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(back) != "[last first]" || fmt.Sprint(on) != "[first last]" {
		t.Errorf("backwards %d lines %.80q, forwards %d lines %.80q", len(back), back, len(on), on)
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	h := huge{size: 1 << 30, line: "x\n", end: "\n"}
	start := time.Now()
	if err := backwards(ctx, h, h.size, func([]byte) bool { return true }); err == nil {
		t.Error("backwards went on")
	}
	if err := forwards(ctx, io.NewSectionReader(h, 0, h.size), func([]byte) bool { return true }); err == nil {
		t.Error("forwards went on")
	}
	if time.Since(start) > 5*time.Second {
		t.Error("it took long")
	}
}

func FuzzLast(f *testing.F) {
	for _, name := range []string{"codex.jsonl", "claude.jsonl", "gemini.jsonl", "gemini.json", "hermes.json", "hermes.jsonl"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"messages":[{"role":"user","content":[1,null,{"text":{}}]},{"role":`))
	f.Add([]byte("\xef\xbb\xbf{\n"))
	f.Add([]byte(`{"payload":null,"type":7,"role":"assistant","content":"x"}` + "\n"))
	path := filepath.Join(f.TempDir(), "t")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		end, _ := file.Last(context.Background())
		if len(end.Reply) > len(data)+maxTexts+1 {
			t.Errorf("a reply of %d bytes from %d", len(end.Reply), len(data))
		}
		_ = file.Calls(context.Background(), []string{"skill", "{"}, func(c Call) bool { return len(c.Args) <= maxArgs })
	})
}

package wisdom_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/wisdom"
)

// TestMain makes the test binary be the curators that tests run.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "curate" {
		curate(os.Args[2], os.Args[3:])
		return
	}
	os.Exit(m.Run())
}

func curate(what string, args []string) {
	switch what {
	case "say":
		fmt.Print(args[0])
	case "file":
		data, _ := os.ReadFile(args[0])
		os.Stdout.Write(data)
	case "fail":
		fmt.Fprintln(os.Stderr, "no account\x1b[2J")
		os.Exit(3)
	case "flood":
		for range 6 << 10 {
			fmt.Print(strings.Repeat("x", 1<<10))
		}
	case "echo": // a skill whose text is the task
		task, _ := io.ReadAll(os.Stdin)
		answer(wisdom.Found{Name: "echo", Content: "---\nname: echo\ndescription: Says what it was asked.\n---\n" + string(task) + "\n"})
	case "wait": // until a file is there
		for {
			if _, err := os.Stat(args[0]); err == nil {
				answer()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	case "hang":
		time.Sleep(time.Hour)
	}
}

func answer(found ...wisdom.Found) {
	data, _ := json.Marshal(wisdom.Answer{Skills: append([]wisdom.Found{}, found...)})
	fmt.Printf("%s", data)
}

func curator(t *testing.T, args ...string) wisdom.Curator {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return wisdom.Curator{Command: append([]string{exe, "curate"}, args...), Dir: filepath.Join(t.TempDir(), "wisdom")}
}

// says is a curator that answers with skills.
func says(t *testing.T, found ...wisdom.Found) wisdom.Curator {
	data, err := json.Marshal(wisdom.Answer{Skills: found})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "answer")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return curator(t, "file", file)
}

func text(name, more string) string {
	return "---\nname: " + name + "\ndescription: Does " + name + ".\n" + more + "---\nDo it.\n"
}

func TestTaskAndSkill(t *testing.T) {
	c := curator(t, "echo")
	added, err := c.Run(t.Context(), wisdom.Task{Prompt: "sign a webhook", Host: "codex", Dir: "/w"})
	if err != nil || !slices.Equal(added, []string{"echo"}) {
		t.Fatalf("%q, %v", added, err)
	}
	data, err := os.ReadFile(filepath.Join(c.Dir, "echo", "SKILL.md"))
	if err != nil || !strings.HasSuffix(string(data), "\n"+`{"version":1,"prompt":"sign a webhook","host":"codex","cwd":"/w","top_k":20}`+"\n") {
		t.Errorf("%s, %v", data, err)
	}
	if added, err := c.Run(t.Context(), wisdom.Task{Prompt: "another"}); err != nil || len(added) != 0 {
		t.Errorf("a skill that is there came again: %q, %v", added, err)
	}
	if again, _ := os.ReadFile(filepath.Join(c.Dir, "echo", "SKILL.md")); string(again) != string(data) {
		t.Error("a skill that is there was replaced")
	}
	if entries, err := os.ReadDir(c.Dir); err != nil || len(entries) != 1 {
		t.Errorf("something is left over: %v, %v", entries, err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	good := wisdom.Found{Name: "good", Content: text("good", "")}
	for _, tt := range []struct {
		name  string
		found wisdom.Found
		want  string
	}{
		{"a way out", wisdom.Found{Name: "../up", Content: text("up", "")}, "its name is not"},
		{"a hidden name", wisdom.Found{Name: ".x", Content: text("x", "")}, "its name is not"},
		{"no name", wisdom.Found{Content: text("x", "")}, "its name is not"},
		{"another name inside", wisdom.Found{Name: "a", Content: text("b", "")}, "names another"},
		{"no frontmatter", wisdom.Found{Name: "a", Content: "Do it."}, "skill a: "},
		{"too long", wisdom.Found{Name: "a", Content: text("a", "") + strings.Repeat("x", 300<<10)}, "at most"},
		{"counts of its own", wisdom.Found{Name: "a", Content: text("a", "mega_meta:\n  helpful_count: 99\n")}, "its own evidence"},
		{"reasons of its own", wisdom.Found{Name: "a", Content: text("a", "mega_meta:\n  helpful_contexts: [great]\n")}, "its own evidence"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := says(t, tt.found, good)
			added, err := c.Run(t.Context(), wisdom.Task{})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !slices.Equal(added, []string{"good"}) {
				t.Errorf("%q, %v", added, err)
			}
			if entries, err := os.ReadDir(filepath.Dir(c.Dir)); err != nil || len(entries) != 1 {
				t.Errorf("something stands beside the directory: %v, %v", entries, err)
			}
		})
	}
	var many []wisdom.Found
	for i := range 40 {
		name := fmt.Sprintf("s-%d", i)
		many = append(many, wisdom.Found{Name: name, Content: text(name, "")})
	}
	if added, err := says(t, many...).Run(t.Context(), wisdom.Task{}); err != nil || len(added) != 20 {
		t.Errorf("%d skills of 40 were taken, %v", len(added), err)
	}
}

func TestCuratorsThatFail(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    wisdom.Curator
		want string
	}{
		{"an error", curator(t, "fail"), "exit status 3: no account[2J"},
		{"too much", curator(t, "flood"), "more than 4 MiB"},
		{"no JSON", curator(t, "say", "hello"), "did not answer with"},
		{"no skills", curator(t, "say", "{}"), "did not answer with"},
		{"no program", wisdom.Curator{Command: []string{filepath.Join(t.TempDir(), "gone")}}, "the curator: "},
	} {
		if added, err := tt.c.Run(t.Context(), wisdom.Task{}); err == nil || !strings.Contains(err.Error(), tt.want) || added != nil {
			t.Errorf("%s: %q, %v", tt.name, added, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := curator(t, "hang").Run(ctx, wisdom.Task{}); err == nil {
		t.Error("one that hangs has an answer")
	}
}

func TestPool(t *testing.T) {
	var mu sync.Mutex
	ended := 0
	p := &wisdom.Pool{Done: func([]string, error) { mu.Lock(); ended++; mu.Unlock() }}
	gate := filepath.Join(t.TempDir(), "gate")
	c := curator(t, "wait", gate)
	ask := func(prompt string, again time.Duration) wisdom.Status {
		return p.Ignite(t.Context(), c, wisdom.Task{Prompt: prompt}, again)
	}
	var got []wisdom.Status
	for i := range 12 {
		got = append(got, ask(fmt.Sprint(i%11), time.Hour))
	}
	want := slices.Concat(slices.Repeat([]wisdom.Status{wisdom.Fired}, 2), slices.Repeat([]wisdom.Status{wisdom.Queued}, 8), []wisdom.Status{wisdom.Skipped, wisdom.Cached})
	if !slices.Equal(got, want) || !p.Busy() {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	if ended != 10 || p.Busy() {
		t.Errorf("%d runs ended", ended)
	}
	if s := ask("3", time.Hour); s != wisdom.Cached {
		t.Errorf("again, soon: %s", s)
	}
	if s := ask("3", 0); s != wisdom.Fired {
		t.Errorf("again, later: %s", s)
	}
	p.Wait()
}

func TestFailedRunMayBeRepeated(t *testing.T) {
	p := &wisdom.Pool{}
	c := curator(t, "fail")
	for range 2 {
		if s := p.Ignite(t.Context(), c, wisdom.Task{Prompt: "x"}, time.Hour); s != wisdom.Fired {
			t.Errorf("%s", s)
		}
		p.Wait()
	}
}

func TestEndOfThePool(t *testing.T) {
	p := &wisdom.Pool{}
	ctx, cancel := context.WithCancel(t.Context())
	c := curator(t, "hang")
	for i := range 5 {
		p.Ignite(ctx, c, wisdom.Task{Prompt: fmt.Sprint(i)}, time.Hour)
	}
	cancel()
	p.Wait()
	if p.Busy() {
		t.Error("something runs on")
	}
}

func TestLast(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	if _, ok := wisdom.Read(dir); ok {
		t.Error("something is read where nothing was noted")
	}
	if err := wisdom.Note(dir, []string{"a"}, errors.Join(errors.New("one\x1b"), errors.New("two"))); err != nil {
		t.Fatal(err)
	}
	if l, ok := wisdom.Read(dir); !ok || !slices.Equal(l.Added, []string{"a"}) || l.Error != "one; two" || time.Since(l.At) > time.Minute {
		t.Errorf("%+v, %t", l, ok)
	}
}

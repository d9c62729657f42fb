package turns_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
	"github.com/marola-dev/marola-routing/internal/skillrouter/turns"
)

func TestShownIsRead(t *testing.T) {
	l := turns.Log{Dir: t.TempDir()}
	if got, err := l.Read("s1"); err != nil || got != nil {
		t.Errorf("of an unknown session: %v, %v", got, err)
	}
	must(t, l.Shown("s1", skill.Codex, "t1", []turns.Skill{{Name: "a", Dir: "/x/a"}, {Name: "b"}}))
	must(t, l.Shown("s1", turns.CLI, "", nil))
	must(t, l.Shown("s2", skill.Claude, "", []turns.Skill{{Name: "c"}}))
	got, err := l.Read("s1")
	if err != nil || len(got) != 2 {
		t.Fatalf("got %v, %v", got, err)
	}
	if first := got[0]; first.Host != skill.Codex || first.Turn != "t1" || first.Skills[0] != (turns.Skill{Name: "a", Dir: "/x/a"}) || first.Skills[1].Name != "b" {
		t.Errorf("first turn: %+v", first)
	}
	if got[1].Host != turns.CLI || time.Since(got[1].At) > time.Minute {
		t.Errorf("second turn: %+v", got[1])
	}
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	l := turns.Log{Dir: t.TempDir()}
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			if err := l.Shown("s", skill.Gemini, fmt.Sprint(i), []turns.Skill{{Name: strings.Repeat("n", 900)}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := l.Read("s")
	if err != nil || len(got) != 100 {
		t.Errorf("%d turns, %v", len(got), err)
	}
}

func TestFileIsBounded(t *testing.T) {
	l := turns.Log{Dir: t.TempDir()}
	long := []turns.Skill{{Name: strings.Repeat("n", 1<<20), Dir: strings.Repeat("d", 1<<20)}}
	for i := range 200 {
		must(t, l.Shown("s", skill.Hermes, fmt.Sprint(i), long))
	}
	total := int64(0)
	entries, err := os.ReadDir(l.Dir)
	must(t, err)
	for _, e := range entries {
		st, err := e.Info()
		must(t, err)
		total += st.Size()
	}
	if total > 600<<10 {
		t.Errorf("%d bytes are kept", total)
	}
	got, err := l.Read("s")
	if err != nil || len(got) < 20 || got[len(got)-1].Turn != "199" {
		t.Errorf("%d turns, %v", len(got), err)
	}
}

func TestWhatCannotBeReadIsLeftOut(t *testing.T) {
	l := turns.Log{Dir: t.TempDir()}
	must(t, l.Shown("s", skill.Codex, "1", nil))
	file := filepath.Join(l.Dir, "shown-s.jsonl")
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("{\"half\n[]\n\x00\n{}\n")
	must(t, err)
	must(t, f.Close())
	must(t, l.Shown("s", skill.Codex, "2", nil))
	if got, err := l.Read("s"); err != nil || len(got) != 2 || got[1].Turn != "2" {
		t.Errorf("got %v, %v", got, err)
	}
	must(t, os.Remove(file))
	must(t, os.Mkdir(file, 0o700))
	if _, err := l.Read("s"); err == nil {
		t.Error("a directory was read")
	}
}

func TestOnce(t *testing.T) {
	l := turns.Log{Dir: t.TempDir()}
	if l.Marked("seen", "s") || !l.Once("seen", "s") || l.Once("seen", "s") || !l.Marked("seen", "s") {
		t.Error("a mark is not made once")
	}
	if !l.Once("seen", "s2") || !l.Once("told", "s") {
		t.Error("a mark counts for another session or kind")
	}
	l.Forget("seen", "s")
	if !l.Once("seen", "s") {
		t.Error("a mark is not forgotten")
	}
	if (turns.Log{Dir: filepath.Join(l.Dir, "none")}).Once("seen", "s") {
		t.Error("what cannot be marked happens again and again")
	}
}

func TestKeys(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"", "anon", "0196f3c2-aaaa-7bbb-8ccc-000000000001", "../../etc/passwd", "a/b", "A", "a", "a\x00b", "h_00", strings.Repeat("x", 5000), "ü", "con:", "a.b"} {
		key := turns.Key(id)
		if key != filepath.Base(key) || len(key) > 100 || strings.ContainsAny(key, "./\\:\x00") || key == "" {
			t.Errorf("%q has the key %q", id, key)
		}
		if other, ok := seen[strings.ToLower(key)]; ok {
			t.Errorf("%q and %q have the same key %q", id, other, key)
		}
		seen[strings.ToLower(key)] = id
	}
	if turns.Key("0196f3c2-aaaa") != "0196f3c2-aaaa" {
		t.Error("a plain id is not its own key")
	}
}

func TestSweep(t *testing.T) {
	l := turns.Log{Dir: t.TempDir()}
	must(t, l.Shown("old", skill.Codex, "", nil))
	must(t, l.Shown("new", skill.Codex, "", nil))
	l.Once("seen", "old")
	past := time.Now().Add(-8 * 24 * time.Hour)
	for _, name := range []string{"shown-old.jsonl", "seen-old", "daemon.lock"} {
		file := filepath.Join(l.Dir, name)
		must(t, os.WriteFile(file, []byte("x"), 0o600))
		must(t, os.Chtimes(file, past, past))
	}
	l.Sweep(time.Now())
	entries, err := os.ReadDir(l.Dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "daemon.lock shown-new.jsonl" {
		t.Errorf("left: %s", got)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

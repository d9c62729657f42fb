package evidence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLog(t *testing.T) {
	l := &Log{path: filepath.Join(t.TempDir(), LogFile)}
	if got, err := l.Recent(5); err != nil || len(got) != 0 {
		t.Fatalf("an empty log: %v, %v", got, err)
	}
	if err := l.Append(Entry{Skill: "a", Outcome: Counted}, Entry{Skill: "b\x1b[2J", Outcome: Dropped, Why: "w"}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"skill":"torn`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := l.Append(Entry{Skill: "c", Outcome: Counted}); err != nil {
		t.Fatal(err)
	}
	got, err := l.Recent(2)
	if err != nil || len(got) != 2 || got[0].Skill != "b[2J" || got[1].Skill != "c" {
		t.Errorf("recent: %+v, %v", got, err)
	}
}

func TestLogIsBounded(t *testing.T) {
	l := &Log{path: filepath.Join(t.TempDir(), LogFile)}
	for i := range 9000 {
		if err := l.Append(Entry{Skill: "a", Session: string(rune('a' + i%26)), Reason: strings.Repeat("word ", 50), Outcome: Counted}); err != nil {
			t.Fatal(err)
		}
	}
	size := int64(0)
	for _, p := range []string{l.path, l.path + ".1"} {
		st, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		size += st.Size()
	}
	if size > 2*(maxLog+1000) {
		t.Errorf("%d bytes", size)
	}
}

package evidence

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

const reason = "used the compare helper for the signature check there"

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// newStore is a store in a directory of its own, with a clock that stands.
func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(context.Background(), filepath.Join(t.TempDir(), "data dir?#%", StoreFile))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.now = func() time.Time { return noon }
	return s
}

// newSkill is a skill with a SKILL.md.
func newSkill(t *testing.T, text string) (*skill.Skill, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "webhook-signer")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, skill.FileName)
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	front, err := skill.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &skill.Skill{Name: "webhook-signer", Description: front.Description, Dir: dir, Meta: front.Meta}, file
}

const plainSkill = "---\nname: webhook-signer\ndescription: Signs webhooks.\n---\n# Body\n"

func turn(session, id string) Turn {
	return Turn{Session: session, Host: skill.Claude, ID: id, At: noon}
}

func (s *Store) mustAdd(t *testing.T, u Turn, v ...Admitted) []Outcome {
	t.Helper()
	o, err := s.Add(context.Background(), u, v)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (s *Store) mustRecord(t *testing.T, name string) Record {
	t.Helper()
	r, ok, err := s.Record(context.Background(), name)
	if err != nil || !ok {
		t.Fatalf("record of %s: %v, %v", name, ok, err)
	}
	return r
}

func TestAVerdictCountsOnceForASessionASkillAndATurn(t *testing.T) {
	s := newStore(t)
	k, file := newSkill(t, plainSkill)
	good := Admitted{k, file, Helpful, reason}
	for _, c := range []struct {
		turn             Turn
		verdict          Admitted
		outcome          Outcome
		helpful, harmful int
	}{
		{turn("s", "1"), good, Counted, 1, 0},
		{turn("s", "1"), good, Repeated, 1, 0},
		{turn("s", "2"), good, Counted, 2, 0},
		{turn("s", "2"), Admitted{k, file, Harmful, "it told to compare with == which leaks the time"}, Corrected, 1, 1},
		{turn("other", "1"), good, Counted, 2, 1},
		{Turn{Session: "s", Host: skill.Codex, ID: "1", At: noon}, good, Counted, 3, 1},
		{turn("s", "3"), Admitted{k, file, Neutral, ""}, Counted, 3, 1},
	} {
		if o := s.mustAdd(t, c.turn, c.verdict); o[0] != c.outcome {
			t.Errorf("%+v: %s, want %s", c.turn, o[0], c.outcome)
		}
		if r := s.mustRecord(t, k.Name); r.Helpful != c.helpful || r.Harmful != c.harmful {
			t.Errorf("%+v: %d helpful and %d harmful, want %d and %d", c.turn, r.Helpful, r.Harmful, c.helpful, c.harmful)
		}
	}
	r := s.mustRecord(t, k.Name)
	if r.Neutral != 1 || r.LastUsed != "2026-05-04T12:00:00Z" || r.LastSession != "s" || len(r.HarmfulContexts) != 1 {
		t.Errorf("record %+v", r)
	}
}

func TestWhatASkillCameWithStays(t *testing.T) {
	s := newStore(t)
	k, file := newSkill(t, "---\nname: webhook-signer\ndescription: Signs.\nmega_meta:\n  helpful_count: 7\n  harmful_count: 2\n  helpful_contexts: [old]\n  status: suspect\n  consecutive_harmful: 2\n---\n")
	s.mustAdd(t, turn("s", "1"), Admitted{k, file, Harmful, reason})
	r := s.mustRecord(t, k.Name)
	if r.Helpful != 7 || r.Harmful != 3 || r.Status != skill.Archived || r.HelpfulContexts[0] != "old" {
		t.Errorf("record %+v", r)
	}
}

func TestRestore(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	k, file := newSkill(t, plainSkill)
	for _, id := range []string{"1", "2", "3"} {
		s.mustAdd(t, turn("s", id), Admitted{k, file, Harmful, reason})
	}
	if r := s.mustRecord(t, k.Name); r.Status != skill.Archived {
		t.Fatalf("%s after three harmful verdicts", r.Status)
	}
	if err := s.Restore(ctx, k, file); err != nil {
		t.Fatal(err)
	}
	if r := s.mustRecord(t, k.Name); r.Status != skill.Active || r.Harmful != 3 || r.ConsecutiveHarmful != 0 {
		t.Errorf("restored: %+v", r)
	}
	s.mustAdd(t, turn("s", "4"), Admitted{k, file, Harmful, reason})
	if r := s.mustRecord(t, k.Name); r.Status != skill.Active || r.ConsecutiveHarmful != 1 {
		t.Errorf("one harmful verdict after: %+v", r)
	}
}

func TestRestoreBeforeTheFirstVerdict(t *testing.T) {
	s := newStore(t)
	k, file := newSkill(t, "---\nname: webhook-signer\ndescription: Signs.\nmega_meta: {status: archived, consecutive_harmful: 3, harmful_count: 3}\n---\n")
	if err := s.Restore(context.Background(), k, file); err != nil {
		t.Fatal(err)
	}
	s.mustAdd(t, turn("s", "1"), Admitted{k, file, Harmful, reason})
	if r := s.mustRecord(t, k.Name); r.Status != skill.Active || r.ConsecutiveHarmful != 1 || r.Harmful != 4 {
		t.Errorf("record %+v", r)
	}
}

func TestRelabelAndDelete(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	k, file := newSkill(t, plainSkill)
	s.mustAdd(t, turn("s", "1"), Admitted{k, file, Harmful, reason})
	if err := s.Relabel(ctx, 1, Helpful); err != nil {
		t.Fatal(err)
	}
	if r := s.mustRecord(t, k.Name); r.Helpful != 1 || r.Harmful != 0 {
		t.Errorf("relabelled: %+v", r)
	}
	if err := s.Delete(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if r := s.mustRecord(t, k.Name); r.Helpful != 0 || len(r.HelpfulContexts) != 0 {
		t.Errorf("deleted: %+v", r)
	}
	if err := s.Delete(ctx, 1); !errors.Is(err, ErrUnknown) {
		t.Errorf("deleting it again: %v", err)
	}
}

func TestStoresThatAreNotOpened(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	if _, err := Existing(ctx, filepath.Join(dir, "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Error("asking for a store made one")
	}
	junk := filepath.Join(dir, "junk.db")
	if err := os.WriteFile(junk, []byte(strings.Repeat("no database\n", 200)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, junk); err == nil || !strings.Contains(err.Error(), junk) {
		t.Errorf("junk: %v", err)
	}
	if _, err := Open(ctx, dir); err == nil {
		t.Error("a directory was opened")
	}
	newer := filepath.Join(dir, "newer.db")
	s, err := Open(ctx, newer)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.write(ctx, func(tx *sql.Tx) error { _, err := tx.Exec(`PRAGMA user_version = 99`); return err }); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := Open(ctx, newer); !errors.Is(err, ErrNewer) {
		t.Errorf("newer: %v", err)
	}
}

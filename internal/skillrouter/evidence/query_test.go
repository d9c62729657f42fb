package evidence

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

func TestVerdictsAreSearched(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	k, file := newSkill(t, plainSkill)
	s.mustAdd(t, turn("s", "1"), Admitted{k, file, Helpful, "the signature check compares in constant time"})
	s.mustAdd(t, turn("s", "2"), Admitted{k, file, Harmful, "it compared strings and leaked the time"})
	for words, want := range map[string]int{"": 2, "compares": 2, "signature": 1, `"constant time"`: 1, "sign*": 1, "nothing": 0, "leaked NOT signature": 1} {
		if got, err := s.Verdicts(ctx, Query{Words: words}); err != nil || len(got) != want {
			t.Errorf("%q: %d verdicts, want %d; %v", words, len(got), want, err)
		}
	}
	for _, words := range []string{`"open`, "a AND", "column:x", "*"} {
		if _, err := s.Verdicts(ctx, Query{Words: words}); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %v", words, err)
		}
	}
	// A correction is found by its new words alone.
	s.mustAdd(t, turn("s", "1"), Admitted{k, file, Helpful, "only hashes are in it after all"})
	if got, _ := s.Verdicts(ctx, Query{Words: "signature"}); len(got) != 0 {
		t.Errorf("the old reason is found: %+v", got)
	}
	if got, _ := s.Verdicts(ctx, Query{Label: Harmful, Host: skill.Claude, Skill: k.Name, Since: noon, Limit: 1}); len(got) != 1 || got[0].ID != 2 {
		t.Errorf("by fields: %+v", got)
	}
}

func TestRegressions(t *testing.T) {
	s := newStore(t)
	k, file := newSkill(t, plainSkill)
	n := 0
	give := func(name, labels string, ago time.Duration) {
		for _, c := range labels {
			n++
			copied := *k
			copied.Name = name
			u := Turn{Session: "s", Host: skill.Claude, ID: time.Duration(n).String(), At: noon.Add(-ago)}
			s.mustAdd(t, u, Admitted{&copied, file, map[rune]Label{'+': Helpful, '-': Harmful, '0': Neutral}[c], reason})
		}
	}
	const day = 24 * time.Hour
	for name, h := range map[string][2]string{"broken": {"+++++", "++---"}, "regressed": {"++++++++++", "++000"}, "unused": {"+++++", "-"}, "stable": {"+++++", "++++-"}, "new": {"", "-----"}} {
		give(name, h[0], 40*day)
		give(name, h[1], 2*day)
	}
	give("forgotten", "+++++", 70*day)
	list, err := s.Regressions(context.Background(), 30*day, 5, "")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, r := range list {
		got += r.Skill + ":" + string(r.Trend) + " "
	}
	if want := "broken:broken regressed:regressed unused:unused new:stable stable:stable "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestVectorsAreKeptAndMerged(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	k, file := newSkill(t, plainSkill)
	for i, r := range []string{"short reason", "a longer reason that says it", "another thing"} {
		s.mustAdd(t, turn("s", string(rune('a'+i))), Admitted{k, file, Helpful, r})
	}
	read, err := s.Polar(ctx, "m", 10)
	if err != nil || len(read) != 3 {
		t.Fatalf("%d, %v", len(read), err)
	}
	for i := range read { // newest first
		read[i].Vector = index.NewVector([][]float32{{0, 1}, {1, 0.01}, {1, 0}}[i])
	}
	if err := s.KeepVectors(ctx, "m", read); err != nil {
		t.Fatal(err)
	}
	if dry, err := s.Compact(ctx, "m", 0.95, true); err != nil || len(dry) != 1 || dry[0].Kept != "a longer reason that says it" {
		t.Errorf("dry: %+v, %v", dry, err)
	}
	if _, err := s.Compact(ctx, "m", 0.95, false); err != nil {
		t.Fatal(err)
	}
	if read, _ = s.Polar(ctx, "m", 10); len(read) != 2 {
		t.Errorf("%d reasons have a say, want 2", len(read))
	}
	if read, _ = s.Polar(ctx, "another model", 10); len(read) != 3 || !read[0].Vector.Empty() {
		t.Errorf("another model's: %+v", read)
	}
	if r := s.mustRecord(t, k.Name); r.Helpful != 3 {
		t.Errorf("a merge lost a verdict: %+v", r)
	}
	// A corrected verdict has no vector until its new reason is read.
	s.mustAdd(t, turn("s", "c"), Admitted{k, file, Helpful, "something else altogether"})
	if read, _ = s.Polar(ctx, "m", 1); !read[0].Vector.Empty() {
		t.Error("a corrected verdict kept the vector of its old reason")
	}
}

// TestMigrate takes over the tables that the mega-tron in Python wrote.
func TestMigrate(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "store.db")
	old, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = old.Exec(`CREATE TABLE verdicts (id INTEGER PRIMARY KEY, skill_name TEXT, verdict TEXT, reason TEXT, session_id TEXT, host TEXT, occurred_at TEXT);
		INSERT INTO verdicts VALUES (1, 'webhook-signer', 'HELPFUL', 'it was of use to me there', 'a', 'codex', '2026-01-02T03:04:05Z'),
			(2, 'webhook-signer', 'HARMFUL', NULL, 'b', 'claude_code', '2026-01-03T03:04:05Z'), (3, 'gone', 'HELPFUL', 'r', 'b', 'cli', 'no time'), (4, 'x', 'INCONCLUSIVE', '', 'b', 'cli', '')`)
	if err != nil {
		t.Fatal(err)
	}
	old.Close()
	k, _ := newSkill(t, "---\nname: webhook-signer\ndescription: Signs.\nmega_meta: {helpful_count: 4, harmful_count: 1}\n---\n")
	s := newStore(t)
	for i, want := range []int{3, 0} {
		if n, err := s.Migrate(ctx, path, []skill.Skill{*k}); err != nil || n != want {
			t.Errorf("run %d: %d verdicts, want %d; %v", i, n, want, err)
		}
	}
	if r := s.mustRecord(t, k.Name); r.Helpful != 4 || r.Harmful != 1 || r.LastUsed != "2026-01-03T03:04:05Z" {
		t.Errorf("record %+v", r)
	}
	if n, err := s.Migrate(ctx, path+".none", nil); n != 0 || err != nil {
		t.Errorf("no store: %d, %v", n, err)
	}
	s2 := newStore(t)
	if _, err := s2.Migrate(ctx, s.Path(), nil); err == nil {
		t.Error("a store of our own was taken for one of the other's")
	}
}

package router

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// say gives a skill verdicts, each in a turn of its own.
func say(t *testing.T, c *config.Config, k *skill.Skill, l evidence.Label, reason string, times int) {
	t.Helper()
	s, err := evidence.Open(t.Context(), evidence.Place(c))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range times {
		u := evidence.Turn{Session: "s", Host: skill.Claude, ID: fmt.Sprint(l, reason, i), At: time.Now()}
		if _, err := s.Add(t.Context(), u, []evidence.Admitted{{Skill: k, File: filepath.Join(k.Dir, skill.FileName), Label: l, Reason: reason}}); err != nil {
			t.Fatal(err)
		}
	}
}

// termsOf are the terms of a skill's score for a prompt.
func termsOf(t *testing.T, r *Router, v *View, prompt, name string) rank.Pick {
	t.Helper()
	ranking, err := r.Rank(t.Context(), v, prompt, rank.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range ranking.Picks {
		if k.Skill.Name == name {
			return k
		}
	}
	t.Fatalf("%s is not ranked", name)
	return rank.Pick{}
}

// TestEvidenceReachesTheRanking goes through the states of a skill whose file
// says nothing: what counts is in the store.
func TestEvidenceReachesTheRanking(t *testing.T) {
	c, roots := pool(t, 4)
	r := Open(c, letters{}, "")
	v, err := r.Look(t.Context(), roots, Work{Heads: -1})
	if err != nil {
		t.Fatal(err)
	}
	const prompt, name = "does thing 1 for product1", "skill-1"
	before := termsOf(t, r, v, prompt, name)
	k := &skill.Skill{Name: name, Dir: filepath.Join(roots[0].Dir, name)}
	say(t, c, k, evidence.Helpful, "did thing 1 for product1 with all its tests", 5)
	next := r.Refresh(v, roots)
	if next == v {
		t.Fatal("a view without the verdicts was kept")
	}
	if v = next; v.Reasons != 5 {
		t.Errorf("%d reasons lack vectors, want 5", v.Reasons)
	}
	if got := termsOf(t, r, v, prompt, name); got.Terms.Bonus <= 0 || got.Terms.Related != 0 || got.Score <= before.Score {
		t.Errorf("helpful, without vectors: %+v", got.Terms)
	}
	for {
		more, err := r.Step(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
	}
	if v = r.Refresh(v, roots); v.Reasons != 0 {
		t.Errorf("%d reasons lack vectors", v.Reasons)
	}
	helped := termsOf(t, r, v, prompt, name)
	if helped.Terms.Related <= 0.5 || helped.Terms.Context <= 0.5 {
		t.Errorf("helpful: %+v", helped.Terms)
	}
	say(t, c, k, evidence.Harmful, "broke thing 1 for product1 and its tests", 2)
	if v = r.Refresh(v, roots); termsOf(t, r, v, prompt, name).Terms.Factor != 1 {
		t.Error("two of seven make it no suspect")
	}
	say(t, c, k, evidence.Helpful, "was right again on that one small point", 1)
	say(t, c, k, evidence.Harmful, "broke thing 1 for product1 once more today", 2)
	if v = r.Refresh(v, roots); termsOf(t, r, v, prompt, name).Terms.Factor != 0.5 {
		t.Errorf("suspect: %+v", termsOf(t, r, v, prompt, name).Terms)
	}
	say(t, c, k, evidence.Harmful, "and it broke a third time in one row", 1)
	v = r.Refresh(v, roots)
	if got := termsOf(t, r, v, prompt, name); got.Score != -1 {
		t.Errorf("archived: score %g", got.Score)
	}
	o := rank.Defaults()
	o.Blend = false
	if without, _ := r.Rank(t.Context(), v, prompt, o); without.Picks[0].Score <= 0 {
		t.Errorf("without evidence: %+v", without.Picks[0])
	}
}

// TestAStoreThatCannotBeReadCostsOnlyItsEvidence puts junk in its place.
func TestAStoreThatCannotBeReadCostsOnlyItsEvidence(t *testing.T) {
	c, roots := pool(t, 3)
	if err := os.MkdirAll(c.DataDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(evidence.Place(c), make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(evidence.Place(c), []byte("this is no database, whatever it is called, and it is long enough to see that"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := Open(c, letters{}, "")
	v, err := r.Look(context.Background(), roots, Work{Heads: -1})
	if err != nil {
		t.Fatal(err)
	}
	if ranking, err := r.Rank(context.Background(), v, "thing 1", rank.Defaults()); err != nil || len(ranking.Picks) != 3 {
		t.Errorf("%d picks, %v", len(ranking.Picks), err)
	}
	if r.Evidence() == nil {
		t.Error("nobody is told")
	}
}

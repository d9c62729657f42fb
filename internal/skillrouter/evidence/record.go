package evidence

import (
	"context"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Write keeps the verdicts of a turn, brings SKILL.md files up to date where
// that is safe, and logs what became of each verdict and each drop. The error
// of a SKILL.md is none of the store's: the store has the counts, and the next
// write tries again.
func (s *Store) Write(ctx context.Context, t Turn, admitted []Admitted, dropped []Drop, roots []skill.Root) ([]Entry, error) {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	outcomes, err := s.Add(ctx, t, admitted)
	if err != nil {
		return nil, err
	}
	entries := Entries(t, admitted, dropped)
	for i, o := range outcomes {
		entries[i].Outcome = o
	}
	_, problems, err := s.export(ctx, roots)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		for _, p := range problems {
			if p.Skill == entries[i].Skill && entries[i].Outcome != Dropped && entries[i].Why == "" {
				entries[i].Why = fmt.Sprintf("SKILL.md not written: %s", p.Why)
			}
		}
	}
	if err := s.log.Append(entries...); err != nil {
		return entries, err
	}
	return entries, nil
}

// An Unwritten is a skill whose SKILL.md does not say what the store says.
type Unwritten struct {
	Skill string `json:"skill"`
	File  string `json:"file"`
	Why   string `json:"why"`
	Held  bool   `json:"held"` // on purpose: the file is not ours to change
}

// Export writes what the store says into every SKILL.md that may be written.
func (s *Store) Export(ctx context.Context, roots []skill.Root) (written []string, left []Unwritten, err error) {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	if _, err := s.db.ExecContext(ctx, `UPDATE skills SET stale = 1`); err != nil {
		return nil, nil, err
	}
	return s.export(ctx, roots)
}

// Settle writes what is stale. The caller holds the lock.
func (s *Store) Settle(ctx context.Context, roots []skill.Root) ([]Unwritten, error) {
	_, left, err := s.export(ctx, roots)
	return left, err
}

// export writes the stale ones. A process that ends between a change of the
// store and this leaves them stale, and the next one writes them.
func (s *Store) export(ctx context.Context, roots []skill.Root) (written []string, left []Unwritten, err error) {
	stale, err := s.stale(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range stale {
		if why := protected(r.File, roots); why != "" {
			left = append(left, Unwritten{r.Skill, r.File, why, true})
		} else if err := writeFront(r.File, r); err != nil {
			left = append(left, Unwritten{r.Skill, r.File, err.Error(), false})
			continue // stays stale
		} else {
			written = append(written, r.File)
		}
		if _, err := s.db.ExecContext(ctx, `UPDATE skills SET stale = 0 WHERE name = ?`, r.Skill); err != nil {
			return written, left, err
		}
	}
	return written, left, nil
}

// Entries are what the log says of verdicts, those that count first; what
// would become of them is [Counted].
func Entries(t Turn, admitted []Admitted, dropped []Drop) []Entry {
	entries := []Entry{}
	for _, v := range admitted {
		entries = append(entries, Entry{At: t.At.UTC(), Host: t.Host, Session: t.Session, Skill: v.Skill.Name, Verdict: v.Label, Reason: v.Reason, Outcome: Counted})
	}
	for _, d := range dropped {
		entries = append(entries, Entry{At: t.At.UTC(), Host: t.Host, Session: t.Session, Skill: d.Tag.Name, Verdict: d.Tag.Label, Reason: d.Tag.Reason, Outcome: Dropped, Why: d.Why})
	}
	return entries
}

package evidence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// An Admitted is a verdict that counts, of a skill that was found.
type Admitted struct {
	Skill  *skill.Skill
	File   string // its SKILL.md
	Label  Label
	Reason string
}

// An Outcome says what became of a verdict.
type Outcome string

// The outcomes of adding a verdict; a dropped one has its reason instead.
const (
	Counted   Outcome = "counted"
	Corrected Outcome = "corrected" // an earlier one of the same turn was replaced
	Repeated  Outcome = "repeated"  // it stood there already
)

// Add keeps the verdicts of one turn, all or none of them, and says of each
// what became of it. The caller holds the lock.
func (s *Store) Add(ctx context.Context, t Turn, verdicts []Admitted) ([]Outcome, error) {
	var outcomes []Outcome
	now := stamp(s.now())
	err := s.write(ctx, func(tx *sql.Tx) error {
		for _, v := range verdicts {
			if err := know(ctx, tx, v.Skill, v.File); err != nil {
				return err
			}
			o, err := put(ctx, tx, t, v)
			if err != nil {
				return err
			}
			if outcomes = append(outcomes, o); o == Repeated {
				continue
			}
			if err := derive(ctx, tx, v.Skill.Name, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

func put(ctx context.Context, tx *sql.Tx, t Turn, v Admitted) (Outcome, error) {
	session, id, at := clean(t.Session, maxID), clean(t.ID, maxID), stamp(t.At)
	var was, reason string
	err := tx.QueryRowContext(ctx, `SELECT verdict, reason FROM verdicts WHERE skill = ? AND session = ? AND host = ? AND turn = ?`, v.Skill.Name, session, string(t.Host), id).Scan(&was, &reason)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		_, err = tx.ExecContext(ctx, `INSERT INTO verdicts (skill, verdict, reason, session, host, turn, occurred_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			v.Skill.Name, string(v.Label), v.Reason, session, string(t.Host), id, at)
		return Counted, err
	case err != nil:
		return "", err
	case was == string(v.Label) && reason == v.Reason:
		return Repeated, nil
	}
	_, err = tx.ExecContext(ctx, `UPDATE verdicts SET verdict = ?, reason = ?, occurred_at = ? WHERE skill = ? AND session = ? AND host = ? AND turn = ?`,
		string(v.Label), v.Reason, at, v.Skill.Name, session, string(t.Host), id)
	return Corrected, err
}

// LastTurn is the turn of a session that last had a verdict, "" when none had.
func (s *Store) LastTurn(ctx context.Context, session string, host skill.Host) (id string, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT turn FROM verdicts WHERE session = ? AND host = ? ORDER BY id DESC LIMIT 1`, clean(session, maxID), string(host)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// ErrUnknown is a skill or a verdict that the store does not have.
var ErrUnknown = errors.New("the store does not have it")

// Relabel changes what a verdict says. The caller holds the lock.
func (s *Store) Relabel(ctx context.Context, id int64, l Label) error {
	return s.change(ctx, id, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE verdicts SET verdict = ? WHERE id = ?`, string(l), id)
		return err
	})
}

// Delete takes a verdict away. The caller holds the lock.
func (s *Store) Delete(ctx context.Context, id int64) error {
	return s.change(ctx, id, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM verdicts WHERE id = ?`, id)
		return err
	})
}

func (s *Store) change(ctx context.Context, id int64, do func(*sql.Tx) error) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		name := ""
		err := tx.QueryRowContext(ctx, `SELECT skill FROM verdicts WHERE id = ?`, id).Scan(&name)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("verdict %d: %w", id, ErrUnknown)
		}
		if err != nil {
			return err
		}
		if err := do(tx); err != nil {
			return err
		}
		return derive(ctx, tx, name, stamp(s.now()))
	})
}

// Restore makes a skill active again: what was said of it until now no longer
// counts for its state, and still for its counts. The caller holds the lock.
func (s *Store) Restore(ctx context.Context, k *skill.Skill, file string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := know(ctx, tx, k, file); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE skills SET restored_after = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'verdicts'), 0) WHERE name = ?`, k.Name)
		if err != nil {
			return err
		}
		return derive(ctx, tx, k.Name, stamp(s.now()))
	})
}

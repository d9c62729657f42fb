package evidence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A Query selects verdicts. The zero value selects all.
type Query struct {
	Words string     // full-text query of the reasons; "" is any
	Skill string     // "" is any
	Host  skill.Host // "" is any
	Label Label      // "" is any
	Since time.Time
	Limit int // 0 is all
}

// ErrSyntax is a full-text query that cannot be read.
var ErrSyntax = errors.New("the query is not one of the full-text search")

// Verdicts gives those that match, the best match first, or the newest where
// no words are asked for.
func (s *Store) Verdicts(ctx context.Context, q Query) ([]Verdict, error) {
	text := `SELECT v.id, v.skill, v.verdict, v.reason, v.session, v.host, v.turn, v.occurred_at FROM verdicts v`
	var where []string
	var args []any
	add := func(clause string, arg any) { where, args = append(where, clause), append(args, arg) }
	if q.Words != "" {
		text += ` JOIN reasons r ON r.rowid = v.id`
		add(`reasons MATCH ?`, q.Words)
	}
	if q.Skill != "" {
		add(`v.skill = ?`, q.Skill)
	}
	if q.Host != "" {
		add(`v.host = ?`, string(q.Host))
	}
	if q.Label != "" {
		add(`v.verdict = ?`, string(q.Label))
	}
	if !q.Since.IsZero() {
		add(`v.occurred_at >= ?`, stamp(q.Since))
	}
	if len(where) > 0 {
		text += ` WHERE ` + strings.Join(where, ` AND `)
	}
	if q.Words != "" {
		text += ` ORDER BY r.rank, v.id DESC`
	} else {
		text += ` ORDER BY v.id DESC`
	}
	if q.Limit > 0 {
		text += fmt.Sprintf(` LIMIT %d`, q.Limit)
	}
	rows, err := s.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, syntax(q, err)
	}
	defer rows.Close()
	out := []Verdict{}
	for rows.Next() {
		var v Verdict
		var label, host, at string
		if err := rows.Scan(&v.ID, &v.Skill, &label, &v.Reason, &v.Session, &host, &v.Turn, &at); err != nil {
			return nil, err
		}
		v.Label, v.Host, v.At = Label(label), skill.Host(host), parseStamp(at)
		out = append(out, v)
	}
	return out, syntax(q, rows.Err())
}

func syntax(q Query, err error) error {
	if err != nil && q.Words != "" && (strings.Contains(err.Error(), "fts5") || strings.Contains(err.Error(), "no such column") || strings.Contains(err.Error(), "unterminated string") || strings.Contains(err.Error(), "unknown special query")) {
		return fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	return err
}

// A HostCount is the verdicts of one host.
type HostCount struct {
	Host    skill.Host `json:"host"`
	Helpful int        `json:"helpful"`
	Harmful int        `json:"harmful"`
	Neutral int        `json:"neutral"`
}

// ByHost counts verdicts by host.
func (s *Store) ByHost(ctx context.Context) ([]HostCount, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT host, sum(verdict = 'HELPFUL'), sum(verdict = 'HARMFUL'), sum(verdict = 'NEUTRAL') FROM verdicts GROUP BY host ORDER BY host`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []HostCount{}
	for rows.Next() {
		var c HostCount
		var host string
		if err := rows.Scan(&host, &c.Helpful, &c.Harmful, &c.Neutral); err != nil {
			return nil, err
		}
		c.Host = skill.Host(host)
		out = append(out, c)
	}
	return out, rows.Err()
}

// Import makes the evidence in SKILL.md files known to the store, where it
// knows nothing of the skill yet, and says of which.
func (s *Store) Import(ctx context.Context, skills []skill.Skill) (names []string, err error) {
	now := stamp(s.now())
	err = s.write(ctx, func(tx *sql.Tx) error {
		for i := range skills {
			k := &skills[i]
			if m := k.Meta; m.Helpful+m.Harmful == 0 && m.Status != skill.Suspect && m.Status != skill.Archived {
				continue
			}
			var one int
			err := tx.QueryRowContext(ctx, `SELECT 1 FROM skills WHERE name = ?`, k.Name).Scan(&one)
			if err == nil {
				continue
			}
			if !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			if err := know(ctx, tx, k, FileOf(k)); err != nil {
				return err
			}
			if err := derive(ctx, tx, k.Name, now); err != nil {
				return err
			}
			names = append(names, k.Name)
		}
		return nil
	})
	return names, err
}

package evidence

import (
	"context"
	"database/sql"
)

// A Twin is a skill that is left out of rankings, for another says the same.
type Twin struct {
	Skill  string  `json:"skill"`
	Of     string  `json:"twin_of"`
	Cosine float64 `json:"cosine"`
}

// Twins are those that are left out.
func (s *Store) Twins(ctx context.Context) (out []Twin, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT skill, twin_of, cosine FROM suppressed ORDER BY skill`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t Twin
		if err := rows.Scan(&t.Skill, &t.Of, &t.Cosine); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, rows.Err()
}

// SetTwins says which skills are left out, instead of those before.
func (s *Store) SetTwins(ctx context.Context, twins []Twin) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM suppressed`); err != nil {
			return err
		}
		for _, t := range twins {
			if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO suppressed (skill, twin_of, cosine) VALUES (?, ?, ?)`, t.Skill, t.Of, t.Cosine); err != nil {
				return err
			}
		}
		return nil
	})
}

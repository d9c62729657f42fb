package evidence

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Surface keeps how often a session was shown each skill. Times are those of
// the whole session so far, so that saying it again changes nothing.
func (s *Store) Surface(ctx context.Context, session string, host skill.Host, times map[string]int, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, name := range slices.Sorted(maps.Keys(times)) {
			_, err := tx.ExecContext(ctx, `INSERT INTO routes (session, host, skill, times, routed_at) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (session, host, skill) DO UPDATE SET times = excluded.times, routed_at = excluded.routed_at WHERE times < excluded.times`,
				clean(session, maxID), string(host), clean(name, maxName), times[name], stamp(at))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Surfaced is how often each skill was shown, over all sessions.
func (s *Store) Surfaced(ctx context.Context) (map[string]int, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT skill, sum(times) FROM routes GROUP BY skill`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			return nil, err
		}
		out[name] = n
	}
	return out, rows.Err()
}

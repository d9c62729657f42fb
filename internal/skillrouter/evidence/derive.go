package evidence

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A Record is what the store makes of a skill.
type Record struct {
	Skill string `json:"skill"`
	File  string `json:"file,omitempty"` // its SKILL.md as last seen
	skill.Meta
	Neutral     int    `json:"neutral"`
	LastSession string `json:"last_session_id,omitempty"`
	LastUsed    string `json:"last_used_at,omitempty"` // as [time.RFC3339], UTC
	LastUpdated string `json:"last_updated,omitempty"`
}

// base is what a skill came with before the store knew it.
type base struct {
	skill.Meta
	restoredAfter int64 // verdicts up to this one do not count for the state; below 0: never restored
}

func readBase(ctx context.Context, tx *sql.Tx, name string) (b base, err error) {
	var good, bad, status string
	err = tx.QueryRowContext(ctx, `SELECT base_helpful, base_harmful, base_streak, base_status, base_helpful_contexts, base_harmful_contexts, restored_after FROM skills WHERE name = ?`, name).
		Scan(&b.Helpful, &b.Harmful, &b.ConsecutiveHarmful, &status, &good, &bad, &b.restoredAfter)
	b.Status, b.HelpfulContexts, b.HarmfulContexts = skill.Status(status), texts(good), texts(bad)
	return b, err
}

// know adds a skill that the store does not have yet, with the evidence that
// its file carries.
func know(ctx context.Context, tx *sql.Tx, k *skill.Skill, file string) error {
	m := k.Meta
	if m.Status == "" {
		m.Status = skill.Active
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO skills (name, file, base_helpful, base_harmful, base_streak, base_status, base_helpful_contexts, base_harmful_contexts)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET file = excluded.file`,
		k.Name, file, m.Helpful, m.Harmful, m.ConsecutiveHarmful, string(m.Status), list(m.HelpfulContexts), list(m.HarmfulContexts))
	return err
}

// derive brings what the store says of a skill in step with its verdicts.
func derive(ctx context.Context, tx *sql.Tx, name, now string) error {
	b, err := readBase(ctx, tx, name)
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, `SELECT id, verdict, reason, session, occurred_at FROM verdicts WHERE skill = ? ORDER BY id`, name)
	if err != nil {
		return err
	}
	defer rows.Close()
	r := Record{Skill: name, Meta: b.Meta}
	st := state{status: b.Status, harmful: b.ConsecutiveHarmful}
	if b.restoredAfter >= 0 {
		st = state{}
	}
	for rows.Next() {
		var id int64
		var label, reason, session, at string
		if err := rows.Scan(&id, &label, &reason, &session, &at); err != nil {
			return err
		}
		switch Label(label) {
		case Helpful:
			r.Helpful++
			r.HelpfulContexts = latest(r.HelpfulContexts, reason)
		case Harmful:
			r.Harmful++
			r.HarmfulContexts = latest(r.HarmfulContexts, reason)
		default:
			r.Neutral++
		}
		if id > b.restoredAfter {
			st = st.after(Label(label))
		}
		r.LastSession, r.LastUsed = session, max(r.LastUsed, at)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	r.Status, r.ConsecutiveHarmful = st.status, st.harmful
	if r.Status == "" {
		r.Status = skill.Active
	}
	_, err = tx.ExecContext(ctx, `UPDATE skills SET helpful = ?, harmful = ?, neutral = ?, streak = ?, status = ?, helpful_contexts = ?, harmful_contexts = ?,
		last_session = ?, last_used_at = ?, last_updated = ?, stale = 1 WHERE name = ?`,
		r.Helpful, r.Harmful, r.Neutral, r.ConsecutiveHarmful, string(r.Status), list(r.HelpfulContexts), list(r.HarmfulContexts), r.LastSession, r.LastUsed, now, name)
	return err
}

// latest adds a reason as the newest, each once, at most as many as a
// frontmatter holds.
func latest(reasons []string, reason string) []string {
	if reason == "" {
		return reasons
	}
	out := slices.DeleteFunc(slices.Clone(reasons), func(s string) bool { return s == reason })
	out = append(out, reason)
	return out[max(0, len(out)-skill.MaxContexts):]
}

func list(items []string) string {
	if items == nil {
		items = []string{}
	}
	data, _ := json.Marshal(items) // strings always have a form
	return string(data)
}

func texts(data string) (items []string) {
	_ = json.Unmarshal([]byte(data), &items) // a damaged list is as good as an empty one
	return items
}

const recordColumns = `name, file, helpful, harmful, neutral, streak, status, helpful_contexts, harmful_contexts, last_session, last_used_at, last_updated`

func scanRecord(row interface{ Scan(...any) error }) (r Record, err error) {
	var good, bad, status string
	err = row.Scan(&r.Skill, &r.File, &r.Helpful, &r.Harmful, &r.Neutral, &r.ConsecutiveHarmful, &status, &good, &bad, &r.LastSession, &r.LastUsed, &r.LastUpdated)
	r.Status, r.HelpfulContexts, r.HarmfulContexts = skill.Status(status), texts(good), texts(bad)
	return r, err
}

// Records are all skills that the store knows, by name.
func (s *Store) Records(ctx context.Context) ([]Record, error) {
	return s.records(ctx, `SELECT `+recordColumns+` FROM skills ORDER BY name`)
}

// stale are those whose SKILL.md may not say what the store says.
func (s *Store) stale(ctx context.Context) ([]Record, error) {
	return s.records(ctx, `SELECT `+recordColumns+` FROM skills WHERE stale = 1 ORDER BY name`)
}

func (s *Store) records(ctx context.Context, query string) (out []Record, err error) {
	rows, err := s.db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanRecord(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Record is what the store says of one skill; ok is false when it does not
// know it.
func (s *Store) Record(ctx context.Context, name string) (r Record, ok bool, err error) {
	r, err = scanRecord(s.db.QueryRowContext(ctx, `SELECT `+recordColumns+` FROM skills WHERE name = ?`, name))
	if errors.Is(err, sql.ErrNoRows) {
		return Record{}, false, nil
	}
	return r, err == nil, err
}

package evidence

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
)

// A Reasoned is a verdict with the vector of its reason, empty while no model
// has read it.
type Reasoned struct {
	ID     int64
	Skill  string
	Label  Label
	Reason string
	Vector index.Vector
}

// Polar gives the newest helpful and harmful verdicts, at most limit of them,
// with a model's vectors. Those that were merged into others are left out.
func (s *Store) Polar(ctx context.Context, model string, limit int) (out []Reasoned, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT v.id, v.skill, v.verdict, v.reason, coalesce(e.scale, 0), coalesce(e.steps, x'')
		FROM verdicts v LEFT JOIN vectors e ON e.verdict = v.id AND e.model = ?
		WHERE v.verdict != 'NEUTRAL' AND v.reason != '' AND coalesce(e.merged, 0) = 0 ORDER BY v.id DESC LIMIT ?`, model, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r Reasoned
		var label string
		var scale float64
		var steps []byte
		if err := rows.Scan(&r.ID, &r.Skill, &label, &r.Reason, &scale, &steps); err != nil {
			return nil, err
		}
		r.Label = Label(label)
		if len(steps) > 0 {
			r.Vector = index.Vector{Scale: float32(scale), Steps: make([]int8, len(steps))}
			for i, b := range steps {
				r.Vector.Steps[i] = int8(b)
			}
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// KeepVectors keeps a model's vectors of reasons, by verdict. A verdict that
// is gone, or whose reason is no longer the one that was read, gets none.
func (s *Store) KeepVectors(ctx context.Context, model string, read []Reasoned) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, r := range read {
			steps := make([]byte, len(r.Vector.Steps))
			for i, x := range r.Vector.Steps {
				steps[i] = byte(x)
			}
			_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO vectors (verdict, model, scale, steps) SELECT id, ?, ?, ? FROM verdicts WHERE id = ? AND reason = ?`,
				model, float64(r.Vector.Scale), steps, r.ID, r.Reason)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// A Cluster is reasons of one skill and label that say the same.
type Cluster struct {
	Skill  string   `json:"skill"`
	Label  Label    `json:"verdict"`
	Kept   string   `json:"kept"`
	Merged []string `json:"merged"`
	ids    []int64
}

// maxCompared bounds the vectors that are compared with each other.
const maxCompared = 20_000

// Models are those that vectors are kept of.
func (s *Store) Models(ctx context.Context) (models []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT model FROM vectors ORDER BY model`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m string
		if err := rows.Scan(&m); err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, rows.Err()
}

// Compact merges vectors of one skill and label whose cosine is at least the
// threshold: the longest reason stays, of equal ones the newest. No verdict is
// lost: only its vector no longer counts. With dry, nothing is changed.
func (s *Store) Compact(ctx context.Context, model string, threshold float64, dry bool) ([]Cluster, error) {
	all, err := s.Polar(ctx, model, maxCompared)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(r Reasoned) bool { return r.Vector.Empty() })
	slices.SortStableFunc(all, func(a, b Reasoned) int {
		return cmp.Or(cmp.Compare(a.Skill, b.Skill), cmp.Compare(a.Label, b.Label), cmp.Compare(len(b.Reason), len(a.Reason)), cmp.Compare(b.ID, a.ID))
	})
	clusters := []Cluster{}
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].Skill == all[from].Skill && all[to].Label == all[from].Label {
			to++
		}
		clusters = append(clusters, merge(all[from:to], threshold)...)
		from = to
	}
	if dry || len(clusters) == 0 {
		return clusters, nil
	}
	return clusters, s.write(ctx, func(tx *sql.Tx) error {
		for _, c := range clusters {
			for _, id := range c.ids {
				if _, err := tx.ExecContext(ctx, `UPDATE vectors SET merged = 1, scale = 0, steps = x'' WHERE verdict = ? AND model = ?`, id, model); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// merge finds, for each reason that stays, those that go with it.
func merge(group []Reasoned, threshold float64) (clusters []Cluster) {
	gone := make([]bool, len(group))
	for i, keep := range group {
		if gone[i] {
			continue
		}
		c := Cluster{Skill: keep.Skill, Label: keep.Label, Kept: keep.Reason}
		for j := i + 1; j < len(group); j++ {
			if !gone[j] && keep.Vector.Cosine(group[j].Vector) >= threshold {
				gone[j] = true
				c.Merged, c.ids = append(c.Merged, group[j].Reason), append(c.ids, group[j].ID)
			}
		}
		if len(c.ids) > 0 {
			clusters = append(clusters, c)
		}
	}
	return clusters
}

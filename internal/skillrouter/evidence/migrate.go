package evidence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// migrated is the turn of verdicts that another store had: it kept one for a
// session.
const migrated = "migrated"

// Migrate takes over the verdicts of a store.db of the mega-tron in Python,
// which is only read, and says how many were new. What a SKILL.md counts
// beyond them stays counted. A path without a file has none.
func (s *Store) Migrate(ctx context.Context, path string, skills []skill.Skill) (added int, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	old, err := connect(path)
	if err != nil {
		return 0, err
	}
	defer old.Close()
	rows, err := old.QueryContext(ctx, `SELECT skill_name, verdict, coalesce(reason, ''), session_id, host, occurred_at FROM verdicts ORDER BY id`)
	if err != nil {
		return 0, fmt.Errorf("%s has no verdicts that can be read: %w", path, err)
	}
	defer rows.Close()
	var list []Verdict
	for rows.Next() {
		var v Verdict
		var label, host, at string
		if err := rows.Scan(&v.Skill, &label, &v.Reason, &v.Session, &host, &at); err != nil {
			return 0, err
		}
		v.Label, v.Host, v.At = LabelOf(label), skill.Host(clean(host, maxID)), parseStamp(at)
		if v.Label != "" && v.Skill != "" {
			list = append(list, v)
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	byName := map[string]*skill.Skill{}
	for i := range skills {
		byName[skills[i].Name] = &skills[i]
	}
	now := stamp(s.now())
	err = s.write(ctx, func(tx *sql.Tx) error {
		var touched []string
		for _, v := range list {
			k := byName[v.Skill]
			if k == nil {
				k = &skill.Skill{Name: clean(v.Skill, maxName)} // gone, and may come back
			}
			if err := know(ctx, tx, remaining(k, list), fileIn(k)); err != nil {
				return err
			}
			o, err := put(ctx, tx, Turn{Session: v.Session, Host: v.Host, ID: migrated, At: v.At}, Admitted{Skill: k, Label: v.Label, Reason: clean(v.Reason, maxReason)})
			if err != nil {
				return err
			}
			if o == Counted {
				added++
			}
			if !slices.Contains(touched, k.Name) {
				touched = append(touched, k.Name)
			}
		}
		for _, name := range touched {
			if err := derive(ctx, tx, name, now); err != nil {
				return err
			}
		}
		return nil
	})
	return added, err
}

func fileIn(k *skill.Skill) string {
	if k.Dir == "" {
		return ""
	}
	return FileOf(k)
}

// remaining is a skill with what its file counts beyond the verdicts.
func remaining(k *skill.Skill, list []Verdict) *skill.Skill {
	rest := *k
	for _, v := range list {
		switch {
		case v.Skill == k.Name && v.Label == Helpful && rest.Meta.Helpful > 0:
			rest.Meta.Helpful--
		case v.Skill == k.Name && v.Label == Harmful && rest.Meta.Harmful > 0:
			rest.Meta.Harmful--
		}
	}
	return &rest
}

package skillsvendor

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// defaultAge is how many days a commit must have been public: a bad one is
// rarely found before.
const defaultAge = 14

func ageFlag(fs *flag.FlagSet, days int) *int {
	return fs.Int("min-age", days, "take commits that are at least `DAYS` old")
}

func cutoff(p command.Process, verb string, days int) (time.Time, error) {
	if days < 0 || days > 3650 {
		return time.Time{}, command.Usage("%s: --min-age must be from 0 to 3650 days", verb)
	}
	return source.Now(p.Env).Add(-time.Duration(days) * 24 * time.Hour), nil
}

func outdatedVerb() command.Verb {
	return command.Verb{
		Name:     "outdated",
		Synopsis: "[--lock FILE] [--min-age DAYS] [--json] [--strict]",
		Summary:  "says which skills are behind their upstreams, and how they differ",
		Help: `The newest upstream commit that changed a skill's directory and is old enough is
compared with the pinned one. A skill is current, behind, held (by a reason in the
lock), or has no upstream commit that is old enough. A pin that is newer than that
commit is never stepped back. A row that follows releases is compared with the
release of the highest version. Nothing is changed.`,
		Examples: []string{"skills-vendor outdated", "skills-vendor outdated --min-age 30 --strict", "skills-vendor outdated --json"},
		Setup: func(fs *flag.FlagSet) command.Run {
			lock, days := lockFlag(fs), ageFlag(fs, defaultAge)
			asJSON := fs.Bool("json", false, "print one line of JSON")
			strict := fs.Bool("strict", false, "exit code 1 if a skill is behind")
			return func(ctx context.Context, p command.Process, args []string) error {
				before, err := cutoff(p, "outdated", *days)
				if err != nil {
					return err
				}
				return outdated(ctx, p, *lock, before, *asJSON, *strict)
			}
		},
	}
}

type outdatedSkill struct {
	Name     string   `json:"name"`
	Status   string   `json:"status"`
	Upstream string   `json:"upstream"`
	Path     string   `json:"path"`
	Pinned   string   `json:"pinned,omitempty"`
	Newest   string   `json:"newest,omitempty"`
	Date     string   `json:"date,omitempty"`
	Release  string   `json:"release,omitempty"`
	Hold     string   `json:"hold,omitempty"`
	Added    []string `json:"added,omitempty"`
	Removed  []string `json:"removed,omitempty"`
	Changed  []string `json:"changed,omitempty"`
	Left     []string `json:"not_vendored,omitempty"` // new upstream, of a row that is a choice of files
	Diff     string   `json:"diff,omitempty"`
}

func outdated(ctx context.Context, p command.Process, lock string, before time.Time, asJSON, strict bool) error {
	s, err := openShelf(p, lock)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.wantLock(); err != nil {
		return err
	}
	u := &upstreams{env: p.Env}
	defer u.close()
	all, late := []outdatedSkill{}, 0
	for _, name := range s.lock.Names() {
		row, _ := s.lock.Row(name)
		pl, repo, err := makePlan(ctx, u, name, row, "", before)
		if err != nil {
			return err
		}
		o := outdatedSkill{Name: name, Status: pl.status, Upstream: pl.row.Upstream, Path: pl.row.Path, Pinned: row.Commit, Newest: pl.to.Hash, Release: pl.to.Tag, Hold: row.Hold, Left: pl.left}
		if !pl.to.Date.IsZero() {
			o.Date = pl.to.Date.Format(time.RFC3339)
		}
		if pl.behind() {
			late++
			o.Added, o.Removed, o.Changed = pl.changes()
			if o.Diff, err = pl.diff(ctx, repo); err != nil {
				return err
			}
		}
		all = append(all, o)
	}
	if asJSON {
		if err := p.WriteJSON(map[string]any{"skills": all}); err != nil {
			return err
		}
	} else {
		for _, o := range all {
			fmt.Fprint(p.Stdout, o.text())
		}
	}
	if strict && late > 0 {
		return command.ErrSilent
	}
	return nil
}

func (pl *plan) behind() bool { return pl.status == behind || pl.status == movedOut }

func (o outdatedSkill) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", o.Name, o.Status)
	switch o.Status {
	case held:
		fmt.Fprintf(&b, " (%s)", plaintext.Line(o.Hold, 200))
	case behind, movedOut:
		fmt.Fprintf(&b, ": %s → %.7s%s of %s", short(o.Pinned), o.Newest, o.named(), o.Upstream)
	case current:
		fmt.Fprintf(&b, " at %s", short(o.Pinned))
	}
	b.WriteByte('\n')
	for _, list := range []struct {
		what  string
		files []string
	}{{"added", o.Added}, {"removed", o.Removed}, {"new upstream, not vendored", o.Left}} {
		for _, file := range list.files {
			fmt.Fprintf(&b, "  %s: %s\n", list.what, file)
		}
	}
	for line := range strings.Lines(o.Diff) {
		b.WriteString(plaintext.Line(strings.TrimSuffix(line, "\n"), 2000) + "\n")
	}
	return b.String()
}

func (o outdatedSkill) named() string {
	if o.Release == "" {
		return ""
	}
	return " (" + o.Release + ")"
}

func short(hash string) string {
	if hash == "" {
		return "no commit"
	}
	return hash[:min(7, len(hash))]
}

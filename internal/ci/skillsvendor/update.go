package skillsvendor

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

type updateOptions struct {
	lock, sha, report string
	proposal          string
	all               bool
	days              int
}

func updateVerb() command.Verb {
	return command.Verb{
		Name:     "update",
		Synopsis: "NAME… | --all [--lock FILE] [--sha COMMIT] [--min-age DAYS] [--report FILE] [--proposal DIR]",
		Summary:  "takes skills from their upstreams, and writes the lock",
		Help: `Files that upstream has added or removed below the skill's directory are added or
removed here, too, unless the row is a choice of that directory's files; then they
are only told. Executable bits are recorded and set. Local edits are put on top
with git apply; where they no longer fit, nothing is changed. A held skill is left
as it is. Of programs only those of the row's platforms are taken, if it has any.

All skills are prepared before the first file is written. Nothing is committed. With
--proposal, what changed is also written to a directory, from which skills-vendor
propose opens a pull request, in a job that has the right to.`,
		Examples: []string{"skills-vendor update routing", "skills-vendor update --all --min-age 14 --report report.md", "skills-vendor update routing --sha 0123456789012345678901234567890123456789"},
		Max:      -1,
		Setup: func(fs *flag.FlagSet) command.Run {
			var o updateOptions
			lock, days := lockFlag(fs), ageFlag(fs, defaultAge)
			fs.BoolVar(&o.all, "all", false, "every skill of the lock")
			fs.StringVar(&o.sha, "sha", "", "take this `COMMIT`, whatever its age; for one skill")
			fs.StringVar(&o.report, "report", "", "write what changed to `FILE`, as Markdown for a pull request")
			fs.StringVar(&o.proposal, "proposal", "", "write the change to `DIR`, for skills-vendor propose")
			return func(ctx context.Context, p command.Process, args []string) error {
				o.lock, o.days = *lock, *days
				before, err := cutoff(p, "update", o.days)
				if err != nil {
					return err
				}
				switch {
				case o.all == (len(args) > 0):
					return command.Usage("update: name the skills, or say --all")
				case o.sha != "" && len(args) != 1:
					return command.Usage("update: --sha pins one skill")
				case o.sha != "" && !gitstore.IsHash(o.sha):
					return command.Usage("update: --sha takes the 40 hex digits of a commit")
				}
				return update(ctx, p, o, args, before)
			}
		},
	}
}

func update(ctx context.Context, p command.Process, o updateOptions, names []string, before time.Time) error {
	s, err := openShelf(p, o.lock)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.wantLock(); err != nil {
		return err
	}
	if o.all {
		names = s.lock.Names()
	}
	base := ""
	if o.proposal != "" {
		if base, err = s.unchanged(ctx, p); err != nil {
			return err
		}
	}
	u := &upstreams{env: p.Env}
	defer u.close()
	var ready []*change
	for _, name := range names {
		row, ok := s.lock.Row(name)
		if !ok {
			return stopf("the lock's skills: "+plaintext.Line(fmt.Sprint(s.lock.Names()), 500), "there is no skill %q in the lock", plaintext.Line(name, 100))
		}
		if row.Hold != "" && !o.all {
			return stopf("take the hold out of the lock first", "%s is held: %s", name, plaintext.Line(row.Hold, 200))
		}
		if slices.ContainsFunc(ready, func(c *change) bool { return c.name == name }) {
			continue
		}
		pl, repo, err := makePlan(ctx, u, name, row, o.sha, before)
		if err != nil {
			return err
		}
		if text := migration(name, row); text != "" {
			fmt.Fprintln(p.Stderr, "notice:", text)
		}
		c, err := prepare(ctx, s, pl, repo, p.Env)
		if err != nil {
			return err
		}
		ready = append(ready, c)
	}
	for _, c := range ready {
		if err := c.write(s); err != nil {
			return err
		}
		fmt.Fprint(p.Stdout, c.line())
	}
	lockChanged := string(s.lock.Bytes()) != string(s.held)
	if err := s.save(); err != nil {
		return err
	}
	if o.report != "" {
		if err := os.WriteFile(p.Abs(o.report), []byte(report(ready)), 0o644); err != nil {
			return err
		}
	}
	if o.proposal == "" {
		return nil
	}
	made, err := s.proposal(ctx, p, base, ready, lockChanged)
	if err != nil {
		return err
	}
	return made.Write(p.Abs(o.proposal))
}

// line says what an update did to a skill.
func (c *change) line() string {
	from, to := short(c.before.Commit), short(c.plan.to.Hash)
	switch {
	case c.plan.status == held:
		return fmt.Sprintf("%s: held: %s\n", c.name, plaintext.Line(c.before.Hold, 200))
	case c.plan.status == none:
		return c.name + ": no upstream commit that is old enough\n"
	case !c.changed():
		return fmt.Sprintf("%s: current at %s\n", c.name, from)
	}
	text := fmt.Sprintf("%s: %s → %s, %s written, %s removed\n", c.name, from, to, count(len(c.contents), "file"), count(len(c.remove), "file"))
	for _, file := range c.plan.left {
		text += fmt.Sprintf("  new upstream, not vendored: %s\n", file)
	}
	return text
}

// changed reports whether the row or a file is another one.
func (c *change) changed() bool {
	return c.row != nil && (c.rowChanged || len(c.contents)+len(c.remove)+len(c.chmod) > 0)
}

// touched are the files that are written, or get another mode.
func (c *change) touched() []string {
	files := slices.Sorted(maps.Keys(c.contents))
	for _, file := range c.chmod {
		if c.contents[file] == nil {
			files = append(files, file)
		}
	}
	return files
}

// A change is one skill, ready to be written.
type change struct {
	name   string
	plan   *plan
	before skillslock.Row
	diff   string

	row        *skillslock.Row // to be, or nil when the skill stays as it is
	rowChanged bool
	contents   map[string][]byte // files to write
	remove     []string
	chmod      []string // files whose contents are right and whose executable bit is not
}

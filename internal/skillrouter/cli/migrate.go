package cli

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

type migrateOptions struct {
	given
	from string
	json bool
}

func migrateVerb() command.Verb {
	return command.Verb{
		Name: "migrate-to-sqlite", Synopsis: "[--from FILE] [--json]", Summary: "takes evidence from SKILL.md files and from an older store over",
		Help: `Makes the counts, reasons and states in mega_meta of SKILL.md files known to the
store, where it knows nothing of the skill, and takes over the verdicts of store.db
of the mega-tron in Python, which is only read. Run again, it adds nothing twice.`,
		Examples: []string{"mega-tron migrate-to-sqlite", "mega-tron migrate-to-sqlite --from ~/backup/store.db --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &migrateOptions{}
			f.StringVar(&o.skillsDir, "skills-dir", "", "look in `DIRS` only, separated by commas")
			f.StringVar(&o.from, "from", "", "take over `FILE` rather than store.db in the data directory")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

func (o *migrateOptions) run(ctx context.Context, p command.Process) error {
	c, err := settings(p)
	if err != nil {
		return err
	}
	roots, err := o.roots(c, p)
	if err != nil {
		return err
	}
	from := filepath.Join(c.DataDir(), "store.db")
	if o.from != "" {
		from = p.Abs(skill.ExpandHome(o.from, c.Home))
	}
	skills := skill.Discover(roots, skill.Files{}).Skills
	return changeStore(ctx, c, func(s *evidence.Store) error {
		verdicts, err := s.Migrate(ctx, from, skills)
		if err != nil {
			return err
		}
		names, err := s.Import(ctx, skills)
		if err != nil {
			return err
		}
		if o.json {
			return p.WriteJSON(map[string]any{"skills": append([]string{}, names...), "verdicts": verdicts, "from": from})
		}
		_, err = fmt.Fprintf(p.Stdout, "%d skills from their files, %d verdicts from %s\n", len(names), verdicts, line(from))
		return err
	})
}

package cli

import (
	"context"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
)

type exportOptions struct {
	given
	json bool
}

func exportFrontmatterVerb() command.Verb {
	return command.Verb{
		Name: "export-frontmatter", Synopsis: "[--json]", Summary: "writes what the store says into SKILL.md files",
		Help: `Writes mega_meta of every skill that the store knows, and changes no other byte.
Files in a git work tree, of plugins and of hosts that track them by hash are left:
the store has their counts, and searches read them there. Exit code 1 when a file
that may be written could not be.`,
		Examples: []string{"mega-tron export-frontmatter", "mega-tron export-frontmatter --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &exportOptions{}
			f.StringVar(&o.skillsDir, "skills-dir", "", "look in `DIRS` only, separated by commas")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

func (o *exportOptions) run(ctx context.Context, p command.Process) error {
	c, err := settings(p)
	if err != nil {
		return err
	}
	roots, err := o.roots(c, p)
	if err != nil {
		return err
	}
	written, left := []string{}, []evidence.Unwritten{}
	err = readStore(ctx, c, func(s *evidence.Store) error {
		if s == nil {
			return nil
		}
		w, l, err := s.Export(ctx, roots)
		written, left = append(written, w...), append(left, l...)
		return err
	})
	if err != nil {
		return err
	}
	failed := 0
	for _, u := range left {
		if !u.Held {
			failed++
		}
	}
	if o.json {
		if err := p.WriteJSON(map[string]any{"written": written, "left": left}); err != nil {
			return err
		}
	} else {
		for _, f := range written {
			fmt.Fprintln(p.Stdout, line(f))
		}
		for _, u := range left {
			fmt.Fprintf(p.Stdout, "left: %s: %s\n", line(u.File), line(u.Why))
		}
		fmt.Fprintf(p.Stdout, "%d written, %d left\n", len(written), len(left))
	}
	if failed > 0 {
		return fmt.Errorf("%d files could not be written%w", failed, command.ErrSilent)
	}
	return nil
}

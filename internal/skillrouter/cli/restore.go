package cli

import (
	"context"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
)

type restoreOptions struct {
	given
	json bool
}

func restoreVerb() command.Verb {
	return command.Verb{
		Name: "skills restore", Synopsis: "SKILL [--json]", Summary: "makes an archived or suspect skill active again",
		Help: `What was said of the skill until now no longer counts for its state; its counts and
reasons stay. The next verdicts decide again.`,
		Examples: []string{"mega-tron skills restore webhook-signer"},
		Min:      1, Max: 1,
		Setup: func(f *flag.FlagSet) command.Run {
			o := &restoreOptions{}
			f.StringVar(&o.skillsDir, "skills-dir", "", "look in `DIRS` only, separated by commas")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return o.run
		},
	}
}

func (o *restoreOptions) run(ctx context.Context, p command.Process, args []string) error {
	c, err := settings(p)
	if err != nil {
		return err
	}
	roots, err := o.roots(c, p)
	if err != nil {
		return err
	}
	finder := evidence.Finder{Roots: roots}
	k, ok := finder.Find(args[0])
	if !ok {
		return fmt.Errorf("there is no skill %.80q", args[0])
	}
	return changeStore(ctx, c, func(s *evidence.Store) error {
		if err := s.Restore(ctx, k, evidence.FileOf(k)); err != nil {
			return err
		}
		left, err := s.Settle(ctx, roots)
		if err != nil {
			return err
		}
		tellUnwritten(p, left)
		r, _, err := s.Record(ctx, k.Name)
		if err != nil {
			return err
		}
		if o.json {
			return p.WriteJSON(r)
		}
		_, err = fmt.Fprintf(p.Stdout, "%s is %s\n", line(k.Name), r.Status)
		return err
	})
}

package cli

import (
	"context"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
)

type compactSkillsOptions struct {
	given
	threshold          float64
	apply, reset, json bool
}

func compactSkillsVerb() command.Verb {
	return command.Verb{
		Name: "compact-skills", Synopsis: "[--threshold N] [--apply] [--reset] [--json]", Summary: "finds skills that say the same, and leaves all but one out",
		Help: `Lists skills whose names and descriptions have a cosine of --threshold or more, and
which of them has the better evidence. --apply leaves the others out of rankings;
their files are not touched. --reset takes all of them back. It needs a model.`,
		Examples: []string{"mega-tron compact-skills", "mega-tron compact-skills --threshold 0.97 --apply", "mega-tron compact-skills --reset"},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &compactSkillsOptions{}
			o.given.setup(f)
			f.Float64Var(&o.threshold, "threshold", 0.95, "the same from a cosine of `N` on")
			f.BoolVar(&o.apply, "apply", false, "leave them out of rankings")
			f.BoolVar(&o.reset, "reset", false, "take back what was left out")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

func (o *compactSkillsOptions) run(ctx context.Context, p command.Process) error {
	if !(o.threshold > 0 && o.threshold <= 1) {
		return command.Usage("compact-skills: --threshold is above 0 and at most 1")
	}
	if o.apply && o.reset {
		return command.Usage("compact-skills: --apply and --reset exclude each other")
	}
	twins := []evidence.Twin{}
	s, err := o.open(p)
	if err != nil {
		return err
	}
	defer s.close()
	if !o.reset {
		if s.notice != "" {
			return fmt.Errorf("without a model nobody knows which skills say the same: %s", s.notice)
		}
		v, err := s.look(ctx, p, allHeads)
		if err != nil {
			return err
		}
		twins = append(twins, s.router.Twins(v, o.threshold)...)
	}
	if o.apply || o.reset {
		err := changeStore(ctx, s.config, func(store *evidence.Store) error {
			if o.apply {
				before, err := store.Twins(ctx)
				if err != nil {
					return err
				}
				twins = append(twins, before...) // they are not ranked, so they were not compared
			}
			return store.SetTwins(ctx, twins)
		})
		if err != nil {
			return err
		}
	}
	if o.json {
		return p.WriteJSON(map[string]any{"twins": twins, "applied": o.apply || o.reset})
	}
	for _, t := range twins {
		fmt.Fprintf(p.Stdout, "%s says what %s says: %.3f\n", line(t.Skill), line(t.Of), t.Cosine)
	}
	switch {
	case o.reset:
		fmt.Fprintln(p.Stdout, "every skill is ranked again")
	case len(twins) == 0:
		fmt.Fprintln(p.Stdout, "no two skills say the same")
	case !o.apply:
		fmt.Fprintln(p.Stderr, "mega-tron: nothing was changed\nhint: --apply leaves them out of rankings")
	}
	return nil
}

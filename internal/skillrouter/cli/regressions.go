package cli

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
)

const day = 24 * time.Hour

func regressionsVerb() command.Verb {
	return command.Verb{
		Name: "regressions", Synopsis: "[--window-days N] [--min-invocations N] [--host HOST] [--include-all] [--json]", Summary: "finds skills that used to help and no longer do",
		Help: `Compares the verdicts of the last --window-days days with those of as many days
before. broken: it helped at least 5 times before, and half or more of the recent
verdicts are harmful. regressed: it helped as often, and hardly does now. unused:
fewer than --min-invocations recent verdicts.`,
		Examples: []string{"mega-tron regressions", "mega-tron regressions --window-days 7 --include-all --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			days := f.Int("window-days", 30, "compare the last `N` days with the N before")
			least := f.Int("min-invocations", 5, "tell nothing from fewer than `N` recent verdicts")
			from := f.String("host", "", "count verdicts of `HOST` only")
			all := f.Bool("include-all", false, "list unused and stable skills too")
			asJSON := f.Bool("json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error {
				h, err := hostOf(*from)
				if err != nil {
					return err
				}
				if *days < 1 || *days > 3650 {
					return command.Usage("regressions: --window-days is from 1 to 3650")
				}
				c, err := settings(p)
				if err != nil {
					return err
				}
				list := []evidence.Regression{}
				err = readStore(ctx, c, func(s *evidence.Store) error {
					if s == nil {
						return nil
					}
					found, err := s.Regressions(ctx, time.Duration(*days)*day, *least, h)
					for _, r := range found {
						if *all || r.Trend == evidence.Broken || r.Trend == evidence.Regressed {
							list = append(list, r)
						}
					}
					return err
				})
				if err != nil {
					return err
				}
				if *asJSON {
					return p.WriteJSON(map[string]any{"regressions": list})
				}
				for _, r := range list {
					fmt.Fprintf(p.Stdout, "%s  %s  now %d helpful, %d harmful; before %d helpful, %d harmful\n", r.Trend, line(r.Skill), r.Helpful, r.Harmful, r.HelpfulBefore, r.HarmfulBefore)
				}
				if len(list) == 0 {
					fmt.Fprintln(p.Stdout, "no skill does worse than before")
				}
				return nil
			}
		},
	}
}

package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
)

func searchVerdictsVerb() command.Verb {
	return command.Verb{
		Name: "search-verdicts", Synopsis: "QUERY… [--host HOST] [--verdict LABEL] [--since-days N] [--limit N] [--json]", Summary: "searches the reasons of verdicts",
		Help: `The query is one of SQLite's full-text search: words that all occur, "a phrase",
begin*, a OR b, a NOT b. The best match comes first.`,
		Examples: []string{"mega-tron search-verdicts signature", `mega-tron search-verdicts --verdict harmful --json -- 'compare OR timing'`},
		Min:      1, Max: -1,
		Setup: func(f *flag.FlagSet) command.Run {
			from := f.String("host", "", "give verdicts of `HOST` only")
			label := f.String("verdict", "", "give `LABEL` only: helpful, harmful or neutral")
			days := f.Int("since-days", 0, "give those of the last `N` days; 0: all")
			limit := f.Int("limit", 20, "give at most `N`")
			asJSON := f.Bool("json", false, "print JSON")
			return func(ctx context.Context, p command.Process, args []string) error {
				q := evidence.Query{Words: strings.TrimSpace(strings.Join(args, " ")), Limit: max(1, *limit)}
				var err error
				if q.Host, err = hostOf(*from); err != nil {
					return err
				}
				if q.Label = evidence.LabelOf(*label); *label != "" && q.Label == "" {
					return command.Usage("search-verdicts: there is no verdict %.40q; there are helpful, harmful and neutral", *label)
				}
				if *days > 0 {
					q.Since = time.Now().Add(-time.Duration(*days) * day)
				}
				if q.Words == "" {
					return command.Usage("search-verdicts: the query is empty")
				}
				c, err := settings(p)
				if err != nil {
					return err
				}
				list := []evidence.Verdict{}
				err = readStore(ctx, c, func(s *evidence.Store) error {
					if s != nil {
						list, err = s.Verdicts(ctx, q)
					}
					return err
				})
				if errors.Is(err, evidence.ErrSyntax) {
					return command.Usage("search-verdicts: %s; put words with signs in them between double quotes", line(err.Error()))
				}
				if err != nil {
					return err
				}
				if *asJSON {
					return p.WriteJSON(map[string]any{"verdicts": list})
				}
				for _, v := range list {
					fmt.Fprintf(p.Stdout, "%s  %s  %s  %s\n  %s\n", v.At.UTC().Format("2006-01-02"), v.Label, line(v.Skill), v.Host, line(v.Reason))
				}
				if len(list) == 0 {
					fmt.Fprintln(p.Stdout, "no reason matches")
				}
				return nil
			}
		},
	}
}

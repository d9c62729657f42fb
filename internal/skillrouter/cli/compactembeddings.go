package cli

import (
	"context"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
)

func compactEmbeddingsVerb() command.Verb {
	return command.Verb{
		Name: "compact-embeddings", Synopsis: "[--threshold N] [--dry-run] [--json]", Summary: "merges the vectors of reasons that say the same",
		Help: `Of reasons of one skill and one verdict whose cosine is at least --threshold, the
longest keeps its vector. Verdicts and counts stay as they are.`,
		Examples: []string{"mega-tron compact-embeddings --dry-run", "mega-tron compact-embeddings --threshold 0.9 --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			threshold := f.Float64("threshold", 0.95, "merge from a cosine of `N` on")
			dry := f.Bool("dry-run", false, "change nothing")
			asJSON := f.Bool("json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error {
				if !(*threshold > 0 && *threshold <= 1) {
					return command.Usage("compact-embeddings: --threshold is above 0 and at most 1")
				}
				c, err := settings(p)
				if err != nil {
					return err
				}
				clusters := []evidence.Cluster{}
				err = readStore(ctx, c, func(s *evidence.Store) error {
					if s == nil {
						return nil
					}
					models, err := s.Models(ctx)
					if err != nil {
						return err
					}
					for _, m := range models {
						found, err := s.Compact(ctx, m, *threshold, *dry)
						if err != nil {
							return err
						}
						clusters = append(clusters, found...)
					}
					return nil
				})
				if err != nil {
					return err
				}
				if *asJSON {
					return p.WriteJSON(map[string]any{"clusters": clusters, "dry_run": *dry})
				}
				merged := 0
				for _, k := range clusters {
					merged += len(k.Merged)
					fmt.Fprintf(p.Stdout, "%s  %s  %d into: %s\n", line(k.Skill), k.Label, len(k.Merged), line(k.Kept))
				}
				_, err = fmt.Fprintf(p.Stdout, "%d vectors merged\n", merged)
				return err
			}
		},
	}
}

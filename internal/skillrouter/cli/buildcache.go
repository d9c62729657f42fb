package cli

import (
	"context"
	"flag"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
)

// savedEvery is how many bodies are embedded before they are kept: whoever
// searches meanwhile sees them, and little is lost when this process ends.
const savedEvery = 25

func buildCacheVerb() command.Verb {
	return command.Verb{
		Name: "build-cache", Summary: "embeds what lacks vectors", Hidden: true,
		Examples: []string{"mega-tron build-cache"},
		Setup: func(f *flag.FlagSet) command.Run {
			g := &given{}
			g.setup(f)
			return func(ctx context.Context, p command.Process, _ []string) error {
				s, err := g.open(p)
				if err != nil {
					return err
				}
				defer s.close()
				done, ok := s.router.Learner()
				if !ok {
					return nil // one is at it
				}
				defer done()
				beNice()
				progress := p.Progress()
				defer progress.Done()
				for last := -1; ; {
					v, err := s.router.Look(ctx, s.roots, router.Work{Heads: -1, Bodies: savedEvery, Progress: progress.Step})
					if err != nil {
						return err
					}
					if err := s.router.Save(); err != nil {
						return err
					}
					if v.Bodies == 0 || v.Bodies == last {
						return nil
					}
					last = v.Bodies
				}
			}
		},
	}
}

package cli

import (
	"context"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// engine opens the engine over a source.
func engine(s *source.Source) (*answer.Engine, error) {
	if s.Bundle == nil {
		return nil, fmt.Errorf("a graph.json without index is not read yet")
	}
	return answer.Open(s.Bundle)
}

// openForBench opens the source that a bench asks.
func openForBench(ctx context.Context, p command.Process, bundleRef, repo string) (*benched, error) {
	w := where{bundle: bundleRef, repo: repo}
	s, e, err := w.open(ctx, p)
	if err != nil {
		return nil, err
	}
	now := source.Now(p.Env)
	return &benched{Asker: bench.Over(e), Build: &s.Build, Source: s.Info(now), Line: s.Line(now), Close: s.Close}, nil
}

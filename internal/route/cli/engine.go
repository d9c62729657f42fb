package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/graph"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// engine opens the engine over a source. A plain graph gets an index first.
func engine(s *source.Source) (*answer.Engine, error) {
	b := s.Bundle
	if b == nil {
		var err error
		if b, err = indexGraph(s.Files); err != nil {
			return nil, err
		}
	}
	return answer.Open(b)
}

// indexGraph reads a graph.json that has no index beside it.
func indexGraph(files bundle.Files) (*bundle.Bundle, error) {
	data, err := files.ReadFile(bundle.GraphName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, source.ErrNone
	}
	if err != nil {
		return nil, err
	}
	g, err := graph.Parse(data)
	if err != nil {
		return nil, &bundle.Refused{File: bundle.GraphName, Reason: err.Error(), Next: "build it again, or use git grep"}
	}
	if len(g.Parts) > 0 {
		return nil, &bundle.Refused{File: bundle.GraphName, Reason: fmt.Sprintf("it is cut in %d parts and has lost its index", len(g.Parts)), Next: "bundle-publish build makes it anew"}
	}
	return g.Bundle()
}

// openForBench opens the source that a bench asks.
func openForBench(ctx context.Context, p command.Process, bundleRef, repo string) (*benched, error) {
	w := where{bundle: bundleRef, repo: repo}
	s, e, err := w.open(ctx, p)
	if err != nil {
		return nil, w.advise(err)
	}
	now := source.Now(p.Env)
	return &benched{Asker: bench.Over(e), Build: &s.Build, Source: s.Info(now), Line: s.Line(now), Close: s.Close}, nil
}

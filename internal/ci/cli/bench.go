package cli

import (
	"context"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// askBundle answers a bench's questions from exactly one bundle.
func askBundle(b *bundle.Bundle) (bench.Asker, error) {
	e, err := answer.Open(b)
	if err != nil {
		return nil, err
	}
	return bench.Over(e), nil
}

// addBench asks the questions of the bench of the bundle just built and
// records the results.
func addBench(ctx context.Context, p command.Process, file string, res *assemble.Result) error {
	f, err := bench.Read(p.Abs(file), file)
	if err != nil {
		return err
	}
	b, err := bundle.Open(res.Files)
	if err != nil {
		return err
	}
	asker, err := askBundle(b)
	if err != nil {
		return err
	}
	res.Build.Bench, err = bench.Run(ctx, f, &res.Build, asker, nil)
	if err != nil {
		return err
	}
	return seal(ctx, res)
}

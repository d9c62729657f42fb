package cli

import (
	"context"
	"errors"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/command"
)

// addBench asks the questions of the bench of the bundle just built.
func (o *buildOptions) addBench(ctx context.Context, p command.Process, res *assemble.Result) error {
	return errors.New("the bench is not wired yet")
}

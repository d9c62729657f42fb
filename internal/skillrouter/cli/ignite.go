package cli

import (
	"context"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/host"
	"github.com/marola-dev/marola-routing/internal/skillrouter/turns"
)

func (o *hookOptions) ignite(ctx context.Context, p command.Process, c *config.Config, log turns.Log, e host.Event) {
}

package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/setup"
)

// hideTimeout is how long a hook that has answered waits for the host's
// settings to be free.
const hideTimeout = time.Second

// hides reports that the host's own catalogue is to leave out what does not
// fit: that it can, that mega-tron was set up in it, and that it is wanted.
func (o *hookOptions) hides(c *config.Config) bool { return o.host.Hides(c) }

// hide makes the host's own catalogue leave out the skills that are not shown.
// The answer is written; what goes wrong here is said and no more.
func (o *hookOptions) hide(p command.Process, c *config.Config, others []rank.Pick) {
	var names []string
	for _, k := range others {
		names = append(names, k.Skill.Name)
	}
	done := make(chan error, 1)
	go func() { done <- setup.Hide(c, o.host.Target(), names) }()
	var err error
	select {
	case err = <-done:
	case <-time.After(hideTimeout):
		err = errors.New("another process is at it")
	}
	if err != nil {
		fmt.Fprintf(p.Stderr, "mega-tron: the host's own list of skills stays as it is: %s\n", line(err.Error()))
	}
}

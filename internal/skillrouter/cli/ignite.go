package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/daemon"
	"github.com/marola-dev/marola-routing/internal/skillrouter/host"
	"github.com/marola-dev/marola-routing/internal/skillrouter/turns"
)

// igniteTimeout is how long a hook waits for the daemon to take a prompt for
// the curator: it answers at once, or not at all.
const igniteTimeout = 300 * time.Millisecond

// ignited is the mark that a session's first prompt was given to the curator.
const ignited = "ignited"

// ignite gives the first prompt of a session to the daemon, for the curator,
// beside the ranking. What it returns waits until that is done.
func (o *hookOptions) ignite(ctx context.Context, p command.Process, c *config.Config, log turns.Log, e host.Event) func() {
	target := string(o.host.Target())
	if !c.Ignites(target) || c.Off("MEGA_DAEMON") || e.Session == "" || !log.Once(ignited, e.Session) {
		return func() {}
	}
	if warn := firstIgnition(c); warn != "" {
		fmt.Fprintln(p.Stderr, "mega-tron: "+warn)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, igniteTimeout)
		defer cancel()
		r := daemon.Request{Op: "wisdom_ignite", Build: daemon.Build(), Prompt: e.Prompt, Dir: e.Dir, Target: target}
		if _, err := daemon.Ask(ctx, log.Dir, r); err != nil {
			startDaemon(p) // for the next session; without it wisdom sleeps
		}
	}()
	return func() { <-done }
}

// leaves says what a curator means.
const leaves = "the first prompt of each session is given to the curator %q, which may send it anywhere: prompts leave this machine; mega-tron wisdom off ends that"

// firstIgnition is what is said once, when a curator is asked for the first
// time.
func firstIgnition(c *config.Config) string {
	if !tell(c) {
		return ""
	}
	return fmt.Sprintf(leaves, line(c.Curator()[0]))
}

// tell marks that it was said what a curator means; false when it was before.
func tell(c *config.Config) bool {
	if os.MkdirAll(c.DataDir(), 0o700) != nil {
		return true
	}
	f, err := os.OpenFile(filepath.Join(c.DataDir(), "wisdom.told"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return !os.IsExist(err)
	}
	return f.Close() == nil
}

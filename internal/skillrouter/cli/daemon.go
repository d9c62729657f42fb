package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/skillrouter/daemon"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
)

// idleTimeout is how long a daemon stays that nobody asks, in seconds.
const idleTimeout = 1800

func daemonServeVerb() command.Verb {
	return command.Verb{
		Name: "daemon serve", Synopsis: "[--idle-timeout N]", Summary: "answers searches and hooks from a warm model",
		Help: `Runs until it is stopped, or until nobody asked for anything for --idle-timeout
seconds. Searches start one by themselves. The socket lies in a directory that is
this person's alone; a second daemon does not start.`,
		Examples: []string{"mega-tron daemon serve", "mega-tron daemon serve --idle-timeout 0"},
		Setup: func(f *flag.FlagSet) command.Run {
			idle := f.Int("idle-timeout", idleTimeout, "end after `N` seconds without a request; 0: never")
			return func(ctx context.Context, p command.Process, _ []string) error {
				if err := notNegative("idle-timeout", *idle); err != nil {
					return err
				}
				return serve(ctx, p, *idle)
			}
		},
	}
}

func serve(ctx context.Context, p command.Process, idle int) error {
	c, err := settings(p)
	if err != nil {
		return err
	}
	dir, err := daemon.Place(c)
	if err != nil {
		return err
	}
	s := &daemon.Server{Config: c, Version: bundle.Version(), Build: daemon.Build(), Idle: time.Duration(idle) * time.Second, Log: p.Stderr}
	m, _, err := model(c)
	if err != nil {
		return err
	}
	if m == nil {
		s.Router = router.Open(c, nil, "")
	} else {
		defer m.Close()
		path, err := models.Find(c)
		if err != nil {
			return err
		}
		// Once for all that it answers: a search that ranks by itself has no
		// time to read every weight.
		if err := m.Verify(); err != nil {
			return &damagedError{fmt.Errorf("model pack %s: %w", path, err)}
		}
		s.Router, s.Model = router.Open(c, m, ""), daemon.ModelStamp(path)
	}
	return s.Serve(ctx, dir)
}

func daemonStatusVerb() command.Verb {
	return command.Verb{
		Name: "daemon status", Synopsis: "[--json]", Summary: "tells whether a daemon runs",
		Help:     "Exit code 0 when one answers, 1 when none does.",
		Examples: []string{"mega-tron daemon status", "mega-tron daemon status --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			asJSON := f.Bool("json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error {
				a, err := askDaemon(ctx, p, "ping")
				if *asJSON {
					if err := p.WriteJSON(map[string]any{"running": err == nil, "version": a.Version, "build": a.Build, "pid": a.PID}); err != nil {
						return err
					}
				}
				if err != nil {
					if !*asJSON {
						fmt.Fprintln(p.Stdout, "no daemon runs")
					}
					return fmt.Errorf("no daemon runs%w", command.ErrSilent)
				}
				if !*asJSON {
					fmt.Fprintf(p.Stdout, "a daemon runs: process %d, version %s\n", a.PID, line(a.Version))
				}
				return nil
			}
		},
	}
}

func daemonStopVerb() command.Verb {
	return command.Verb{
		Name: "daemon stop", Summary: "ends the daemon", Help: "Says so when none runs, with exit code 0.",
		Examples: []string{"mega-tron daemon stop"},
		Setup: func(*flag.FlagSet) command.Run {
			return func(ctx context.Context, p command.Process, _ []string) error {
				said := "stopped"
				if _, err := askDaemon(ctx, p, "shutdown"); err != nil {
					said = "no daemon runs"
				}
				_, err := fmt.Fprintln(p.Stdout, said)
				return err
			}
		},
	}
}

// askTimeout is how long a person waits for a daemon to say that it is there.
const askTimeout = 2 * time.Second

func askDaemon(ctx context.Context, p command.Process, op string) (daemon.Response, error) {
	c, err := settings(p)
	if err != nil {
		return daemon.Response{}, err
	}
	dir, err := daemon.Place(c)
	if err != nil {
		return daemon.Response{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	return daemon.Ask(ctx, dir, daemon.Request{Op: op})
}

// startDaemon starts one that outlives this process, unless that is switched
// off. Nobody waits for it: it answers the next time.
func startDaemon(p command.Process) {
	exe, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.Command(exe, "daemon", "serve")
	cmd.Dir, cmd.Env = os.TempDir(), p.Env
	detach(cmd)
	if cmd.Start() == nil {
		_ = cmd.Process.Release()
	}
}

// errNoDaemon says that the daemon is not used, or did not answer in time.
var errNoDaemon = errors.New("no daemon")

// Package session is session-check, the hook that a repository runs at the
// start of every agent session on every contributor's machine.
//
// So it is small, quick and silent: it reads files of this machine and asks
// git at most three times, writes nothing, opens no connection, starts
// nothing that outlives it, and ends with exit code 0 within 1.5 seconds,
// whatever it finds. It prints at most three lines, and only when a session
// starts: which bundle is here and whether it is stale, a plugin that the
// repository offers, submodules that are not checked out. The lines state
// facts; what to do is the reader's choice.
//
// docs/session-check.md is the page for people.
package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

const (
	inputLimit = 200 * time.Millisecond // of waiting for the client's message
	inputSize  = 64 << 10               // of that message, in bytes
)

// Variables, so that tests inside a busy process may be patient; the built
// program is tested with just these.
var (
	deadline = 1500 * time.Millisecond // of the whole hook
	gitLimit = 300 * time.Millisecond  // of one git process
)

// SwitchVariable turns the hook off with "off", "0", "false" or "no".
const SwitchVariable = "MAROLA_SESSION_CHECK"

const help = `session-check: says at the start of an agent session what routing has here

Usage:
  session-check [--in DIR]        as a SessionStart hook: the client's message is on standard input
  session-check [--in DIR] --now  the same lines for a person, without a message
  session-check --self-test       runs its own checks on this machine, in a directory that is removed

It reads this machine only and writes nothing. It looks at the repository that has
this program among its skills, else at that of CLAUDE_PROJECT_DIR, else at that of
the working directory; --in names another one.
` + SwitchVariable + `=off turns the hook off.

Examples:
  printf '{"source":"startup"}' | session-check
  session-check --now
  session-check --self-test

Exit codes:
  0  always, as a hook
  1  --self-test: a check failed
  2  wrong usage
`

// Main runs session-check and returns its exit code.
func Main(p command.Process) int {
	var in string
	args := p.Args
	if len(args) >= 2 && args[0] == "--in" {
		in, args = p.Abs(args[1]), args[2:]
	}
	switch verb := strings.Join(args, " "); {
	case verb == "":
		hook(p, in)
		return 0
	case slices.Contains([]string{"--help", "-h", "-help", "help"}, verb):
		fmt.Fprint(p.Stdout, help)
		return 0
	case verb == "--version":
		fmt.Fprintln(p.Stdout, "session-check", bundle.Version())
		return 0
	case verb == "--now":
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		defer cancel()
		write(p.Stdout, Lines(ctx, here(p, in)))
		return 0
	case verb == "--self-test" && in == "":
		return selfTest(p)
	}
	fmt.Fprintf(p.Stderr, "session-check: the arguments %.80q are not known\nhint: session-check --help\n", p.Args)
	return command.ExitUsage
}

// hook is what the client runs. All of it happens beside a clock: a file
// system that hangs must not keep a session from starting.
func hook(p command.Process, in string) {
	// A pipe that nobody reads any more must not end the process with a signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	done := make(chan []string, 1)
	go func() {
		var lines []string
		defer func() {
			_ = recover() // a mistake of ours is no reason to trouble a session
			done <- lines
		}()
		if !off(p.Getenv(SwitchVariable)) && starts(p.Stdin) {
			lines = Lines(ctx, here(p, in))
		}
	}()
	select {
	case lines := <-done:
		write(p.Stdout, lines)
	case <-ctx.Done():
	}
}

// off reports whether a variable's value says no.
func off(value string) bool {
	return slices.Contains([]string{"off", "0", "false", "no"}, strings.ToLower(strings.TrimSpace(value)))
}

// write prints all lines in one piece.
func write(w io.Writer, lines []string) {
	if len(lines) > 0 {
		_, _ = io.WriteString(w, strings.Join(lines, "\n")+"\n")
	}
}

// Package gitstore reads a bundle from a git repository's own object store.
//
// One `git cat-file --batch` process answers everything that a question
// needs. Git runs with nothing of an outer git's environment, without hooks,
// prompts, network, replacement refs, filters or a pager, so that what is
// read is what is stored. [Git] is that way of running git; [Store] is the
// batch process; [Tree] is a bundle in one commit.
package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Why git cannot be asked. Each is a normal state of somebody's machine, so
// each is told apart.
var (
	ErrNoGit         error = &state{"git is not installed, or not on the PATH", "install git"}
	ErrNotRepository error = &state{"this directory is not in a git repository", "run it inside a clone, or name one with --repo DIR"}
	ErrNoDirectory   error = &state{"this directory does not exist any more", "change to a directory that exists"}
	ErrOwner         error = &state{"git refuses this directory (different owner)", "if you trust it, see safe.directory in git help config"}
	ErrBareRefused   error = &state{"git refuses this bare repository (safe.bareRepository)", "name it with GIT_DIR to git itself, or run in a clone"}
	ErrNotLocal      error = &state{"bundle not local: this partial clone has not downloaded it", "route fetch gets it"}
	ErrTimeout       error = &state{"git did not answer in time", ""}
)

type state struct{ text, hint string }

func (e *state) Error() string { return e.text }

// Hint is the next step, or "".
func (e *state) Hint() string { return e.hint }

// An ExitError is a git command that failed for another reason.
type ExitError struct {
	Command string // the subcommand, as in "fetch"
	Code    int    // exit code; -1 when it was killed
	Stderr  string // what it said, at most 8 KiB
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("git %s: %s", e.Command, Reason(e.Stderr))
}

// Reason is the line of git's messages that says why: the first that begins
// with "fatal:" or "error:", without that word, else the last line.
func Reason(stderr string) string {
	last := "it failed without a message"
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		for _, lead := range []string{"fatal: ", "error: ", "remote: fatal: "} {
			if rest, ok := strings.CutPrefix(line, lead); ok {
				return rest
			}
		}
		if line != "" {
			last = line
		}
	}
	return last
}

// A Git runs git in one directory.
type Git struct {
	Dir string   // absolute
	Env []string // the caller's environment, as os.Environ gives it
}

// maxOutput bounds what is read from a command that is not the batch.
const maxOutput = 8 << 20

// Output runs a git command that reads this repository only and returns its
// standard output. It never touches the network.
func (g Git) Output(ctx context.Context, args ...string) ([]byte, error) {
	return g.run(ctx, readEnvironment(g.Env), readSettings, args)
}

// checkSettings make git look at each object that it is sent before it keeps
// it: a tree with ".git" or ".." in it, or one that is not sorted, never gets
// into the object store, where some other program might check it out.
var checkSettings = []string{"-c", "transfer.fsckObjects=true", "-c", "fetch.fsckObjects=true"}

// Network runs a git command that may talk to a remote, but never to a
// person. sshCommand is the value of core.sshCommand, or "".
func (g Git) Network(ctx context.Context, sshCommand string, args ...string) ([]byte, error) {
	return g.run(ctx, networkEnvironment(g.Env, sshCommand), append(slices.Clone(networkSettings), checkSettings...), args)
}

func (g Git) run(ctx context.Context, env, settings, args []string) ([]byte, error) {
	cmd, err := g.command(ctx, env, settings, args)
	if err != nil {
		return nil, err
	}
	out, errs := &capped{max: maxOutput}, &capped{max: 8 << 10}
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Run(); err != nil {
		return out.b.Bytes(), explain(ctx, args[0], err, errs.b.String())
	}
	if out.over {
		return nil, &ExitError{Command: args[0], Stderr: "it printed more than is read"}
	}
	return out.b.Bytes(), nil
}

func (g Git) command(ctx context.Context, env, settings, args []string) (*exec.Cmd, error) {
	if g.Dir == "" {
		return nil, ErrNoDirectory
	}
	path, err := lookPath(env)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path, append(append([]string{}, settings...), args...)...)
	cmd.Dir = g.Dir
	cmd.Env = append(env, "PWD="+g.Dir)
	cmd.WaitDelay = time.Second
	EndTogether(cmd)
	return cmd, nil
}

// lookPath finds git on the environment's PATH. Relative entries are passed
// over: a repository must not bring its own git.
func lookPath(env []string) (string, error) {
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	for _, dir := range filepath.SplitList(lookup(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name)
		if st, err := os.Stat(path); err == nil && !st.IsDir() && (runtime.GOOS == "windows" || st.Mode()&0o111 != 0) {
			return path, nil
		}
	}
	return "", ErrNoGit
}

// readsObjects are the commands that a partial clone would download objects
// for, if it were allowed to.
var readsObjects = map[string]bool{"cat-file": true, "ls-tree": true, "log": true, "rev-parse": true, "config": true}

// explain turns a failed command into one of the package's errors.
func explain(ctx context.Context, command string, err error, stderr string) error {
	has := func(text string) bool { return strings.Contains(stderr, text) }
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w (%w)", ErrTimeout, ctx.Err())
	case errors.Is(err, fs.ErrNotExist) && stderr == "":
		// The program was found a moment ago, so what is gone is the directory.
		return ErrNoDirectory
	case has("dubious ownership"), has("unsafe repository"):
		return ErrOwner
	case has("safe.bareRepository"), has("cannot use bare repository"):
		return ErrBareRefused
	case has("not a git repository"):
		return ErrNotRepository
	case has("Unable to read current working directory"):
		return ErrNoDirectory
	case readsObjects[command] && (has("promisor") || has("transport '") || has("lazy fetching disabled")):
		return ErrNotLocal
	}
	code := -1
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	if strings.TrimSpace(stderr) == "" {
		stderr = err.Error()
	}
	return &ExitError{Command: command, Code: code, Stderr: stderr}
}

// capped keeps the first max bytes that are written to it.
type capped struct {
	b    bytes.Buffer
	max  int
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	keep := min(len(p), c.max-c.b.Len())
	c.b.Write(p[:keep])
	c.over = c.over || keep < len(p)
	return len(p), nil
}

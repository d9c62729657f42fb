package gitstore

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// Stream runs a git command that reads this repository only, as
// [Git.Output] does, but of any length: input becomes its standard input,
// and read gets its standard output as it comes. What read leaves is passed
// over. An error of read ends the command and is returned as it is, unless
// git itself ended early: then git's reason is the better one.
func (g Git) Stream(ctx context.Context, input io.Reader, read func(*bufio.Reader) error, args ...string) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, err := g.command(running, readEnvironment(g.Env), readSettings, args)
	if err != nil {
		return err
	}
	errs := &capped{max: 8 << 10}
	cmd.Stdin, cmd.Stderr = input, errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return explain(ctx, args[0], err, "")
	}
	in := bufio.NewReaderSize(out, 256<<10)
	failed := read(in)
	if failed != nil && !errors.Is(failed, io.EOF) && !errors.Is(failed, io.ErrUnexpectedEOF) {
		cancel()
	}
	_, _ = io.Copy(io.Discard, in)
	if err := cmd.Wait(); err != nil && running.Err() == ctx.Err() {
		return explain(ctx, args[0], err, errs.b.String())
	}
	return failed
}

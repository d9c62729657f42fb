package gitstore

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// window is how many bytes of requests may be on their way. Below the
// smallest pipe buffer, a write never waits for git, which may itself be
// waiting for us to read.
const window = 3000

// A request is one line to `git cat-file --batch` and what came back.
type request struct {
	name string // object name, full ref name or HEAD
	kind string // the type it must have, or "" when only its existence matters
	max  int64  // its largest size in bytes

	done    bool
	missing bool
	hash    string
	found   string // its type
	size    int64
	data    []byte
}

// acceptable reports whether the bytes of the object are wanted.
func (r *request) acceptable() bool { return r.found == r.kind && r.size <= r.max }

// batch is one running `git cat-file --batch`.
type batch struct {
	ctx  context.Context
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *capped
}

func startBatch(ctx context.Context, g Git) (*batch, error) {
	cmd, err := g.command(ctx, readEnvironment(g.Env), readSettings, []string{"cat-file", "--batch"})
	if err != nil {
		return nil, err
	}
	b := &batch{ctx: ctx, cmd: cmd, errs: &capped{max: 8 << 10}}
	cmd.Stderr = b.errs
	if b.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.out = bufio.NewReaderSize(out, 64<<10)
	if err := cmd.Start(); err != nil {
		return nil, explain(ctx, "cat-file", err, "")
	}
	return b, nil
}

// stop ends the process. It only reads, so there is nothing to wait for.
func (b *batch) stop() error {
	b.in.Close()
	killGroup(b.cmd.Process)
	return b.cmd.Wait()
}

// failed ends a process that stopped answering, and says why it did.
func (b *batch) failed(err error) error {
	b.in.Close()
	if err != io.EOF {
		killGroup(b.cmd.Process)
	}
	if wait := b.cmd.Wait(); wait != nil {
		err = wait
	}
	return explain(b.ctx, "cat-file", err, b.errs.b.String())
}

// receive reads the answer to r. intact is false when the object's bytes
// were not read, so that the process is of no more use.
func (b *batch) receive(r *request) (intact bool, err error) {
	line, err := b.out.ReadSlice('\n')
	if err != nil {
		return false, err
	}
	fields := strings.Fields(strings.TrimPrefix(string(line), r.name+" "))
	r.done = true
	if len(fields) == 1 && (fields[0] == "missing" || fields[0] == "ambiguous") {
		r.missing = true
		return true, nil
	}
	fields = strings.Fields(string(line))
	if len(fields) != 3 || !IsHash(fields[0]) {
		return false, fmt.Errorf("an answer that git cat-file does not give: %.80q", line)
	}
	r.hash, r.found = fields[0], fields[1]
	if r.size, err = strconv.ParseInt(fields[2], 10, 64); err != nil || r.size < 0 {
		return false, fmt.Errorf("a size that git cat-file does not give: %.80q", line)
	}
	if !r.acceptable() {
		return false, nil
	}
	r.data = make([]byte, r.size)
	if _, err := io.ReadFull(b.out, r.data); err != nil {
		return false, err
	}
	_, err = b.out.Discard(1) // the line end after every object
	return err == nil, err
}

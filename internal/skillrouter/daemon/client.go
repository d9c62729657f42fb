package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// dialTimeout is how long a daemon may take to be there. One that runs accepts
// at once, and where none runs that is told at once: it is for a machine so
// busy that neither gets its turn.
const dialTimeout = time.Second

// Ask sends one request to the daemon of a directory. An answer that is not
// OK is an error.
func Ask(ctx context.Context, dir string, r Request) (Response, error) {
	c, secret, err := dial(dir, dialTimeout)
	if err != nil {
		return Response{}, err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if d, ok := ctx.Deadline(); ok {
		_ = c.SetDeadline(d)
	}
	r.Secret = secret
	data, err := json.Marshal(r)
	if err != nil {
		return Response{}, err
	}
	if len(data) >= maxRequest {
		return Response{}, errors.New("the request is too large")
	}
	if _, err := c.Write(append(data, '\n')); err != nil {
		return Response{}, err
	}
	line, err := bufio.NewReader(io.LimitReader(c, maxResponse)).ReadBytes('\n')
	if err != nil {
		return Response{}, fmt.Errorf("the daemon did not answer: %w", err)
	}
	var answer Response
	if err := json.Unmarshal(line, &answer); err != nil {
		return Response{}, fmt.Errorf("the daemon's answer cannot be read: %w", err)
	}
	if !answer.OK {
		return answer, errors.New(answer.Error)
	}
	return answer, nil
}

// Build stands for the running program: its file's size and time.
func Build() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	st, err := os.Stat(exe)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x-%x", st.Size(), st.ModTime().UnixNano())
}

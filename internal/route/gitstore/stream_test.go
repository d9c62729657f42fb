package gitstore

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

func TestStream(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	git := Git{Dir: dir, Env: w.Env}
	blob := w.Blob(dir, []byte(strings.Repeat("x", 3<<20)))
	asked := strings.Repeat(blob+"\n", 10) // more than Output would hold

	var n int64
	all := func(in *bufio.Reader) (err error) { n, err = io.Copy(io.Discard, in); return err }
	if err := git.Stream(t.Context(), strings.NewReader(asked), all, "cat-file", "--batch", "--buffer"); err != nil || n < 30<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if err := git.Stream(t.Context(), strings.NewReader(asked), func(*bufio.Reader) error { return nil }, "cat-file", "--batch"); err != nil {
		t.Errorf("output that is not read: %v", err)
	}
	stop := errors.New("stop")
	if err := git.Stream(t.Context(), strings.NewReader(asked), func(*bufio.Reader) error { return stop }, "cat-file", "--batch"); err != stop {
		t.Errorf("the reader's error: %v", err)
	}
	early := func(*bufio.Reader) error { return io.ErrUnexpectedEOF }
	if err := git.Stream(t.Context(), nil, early, "ls-tree", "nowhere"); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("git's reason beats an early end: %v", err)
	}
	if err := git.Stream(t.Context(), nil, early, "version"); err != io.ErrUnexpectedEOF {
		t.Errorf("an early end that git does not explain: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := git.Stream(ctx, nil, all, "version"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := (Git{Dir: w.Home + "/gone", Env: w.Env}).Stream(t.Context(), nil, all, "version"); err != ErrNoDirectory {
		t.Errorf("no directory: %v", err)
	}
}

package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// An Error is a download that did not succeed, and what could help.
type Error struct {
	Text, Next string
	Err        error
}

func (e *Error) Error() string { return e.Text }

// Hint is the next step.
func (e *Error) Hint() string { return e.Next }

func (e *Error) Unwrap() error { return e.Err }

// A Fetcher downloads models.
type Fetcher struct {
	Client   *http.Client
	Endpoint string                               // of the hub, without a slash at its end
	Tries    int                                  // of each file, where the connection breaks
	Pause    time.Duration                        // before the second try; twice as long before each further one
	Step     func(name string, done, total int64) // of bytes of the whole model; may be nil
}

// Client is an HTTP client that uses the proxies that the environment names:
// HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
func Client(getenv func(string) string) *http.Client {
	either := func(name string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return getenv(strings.ToLower(name))
	}
	proxy := (&httpproxy.Config{HTTPProxy: either("HTTP_PROXY"), HTTPSProxy: either("HTTPS_PROXY"), NoProxy: either("NO_PROXY")}).ProxyFunc()
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 func(r *http.Request) (*url.URL, error) { return proxy(r.URL) },
			TLSHandshakeTimeout:   15 * time.Second,
			ResponseHeaderTimeout: 30 * time.Second,
			DisableCompression:    true, // a range is one of the file's own bytes
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > 5 {
				return errors.New("more than 5 redirects")
			}
			if via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
				return errors.New("the hub redirects from https to " + r.URL.Scheme)
			}
			return nil
		},
	}
}

// Model downloads the files of m into dir, which it makes. Files that are there
// already are kept; a part of one from an earlier run is continued.
func (f *Fetcher) Model(ctx context.Context, m Model, dir string) error {
	before := int64(0)
	for _, file := range m.Files {
		to := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		step := func(done int64) {
			if f.Step != nil {
				f.Step(file.Name, before+done, m.Size())
			}
		}
		from := fmt.Sprintf("%s/%s/resolve/%s/%s", strings.TrimSuffix(f.Endpoint, "/"), m.Repository, m.Revision, file.Name)
		if err := f.file(ctx, from, to, file, step); err != nil {
			return err
		}
		before += file.Size
		step(0)
	}
	return nil
}

// file gets one file, in as many tries as it may take.
func (f *Fetcher) file(ctx context.Context, from, to string, want File, step func(int64)) error {
	if sum, n, err := hash(to); err == nil && n == want.Size && sum == want.SHA256 {
		return nil
	}
	part := to + ".part"
	pause := f.Pause
	for try := 1; ; try++ {
		err := f.get(ctx, from, part, want, step)
		if err == nil {
			break
		}
		final := &Error{}
		if errors.As(err, &final) || ctx.Err() != nil || try >= f.Tries {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if final.Text != "" {
				return final
			}
			return &Error{fmt.Sprintf("%s could not be got in %d tries: %v", want.Name, try, err),
				"run the command again: it goes on where it stopped; HTTPS_PROXY names a proxy", err}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		pause *= 2
	}
	sum, n, err := hash(part)
	if err != nil {
		return err
	}
	if n != want.Size || sum != want.SHA256 {
		_ = os.Remove(part)
		return &Error{fmt.Sprintf("%s is not the file that is pinned: its SHA-256 is %s, not %s", want.Name, sum, want.SHA256),
			"something between here and the hub changes files; nothing was installed", nil}
	}
	return os.Rename(part, to)
}

// get asks for what the part lacks, and appends it. An [Error] is final.
func (f *Fetcher) get(ctx context.Context, from, part string, want File, step func(int64)) error {
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	have, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if have > want.Size {
		have = 0
	}
	if have == want.Size {
		return nil
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return &Error{fmt.Sprintf("%q is no address: %v", from, err), "name the hub with https:// before it", err}
	}
	if have > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	answer, err := f.Client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusOK:
		have = 0
	case answer.StatusCode == http.StatusPartialContent && have > 0 && strings.HasPrefix(answer.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)):
	case answer.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return errors.Join(out.Truncate(0), errors.New("the hub cannot go on where the last try stopped"))
	case answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("the hub answers %s", answer.Status)
	default:
		return &Error{fmt.Sprintf("the hub answers %s for %s", answer.Status, want.Name), "look at the address: " + from, nil}
	}
	if err := out.Truncate(have); err != nil {
		return err
	}
	if _, err := out.Seek(have, io.SeekStart); err != nil {
		return err
	}
	// One byte more than there is to come: a longer file is the wrong one.
	n, err := io.Copy(out, &counter{io.LimitReader(answer.Body, want.Size-have+1), have, step})
	if err == nil && have+n < want.Size {
		err = fmt.Errorf("%w after %d of %d bytes", io.ErrUnexpectedEOF, have+n, want.Size)
	}
	return errors.Join(err, out.Close())
}

// A counter tells how many bytes have come.
type counter struct {
	r    io.Reader
	done int64
	step func(int64)
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.done += int64(n)
	c.step(c.done)
	return n, err
}

func hash(path string) (sum string, n int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	n, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), n, err
}

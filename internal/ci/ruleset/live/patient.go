package live

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Clock is the time, and how to let it pass.
type Clock struct {
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

func (c Clock) orReal() Clock {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = func(ctx context.Context, d time.Duration) error {
			t := time.NewTimer(d)
			defer t.Stop()
			select {
			case <-t.C:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return c
}

// tries is how often a request is sent in all: after limits, and when it is a
// read after failures of the service or the connection.
const tries = 4

const (
	backoff       = time.Second      // after the first failure; doubles
	limitBackoff  = time.Minute      // after a limit that does not say how long; doubles
	afterTheReset = time.Second      // clocks differ
	patience      = 70 * time.Minute // a limit ends within the hour
)

// patient is a transport that waits where the service asks for it. When one
// request is told to wait, all of them do: to go on asking is what services
// ban a client for. It stands below the client library, which would refuse
// requests by itself instead.
type patient struct {
	below http.RoundTripper
	clock Clock

	mu    sync.Mutex
	until time.Time // nothing is sent before
}

func (p *patient) RoundTrip(r *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		if err := p.wait(r.Context()); err != nil {
			return nil, err
		}
		again, err := rewound(r, try)
		if err != nil {
			return nil, err
		}
		resp, err := p.below.RoundTrip(again)
		pause := backoff << (try - 1)
		switch {
		case err != nil:
			if r.Method != http.MethodGet || try == tries || r.Context().Err() != nil {
				return nil, err // a write may have arrived
			}
		case limited(resp):
			pause = p.limit(resp, try)
			drop(resp)
			if try == tries || pause > patience || !inTime(r.Context(), p.clock.Now().Add(pause)) {
				return nil, &limitError{pause}
			}
			p.hold(pause)
			continue
		case resp.StatusCode >= 500 && r.Method == http.MethodGet && try < tries:
			drop(resp)
		default:
			p.exhausted(resp)
			return forgetful(resp), nil
		}
		if err := p.clock.Sleep(r.Context(), pause); err != nil {
			return nil, err
		}
	}
}

// A limitError is a limit that was not waited for to its end.
type limitError struct{ pause time.Duration }

func (e *limitError) Error() string {
	return fmt.Sprintf("the service's rate limit is reached; it asks to wait %s", e.pause.Round(time.Second))
}

// rewound is the request as it may be sent once more.
func rewound(r *http.Request, try int) (*http.Request, error) {
	if try == 1 || r.GetBody == nil {
		return r, nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body = body
	return r, nil
}

// wait lets the time pass until requests may be sent.
func (p *patient) wait(ctx context.Context) error {
	for {
		p.mu.Lock()
		pause := p.until.Sub(p.clock.Now())
		p.mu.Unlock()
		if pause <= 0 {
			return ctx.Err()
		}
		if err := p.clock.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// hold stops all requests for a while.
func (p *patient) hold(pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := p.clock.Now().Add(pause); until.After(p.until) {
		p.until = until
	}
}

// exhausted holds all requests when an answer says that it was the last one
// before the limit.
func (p *patient) exhausted(resp *http.Response) {
	if resp.Header.Get("X-RateLimit-Remaining") == "0" {
		if reset, ok := p.reset(resp); ok && reset <= patience {
			p.hold(reset)
		}
	}
}

// limited reports an answer that asks to come back later.
func limited(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		return resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0" || saysSecondary(resp)
	}
	return false
}

// saysSecondary reads the body for the words of a limit that no header names,
// and leaves the body to be read again.
func saysSecondary(resp *http.Response) bool {
	const enough = 64 << 10
	data, _ := io.ReadAll(io.LimitReader(resp.Body, enough))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(strings.NewReader(string(data)), resp.Body), resp.Body}
	text := strings.ToLower(string(data))
	return strings.Contains(text, "secondary rate limit") || strings.Contains(text, "abuse detection") || strings.Contains(text, "secondary-rate-limits")
}

// limit is how long a limited answer asks to wait.
func (p *patient) limit(resp *http.Response, try int) time.Duration {
	if after := resp.Header.Get("Retry-After"); after != "" {
		if seconds, err := strconv.Atoi(after); err == nil && seconds >= 0 {
			return time.Duration(min(seconds, 1<<20)) * time.Second
		}
		if at, err := http.ParseTime(after); err == nil {
			return max(0, at.Sub(p.clock.Now()))
		}
	}
	if resp.Header.Get("X-RateLimit-Remaining") == "0" {
		if reset, ok := p.reset(resp); ok {
			return reset
		}
	}
	return limitBackoff << (try - 1)
}

// reset is how long it takes until the limit is counted anew.
func (p *patient) reset(resp *http.Response) (time.Duration, bool) {
	at, err := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil || at <= 0 || at > 1<<40 {
		return 0, false
	}
	return max(0, time.Unix(at, 0).Sub(p.clock.Now())) + afterTheReset, true
}

// inTime reports whether a context lasts until then.
func inTime(ctx context.Context, then time.Time) bool {
	deadline, ok := ctx.Deadline()
	return !ok || deadline.After(then)
}

// forgetful takes from an answer what would have the client library refuse
// the next request by itself; waiting is done here.
func forgetful(resp *http.Response) *http.Response {
	resp.Header.Del("X-RateLimit-Remaining")
	resp.Header.Del("X-RateLimit-Reset")
	return resp
}

// drop ends an answer that nobody reads, so that its connection serves again.
func drop(resp *http.Response) {
	const enough = 64 << 10
	_, _ = io.CopyN(io.Discard, resp.Body, enough)
	_ = resp.Body.Close()
}

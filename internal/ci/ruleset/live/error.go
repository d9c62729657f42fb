package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

var errNoHistory = errors.New("it has no history")

// An Error is a request that did not do what it should.
type Error struct {
	Method, Path string
	Status       int    // of the answer; 0 when there was none
	Text         string // what happened, and what it means
	Next         string // what to do; may be ""
	Body         string // the answer as it came, on one line; "" when it says nothing
	Accepted     string // the rights that the service would have taken
	Unsure       bool   // a write that may have happened all the same
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s /%s: %s", e.Method, e.Path, e.Text)
	if e.Accepted != "" {
		text += "; the service asks for " + e.Accepted
	}
	if e.Body != "" {
		text += "; it says: " + e.Body
	}
	return text
}

// Hint is the next step.
func (e *Error) Hint() string { return e.Next }

// Refused reports a write that the service did not want.
func (e *Error) Refused() bool {
	return e.Method != http.MethodGet && e.Status >= 300 && e.Status < 500 && !e.Unsure
}

const maxShown = 2000 // bytes of an answer

// failed says what a failed request means.
func (c *Client) failed(ctx context.Context, method, path string, sent []byte, resp *github.Response, err error) error {
	e := &Error{Method: method, Path: path}
	if limit := (*limitError)(nil); errors.As(err, &limit) {
		e.Status, e.Text = http.StatusTooManyRequests, limit.Error()
		e.Next = "wait, or give more time with --timeout; fewer repositories at once need fewer requests"
		return e
	}
	if resp == nil || resp.Response == nil || resp.StatusCode < 300 {
		e.Text = "no answer: " + plaintext.Line(c.hide(err.Error()), maxShown)
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			e.Text = "no answer in time"
			e.Next = "give more time with --timeout"
		case ctx.Err() != nil:
			e.Text = "interrupted"
		}
		e.Unsure = method != http.MethodGet
		return e
	}
	e.Status = resp.StatusCode
	raw := body(resp.Response)
	e.Body = plaintext.Line(c.hide(strings.TrimSpace(raw)), maxShown)
	if resp.StatusCode == http.StatusForbidden || resp.StatusCode == http.StatusNotFound {
		e.Accepted = plaintext.Line(resp.Header.Get("X-Accepted-GitHub-Permissions"), maxShown)
	}
	e.Unsure = method != http.MethodGet && resp.StatusCode >= 500
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		c.moved(ctx, e, resp.Header.Get("Location"))
	default:
		e.Text, e.Next = explain(e, strings.Join(messages(raw), "\n"), sent)
	}
	return e
}

// moved says what a repository that answers with a redirect is called now.
func (c *Client) moved(ctx context.Context, e *Error, location string) {
	e.Text = "the repository is elsewhere now"
	e.Next = "give its new name; nothing is sent along a redirect"
	rest, ok := strings.CutPrefix(location, c.github.BaseURL.String()+"repositories/")
	id, _, _ := strings.Cut(rest, "/")
	if !ok || !isID(id) {
		return
	}
	if v, err := c.object(ctx, http.MethodGet, "repositories/"+id, nil); err == nil {
		if t, err := ruleset.ParseRepository(v.Member("full_name").Text()); err == nil {
			e.Text = "the repository is called " + t.String() + " now"
		}
	}
}

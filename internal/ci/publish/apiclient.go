package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// An apiClient sends requests to a REST and GraphQL API with one token. It
// follows no redirect: the token belongs to one host, and a write that turns
// into a read is no answer.
type apiClient struct {
	base    string // of the REST API, with a slash at its end
	graphql string
	token   Token
	http    *http.Client
	now     func() time.Time
}

func newAPIClient(base string, token Token) apiClient {
	base = strings.TrimRight(base, "/") + "/"
	c := apiClient{base: base, graphql: base + "graphql", token: token, now: time.Now}
	if host, ok := strings.CutSuffix(base, "/v3/"); ok { // of an enterprise server
		c.graphql = host + "/graphql"
	}
	c.http = &http.Client{
		Transport:     http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// A payload is a body that can be read again, and how long it is.
type payload struct {
	open func() io.Reader
	size int64
}

// asJSON is a value as a payload.
func asJSON(v any) payload {
	data, err := json.Marshal(v)
	if err != nil { // only types of our own, which always can be
		panic(err)
	}
	return payload{open: func() io.Reader { return bytes.NewReader(data) }, size: int64(len(data))}
}

// An apiAnswer is what the API said, whatever it was.
type apiAnswer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends one request and reads the whole answer. An error is one of the
// network, or the context's own.
func (c apiClient) ask(ctx context.Context, method, url string, body *payload) (apiAnswer, error) {
	var reader io.Reader
	if body != nil {
		reader = body.open()
	}
	r, err := http.NewRequestWithContext(ctx, method, url, reader)
	if err != nil {
		return apiAnswer{}, err
	}
	if body != nil {
		r.ContentLength = body.size
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(body.open()), nil }
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "application/vnd.github+json")
	r.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	r.Header.Set("User-Agent", "marola-routing")
	if c.token.secret != "" {
		r.Header.Set("Authorization", "Bearer "+c.token.secret)
	}
	res, err := c.http.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return apiAnswer{}, ctx.Err()
		}
		return apiAnswer{}, &Transient{Err: fmt.Errorf("the API was not reached: %s", c.clean(innermost(err)))}
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case ctx.Err() != nil:
		return apiAnswer{}, ctx.Err()
	case err != nil:
		return apiAnswer{}, &Transient{Err: fmt.Errorf("the API's answer broke off: %s", c.clean(innermost(err)))}
	case len(data) > maxAnswer:
		return apiAnswer{}, &Refused{Reason: "the API's answer is longer than any that is read", Next: "look whether --api-url is right"}
	}
	return apiAnswer{res.StatusCode, res.Header, data}, nil
}

// call asks the REST API and reads a JSON answer into v, unless v is nil.
// what is said of a failure, as in "could not be listed".
func (c apiClient) call(ctx context.Context, what, method, path string, body *payload, v any) error {
	a, err := c.ask(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	if a.status < 200 || a.status > 299 {
		return c.failure(what, a)
	}
	if v == nil {
		return nil
	}
	if err := json.Unmarshal(a.body, v); err != nil {
		return &Transient{Err: fmt.Errorf("the remote %s: what the API answered is no JSON of the kind that was asked for", what)}
	}
	return nil
}

func (c apiClient) clean(text string) string {
	return strings.Join(serverLines(text, c.token), "; ")
}

// innermost is the cause of an error, which names no URL.
func innermost(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

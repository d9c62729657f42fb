// Package live reads and writes the rulesets that a service has.
//
// Rulesets travel as they are: the client library carries requests, and never
// decodes a ruleset, for its types drop what they do not know. Everything that
// a request may meet on its way (a limit, a lost connection, a repository
// that has moved, a right that is missing) ends in an [Error] that says what
// happened and what to do.
package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
)

// DefaultAPI is the address of github.com's API.
const DefaultAPI = "https://api.github.com"

// A Client talks to one service. It is safe for concurrent use.
type Client struct {
	github *github.Client
	hide   func(string) string // takes secrets out of a text
}

// Options are how a client is made.
type Options struct {
	API       string            // base address; "" is [DefaultAPI]
	Token     string            // "" asks as nobody
	Transport http.RoundTripper // nil is the standard library's; it may add other credentials
	Clock     Clock             // the zero Clock is the real one
	Version   string            // of this program, for the service's log
}

// New returns a client.
func New(o Options) (*Client, error) {
	base, err := url.Parse(o.API)
	if o.API == "" {
		base, err = url.Parse(DefaultAPI)
	}
	if err != nil || base.Scheme != "https" && !loopback(base) || base.Host == "" || base.User != nil || base.RawQuery != "" {
		return nil, fmt.Errorf("the address of the API must be https://HOST[/PATH], without a password")
	}
	base.Path = strings.TrimSuffix(base.Path, "/") + "/"
	below := o.Transport
	if below == nil {
		below = connections
	}
	if o.Token != "" {
		below = bearer{o.Token, base.Host, below}
	}
	c := github.NewClient(&http.Client{
		Transport: &patient{below: below, clock: o.Clock.orReal()},
		// A redirect of a write would become a read, and one of a read would
		// hide that the repository is called otherwise now.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	c.BaseURL = base
	c.UserAgent = "ruleset-sync/" + o.Version
	hide := func(text string) string { return text }
	if o.Token != "" {
		hide = strings.NewReplacer(o.Token, "***").Replace
	}
	return &Client{github: c, hide: hide}, nil
}

// connections keeps as many open as requests are made at a time; the usual
// two would be made anew all the time.
var connections = func() http.RoundTripper {
	const most = 32
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxIdleConnsPerHost = most
	return t
}()

// loopback reports an address of this machine, which may do without TLS.
func loopback(u *url.URL) bool {
	return u.Scheme == "http" && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1")
}

// A bearer adds a token to what goes to one host.
type bearer struct {
	token, host string
	below       http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == b.host {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.below.RoundTrip(r)
}

// An answer is what a service said.
type answer struct {
	body     []byte
	nextPage int
	header   http.Header
}

// do sends one request. body is nil, or what is sent as it is.
func (c *Client) do(ctx context.Context, method, path string, query url.Values, body []byte) (answer, error) {
	address := path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var sent any
	if body != nil {
		sent = json.RawMessage(body)
	}
	req, err := c.github.NewRequest(method, address, sent)
	if err != nil {
		return answer{}, err
	}
	resp, err := c.github.BareDo(ctx, req)
	if resp != nil && resp.Body != nil {
		defer resp.Body.Close()
	}
	if err != nil {
		return answer{}, c.failed(ctx, method, path, body, resp, err)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, ruleset.MaxSize+1))
	if err != nil {
		return answer{}, c.failed(ctx, method, path, body, nil, err)
	}
	if len(data) > ruleset.MaxSize {
		return answer{}, &Error{Method: method, Path: path, Status: resp.StatusCode, Text: "the answer is larger than 4 MiB"}
	}
	return answer{data, resp.NextPage, resp.Header}, nil
}

// object asks for one object.
func (c *Client) object(ctx context.Context, method, path string, body []byte) (ruleset.Value, error) {
	a, err := c.do(ctx, method, path, nil, body)
	if err != nil {
		return ruleset.Value{}, err
	}
	v, err := ruleset.ParseObject(a.body)
	if err != nil {
		return v, unreadable(method, path, err)
	}
	return v, nil
}

func unreadable(method, path string, err error) error {
	return &Error{Method: method, Path: path, Text: "the answer cannot be read: " + err.Error(), Next: "is this the address of the API? A page for browsers, or a proxy's, is no answer of it"}
}

// perPage is the most that the service gives at once.
const perPage = 100

// maxPages bounds a list: no list of ours has more.
const maxPages = 200

// pages asks for a list, page by page. The list is the answer itself, or its
// member of that name.
func (c *Client) pages(ctx context.Context, path string, query url.Values, member string) ([]ruleset.Value, error) {
	var items []ruleset.Value
	query.Set("per_page", strconv.Itoa(perPage))
	for page := 1; page != 0; {
		if page > maxPages {
			return nil, &Error{Method: http.MethodGet, Path: path, Text: fmt.Sprintf("the list has more than %d pages", maxPages)}
		}
		if page > 1 {
			query.Set("page", strconv.Itoa(page))
		}
		a, err := c.do(ctx, http.MethodGet, path, query, nil)
		if err != nil {
			return nil, err
		}
		v, err := ruleset.Parse(a.body)
		if err == nil && member != "" {
			v = v.Member(member)
		}
		if err == nil && v.Kind() != ruleset.Array {
			err = errors.New("it is no list")
		}
		if err != nil {
			return nil, unreadable(http.MethodGet, path, err)
		}
		items = append(items, v.Items()...)
		if a.nextPage != 0 && a.nextPage <= page {
			return nil, &Error{Method: http.MethodGet, Path: path, Text: "the list does not end"}
		}
		page = a.nextPage
	}
	return items, nil
}

// Package server answers requests. It keeps them in order.
package server

import (
	"context"
	"fmt"
	. "math"
	str "strings"

	"example.com/app/store"
)

// Limits of a request.
const (
	// MaxBody is the largest body, in bytes (e.g. of an upload). More is refused.
	MaxBody = 1 << 20
	minBody = 1 // trailing remark
)

var (
	// ErrClosed says that the server is closed.
	ErrClosed     = fmt.Errorf("closed")
	fallback      = &Server{}
	apiKey        = "c2VjcmV0LXRva2VuLTEyMzQ1Njc4OTBhYmNkZWY"
	handler, last func(Request) error
)

// Kind is how a request arrives.
type Kind int

const (
	Plain Kind = iota
	Secure
)

type (
	// Alias stands for another package's type.
	Alias = store.Item
	// Handler is a function.
	Handler func(context.Context, Request) (Reply, error)
)

// A Request asks for something.
type Request struct {
	Body   []byte `json:"body"` // what was sent
	header map[string]Header
	Nested struct {
		Deep Kind
	}
}

type Header struct{ Name, Value string }

// Server serves. A second sentence.
type Server struct {
	*store.Store
	Base[Request]
	fmt.Stringer
	client *Client
	queue  []Request
}

// Runner runs.
type Runner interface {
	store.Closer
	// Run starts. It blocks.
	Run(ctx context.Context, r Request) error
}

type Number interface{ ~int | ~float64 | Kind }

// Client talks to a server.
type Client struct{ name string }

// Send sends it.
func (c *Client) Send(r Request) Reply { return Reply{} }

type Reply struct{}

func (Reply) Ok() bool { return true }

// Base is generic.
type Base[T any] struct{ items []T }

// Add adds an item.
func (b *Base[T]) Add(item T) { b.items = append(b.items, item) }

// New makes a Server.
func New(name string, opts ...Option) (*Server, error) {
	s := &Server{client: &Client{name: name}}
	for _, o := range opts {
		o.apply(s)
	}
	return s, nil
}

// Serve answers one request.
func (s *Server) Serve(
	ctx context.Context,
	r Request,
) error {
	reply := s.client.Send(r)
	if !reply.Ok() {
		return ErrClosed
	}
	for _, q := range s.queue {
		q.Check(len(q.Body))
	}
	other, err := New("x")
	other.Serve(ctx, r)
	remote := store.Open(str.ToUpper("a"), MaxBody)
	remote.Close()
	local := func(k Kind) { fallback.Serve(ctx, r) }
	local(Plain)
	switch v := any(s).(type) {
	case *Client:
		v.Send(r)
	}
	var runner Runner = s
	runner.Run(ctx, r)
	h := map[string]Header{"a": {Name: "n"}}
	_ = h["a"].Name
	Map[int, Header](nil, wrap)
	return Sqrt2 > 1 && err == nil
}

func (r Request) Check(n int) {}

type Option interface{ apply(*Server) }

// Map maps.
func Map[K comparable, V any](m map[K]V, f func(V) V) {}

func wrap(h Header) Header { return h }

var _ Runner = (*Server)(nil)

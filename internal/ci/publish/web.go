package publish

import (
	"context"
	"io"
	"net/http"

	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
)

// maxAnswer is the longest HTTP answer that is read, in bytes.
const maxAnswer = 96 << 20

// webDialer speaks git's smart HTTP protocol. It reads no git configuration,
// so a header that a checkout action left in one cannot join ours.
type webDialer struct {
	address Address
	client  transport.Transport
	auth    transport.AuthMethod // nil without a token
}

func newWebDialer(a Address, token Token) webDialer {
	plain := http.DefaultTransport.(*http.Transport).Clone()
	d := webDialer{address: a, client: githttp.NewClient(&http.Client{Transport: bounded{plain}})}
	if token.secret != "" {
		d.auth = &githttp.BasicAuth{Username: tokenUser, Password: token.secret}
	}
	return d
}

// A session changes its endpoint when it is redirected, so each one gets its
// own. go-git keeps the token from a host that it was not given for.

func (d webDialer) upload(context.Context) (transport.UploadPackSession, error) {
	return d.client.NewUploadPackSession(d.address.endpoint(), d.auth)
}

func (d webDialer) receive(context.Context) (transport.ReceivePackSession, error) {
	return d.client.NewReceivePackSession(d.address.endpoint(), d.auth)
}

// bounded ends an answer that is longer than any that is expected.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxAnswer), res.Body}
	}
	return res, err
}

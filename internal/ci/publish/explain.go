package publish

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
	"golang.org/x/crypto/ssh/knownhosts"
)

// explain turns an error of a session into one of ours. what is said of the
// remote, as in "could not be listed"; lines are the server's own.
func (g *GitRemote) explain(what string, err error, lines ...string) error {
	var local *localError
	var connect *sshError
	var key *knownhosts.KeyError
	err = unwrapGoGit(err)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &local):
		return &Refused{Reason: fmt.Sprintf("it %s: %s", what, g.clean(local.text)), Next: local.next}
	case errors.As(err, &connect):
		return &Refused{Reason: fmt.Sprintf("it %s: %s", what, connect.text), Next: connect.next}
	case errors.As(err, &key):
		return g.hostKey(key)
	case errors.Is(err, transport.ErrAuthenticationRequired):
		return g.refusedStatus(what, http.StatusUnauthorized, err.Error())
	case errors.Is(err, transport.ErrAuthorizationFailed):
		return g.refusedStatus(what, http.StatusForbidden, err.Error())
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return g.refusedStatus(what, http.StatusNotFound, err.Error())
	}
	if web := (*githttp.Err)(nil); errors.As(err, &web) {
		return g.webError(what, web)
	}
	text := err.Error()
	if strings.Contains(text, "unable to authenticate") {
		return &Refused{Reason: fmt.Sprintf("it %s: no key of the ssh agent is accepted (%s)", what, g.clean(text)), Next: "add the key that may write there: ssh-add KEYFILE; ssh-add -l lists those that the agent has"}
	}
	if strings.HasPrefix(text, "http redirect:") || strings.Contains(text, ": http redirect:") {
		return &Refused{Reason: fmt.Sprintf("it %s: %s", what, g.clean(text)), Next: "give the address that it redirects to, if you trust it"}
	}
	if len(lines) > 0 {
		text += ": " + strings.Join(lines, "; ")
	}
	return &Transient{Err: fmt.Errorf("the remote %s: %s", what, g.clean(text))}
}

func (g *GitRemote) clean(text string) string {
	return strings.Join(serverLines(text, g.token), "; ")
}

// unwrapGoGit looks into the wrappers of go-git that hide their cause.
func unwrapGoGit(err error) error {
	for {
		unexpected := (*plumbing.UnexpectedError)(nil)
		permanent := (*plumbing.PermanentError)(nil)
		switch {
		case errors.As(err, &unexpected):
			err = unexpected.Err
		case errors.As(err, &permanent):
			err = permanent.Err
		default:
			return err
		}
	}
}

// webError judges an HTTP status: the server's no is final, its trouble and
// its "too many" are worth another try.
func (g *GitRemote) webError(what string, e *githttp.Err) error {
	code := e.StatusCode()
	switch {
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		text := fmt.Sprintf("the remote %s: HTTP %d %s", what, code, http.StatusText(code))
		if lines := bodyLines(e.Reason, g.token); len(lines) > 0 {
			text += " (" + strings.Join(lines, "; ") + ")"
		}
		return &Transient{Err: errors.New(text), After: retryAfter(e.Response.Header.Get("Retry-After"), time.Now())}
	}
	return g.refusedStatus(what, code, e.Reason)
}

func (g *GitRemote) refusedStatus(what string, code int, body string) error {
	r := &Refused{Reason: what + g.status(code), Next: "the remote's administrator can tell why"}
	r.Reason = "it " + r.Reason
	for _, known := range []error{transport.ErrAuthenticationRequired, transport.ErrAuthorizationFailed, transport.ErrRepositoryNotFound} {
		body = strings.TrimPrefix(strings.TrimPrefix(body, known.Error()), ": ")
	}
	r.Server = bodyLines(body, g.token)
	switch code {
	case http.StatusUnauthorized:
		r.Next = "the token is wrong, expired or revoked; make a new one"
		if g.token.secret == "" {
			r.Next = "give a token that may write there: --token-env NAME"
		}
	case http.StatusForbidden:
		r.Next = "the token needs the right to write contents of this very repository; an archived repository and one behind single sign-on refuse it too"
	case http.StatusNotFound:
		r.Next = "look at the address; a private repository is hidden from a token that may not read it"
	case http.StatusRequestEntityTooLarge:
		r.Next = "the bundle is larger than the server or a proxy before it takes; leave out large generated files when building, or raise its limit"
	}
	return r
}

func (g *GitRemote) status(code int) string {
	if strings.HasPrefix(g.address.Scheme, "http") {
		return fmt.Sprintf(": HTTP %d %s", code, http.StatusText(code))
	}
	if code == http.StatusNotFound {
		return ": there is no such repository, or it is hidden from you"
	}
	return ": " + strings.ToLower(http.StatusText(code))
}

// retryAfter reads a server's wish to wait, as seconds or as a date.
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 && seconds < 1e6 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

func (g *GitRemote) hostKey(e *knownhosts.KeyError) error {
	host := g.address.Host
	if g.address.Port != 0 {
		host = net.JoinHostPort(host, strconv.Itoa(g.address.Port))
	}
	if len(e.Want) == 0 {
		return &Refused{Reason: fmt.Sprintf("the ssh host %s is not in known_hosts, so it cannot be told from another", host),
			Next: "add its key: ssh-keyscan " + g.address.Host + " >> ~/.ssh/known_hosts, and compare it with what the host publishes"}
	}
	return &Refused{Reason: fmt.Sprintf("the ssh host %s shows another key than known_hosts holds: it may be an impostor", host),
		Next: "find out whether the host changed its key before you touch known_hosts"}
}

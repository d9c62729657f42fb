package ghapp

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
)

// An App is one that a repository may have installed.
type App struct {
	ID  int64
	Key *rsa.PrivateKey
	API string            // base of the REST API, "" for github.com's
	Via http.RoundTripper // nil: the usual one
	Now func() time.Time  // nil: the machine's clock

	wait func(time.Duration) // nil: it waits
}

// An Identity is what a token acts as, and where.
type Identity struct {
	Token   string // secret
	Expires time.Time
	Name    string // of the bot: slug[bot]
	Email   string // its noreply address
}

// An Error is a token that was not given: what was asked, what the service
// said, what to do.
type Error struct {
	text string
	next string
	Busy bool // the service may answer later
}

func (e *Error) Error() string { return e.text }

// Hint is the next step.
func (e *Error) Hint() string { return e.next }

// APIOf is the base of the REST API for a server that repositories are on.
func APIOf(server string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(server))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return "", &Error{text: "the address of the service is no https URL", next: "write it as https://github.example.org"}
	}
	path := strings.TrimRight(u.Path, "/")
	switch {
	case strings.EqualFold(u.Host, "github.com") || strings.EqualFold(u.Host, "api.github.com"):
		return "https://api.github.com/", nil
	case strings.HasSuffix(path, "/api/v3"):
		return u.Scheme + "://" + u.Host + path + "/", nil
	case strings.HasSuffix(strings.ToLower(u.Host), ".ghe.com") && !strings.HasPrefix(strings.ToLower(u.Host), "api."):
		return u.Scheme + "://api." + u.Host + "/", nil
	case strings.HasPrefix(strings.ToLower(u.Host), "api."):
		return u.Scheme + "://" + u.Host + path + "/", nil
	}
	return u.Scheme + "://" + u.Host + path + "/api/v3/", nil
}

// ParseID reads an App's id, a number.
func ParseID(text string) (int64, error) {
	id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || id <= 0 {
		next := "the number stands on the App's settings page, under About"
		if strings.HasPrefix(text, "Iv") {
			next = "that is the client id; " + next
		}
		return 0, &Error{text: "the App's id is no positive number", next: next}
	}
	return id, nil
}

// client is the API as the App itself.
func (a App) client() (*github.Client, error) {
	via := a.Via
	if via == nil {
		via = http.DefaultTransport
	}
	transport := ghinstallation.NewAppsTransportFromPrivateKey(via, a.ID, a.Key)
	return a.at(&http.Client{Transport: transport})
}

func (a App) at(h *http.Client) (*github.Client, error) {
	c := github.NewClient(h)
	base := a.API
	if base == "" {
		base = "https://api.github.com/"
	}
	u, err := url.Parse(strings.TrimRight(base, "/") + "/")
	if err != nil {
		return nil, &Error{text: "the address of the API is no URL", next: "leave --api-url out for github.com"}
	}
	c.BaseURL = u
	return c, nil
}

// For takes a token that can write the contents of one repository, and
// nothing else.
func (a App) For(ctx context.Context, owner, repo string) (Identity, error) {
	write := "write"
	return a.enter(ctx, owner, repo, &github.InstallationPermissions{Contents: &write}, "")
}

// Proposing takes a token that can write the contents and the pull requests
// of one repository, and nothing else.
func (a App) Proposing(ctx context.Context, owner, repo string) (Identity, error) {
	write := "write"
	return a.enter(ctx, owner, repo, &github.InstallationPermissions{Contents: &write, PullRequests: &write},
		"give the App the permissions Contents and Pull requests: Read and write, and accept them where it is installed")
}

// Client is the API with an installation's token. A redirect is an answer: no
// token goes along with it.
func (a App) Client(id Identity) (*github.Client, error) {
	c, err := a.as(id)
	if err != nil {
		return nil, err
	}
	h := c.Client()
	h.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return a.at(h)
}

// enter takes a token for one repository. next is what to do when the App has
// not these rights, or "".
func (a App) enter(ctx context.Context, owner, repo string, rights *github.InstallationPermissions, next string) (Identity, error) {
	c, err := a.client()
	if err != nil {
		return Identity{}, err
	}
	where := owner + "/" + repo
	var app *github.App
	err = a.try(ctx, func() (response *github.Response, err error) {
		app, response, err = c.Apps.Get(ctx, "")
		return response, a.explain("the App "+strconv.FormatInt(a.ID, 10)+" is not known", response, err)
	})
	if err != nil {
		return Identity{}, err
	}
	var installation *github.Installation
	err = a.try(ctx, func() (response *github.Response, err error) {
		installation, response, err = c.Apps.FindRepositoryInstallation(ctx, owner, repo)
		return response, a.explain("the App "+app.GetSlug()+" is not installed on "+where, response, err)
	})
	if err != nil {
		return Identity{}, err
	}
	if installation.GetSuspendedBy() != nil || installation.SuspendedAt != nil {
		return Identity{}, &Error{text: "the installation of the App " + app.GetSlug() + " on " + where + " is suspended", next: "an owner can unsuspend it on the settings page of installed Apps"}
	}
	var token *github.InstallationToken
	refused := false
	err = a.try(ctx, func() (response *github.Response, err error) {
		token, response, err = c.Apps.CreateInstallationToken(ctx, installation.GetID(), &github.InstallationTokenOptions{
			Repositories: []string{repo}, Permissions: rights,
		})
		refused = response != nil && response.StatusCode == http.StatusUnprocessableEntity
		return response, a.explain("the App "+app.GetSlug()+" gets no token for "+where, response, err)
	})
	if e := (*Error)(nil); next != "" && refused && errors.As(err, &e) {
		e.next = next
	}
	if err != nil {
		return Identity{}, err
	}
	id := Identity{Token: token.GetToken(), Expires: token.GetExpiresAt().Time, Name: app.GetSlug() + "[bot]"}
	if id.Token == "" {
		return Identity{}, &Error{text: "the service gave an empty token for " + where, next: "try again; if it stays, look at the service's status"}
	}
	id.Email = a.address(ctx, id)
	return id, nil
}

// A service that is ill is asked again, at most tries times in all, after what
// it asks for, or after pause and then its double.
const (
	tries     = 3
	pause     = time.Second
	longPause = 30 * time.Second
)

// try repeats what ends in an error of the service, never a refusal. Each of
// the requests may be repeated: none changes anything but a token that ends
// by itself.
func (a App) try(ctx context.Context, f func() (*github.Response, error)) error {
	wait := a.wait
	if wait == nil {
		wait = func(d time.Duration) {
			select {
			case <-ctx.Done():
			case <-time.After(d):
			}
		}
	}
	for n := 1; ; n++ {
		response, err := f()
		var e *Error
		if !errors.As(err, &e) {
			return err
		}
		after := pause << (n - 1)
		if response != nil && response.Response != nil {
			if s, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && s >= 0 {
				after = time.Duration(s) * time.Second
			}
		}
		if !e.Busy || n == tries || after > longPause || ctx.Err() != nil {
			return err
		}
		wait(after)
	}
}

// address is the bot's noreply address, which has its user number; without
// that the service shows the commit as of a stranger, which is all that is
// lost.
func (a App) address(ctx context.Context, id Identity) string {
	plain := id.Name + "@users.noreply.github.com"
	c, err := a.as(id)
	if err != nil {
		return plain
	}
	user, _, err := c.Users.Get(ctx, id.Name)
	if err != nil || user.GetID() <= 0 {
		return plain
	}
	return fmt.Sprintf("%d+%s", user.GetID(), plain)
}

// as is the API with an installation's token.
func (a App) as(id Identity) (*github.Client, error) {
	via := a.Via
	if via == nil {
		via = http.DefaultTransport
	}
	return a.at(&http.Client{Transport: bearer{via, id.Token}})
}

type bearer struct {
	via   http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "token "+b.token)
	return b.via.RoundTrip(r)
}

// revokeTimeout is how long giving a token back may take: it expires by
// itself within an hour.
const revokeTimeout = 10 * time.Second

// Revoke gives a token back. It is tried also when ctx has ended.
func (a App) Revoke(ctx context.Context, id Identity) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), revokeTimeout)
	defer cancel()
	c, err := a.as(id)
	if err != nil {
		return err
	}
	_, err = c.Apps.RevokeInstallationToken(ctx)
	if err != nil {
		return &Error{text: "the token could not be given back; it ends by itself within an hour"}
	}
	return nil
}

// skew is how far the machine's clock may be from the service's.
const skew = 30 * time.Second

// explain says what a refusal means. The service's own words are kept, cut,
// and nothing that was sent.
func (a App) explain(what string, response *github.Response, err error) error {
	if err == nil {
		return nil
	}
	var limit *github.RateLimitError
	var abuse *github.AbuseRateLimitError
	switch {
	case errors.As(err, &limit):
		return &Error{text: what + ": the rate limit is used up until " + limit.Rate.Reset.UTC().Format(time.RFC3339), next: "run it again then", Busy: true}
	case errors.As(err, &abuse):
		return &Error{text: what + ": the service asks to go slower", next: "run it again in some minutes", Busy: true}
	case response == nil || response.Response == nil:
		return &Error{text: what + ": the service was not reached: " + cause(err), next: "look at the network, and at --api-url", Busy: true}
	}
	status := response.StatusCode
	said := ""
	if e := (*github.ErrorResponse)(nil); errors.As(err, &e) {
		said = e.Message
	}
	e := &Error{text: fmt.Sprintf("%s: the service answered %d: %s", what, status, clip(said))}
	switch {
	case status >= 500:
		e.next, e.Busy = "run it again; if it stays, look at the service's status", true
	case status == http.StatusUnauthorized:
		e.next = "the key is not one of this App's: look at the App's id, and whether the key was revoked"
		if off, ok := a.clockOff(response); ok {
			e.next = fmt.Sprintf("the clock of this machine is off by %s: set it, for the App's proof is valid for minutes only", off)
		}
	case status == http.StatusNotFound:
		e.next = "install the App on that repository (Only select repositories), and look how its name is spelled"
	case status == http.StatusForbidden:
		e.next = "look whether the installation is suspended, and at the organisation's rules for Apps"
	case status == http.StatusUnprocessableEntity:
		e.next = "give the App the permission Contents: Read and write, and accept it where it is installed"
	}
	return e
}

// clockOff tells how far the clock is from the service's Date.
func (a App) clockOff(response *github.Response) (time.Duration, bool) {
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return 0, false
	}
	now := time.Now
	if a.Now != nil {
		now = a.Now
	}
	off := now().Sub(date).Round(time.Second)
	return off, off.Abs() > skew
}

// cause is the innermost error, which names no URL.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return clip(err.Error())
		}
		err = inner
	}
}

// maxSaid bounds what is repeated of a service's words, in bytes.
const maxSaid = 300

func clip(s string) string {
	s = secret.Mask(strings.Join(strings.Fields(s), " "))
	if len(s) > maxSaid {
		s = strings.ToValidUTF8(s[:maxSaid], "") + "…"
	}
	return s
}

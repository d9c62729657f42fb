package publish

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// slowDown is how long to wait when a service says that it is asked too often
// and not for how long.
const slowDown = time.Minute

// An apiRefusal is a no of the API. status tells more than a [Refused] does:
// some of them mean that somebody was quicker.
type apiRefusal struct {
	Refused
	status int
}

// As lets the refusal pass for a plain one.
func (e *apiRefusal) As(target any) bool {
	if r, ok := target.(**Refused); ok {
		*r = &e.Refused
		return true
	}
	return false
}

// said are the lines of an error's body: its message, and the reasons in
// errors, which come as objects, as texts or as one text.
func (c apiClient) said(body []byte) []string {
	var e struct {
		Message string
		Errors  json.RawMessage
	}
	if json.Unmarshal(body, &e) != nil {
		return bodyLines(string(body), c.token)
	}
	text := e.Message
	var one string
	var many []json.RawMessage
	switch {
	case json.Unmarshal(e.Errors, &one) == nil:
		text += "\n" + one
	case json.Unmarshal(e.Errors, &many) == nil:
		for _, item := range many {
			var reason struct{ Message, Resource, Field, Code string }
			if json.Unmarshal(item, &one) == nil {
				text += "\n" + one
			} else if json.Unmarshal(item, &reason) == nil {
				text += "\n" + strings.TrimSpace(reason.Message+" "+strings.Trim(reason.Resource+"."+reason.Field+" "+reason.Code, ". "))
			}
		}
	}
	return serverLines(text, c.token)
}

// limited reports whether an answer only says that it was asked too often,
// and how long to wait then.
func (c apiClient) limited(a apiAnswer) (time.Duration, bool) {
	if a.status != http.StatusTooManyRequests && a.status != http.StatusForbidden {
		return 0, false
	}
	if after := retryAfter(a.header.Get("Retry-After"), c.now()); after > 0 {
		return after, true
	}
	if a.header.Get("X-RateLimit-Remaining") == "0" {
		if at, err := strconv.ParseInt(a.header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return max(time.Unix(at, 0).Sub(c.now()), time.Second), true
		}
	}
	if a.status == http.StatusTooManyRequests || contains(string(a.body), []string{"rate limit", "abuse detection"}) {
		return slowDown, true
	}
	return 0, false
}

// failure judges an answer that is no success.
func (c apiClient) failure(what string, a apiAnswer) error {
	lines := c.said(a.body)
	text := fmt.Sprintf("%s: HTTP %d %s", what, a.status, http.StatusText(a.status))
	transient := func(after time.Duration) error {
		all := "the remote " + text
		if len(lines) > 0 {
			all += " (" + strings.Join(lines, "; ") + ")"
		}
		return &Transient{Err: fmt.Errorf("%s", all), After: after}
	}
	if after, ok := c.limited(a); ok {
		return transient(after)
	}
	if a.status == http.StatusRequestTimeout || a.status == http.StatusTooEarly || a.status >= 500 {
		return transient(retryAfter(a.header.Get("Retry-After"), c.now()))
	}
	r := &apiRefusal{Refused{Reason: "it " + text, Server: lines, Next: "the service's documentation tells what its words mean"}, a.status}
	switch {
	case a.status >= 300 && a.status < 400:
		r.Next = "the repository was renamed or moved: give its address as it is now"
	case a.status == http.StatusUnauthorized:
		r.Next = "the token is wrong, expired or revoked; make a new one"
		if date, err := http.ParseTime(a.header.Get("Date")); err == nil {
			if off := c.now().Sub(date).Round(time.Second); off.Abs() > 30*time.Second {
				r.Next += fmt.Sprintf("; the clock of this machine is off by %s", off)
			}
		}
	case a.status == http.StatusForbidden:
		r.Next = "the token needs the right to write contents of this very repository; a permission that was added to an App counts once an owner has accepted it"
		if needed := a.header.Get("X-Accepted-GitHub-Permissions"); needed != "" {
			r.Next += "; the service says that it needs " + c.clean(needed)
		}
	case a.status == http.StatusNotFound:
		r.Next = "look at the address; a repository is hidden from a token that may not read it, and a write from one that may not write"
	case a.status == http.StatusConflict && contains(strings.Join(lines, " "), []string{"empty"}):
		r.Next = "the API writes into repositories that have a commit: push the umbrella's own branch first, or publish once with --transport git"
	case a.status == http.StatusRequestEntityTooLarge:
		r.Next = "the bundle is larger than the service takes; leave out large generated files when building"
	}
	if contains(strings.Join(lines, "\n"), ruled) {
		r.Reason, r.Next = r.Reason+" (refused by rules)", passRules
	}
	return r
}

package publish

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/transport"
)

// An Address is where a repository is: a path, or a file, http, https or ssh
// URL. It never holds a secret.
type Address struct {
	Scheme string // "file", "http", "https" or "ssh"
	User   string // of ssh, or ""
	Host   string // "" for file; IPv6 without brackets
	Port   int    // 0 for the scheme's own
	Path   string // of the repository on that host
	text   string
}

// String is the address for people, free of control characters.
func (a Address) String() string { return a.text }

// Loopback reports whether the address stays on this machine.
func (a Address) Loopback() bool {
	ip := net.ParseIP(a.Host)
	return a.Scheme == "file" || a.Host == "localhost" || (ip != nil && ip.IsLoopback())
}

// An AddressError is an address that is not used. It never repeats a secret.
type AddressError struct{ text, next string }

func (e *AddressError) Error() string { return e.text }

// Hint is the next step.
func (e *AddressError) Hint() string { return e.next }

var (
	scheme  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
	drive   = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
	scpLike = regexp.MustCompile(`^(?:([A-Za-z0-9._+-]+)@)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9][A-Za-z0-9._-]*):([^:-].*)$`)
)

// ParseAddress reads a remote as git spells it: a URL, "user@host:path", or a
// path, which is relative to dir. A URL that carries a credential is an
// error, and so is anything that git takes for an option or a helper program.
func ParseAddress(remote, dir string) (Address, error) {
	switch {
	case remote == "":
		return Address{}, addressError("the remote is empty", "name it with --remote URL")
	case strings.ContainsFunc(remote, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return Address{}, addressError("the remote holds a control character", "look how --remote is set")
	case strings.HasPrefix(remote, "-"):
		return Address{}, addressError("the remote begins with a dash", "write a path as ./-name")
	case scheme.MatchString(remote):
		return parseURL(remote)
	case drive.MatchString(remote):
		return Address{Scheme: "file", Path: remote, text: remote}, nil
	}
	if before, _, colon := strings.Cut(remote, ":"); colon && !strings.Contains(before, "/") {
		return parseSCP(remote)
	}
	if !filepath.IsAbs(remote) {
		remote = filepath.Join(dir, remote)
	}
	return Address{Scheme: "file", Path: remote, text: remote}, nil
}

func parseURL(remote string) (Address, error) {
	u, err := url.Parse(remote)
	if err != nil { // its text repeats the URL, which may hold a secret
		return Address{}, addressError("the remote is not a valid URL", "write it as https://host/owner/name")
	}
	a := Address{Scheme: strings.ToLower(u.Scheme), Host: u.Hostname(), Path: u.Path}
	if _, secret := u.User.Password(); secret || u.User != nil && a.Scheme != "ssh" {
		return a, addressError("the remote's URL holds a credential, which command lines and logs show to others", "take it out of the URL, replace it if it is a secret, and name a variable with --token-env NAME")
	}
	if u.Port() != "" {
		if a.Port, err = strconv.Atoi(u.Port()); err != nil || a.Port < 1 || a.Port > 65535 {
			return a, addressError("the remote's port is not a number from 1 to 65535", "")
		}
	}
	// Only HTTP gives ? and # a meaning; to git they are part of a path.
	if u.RawQuery != "" {
		a.Path += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		a.Path += "#" + u.Fragment
	}
	switch a.Scheme {
	case "file":
		if a.Host != "" && a.Host != "localhost" {
			return a, addressError("a file URL has no host but localhost", "write it as file:///path/to/repository")
		}
		a.Host = ""
	case "http", "https":
		if a.Path != u.Path {
			return a, addressError("the remote's URL holds a ? or #", "write it as https://host/owner/name")
		}
		a.Path = strings.TrimRight(u.EscapedPath(), "/")
	case "ssh":
		a.User = u.User.Username()
		if strings.HasPrefix(a.Path, "/~") {
			a.Path = a.Path[1:]
		}
	default:
		return a, addressError(fmt.Sprintf("the remote's scheme %q is not supported", a.Scheme), "use https, ssh, http, file, or a path")
	}
	if (a.Host == "" && a.Scheme != "file") || strings.HasPrefix(a.Host, "-") || strings.Trim(a.Path, "/") == "" {
		return a, addressError("the remote's URL names no repository", "write it as https://host/owner/name")
	}
	a.text = u.Redacted()
	return a, nil
}

func parseSCP(remote string) (Address, error) {
	m := scpLike.FindStringSubmatch(remote)
	if m == nil {
		return Address{}, addressError("the remote is neither a URL nor user@host:path", "use https, ssh, http, file, or a path; a path with a colon begins with ./")
	}
	return Address{Scheme: "ssh", User: m[1], Host: strings.Trim(m[2], "[]"), Path: m[3], text: remote}, nil
}

func addressError(text, next string) error { return &AddressError{text, next} }

// endpoint is the address in the words of go-git.
func (a Address) endpoint() *transport.Endpoint {
	host := a.Host
	if strings.Contains(host, ":") && a.Scheme != "ssh" {
		host = "[" + host + "]"
	}
	return &transport.Endpoint{Protocol: a.Scheme, User: a.User, Host: host, Port: a.Port, Path: a.Path}
}

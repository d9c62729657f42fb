package source

import (
	"fmt"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/pattern"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// helper is git's spelling of a transport helper: a program that git runs.
var helper = sync.OnceValue(func() *pattern.Pattern { return pattern.Must(`^[A-Za-z0-9][A-Za-z0-9+.-]*::`) })

// scp is the short form of an ssh address, host:path.
var scp = sync.OnceValue(func() *pattern.Pattern {
	return pattern.Must(`^(?:([A-Za-z0-9_][A-Za-z0-9._~+-]*)@)?([A-Za-z0-9_\[][A-Za-z0-9.:_\[\]-]*):([^:].*)$`)
})

// badURL says why git must not be given this address, or "".
func badURL(s string) string {
	switch {
	case strings.HasPrefix(s, "-"):
		return fmt.Sprintf("%q would be an option to git", plaintext.Line(s, 100))
	case helper().Match(s), strings.HasPrefix(strings.ToLower(s), "ext:"), strings.HasPrefix(strings.ToLower(s), "fd:"):
		return fmt.Sprintf("%q names a program for git to run", plaintext.Line(s, 100))
	case s != plaintext.Line(s, len(s)):
		return fmt.Sprintf("%q has characters that no address has", plaintext.Line(s, 100))
	case len(s) > 2000:
		return fmt.Sprintf("it has %d characters; an address has at most 2000", len(s))
	}
	return ""
}

// badCommittedURL says why a committed file must not name this address, or
// "": https and ssh only, without credentials.
func badCommittedURL(s string) string {
	if reason := badURL(s); reason != "" {
		return reason
	}
	if strings.Contains(s, "://") {
		a, ok := parseAddress(s)
		switch {
		case !ok || a.host == "" || strings.HasPrefix(a.host, "-"):
			return fmt.Sprintf("%q is not an address", plaintext.Line(s, 100))
		case a.scheme != "https" && a.scheme != "ssh":
			return fmt.Sprintf("%q: a committed file may name https and ssh addresses only", plaintext.Line(s, 100))
		case strings.HasPrefix(a.user, "-"):
			return fmt.Sprintf("%q is not an address", plaintext.Line(s, 100))
		case a.password:
			return "the address holds a password; a committed file must not"
		}
		return ""
	}
	m := scp().Groups(s)
	// One letter before the colon is a Windows drive.
	if m == nil || len(m[2]) == 1 || strings.HasPrefix(m[3], "-") || strings.ContainsAny(s, ` \`) {
		return fmt.Sprintf("%q: a committed file may name https and ssh addresses only", plaintext.Line(s, 100))
	}
	return ""
}

// SameURL reports whether two addresses lead to one repository: the scheme,
// the user, ".git", a slash at the end and the case of the host make no
// difference.
func SameURL(a, b string) bool { return a != "" && b != "" && canonical(a) == canonical(b) }

func canonical(s string) string {
	host, path := "", s
	if a, ok := parseAddress(s); ok {
		host, path = strings.ToLower(a.host), a.path
		switch {
		case a.scheme == "file":
			host = ""
		case a.port != "" && (a.scheme == "http" && a.port != "80" || a.scheme == "https" && a.port != "443"):
			host += ":" + a.port
		}
	} else if m := scp().Groups(s); m != nil && len(m[2]) > 1 && !strings.Contains(m[2], "/") {
		host, path = strings.ToLower(m[2]), m[3]
	}
	path = strings.TrimRight(path, "/")
	path = strings.TrimRight(strings.TrimSuffix(path, ".git"), "/")
	if host != "" {
		return "//" + host + "/" + strings.TrimLeft(path, "/")
	}
	return path
}

// lastSegment is the repository's name in an address.
func lastSegment(s string) string {
	s = canonical(s)
	return s[strings.LastIndexAny(s, "/:")+1:]
}

package source

import (
	"net/url"
	"strings"
	"testing"
)

var addresses = []string{
	"https://github.com/acme/umbrella.git", "HTTPS://User:p%40ss@GitHub.com:8443/a%20b/c?x=y#z", "ssh://git@[::1]:22/x", "ssh://git@example.org:/x", "file:///srv/a%2fb", "https://h", "https://h:80",
	"https://bücher.example/x", "https://a@b@c/d", "https://a/b?c#d", "https://a#b/c", "git+ssh://x/y", "https://u:@h/", "https://@h/",
	"", "x", "://x", "1x://y", "https://a b/c", "https://a:b/c", "https://a:1:2/c", "https://[::1/c", "https://[x]/c", "https://[::1]x/c", "https://a/%", "https://a/%4", "https://a/%zz", "https://a%41/b",
	"https://u/s@h", "https://u s@h/x", "https://u\"@h/x", "https://a\n/b", "https://a\x7f/b", "https://-x/y", "https://<a>/", "https://a\\b/c", "https://[fe80::1%25en0]/x",
}

// TestParseAddress: what is an address here is one to net/url, too, and has
// the same parts.
func TestParseAddress(t *testing.T) {
	accepted := 0
	for _, s := range addresses {
		if sameAsURL(t, s) {
			accepted++
		}
	}
	if accepted != 16 {
		t.Errorf("%d of them are addresses", accepted)
	}
}

func sameAsURL(t *testing.T, s string) bool {
	t.Helper()
	a, ok := parseAddress(s)
	if !ok {
		return false
	}
	u, err := url.Parse(s)
	if err != nil {
		// Newer releases of it know better which IPv6 addresses there are.
		if !strings.Contains(s, "[") {
			t.Errorf("%q is taken for an address: %+v, %v", s, a, err)
		}
		return true
	}
	_, password := u.User.Password()
	want := address{u.Scheme, u.User.Username(), password, u.Hostname(), u.Port(), u.Path}
	if a != want {
		t.Errorf("%q is %+v, want %+v", s, a, want)
	}
	return true
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range addresses {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sameAsURL(t, s)
		shown := PublicURL(s)
		if a, ok := parseAddress(shown); ok && (a.user != "" || a.password) {
			t.Errorf("%q is shown as %q", s, shown)
		}
	})
}

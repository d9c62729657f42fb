package publish

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	tests := []struct {
		remote string
		want   Address // less its text
		text   string  // "" for the remote itself
	}{
		{"https://github.com/o/r", Address{Scheme: "https", Host: "github.com", Path: "/o/r"}, ""},
		{"HTTPS://github.com:8443/o/r.git/", Address{Scheme: "https", Host: "github.com", Port: 8443, Path: "/o/r.git"}, "https://github.com:8443/o/r.git/"},
		{"http://[::1]:80/o%20p/r", Address{Scheme: "http", Host: "::1", Port: 80, Path: "/o%20p/r"}, ""},
		{"ssh://git@example.org:2222/o/r.git", Address{Scheme: "ssh", User: "git", Host: "example.org", Port: 2222, Path: "/o/r.git"}, ""},
		{"ssh://example.org/~me/r.git", Address{Scheme: "ssh", Host: "example.org", Path: "~me/r.git"}, ""},
		{"git@github.com:o/r.git", Address{Scheme: "ssh", User: "git", Host: "github.com", Path: "o/r.git"}, ""},
		{"host:r", Address{Scheme: "ssh", Host: "host", Path: "r"}, ""},
		{"git@[::1]:o/r", Address{Scheme: "ssh", User: "git", Host: "::1", Path: "o/r"}, ""},
		{"file:///srv/a%20b#1?.git", Address{Scheme: "file", Path: "/srv/a b#1?.git"}, "file:///srv/a%20b#1?.git"},
		{"file://localhost/srv/r.git", Address{Scheme: "file", Path: "/srv/r.git"}, ""},
		{"/srv/r.git", Address{Scheme: "file", Path: "/srv/r.git"}, ""},
		{"../r.git", Address{Scheme: "file", Path: filepath.Join("/base", "r.git")}, filepath.Join("/base", "r.git")},
		{"./a:b", Address{Scheme: "file", Path: filepath.Join("/base/dir", "a:b")}, filepath.Join("/base/dir", "a:b")},
		{`C:\srv\r.git`, Address{Scheme: "file", Path: `C:\srv\r.git`}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.remote, func(t *testing.T) {
			got, err := ParseAddress(tt.remote, "/base/dir")
			must(t, err)
			text := tt.text
			if text == "" {
				text = tt.remote
			}
			if got.String() != text {
				t.Errorf("text %q, want %q", got.String(), text)
			}
			if got.text = ""; got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for remote, reason := range map[string]string{
		"": "empty",
		"https://x-access-token:ghs_secret@github.com/o/r": "holds a credential",
		"https://ghs_secret@github.com/o/r":                "holds a credential",
		"ssh://git:ghs_secret@github.com/o/r":              "holds a credential",
		"https://u:ghs_secret%zz@github.com/o/r":           "not a valid URL",
		"https://github.com:99999/o/r":                     "port",
		"https://github.com/o/r?ghs_secret=1":              "? or #",
		"https://github.com/o/r#ghs_secret":                "? or #",
		"https:///o/r":                                     "names no repository",
		"https://github.com/":                              "names no repository",
		"ssh://-oProxyCommand=touch/x":                     "names no repository",
		"ftp://example.org/r":                              `scheme "ftp"`,
		"git://example.org/r":                              `scheme "git"`,
		"ext::sh -c touch% x":                              "neither a URL nor",
		"ext::git-remote":                                  "neither a URL nor",
		"-upload-pack=touch x":                             "begins with a dash",
		"-oProxyCommand=x:r":                               "begins with a dash",
		"git@-oProxyCommand=x:r":                           "neither a URL nor",
		"host:-x":                                          "neither a URL nor",
		"file://elsewhere/srv/r.git":                       "no host but localhost",
		"https://github.com/o/r\nX":                        "control character",
	} {
		t.Run(remote, func(t *testing.T) {
			a, err := ParseAddress(remote, "/base")
			if err == nil {
				t.Fatalf("accepted as %+v", a)
			}
			if !strings.Contains(err.Error(), reason) || strings.Contains(err.Error()+err.(*AddressError).Hint(), "ghs_secret") {
				t.Errorf("said %q, want %q and no secret", err, reason)
			}
		})
	}
}

func TestLoopback(t *testing.T) {
	for remote, want := range map[string]bool{
		"http://localhost/r": true, "http://127.8.9.1:80/r": true, "http://[::1]/r": true, "/srv/r": true,
		"http://localhost.example.org/r": false, "http://10.0.0.1/r": false, "git@github.com:o/r": false,
	} {
		a, err := ParseAddress(remote, "/")
		must(t, err)
		if a.Loopback() != want {
			t.Errorf("%s: %v", remote, !want)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"https://u:p@h/r", "git@h:r", "ext::x", "C:\\x", "ssh://h:1/~u", "file:///x#y", "-x", "a:b:c", "[::1]:x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, remote string) {
		a, err := ParseAddress(remote, "/base")
		if err != nil {
			return
		}
		if strings.HasPrefix(a.Host, "-") || strings.HasPrefix(a.User, "-") || a.Path == "" || strings.ContainsAny(a.String(), "\x00\n\r\x1b") {
			t.Fatalf("%q is accepted as %+v", remote, a)
		}
		switch a.Scheme {
		case "file", "http", "https", "ssh":
		default:
			t.Fatalf("%q has the scheme %q", remote, a.Scheme)
		}
	})
}

func TestP09TokensThatCannotBeRight(t *testing.T) {
	for name, secret := range map[string]string{
		"unset": "", "whitespace": "  \t", "a newline at the end": "ghs_abc\n", "a newline within": "ghs\nabc", "a space": "ghs abc", "quotes from a file with a newline": "\"ghs\r\n\"",
		"not ASCII": "ghs_ä", "a control character": "ghs\x01", "much too long": strings.Repeat("x", 9000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewToken(secret, "the variable BUNDLE_TOKEN")
			if err == nil {
				t.Fatal("accepted")
			}
			if text := err.Error(); !strings.Contains(text, "BUNDLE_TOKEN") || strings.Contains(text, "ghs") {
				t.Errorf("said %q", text)
			}
		})
	}
	if token, err := NewToken("ghs_123_"+strings.Repeat("aB-_.", 100), "x"); err != nil || token.secret == "" {
		t.Errorf("a long token is refused: %v", err)
	}
}

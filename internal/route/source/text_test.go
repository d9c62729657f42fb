package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

func TestAge(t *testing.T) {
	now := time.Date(2026, 10, 20, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		before time.Duration
		want   string
	}{
		{0, "just now"}, {-time.Minute, "just now"}, {59 * time.Second, "just now"}, {time.Minute, "1 min old"},
		{59 * time.Minute, "59 min old"}, {time.Hour, "1 h old"}, {47*time.Hour + 59*time.Minute, "47 h old"}, {48 * time.Hour, "2 days old"},
		{3 * 365 * 24 * time.Hour, "1095 days old"}, {-time.Hour, "age unknown"}, {now.Sub(time.Unix(0, 0)), "age unknown"},
	} {
		if got := Age(now.Add(-c.before), now); got != c.want {
			t.Errorf("H18 %s before: %q, want %q", c.before, got, c.want)
		}
	}
	if got := Age(time.Time{}, now); got != "age unknown" {
		t.Errorf("no time: %q", got)
	}
}

func TestNow(t *testing.T) {
	if got := Now([]string{ClockVariable + "=2026-10-20T10:00:00Z"}); got.Unix() != 1792490400 {
		t.Errorf("got %s", got)
	}
	if got := Now([]string{ClockVariable + "=nonsense"}); time.Since(got) > time.Minute {
		t.Errorf("got %s", got)
	}
}

func TestSameURL(t *testing.T) {
	same := []string{"https://github.com/Acme/app.git", "https://github.com/Acme/app", "https://GitHub.com/Acme/app/", "git@github.com:Acme/app.git",
		"ssh://git@github.com/Acme/app", "ssh://git@github.com:22/Acme/app.git", "https://user:pw@github.com:443/Acme/app", "http://github.com/Acme/app.git/",
		"git://github.com/Acme/app", "github.com:Acme/app", "git@github.com:/Acme/app"}
	for _, a := range same {
		for _, b := range same {
			if !SameURL(a, b) {
				t.Errorf("%s and %s differ: %s, %s", a, b, canonical(a), canonical(b))
			}
		}
	}
	for _, other := range []string{"", "https://github.com/Acme/app2", "https://github.com/Acme/ap", "https://github.org/Acme/app", "https://github.com:8443/Acme/app",
		"/github.com/Acme/app", "github.com/Acme/app", `C:\github.com\Acme\app`, "https://github.com/acme"} {
		if SameURL(other, same[0]) {
			t.Errorf("%s passes for %s", other, same[0])
		}
	}
	if !SameURL("file:///srv/x.git", "/srv/x") {
		t.Error("a file address and its path differ")
	}
	if SameURL("", "") {
		t.Error("no address is no repository")
	}
}

func TestBadURL(t *testing.T) {
	for _, c := range []struct {
		url            string
		own, committed bool // allowed
	}{
		{"https://github.com/acme/umbrella.git", true, true},
		{"ssh://git@github.com/acme/umbrella", true, true},
		{"git@github.com:acme/umbrella.git", true, true},
		{"http://github.com/acme/umbrella.git", true, false},
		{"git://github.com/acme/umbrella.git", true, false},
		{"file:///srv/x", true, false},
		{"/srv/x", true, false},
		{"../x", true, false},
		{"x", true, false},
		{`C:\x`, true, false},
		{"c:/x", true, false},
		{"https://user:secret@github.com/x", true, false},
		{"https:///x", true, false},
		{"https://-oProxyCommand=x/y", true, false},
		{"ssh://-oProxyCommand=x/y", true, false},
		{"ssh://-oX@host/y", true, false},
		{"-u:x", false, false},
		{"--upload-pack=touch x", false, false},
		{"git@host:-x", true, false},
		{"ext::sh -c touch% x", false, false},
		{"EXT::x", false, false},
		{"foo::bar", false, false},
		{"fd::17", false, false},
		{"https://github.com/x\n--upload-pack=y", false, false},
		{"https://github.com/\u202ex", false, false},
		{"", true, false},
		{"https://x/" + strings.Repeat("y", 2000), false, false},
	} {
		if got := badURL(c.url) == ""; got != c.own {
			t.Errorf("%q from a person: allowed %v: %s", c.url, got, badURL(c.url))
		}
		if got := badCommittedURL(c.url) == ""; got != c.committed {
			t.Errorf("%q from a committed file: allowed %v: %s", c.url, got, badCommittedURL(c.url))
		}
	}
}

func FuzzCommittedURL(f *testing.F) {
	f.Add("https://github.com/acme/umbrella.git")
	f.Add("git@github.com:acme/umbrella")
	f.Add("ext::sh -c x")
	f.Fuzz(func(t *testing.T, s string) {
		if badCommittedURL(s) != "" {
			return
		}
		if s == "" || s[0] == '-' || s[0] == '/' || s[0] == '.' || strings.Contains(s, "\n") || helper().Match(s) {
			t.Errorf("%q is allowed", s)
		}
		if i := strings.Index(s, "://"); i >= 0 && !strings.EqualFold(s[:i], "https") && !strings.EqualFold(s[:i], "ssh") && !strings.Contains(s[:i], ":") {
			t.Errorf("%q is allowed", s)
		}
	})
}

func TestPublicURL(t *testing.T) {
	if got := PublicURL("https://user:secret@example.org/x\n"); got != "https://example.org/x" {
		t.Errorf("got %q", got)
	}
}

func TestLocalDir(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"HOME=/home/me"}, "/home/me/.cache/marola-graph/app"},
		{[]string{"HOME=/home/me", "XDG_CACHE_HOME=/cache"}, "/cache/marola-graph/app"},
		{[]string{"HOME=/home/me", "XDG_CACHE_HOME=relative"}, "/home/me/.cache/marola-graph/app"},
		{[]string{"HOME="}, ""},
		{[]string{"HOME=relative"}, ""},
	} {
		if got := filepath.ToSlash(localDir(c.env, "app")); got != c.want {
			t.Errorf("%q: got %q, want %q", c.env, got, c.want)
		}
	}
}

func TestLocalDirOfACheckout(t *testing.T) {
	env := []string{"HOME=/home/me"}
	if got, want := filepath.ToSlash(LocalDir(env, "/nowhere/src/app")), "/home/me/.cache/marola-graph/app-56ce95f6"; got != want && filepath.Separator == '/' {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := LocalDir(nil, "/nowhere/src/app"); got != "" {
		t.Errorf("without a home: %q", got)
	}
	home := t.TempDir()
	env = []string{"HOME=" + home}
	one, two, link := filepath.Join(home, "one", "app"), filepath.Join(home, "two", "app"), filepath.Join(home, "link")
	for _, dir := range []string{one, two} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if LocalDir(env, one) == LocalDir(env, two) {
		t.Error("two checkouts of one name share a directory")
	}
	if os.Symlink(one, link) == nil && LocalDir(env, link) != LocalDir(env, one) {
		t.Error("a checkout has another directory when it is reached by a link")
	}
}

func TestOwnRemote(t *testing.T) {
	git := t.TempDir()
	if err := os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/work\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	place := gitstore.Place{GitDir: git, CommonDir: git}
	for _, c := range []struct{ name, config, want string }{
		{"origin", "[remote \"up\"]\nurl=a\n[remote \"origin\"]\nurl=b\n", "origin"},
		{"the branch's own", "[remote \"up\"]\nurl=a\n[remote \"origin\"]\nurl=b\n[branch \"work\"]\nremote=up\n", "up"},
		{"another branch's", "[remote \"up\"]\nurl=a\n[remote \"origin\"]\nurl=b\n[branch \"other\"]\nremote=up\n", "origin"},
		{"the only one", "[remote \"up\"]\nurl=a\n", "up"},
		{"two and no origin", "[remote \"up\"]\nurl=a\n[remote \"fork\"]\nurl=b\n", ""},
		{"none", "[remote \"origin\"]\nfetch=x\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := gitstore.ParseConfig([]byte(c.config))
			if got, _ := ownRemote(place, config, config.Remotes()); got.Name != c.want {
				t.Errorf("got %q, want %q", got.Name, c.want)
			}
		})
	}
}

func TestStatusLines(t *testing.T) {
	hash := strings.Repeat("a", 40)
	got := statusLines(hash + " app (heads/x)\n+" + hash + " my lib\r\n-" + hash + " z (y) (v1-2-gabc)\n\n")
	want := []string{" " + hash + " app", "+" + hash + " my lib", "-" + hash + " z (y)"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

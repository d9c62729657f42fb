package workspace

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

func TestPublicURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://example.org/a/b.git":                   "https://example.org/a/b.git",
		"https://me:secret@example.org/a":               "https://example.org/a",
		"https://ghs_secret@example.org/a":              "https://example.org/a",
		"https://example.org/a?token=secret#secret":     "https://example.org/a",
		"http://x-access-token:secret@example.org:80/a": "http://example.org:80/a",
		"ssh://git:secret@example.org:22/a":             "ssh://git@example.org:22/a",
		"git@example.org:a/b.git":                       "ssh://git@example.org/a/b.git",
		"git:secret@example.org:a":                      "",
		"example.org:/a":                                "ssh://example.org/a",
		"/home/me/a":                                    "",
		"../a":                                          "",
		"./a:b":                                         "",
		`C:\a`:                                          "",
		"file:///home/me/a":                             "",
		"ext::sh -c x":                                  "",
		"git://example.org/a":                           "",
		"https:///a":                                    "",
		"https://exa mple.org/a":                        "",
		"https://example.org/a\nb":                      "",
		"":                                              "",
	} {
		got := publicURL(raw)
		if got != want {
			t.Errorf("%q gives %q, want %q", raw, got, want)
		}
		if strings.Contains(got, "secret") {
			t.Errorf("%q gives away its secret: %q", raw, got)
		}
	}
}

func TestResolveURL(t *testing.T) {
	for _, tt := range []struct{ umbrella, sub, want string }{
		{"https://example.org/acme/umbrella.git", "../app.git", "https://example.org/acme/app.git"},
		{"https://example.org/acme/umbrella", "../../other/app", "https://example.org/other/app"},
		{"https://example.org/acme/umbrella", "./app", "https://example.org/acme/umbrella/app"},
		{"ssh://git@example.org/acme/umbrella.git", "../app.git", "ssh://git@example.org/acme/app.git"},
		{"https://example.org/acme/umbrella", "../../../../app", "https://example.org/app"},
		{"https://example.org/acme/umbrella", "https://example.com/app", "https://example.com/app"},
		{"https://example.org/acme/umbrella", "git@example.com:app", "git@example.com:app"},
		{"", "../app.git", "../app.git"},
	} {
		if got := resolveURL(tt.umbrella, tt.sub); got != tt.want {
			t.Errorf("%s in %s is %s, want %s", tt.sub, tt.umbrella, got, tt.want)
		}
	}
}

func TestRemoteURL(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("repo")
	check := func(url, name string) {
		t.Helper()
		if r := open(t, w, dir).Repos[0]; r.URL != url || r.Name != name {
			t.Errorf("address %q and name %q, want %q and %q", r.URL, r.Name, url, name)
		}
	}
	check("", "workspace")
	w.Git(dir, "remote", "add", "upstream", "https://example.org/acme/up.git")
	check("https://example.org/acme/up.git", "up")
	w.Git(dir, "remote", "add", "fork", "https://example.org/me/fork.git")
	check("", "workspace") // nothing says which
	w.Git(dir, "remote", "add", "origin", "git@example.org:acme/origin.git")
	check("ssh://git@example.org/acme/origin.git", "origin")
	w.Git(dir, "config", "url.https://elsewhere.example/.insteadOf", "git@example.org:")
	check("ssh://git@example.org/acme/origin.git", "origin") // the same on every machine
	w.Git(dir, "remote", "set-url", "origin", w.Home+"/with space")
	check("", "workspace")
}

func TestQuoted(t *testing.T) {
	for path, want := range map[string]string{"apps/x-1": "apps/x-1", "a b": "'a b'", "a'b$(c)": `'a'\''b$(c)'`, "": ""} {
		if got := quoted(path); got != want {
			t.Errorf("%q is quoted %s, want %s", path, got, want)
		}
	}
}

package cli_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/testkit/githost"
)

var appKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// hosted is a service with one repository that an App may write, and a
// publisher that has the App's key.
func hosted(t *testing.T) (*publisher, *githost.Host, *githost.Repository) {
	h := githost.New(t)
	repo := h.Create("o/umbrella")
	repo.Seed()
	h.AddApp(githost.App{ID: 4242, Slug: "bundle-bot", Key: &appKey().PublicKey, Installed: []string{repo.Name}, Permissions: map[string]string{"contents": "write", "metadata": "read"}})
	p := newPublisher(t)
	p.env = append(p.env, "BUNDLE_BOT_KEY="+string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(appKey())})))
	return p, h, repo
}

// TestBothTransportsAsAnApp: the same commands, the same answers, and no token
// is left.
func TestBothTransportsAsAnApp(t *testing.T) {
	for _, transport := range []string{"git", "api"} {
		t.Run(transport, func(t *testing.T) {
			p, h, repo := hosted(t)
			publish := func(bundle string, more ...string) (int, map[string]any, string) {
				code, out, errs := p.run(append([]string{"publish", "--json", "--bundle", bundle, "--remote", repo.URL(), "--app-id", "4242", "--private-key-env", "BUNDLE_BOT_KEY", "--transport", transport}, more...)...)
				var r map[string]any
				if err := json.Unmarshal([]byte(out), &r); err != nil && code == 0 {
					t.Fatalf("%q %q", out, errs)
				}
				return code, r, errs
			}
			one, two := p.bundle("one", 1, ""), p.bundle("two", 2, "")
			if code, r, errs := publish(one, "--dry-run"); code != 0 || r["changed"] != false || !strings.Contains(r["notice"].(string), "would move from nothing") {
				t.Errorf("dry run: %d %v %q", code, r, errs)
			}
			for _, tt := range []struct {
				name, bundle string
				changed      bool
			}{{"first", one, true}, {"again", one, false}, {"newer", two, true}, {"P02 older", one, false}} {
				code, r, errs := publish(tt.bundle)
				tip := p.git("-C", repo.Dir, "rev-parse", "routing-bundle")
				if code != 0 || r["changed"] != tt.changed || tt.changed && r["commit"] != tip || r["tree"] == "" {
					t.Errorf("%s: %d %v %q", tt.name, code, r, errs)
				}
			}
			// Whoever looks at the commit sees the bot.
			if got := p.git("-C", repo.Dir, "log", "-1", "--format=%an %ae", "routing-bundle"); !strings.HasPrefix(got, "bundle-bot[bot] ") || !strings.HasSuffix(got, "+bundle-bot[bot]@users.noreply.github.com") {
				t.Errorf("the author is %s", got)
			}
			if n := len(h.Tokens()); n != 0 || h.Given() != 5 {
				t.Errorf("%d of %d tokens were not given back", n, h.Given())
			}
			for _, r := range h.Requests() {
				if transport == "api" && r.Operation == "" {
					t.Errorf("git is asked: %s %s", r.Method, r.Path)
				}
			}
			h.Break(func(r githost.Request) githost.Fault {
				if r.Operation == "apps/revoke-installation-access-token" {
					return githost.Fault{Before: &githost.Answer{Status: 401, Body: `{"message":"Bad credentials"}`}}
				}
				return githost.Fault{}
			})
			if code, _, errs := publish(one); code != 0 || !strings.Contains(errs, "warning: the token could not be given back") {
				t.Errorf("T04 revoking an expired token: %d %q", code, errs)
			}
		})
	}
}

func TestTransportUsage(t *testing.T) {
	p := newPublisher(t)
	p.env = append(p.env, "GOOD=ghs_abc")
	for _, tt := range []struct {
		name string
		args []string
		said string
	}{
		{"a transport that there is none of", []string{"--remote", "https://github.com/o/r", "--transport", "ftp"}, "git or api"},
		{"an unset variable", []string{"--remote", "https://github.com/o/r", "--transport", ""}, "--transport"},
		{"P09 no token", []string{"--remote", "https://github.com/o/r", "--transport", "api"}, "needs a token or an App"},
		{"a path", []string{"--remote", "r.git", "--transport", "api", "--token-env", "GOOD"}, "publish over https"},
		{"ssh", []string{"--remote", "git@github.com:o/r", "--transport", "api", "--token-env", "GOOD"}, "publish over https"},
		{"an API for git", []string{"--remote", "https://github.com/o/r", "--api-url", "https://api.github.com", "--token-env", "GOOD"}, "for --transport api"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := p.run(append([]string{"publish", "--bundle", p.bundle("b", 1, "")}, tt.args...)...)
			if code != 2 || out != "" || !strings.Contains(errs, tt.said) || strings.Contains(errs, "ghs_abc") {
				t.Errorf("%d %q %q", code, out, errs)
			}
		})
	}
}

// TestClocksThatAreOff: T01 to T03, over the whole way: the proof is refused,
// and the message tells by how much the clock is off.
func TestClocksThatAreOff(t *testing.T) {
	for name, tt := range map[string]struct {
		skew time.Duration
		good bool
	}{
		"T01 T02 the machine is a minute and more fast": {-100 * time.Second, false},
		"T02 the machine is a little fast":              {-20 * time.Second, true},
		"T03 the machine is slow":                       {10 * time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			p, h, repo := hosted(t)
			h.SetClock(tt.skew)
			code, _, errs := p.run("publish", "--bundle", p.bundle("b", 1, ""), "--remote", repo.URL(), "--app-id", "4242", "--private-key-env", "BUNDLE_BOT_KEY", "--transport", "api")
			if tt.good && code != 0 || !tt.good && (code != 4 || !strings.Contains(errs, "the clock of this machine is off by") || !strings.Contains(errs, "claim ('")) {
				t.Errorf("%d %q", code, errs)
			}
		})
	}
}

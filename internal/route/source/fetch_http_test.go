package source_test

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// serve runs git's own smart HTTP server over a directory. It wants the
// password "secret", unless open.
func serve(t testing.TB, p *pair, open bool) string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	backend := &cgi.Handler{Path: git, Args: []string{"http-backend"}, Dir: p.Home, Env: append(p.With(), "GIT_PROJECT_ROOT="+p.Home, "GIT_HTTP_EXPORT_ALL=1")}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); !open && password != "secret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/marola.git"
}

func TestFetchOverHTTP(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	want := p.publish("words/00.json", "{}")
	t.Run("public", func(t *testing.T) {
		o := options(p.World, p.clone)
		o.Umbrella = serve(t, p, true)
		p.fetched(t, o, want)
		next := p.publish("words/00.json", "[]")
		p.fetched(t, o, next)
	})
	t.Run("G10 G11 private, without credentials", func(t *testing.T) {
		marker := filepath.Join(p.Home, "asked")
		ask := p.Script("ask", "touch '"+marker+"'; sleep 60")
		p.Git(p.clone, "config", "core.askPass", ask)
		seen := filepath.Join(p.Home, "helper.env")
		p.Git(p.clone, "config", "credential.helper", "!env > '"+seen+"'; true")
		o := source.Options{Dir: p.clone, Env: p.With("GIT_ASKPASS="+ask, "SSH_ASKPASS="+ask, "DISPLAY=:0"), Umbrella: serve(t, p, false)}
		start := time.Now()
		_, err := source.Fetch(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "it needs credentials that git does not have") {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(marker); err == nil || time.Since(start) > 30*time.Second {
			t.Errorf("somebody was asked, %s", time.Since(start))
		}
		if env := strings.Join(gittest.Lines(seen), "\n") + "\n"; !strings.Contains(env, "GCM_INTERACTIVE=never\n") || !strings.Contains(env, "GIT_TERMINAL_PROMPT=0\n") {
			t.Errorf("a credential helper sees %q", env)
		}
	})
	t.Run("G09 private, with credentials from the environment", func(t *testing.T) {
		o := options(p.World, p.clone)
		o.Umbrella = serve(t, p, false)
		o.Env = p.With("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Basic eDpzZWNyZXQ=")
		p.fetched(t, o, p.Git(p.bare, "rev-parse", "refs/heads/routing-bundle"))
	})
}

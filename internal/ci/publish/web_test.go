package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// answer is a front that answers requests of one kind itself.
func answer(on func(*http.Request) bool, with http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if on(r) {
				with(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func always(*http.Request) bool { return true }

func TestHTTPStatus(t *testing.T) {
	refusals := []struct {
		status       int
		body         string
		reason, hint string
	}{
		{401, "Bad credentials", "HTTP 401 Unauthorized: Bad credentials", "--token-env"},
		{403, "Write access to repository not granted.", "HTTP 403 Forbidden: Write access", "right to write"},
		{404, "Repository not found.", "HTTP 404 Not Found: Repository not found", "address"},
		{413, "<html><h1>413</h1></html>", "HTTP 413 Request Entity Too Large", "larger than"},
		{422, "Validation failed\x1b[31m", "HTTP 422 Unprocessable Entity: Validation failed", "administrator"},
		{410, "", "HTTP 410 Gone", "administrator"},
	}
	for _, when := range []struct {
		name string
		on   func(*http.Request) bool
	}{{"at once", always}, {"on the push", isPush}} {
		for _, tt := range refusals {
			t.Run(fmt.Sprintf("%d %s", tt.status, when.name), func(t *testing.T) {
				n := 0
				h := serve(t, bare(t), answer(when.on, func(w http.ResponseWriter, r *http.Request) {
					n++
					http.Error(w, tt.body, tt.status)
				}))
				_, err := tryPublish(t, open(t, h.url()), snapshot(t, sample(1)))
				var refused *Refused
				if !errors.As(err, &refused) {
					t.Fatalf("got %v (%T), want a refusal", err, err)
				}
				if text := refused.Error(); !strings.Contains(text, tt.reason) || strings.ContainsAny(text, "\x1b<\n") {
					t.Errorf("said %q, want %q", text, tt.reason)
				}
				if !strings.Contains(refused.Hint(), tt.hint) {
					t.Errorf("hint %q, want %q", refused.Hint(), tt.hint)
				}
				if n != 1 {
					t.Errorf("a refusal was tried %d times", n)
				}
			})
		}
	}
	for _, status := range []int{408, 429, 500, 502, 503, 504} {
		t.Run(fmt.Sprintf("%d three times", status), func(t *testing.T) {
			n := 0
			h := serve(t, bare(t), answer(isPush, func(w http.ResponseWriter, r *http.Request) { n++; w.WriteHeader(status) }))
			result, err := tryPublish(t, open(t, h.url()), snapshot(t, sample(1)))
			var unreached *Unreached
			if !errors.As(err, &unreached) || unreached.Tries != 3 || result.Tries != 3 || n != 3 {
				t.Fatalf("got %v after %d pushes", err, n)
			}
			if want := fmt.Sprintf("HTTP %d", status); !strings.Contains(err.Error(), want) {
				t.Errorf("said %q, want %s", err, want)
			}
		})
		t.Run(fmt.Sprintf("%d once", status), func(t *testing.T) {
			n := 0
			h := serve(t, bare(t), answer(func(*http.Request) bool { n++; return n == 1 }, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status) }))
			if result := publish(t, open(t, h.url()), snapshot(t, sample(1))); !result.Changed || result.Tries != 2 {
				t.Errorf("%+v", result)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 10, 20, 8, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"2": 2 * time.Second, "0": 0, "": 0, "-5": 0, "soon": 0, "99999999999999999999": 0,
		"Tue, 20 Oct 2026 08:00:30 GMT": 30 * time.Second, "Tue, 20 Oct 2026 07:00:00 GMT": 0,
	} {
		if got := retryAfter(text, now); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	serveBusy := func(t *testing.T, wait string) *hub {
		n := 0
		return serve(t, bare(t), answer(func(*http.Request) bool { n++; return n == 1 }, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", wait)
			w.WriteHeader(http.StatusTooManyRequests)
		}))
	}
	t.Run("a short wait is kept", func(t *testing.T) {
		var waited []time.Duration
		result := publish(t, open(t, serveBusy(t, "7").url()), snapshot(t, sample(1)), func(o *Options) {
			o.Sleep = func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil }
		})
		if !result.Changed || len(waited) != 1 || waited[0] != 7*time.Second {
			t.Errorf("waited %v: %+v", waited, result)
		}
	})
	t.Run("a wait past the end is not begun", func(t *testing.T) {
		_, err := tryPublish(t, open(t, serveBusy(t, "3600").url()), snapshot(t, sample(1)))
		var unreached *Unreached
		if !errors.As(err, &unreached) || unreached.Tries != 1 || !strings.Contains(err.Error(), "1h0m0s") {
			t.Errorf("got %v", err)
		}
	})
}

// lateFailure lets git do its work and then answers 502, as a proxy does
// whose patience is over.
func lateFailure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isPush(r) {
			next.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(httptest.NewRecorder(), r)
		http.Error(w, "<html>Bad Gateway</html>", http.StatusBadGateway)
	})
}

func TestA502AfterAnAppliedPushIsASuccess(t *testing.T) {
	h := serve(t, bare(t), lateFailure)
	result := publish(t, open(t, h.url()), snapshot(t, sample(1)))
	if !result.Changed || result.Tries != 1 || h.posts() != 1 || tip(t, h.dir) != result.Commit {
		t.Errorf("%+v after %d pushes; the branch is at %s", result, h.posts(), tip(t, h.dir))
	}
}

// meddle moves the branch to another bundle in the moment before a push is
// handled, once.
func meddle(t *testing.T, dir string, with content) func(http.Handler) http.Handler {
	var once sync.Once
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isPush(r) {
				once.Do(func() { publish(t, open(t, dir), snapshot(t, with), func(o *Options) { o.AllowRewind = true }) })
			}
			next.ServeHTTP(w, r)
		})
	}
}

func TestTheBranchMovesBetweenLookAndPush(t *testing.T) {
	t.Run("P14 it appears: the server's compare-and-swap sees it", func(t *testing.T) {
		dir := bare(t)
		h := serve(t, dir, meddle(t, dir, sample(1)))
		result := publish(t, open(t, h.url()), snapshot(t, sample(2)))
		if !result.Changed || result.Tries != 2 || tip(t, dir) != result.Commit {
			t.Errorf("%+v", result)
		}
		if older := snapshot(t, sample(1)); result.Previous == "" || older.Tree != git(t, dir, "rev-parse", result.Previous+"^{tree}") {
			t.Errorf("the decision did not rest on the bundle that appeared: %+v", result)
		}
	})
	t.Run("P14 it appears and is newer: nothing is lost", func(t *testing.T) {
		dir := bare(t)
		h := serve(t, dir, meddle(t, dir, sample(3)))
		result := publish(t, open(t, h.url()), snapshot(t, sample(2)))
		if result.Changed || git(t, dir, "rev-parse", branch+"^{tree}") != snapshot(t, sample(3)).Tree {
			t.Errorf("%+v", result)
		}
	})
	t.Run("P15 P03 it moves: decided again from the top", func(t *testing.T) {
		dir := bare(t)
		publish(t, open(t, dir), snapshot(t, sample(1)))
		h := serve(t, dir, meddle(t, dir, sample(3)))
		result := publish(t, open(t, h.url()), snapshot(t, sample(2)))
		if result.Changed || !strings.Contains(result.Notice, "newer than") || git(t, dir, "rev-parse", branch+"^{tree}") != snapshot(t, sample(3)).Tree {
			t.Errorf("%+v", result)
		}
	})
	t.Run("P12 a stale expectation is refused", func(t *testing.T) {
		dir := bare(t)
		first := publish(t, open(t, dir), snapshot(t, sample(1)))
		second := publish(t, open(t, dir), snapshot(t, sample(2)))
		h := serve(t, dir, nil)
		for _, old := range []string{first.Commit, "", head(9)} {
			g := open(t, h.url())
			commit, err := g.Prepare(t.Context(), snapshot(t, sample(3)))
			must(t, err)
			var moved *Moved
			if err := g.Move(t.Context(), refName(branch), old, commit); !errors.As(err, &moved) {
				t.Errorf("moving from %q: got %v", old, err)
			}
		}
		if tip(t, dir) != second.Commit || h.posts() != 0 {
			t.Errorf("the branch is at %s after %d pushes", tip(t, dir), h.posts())
		}
	})
}

func TestP27OnlyOneAuthorizationHeader(t *testing.T) {
	dir := bare(t)
	work := t.TempDir()
	git(t, work, "init", "-q")
	git(t, work, "config", "http.extraheader", "AUTHORIZATION: basic c3RvcmVkOnN0b3JlZA==")
	t.Chdir(work)
	for name, value := range map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "http.extraheader", "GIT_CONFIG_VALUE_0": "AUTHORIZATION: basic ZW52OmVudg=="} {
		t.Setenv(name, value)
	}
	token, err := NewToken("ghs_123_abc", "a test")
	must(t, err)
	var mu sync.Mutex
	seen := 0
	h := serve(t, dir, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			seen++
			user, password, _ := r.BasicAuth()
			if n := len(r.Header.Values("Authorization")); n != 1 || user != "x-access-token" || password != "ghs_123_abc" {
				t.Errorf("%s %s: %d Authorization headers, user %q", r.Method, r.URL, n, user)
			}
			mu.Unlock()
			next.ServeHTTP(w, r)
		})
	})
	if result := publish(t, openWith(t, h.url(), token), snapshot(t, sample(1))); !result.Changed || seen < 4 {
		t.Errorf("%+v after %d requests", result, seen)
	}
}

// The token must not come back in what a server says, in any form.
func TestT07ServersRepeatTheTokenAndWeDoNot(t *testing.T) {
	secret := "ghs_123456_" + strings.Repeat("eyJhbGciOi-J_", 36) + ".abc.def"
	token, err := NewToken(secret, "a test")
	must(t, err)
	h := serve(t, bare(t), answer(always, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, "no access with %s\nor %s\n", secret, r.Header.Get("Authorization"))
	}))
	_, err = tryPublish(t, openWith(t, h.url(), token), snapshot(t, sample(1)))
	if err == nil || strings.Contains(err.Error(), secret[11:40]) || strings.Contains(err.Error(), "eC1hY2Nlc3M") {
		t.Errorf("said %v", err)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", token, token, token, token); strings.Contains(text, "ghs_") {
		t.Errorf("a printed token shows %s", text)
	}
}

func TestTheTokenStaysWithItsHost(t *testing.T) {
	token, err := NewToken("secret", "a test")
	must(t, err)
	var leaked, reached atomic.Bool
	other := serve(t, bare(t), func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			reached.Store(true)
			if r.Header.Get("Authorization") != "" {
				leaked.Store(true)
			}
			next.ServeHTTP(w, r)
		})
	})
	h := serve(t, bare(t), answer(always, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(other.url(), "127.0.0.1", "localhost", 1)+strings.TrimPrefix(r.URL.RequestURI(), "/umbrella.git"), http.StatusFound)
	}))
	_, _ = tryPublish(t, openWith(t, h.url(), token), snapshot(t, sample(1)))
	if !reached.Load() {
		t.Error("the redirect was not followed, so this test shows nothing")
	}
	if leaked.Load() {
		t.Error("a redirect carried the token to another host")
	}
	if a, err := ParseAddress("http://example.org/o/r", "/"); err != nil {
		t.Fatal(err)
	} else if _, err := OpenGit(a, token, nil); err == nil {
		t.Error("the token would travel unencrypted")
	}
}

func TestTheTimeIsOver(t *testing.T) {
	release := make(chan struct{})
	h := serve(t, bare(t), answer(always, func(w http.ResponseWriter, r *http.Request) { <-release }))
	defer close(release)
	for name, remote := range map[string]*GitRemote{"HTTP": open(t, h.url()), "ssh": silentSSH(t)} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			began := time.Now()
			_, err := Publish(ctx, remote, snapshot(t, sample(1)), options())
			var unreached *Unreached
			if !errors.As(err, &unreached) || !strings.Contains(err.Error(), "the time is over") || !strings.Contains(unreached.Hint(), "--timeout") {
				t.Errorf("got %v", err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	_, err := tryPublish(t, open(t, s.URL+"/umbrella.git"), snapshot(t, sample(1)))
	var unreached *Unreached
	if !errors.As(err, &unreached) || unreached.Tries != Tries {
		t.Errorf("got %v", err)
	}
}

func TestNoRepository(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, []byte("x"), 0o644))
	for _, path := range []string{filepath.Join(t.TempDir(), "nothing"), t.TempDir(), file} {
		_, err := tryPublish(t, open(t, path), snapshot(t, sample(1)))
		var refused *Refused
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "fatal:") || !strings.Contains(refused.Hint(), "a git repository") {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

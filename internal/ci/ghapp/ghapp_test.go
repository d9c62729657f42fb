package ghapp

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func pemOf(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func pkcs1() string { return pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(testKey())) }

func pkcs8(t *testing.T, key any) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pemOf("PRIVATE KEY", der)
}

func TestT08KeysThatAreAccepted(t *testing.T) {
	one := pkcs1()
	for name, text := range map[string]string{
		"PKCS#1": one, "PKCS#8": pkcs8(t, testKey()), "CRLF": strings.ReplaceAll(one, "\n", "\r\n"), "no last line end": strings.TrimSpace(one),
		"line ends spelled out": strings.ReplaceAll(one, "\n", `\n`), "CRLF spelled out": strings.ReplaceAll(one, "\n", `\r\n`),
		"spaces before lines": "  " + strings.ReplaceAll(one, "\n", "\n    "), "quotes around it": `"` + strings.TrimSpace(one) + `"`,
		"a byte order mark": "\ufeff" + one, "blank lines around it": "\n\n" + one + "\n\n", "text before it": "# the key\n" + one,
	} {
		key, err := ParseKey(text, "the variable K")
		if err != nil || !key.Equal(testKey()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestT08KeysThatAreRefused(t *testing.T) {
	small, err := rsa.GenerateKey(rand.Reader, 1024) //nolint:gosec // it is to be refused
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	one := pkcs1()
	lines := strings.Split(one, "\n")
	damaged := strings.Join(append(append([]string{}, lines[:5]...), lines[7:]...), "\n")
	public, err := x509.MarshalPKIXPublicKey(testKey().Public())
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"empty": {"", "is empty"}, "spaces": {" \n ", "is empty"}, "a token": {"ghs_" + strings.Repeat("a", 36), "is a token"}, "a client id": {"Iv1.0123456789abcdef", "is a client id"},
		"a fingerprint": {"SHA256:abcdef", "fingerprint"}, "base64 of the file": {base64.StdEncoding.EncodeToString([]byte(one)), "base64 of the file"},
		"something else": {"hello", "does not begin with"}, "cut off": {one[:len(one)/2], "no -----END line"}, "a line lost": {damaged, "damaged"},
		"two blocks": {one + one, "more than one"}, "a public key": {pemOf("PUBLIC KEY", public), "a public key"}, "a certificate": {pemOf("CERTIFICATE", []byte("x")), "certificate"},
		"an elliptic curve": {pkcs8(t, curve), "no RSA key"}, "too small": {pkcs8(t, small), "has 1024 bits"}, "encrypted": {pemOf("ENCRYPTED PRIVATE KEY", []byte("x")), "passphrase"},
		"of ssh": {pemOf("OPENSSH PRIVATE KEY", []byte("x")), "another kind"}, "too long": {"-----BEGIN " + strings.Repeat("x", maxKey), "more than any key"},
		"a stranger": {pemOf("WHATEVER", []byte("x")), "another kind"},
	} {
		_, err := ParseKey(tt.text, "the variable K")
		var e *KeyError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "the variable K") || e.Hint() == "" {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
			continue
		}
		for line := range strings.Lines(tt.text) {
			if line = strings.TrimSpace(line); len(line) > 20 && !strings.Contains(line, "-----") && strings.Contains(err.Error()+e.Hint(), line[:20]) {
				t.Errorf("%s: the message holds a part of it", name)
			}
		}
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add(pkcs1())
	f.Add(`-----BEGIN RSA PRIVATE KEY-----\n\n-----END RSA PRIVATE KEY-----`)
	f.Fuzz(func(t *testing.T, text string) { _, _ = ParseKey(text, "x") })
}

func TestT06APIOf(t *testing.T) {
	for server, want := range map[string]string{
		"https://github.com": "https://api.github.com/", "https://github.com/": "https://api.github.com/", "https://GitHub.com": "https://api.github.com/",
		"https://api.github.com": "https://api.github.com/", "https://ghe.example.org": "https://ghe.example.org/api/v3/", "https://ghe.example.org/": "https://ghe.example.org/api/v3/",
		"https://ghe.example.org/api/v3": "https://ghe.example.org/api/v3/", "https://ghe.example.org/api/v3/": "https://ghe.example.org/api/v3/",
		"https://acme.ghe.com": "https://api.acme.ghe.com/", "https://api.acme.ghe.com/": "https://api.acme.ghe.com/", "http://127.0.0.1:80": "http://127.0.0.1:80/api/v3/",
	} {
		if got, err := APIOf(server); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", server, got, err, want)
		}
	}
	for _, server := range []string{"", "github.com", "ftp://github.com", "https://user:secret@github.com", "https://"} {
		if got, err := APIOf(server); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %s, %v", server, got, err)
		}
	}
}

func TestParseID(t *testing.T) {
	if id, err := ParseID(" 4242\n"); err != nil || id != 4242 {
		t.Errorf("%d, %v", id, err)
	}
	for _, text := range []string{"", "0", "-1", "Iv1.abc", "4242x", "99999999999999999999"} {
		if _, err := ParseID(text); err == nil {
			t.Errorf("%q is an id", text)
		}
	}
}

// service is a small stand-in for the API: it checks the App's proof and
// answers as the documentation of each path says.
type service struct {
	t        *testing.T
	answer   map[string]func(w http.ResponseWriter, r *http.Request) // by "METHOD path"
	asked    []string
	body     map[string]any // of the token's request
	now      time.Time
	mu       sync.Mutex
	tokens   map[string]bool
	failures int // how many requests get a 502 first
}

const token = "ghs_0123456789abcdefghijklmnopqrstuvwxyzABCD"

func newService(t *testing.T) (*service, App) {
	s := &service{t: t, answer: map[string]func(http.ResponseWriter, *http.Request){}, tokens: map[string]bool{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, App{ID: 4242, Key: testKey(), API: server.URL + "/api/v3/", Via: http.DefaultTransport}
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/api/v3")
	s.asked = append(s.asked, what)
	if !s.now.IsZero() {
		w.Header().Set("Date", s.now.UTC().Format(http.TimeFormat))
	}
	if s.failures > 0 {
		s.failures--
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	if f := s.answer[what]; f != nil {
		f(w, r)
		return
	}
	say := func(status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	switch what {
	case "GET /app", "GET /repos/acme/umbrella/installation", "POST /app/installations/7/access_tokens":
		if !s.proven(r) {
			say(401, map[string]string{"message": "A JSON web token could not be decoded"})
			return
		}
	case "DELETE /installation/token", "GET /users/bundle-bot[bot]":
		if r.Header.Get("Authorization") != "token "+token || !s.tokens[token] {
			say(401, map[string]string{"message": "Bad credentials"})
			return
		}
	}
	switch what {
	case "GET /app":
		say(200, map[string]any{"id": 4242, "slug": "bundle-bot"})
	case "GET /repos/acme/umbrella/installation":
		say(200, map[string]any{"id": 7})
	case "POST /app/installations/7/access_tokens":
		_ = json.NewDecoder(r.Body).Decode(&s.body)
		s.tokens[token] = true
		say(201, map[string]any{"token": token, "expires_at": "2026-12-01T00:00:00Z"})
	case "GET /users/bundle-bot[bot]":
		say(200, map[string]any{"id": 99, "login": "bundle-bot[bot]"})
	case "DELETE /installation/token":
		delete(s.tokens, token)
		w.WriteHeader(204)
	default:
		say(404, map[string]string{"message": "Not Found"})
	}
}

// proven checks the App's proof: signed by its key, by its id, for no longer
// than ten minutes.
func (s *service) proven(r *http.Request) bool {
	parts := strings.Split(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), ".")
	if len(parts) != 3 {
		return false
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || rsa.VerifyPKCS1v15(&testKey().PublicKey, crypto.SHA256, sum[:], signature) != nil {
		return false
	}
	var claims struct {
		Iss string
		Iat int64
		Exp int64
	}
	data, err := base64.RawURLEncoding.DecodeString(parts[1])
	return err == nil && json.Unmarshal(data, &claims) == nil && claims.Iss == "4242" && claims.Exp-claims.Iat <= 600
}

func TestTokenOfOneRepository(t *testing.T) {
	s, app := newService(t)
	id, err := app.For(t.Context(), "acme", "umbrella")
	if err != nil {
		t.Fatal(err)
	}
	if id.Token != token || id.Name != "bundle-bot[bot]" || id.Email != "99+bundle-bot[bot]@users.noreply.github.com" {
		t.Errorf("%s, %s", id.Name, id.Email)
	}
	if got := fmt.Sprint(s.body); got != "map[permissions:map[contents:write] repositories:[umbrella]]" {
		t.Errorf("asked for %s", got)
	}
	if err := app.Revoke(t.Context(), id); err != nil || len(s.tokens) != 0 {
		t.Errorf("revoked: %v, %d left", err, len(s.tokens))
	}
	if err := app.Revoke(t.Context(), id); err == nil || strings.Contains(err.Error(), token) {
		t.Errorf("revoked twice: %v", err)
	}
}

func TestBotWithoutAnAddress(t *testing.T) {
	s, app := newService(t)
	s.answer["GET /users/bundle-bot[bot]"] = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }
	id, err := app.For(t.Context(), "acme", "umbrella")
	if err != nil || id.Email != "bundle-bot[bot]@users.noreply.github.com" {
		t.Errorf("%s, %v", id.Email, err)
	}
}

func TestT05T09Refusals(t *testing.T) {
	status := func(code int, message string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			fmt.Fprintf(w, `{"message":%q}`, message)
		}
	}
	for name, tt := range map[string]struct {
		path string
		with func(http.ResponseWriter, *http.Request)
		want string
		hint string
		busy bool
	}{
		"an unknown App":     {"GET /app", status(401, "A JSON web token could not be decoded"), "the App 4242 is not known: the service answered 401: A JSON web token", "the key is not one of this App's", false},
		"not installed":      {"GET /repos/acme/umbrella/installation", status(404, "Not Found"), "the App bundle-bot is not installed on acme/umbrella", "install the App on that repository", false},
		"suspended":          {"POST /app/installations/7/access_tokens", status(403, "This installation has been suspended"), "suspended", "look whether the installation is suspended", false},
		"no permission":      {"POST /app/installations/7/access_tokens", status(422, "The permissions requested are not granted to this installation."), "not granted", "Contents: Read and write", false},
		"a secret in words":  {"GET /app", status(401, "bad "+token+" given"), "bad ", "the key", false},
		"the service is ill": {"GET /app", status(503, "Unavailable"), "503", "run it again", true},
		"an empty token": {"POST /app/installations/7/access_tokens", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(201)
			fmt.Fprint(w, `{"token":""}`)
		}, "an empty token", "try again", false},
		"the rate limit": {"GET /app", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", "1800000000")
			w.WriteHeader(403)
			fmt.Fprint(w, `{"message":"API rate limit exceeded"}`)
		}, "the rate limit is used up until 2027-01-15T08:00:00Z", "then", true},
		"the secondary limit": {"GET /app", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(403)
			fmt.Fprint(w, `{"message":"You have exceeded a secondary rate limit","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`)
		}, "go slower", "some minutes", true},
	} {
		t.Run(name, func(t *testing.T) {
			s, app := newService(t)
			app.wait = func(time.Duration) {}
			s.answer[tt.path] = tt.with
			_, err := app.For(t.Context(), "acme", "umbrella")
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(e.Hint(), tt.hint) || e.Busy != tt.busy {
				t.Errorf("%v; hint %q; busy %t", err, e.Hint(), e.Busy)
			}
			if strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "eyJ") {
				t.Error("the message holds a secret")
			}
		})
	}
}

func TestSuspendedInstallation(t *testing.T) {
	s, app := newService(t)
	s.answer["GET /repos/acme/umbrella/installation"] = func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"id":7,"suspended_at":"2026-01-01T00:00:00Z"}`)
	}
	if _, err := app.For(t.Context(), "acme", "umbrella"); err == nil || !strings.Contains(err.Error(), "is suspended") {
		t.Error(err)
	}
}

func TestT01T02T03ClockThatIsOff(t *testing.T) {
	s, app := newService(t)
	s.now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	app.Now = func() time.Time { return s.now.Add(7 * time.Minute) }
	s.answer["GET /app"] = func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(401)
		fmt.Fprint(w, `{"message":"'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"}`)
	}
	_, err := app.For(t.Context(), "acme", "umbrella")
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint(), "off by 7m0s") {
		t.Errorf("%v, %q", err, e.Hint())
	}
}

func TestServiceThatRecovers(t *testing.T) {
	s, app := newService(t)
	s.failures = 2
	waited := 0
	app.wait = func(time.Duration) { waited++ }
	if _, err := app.For(t.Context(), "acme", "umbrella"); err != nil || waited != 2 {
		t.Errorf("%v after %d waits", err, waited)
	}
}

func TestServiceThatIsNotThere(t *testing.T) {
	_, app := newService(t)
	app.API, app.wait = "http://127.0.0.1:1/", func(time.Duration) {}
	_, err := app.For(t.Context(), "acme", "umbrella")
	var e *Error
	if !errors.As(err, &e) || !e.Busy || !strings.Contains(err.Error(), "was not reached") {
		t.Error(err)
	}
}

//go:build unix

package endtoend

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/runner"
)

// An app is the GitHub App of a host: what its key proves, and the tokens
// that it has out.
type app struct {
	key *rsa.PrivateKey
	mu  sync.Mutex
	out map[string]bool // tokens that were given and not given back
	all int
}

// installApp gives a host an App, and the runner its key.
func installApp(t *testing.T, h *hosting, w *runner.Workflow) *runner.Workflow {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	a := &app{key: key, out: map[string]bool{}}
	h.host.install(a)
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	h.runner.Secrets = map[string]string{"BUNDLE_BOT_KEY": string(text)}
	h.runner.Vars = map[string]string{"BUNDLE_BOT_APP_ID": fmt.Sprint(appID)}
	t.Cleanup(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.all == 0 || len(a.out) > 0 {
			t.Errorf("the App gave %d tokens, and %d were not given back", a.all, len(a.out))
		}
	})
	return w
}

// api answers the requests with which a token is taken and given back, as
// GitHub's REST API does.
func (a *app) api(h *gitHost, w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	say := func(status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	path := strings.TrimPrefix(r.URL.Path, "/api/v3")
	if path == "/installation/token" && r.Method == http.MethodDelete {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "token ")
		if !a.out[token] {
			say(http.StatusUnauthorized, map[string]string{"message": "Bad credentials"})
			return
		}
		delete(a.out, token)
		h.take(token)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if strings.HasPrefix(path, "/users/") {
		say(http.StatusOK, map[string]any{"id": 77})
		return
	}
	if !a.proves(r) {
		say(http.StatusUnauthorized, map[string]string{"message": "A JSON web token could not be decoded"})
		return
	}
	switch {
	case path == "/app":
		say(http.StatusOK, map[string]any{"id": appID, "slug": "bundle-bot"})
	case strings.HasSuffix(path, "/installation"):
		say(http.StatusOK, map[string]any{"id": 5})
	case path == "/app/installations/5/access_tokens":
		var asked struct {
			Repositories []string
			Permissions  map[string]string
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Repositories) != 1 || fmt.Sprint(asked.Permissions) != "map[contents:write]" {
			say(http.StatusUnprocessableEntity, map[string]string{"message": "this App gives tokens of one repository and contents: write only"})
			return
		}
		a.all++
		token := fmt.Sprintf("ghs_%036d", a.all)
		a.out[token] = true
		h.give(token, fmt.Sprintf("app/%d", appID))
		say(http.StatusCreated, map[string]any{"token": token, "expires_at": "2099-01-01T00:00:00Z"})
	default:
		say(http.StatusNotFound, map[string]string{"message": "Not Found"})
	}
}

// proves checks a request's JSON web token against the App's key.
func (a *app) proves(r *http.Request) bool {
	parts := strings.Split(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), ".")
	if len(parts) != 3 {
		return false
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	return err == nil && rsa.VerifyPKCS1v15(&a.key.PublicKey, crypto.SHA256, sum[:], signature) == nil
}

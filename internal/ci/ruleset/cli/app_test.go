package cli_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

var appKey = sync.OnceValue(func() string {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
})

// An appService answers what an App asks before and after it works.
type appService struct {
	id     int
	slug   string
	denied bool // it lacks Administration
	// workflow is another token that the service knows.
	workflow string
	revoked  bool
}

func (a *appService) before(w http.ResponseWriter, r *http.Request) bool {
	switch path := r.URL.Path; {
	case path == "/app":
		fmt.Fprintf(w, `{"id":%d,"slug":%q}`, a.id, a.slug)
	case strings.HasPrefix(path, "/orgs/") && strings.HasSuffix(path, "/installation"):
		fmt.Fprint(w, `{"id":5}`)
	case path == "/app/installations/5/access_tokens":
		if a.denied {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"message":"The permissions requested are not granted to this installation."}`)
			return true
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"token":"ghs_installation_token","expires_at":"2100-01-01T00:00:00Z"}`)
	case path == "/installation/token":
		a.revoked = r.Header.Get("Authorization") != ""
		w.WriteHeader(http.StatusNoContent)
	default:
		given := r.Header.Get("Authorization")
		if given != "Bearer ghs_installation_token" && (a.workflow == "" || given != "Bearer "+a.workflow) {
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		return false
	}
	return true
}

func TestAsAnApp(t *testing.T) {
	bundleRule := strings.NewReplacer("main-rule", "routing-bundle", "deletion", "update", `"bypass_actors":[]`, `"bypass_actors":[{"actor_id":%s,"actor_type":"Integration","bypass_mode":"always"}]`).Replace(mainRule)
	for _, tt := range []struct {
		name   string
		rule   string
		denied bool
		code   int
		want   string
	}{
		{"another App", fmt.Sprintf(bundleRule, "4242"), false, 0, "created     org/repo-000: routing-bundle"},
		{"the App that writes the branch, by id", fmt.Sprintf(bundleRule, "31"), false, 2, `the App rules-bot is the one that "routing-bundle" lets write; it must not be able to change that ruleset`},
		{"the App that writes the branch, by slug", fmt.Sprintf(bundleRule, `"${app:rules-bot}"`), false, 2, "use another App, which has Administration and no Contents"},
		{"an App that may not", fmt.Sprintf(bundleRule, "4242"), true, 4, "hint: give the App the permission Administration: Read and write"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			service := organisation(t, 1)
			app := &appService{id: 31, slug: "rules-bot", denied: tt.denied}
			service.Before = app.before
			code, _, stderr := in(t, service, map[string]string{"r.json": tt.rule}, []string{"KEY=" + appKey()}, "apply", "--manifest", "r.json", "--app-id", "31", "--private-key-env", "KEY", "org/repo-000")
			if code != tt.code || !strings.Contains(stderr, tt.want) || strings.Contains(stderr, "ghs_installation_token") || strings.Contains(stderr, "PRIVATE KEY") {
				t.Errorf("exit %d, want %d with %q: %s", code, tt.code, tt.want, stderr)
			}
			rights := ""
			for _, r := range service.Requests() {
				if strings.HasSuffix(r.Path, "/access_tokens") {
					rights = string(r.Body)
				}
			}
			if tt.code != 2 && !strings.Contains(rights, `"permissions":{"administration":"write"}`) || tt.code == 2 && rights != "" {
				t.Errorf("asked for was %s", rights)
			}
			if app.revoked != (tt.code == 0) {
				t.Errorf("the token was given back: %v", app.revoked)
			}
		})
	}
	service := organisation(t, 1)
	code, _, stderr := in(t, service, map[string]string{"r.json": mainRule}, []string{"KEY=" + appKey()}, "check", "--manifest", "r.json", "--app-id", "31", "--private-key-env", "KEY", "org/repo-000", "other/x")
	if code != 2 || !strings.Contains(stderr, "an App acts for one owner at a time") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

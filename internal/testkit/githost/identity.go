package githost

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An App is a GitHub App. Its permissions are by name, as in "contents":
// "write"; metadata: read is everybody's.
type App struct {
	ID          int64
	Slug        string
	Key         *rsa.PublicKey
	Permissions map[string]string

	// Pending are permissions that were added and not yet accepted.
	Pending map[string]string

	// Installed are the repositories that it is installed on, owner/name.
	Installed []string
	Suspended bool
}

// Roles of people in a repository, by their numbers in rulesets.
const (
	Read     = 1
	Maintain = 2
	Write    = 4
	Admin    = 5
)

// An actor is who a token is.
type actor struct {
	app         *App // nil for a person
	login       string
	role        int
	permissions map[string]string
	repos       []string // full names in lower case; nil: all
	expires     time.Time
}

// AddApp creates an App, installed on what it names.
func (h *Host) AddApp(a App) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.apps[a.ID] = &a
}

// ChangeApp changes an App, as its owner would.
func (h *Host) ChangeApp(id int64, change func(*App)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(h.apps[id])
}

// Person gives somebody a token for all repositories, in a role.
func (h *Host) Person(login, token string, role int) {
	a := &actor{login: login, role: role, permissions: map[string]string{"contents": "read"}, expires: h.now().AddDate(1, 0, 0)}
	if role == Write || role == Maintain || role == Admin {
		a.permissions["contents"] = "write"
	}
	if role == Admin {
		a.permissions["administration"] = "write"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[token] = a
}

// Token makes a token of an App past its key, with what it asks for, and
// returns it.
func (h *Host) Token(app int64, repository string, permissions map[string]string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.issue(h.apps[app], []string{strings.ToLower(repository)}, permissions)
}

// issue makes a token in the long shape that came in 2026: the App's id, and
// three parts as in a JSON web token.
func (h *Host) issue(a *App, repos []string, permissions map[string]string) string {
	h.given++
	part := func(n int) string {
		text := ""
		for i := 0; len(text) < n; i++ {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d/%d", a.ID, h.given, i+n))
			text += base64.RawURLEncoding.EncodeToString(sum[:])
		}
		return text[:n]
	}
	token := fmt.Sprintf("ghs_%d_%s.%s.%s", a.ID, part(36), part(300), part(170))
	h.tokens[token] = &actor{app: a, login: a.Slug + "[bot]", permissions: permissions, repos: repos, expires: h.now().Add(time.Hour)}
	return token
}

// Tokens are the tokens of Apps that work now.
func (h *Host) Tokens() (tokens []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for token, a := range h.tokens {
		if a.app != nil && a.expires.After(h.now()) {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// Given is how many tokens were given to Apps.
func (h *Host) Given() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.given
}

// Expire ends a token's time; Revoke takes it away. To the service both are
// bad credentials.
func (h *Host) Expire(token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[token].expires = h.now().Add(-time.Second)
}

// Revoke takes a token away.
func (h *Host) Revoke(token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.tokens, token)
}

// who is the actor of a request; ok is false when it shows a credential that
// is not good.
func (h *Host) who(r *http.Request) (a *actor, ok bool) {
	token := credential(r)
	if token == "" {
		return nil, r.Header.Get("Authorization") == ""
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	a = h.tokens[token]
	return a, a != nil && a.expires.After(h.now())
}

// credential is the token that a request shows, in one of the ways that are
// allowed.
func credential(r *http.Request) string {
	if _, password, ok := r.BasicAuth(); ok {
		return password
	}
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(kind, "bearer") || strings.EqualFold(kind, "token") {
		return token
	}
	return ""
}

// may reports what an actor may do in a repository.
func (a *actor) may(permission, level string, r *Repository) bool {
	if a == nil {
		return level == "read" && !r.Private
	}
	if a.repos != nil && !slices.Contains(a.repos, strings.ToLower(r.Name)) {
		return level == "read" && !r.Private
	}
	has := a.permissions[permission]
	return has == "write" || has == "admin" || has == level || level == "read" && !r.Private
}

// sees reports whether a repository is there for an actor.
func (a *actor) sees(r *Repository) bool {
	if !r.Private {
		return true
	}
	return a != nil && (a.repos == nil || slices.Contains(a.repos, strings.ToLower(r.Name)))
}

// A claim is what a JSON web token of an App says. App ids come as numbers and
// as texts.
type claim struct {
	Issuer  any   `json:"iss"`
	Issued  int64 `json:"iat"`
	Expires int64 `json:"exp"`
}

// The words for a proof that is not good, as the service has them.
const (
	notDecoded = "A JSON web token could not be decoded"
	badIssued  = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
	badExpires = "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
	farExpires = "'Expiration time' claim ('exp') is too far in the future"
	noIssuer   = "Integration not found"
)

// prove checks the proof of an App, and says what is wrong with it.
func (h *Host) prove(r *http.Request) (*App, string) {
	parts := strings.Split(credential(r), ".")
	if len(parts) != 3 {
		return nil, notDecoded
	}
	data, err := base64.RawURLEncoding.DecodeString(parts[1])
	var c claim
	if err != nil || json.Unmarshal(data, &c) != nil {
		return nil, notDecoded
	}
	id, err := strconv.ParseInt(issuer(c.Issuer), 10, 64)
	h.mu.Lock()
	app := h.apps[id]
	h.mu.Unlock()
	if err != nil || app == nil {
		return nil, noIssuer
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || rsa.VerifyPKCS1v15(app.Key, crypto.SHA256, sum[:], signature) != nil {
		return nil, notDecoded
	}
	now := h.now()
	switch {
	case time.Unix(c.Issued, 0).After(now):
		return nil, badIssued
	case !time.Unix(c.Expires, 0).After(now):
		return nil, badExpires
	case time.Unix(c.Expires, 0).After(now.Add(10 * time.Minute)):
		return nil, farExpires
	}
	return app, ""
}

func issuer(v any) string {
	if n, ok := v.(float64); ok {
		return strconv.FormatInt(int64(n), 10)
	}
	return fmt.Sprint(v)
}

// granted are the permissions of a token that asks for some: at most those
// that the App has and whose owner has accepted them. missing names one that
// it has not.
func (a *App) granted(asked map[string]string) (granted map[string]string, missing string) {
	if asked == nil {
		return maps.Clone(a.Permissions), ""
	}
	granted = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		has, wants := a.Permissions[name], asked[name]
		if has != wants && !(has == "write" && wants == "read") && !(name == "metadata" && wants == "read") {
			return nil, name
		}
		granted[name] = wants
	}
	return granted, ""
}

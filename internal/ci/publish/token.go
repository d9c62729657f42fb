package publish

import (
	"encoding/base64"
	"strings"
)

// tokenUser goes with a token as its user name; the services that accept
// tokens over git's HTTP protocol ignore it or expect this one.
const tokenUser = "x-access-token"

// A Token is a secret that opens a remote over HTTP. Its text appears in no
// message: printing one gives stars.
type Token struct{ secret string }

// String hides the secret.
func (t Token) String() string { return "***" }

// GoString hides the secret.
func (t Token) GoString() string { return "***" }

// A TokenError is a token that cannot be right, found before any network.
type TokenError struct{ text, next string }

func (e *TokenError) Error() string { return e.text }

// Hint is the next step.
func (e *TokenError) Hint() string { return e.next }

// NewToken checks a token; from says where it came from, as in
// "the variable BUNDLE_TOKEN".
func NewToken(secret, from string) (Token, error) {
	fail := func(text string) (Token, error) {
		return Token{}, &TokenError{"the token is " + text + " (" + from + ")", "look how the secret is stored and handed over; an unset secret gives an empty variable"}
	}
	switch {
	case strings.TrimSpace(secret) == "":
		return fail("empty")
	case strings.ContainsAny(secret, " \t\r\n\v\f"):
		return fail("not one word: it holds a space or a line break")
	case strings.ContainsFunc(secret, func(r rune) bool { return r < '!' || r > '~' }):
		return fail("not plain ASCII")
	case len(secret) > 8192:
		return fail("longer than any token")
	}
	return Token{secret}, nil
}

// redact takes the token out of a text, in each form in which a server or a
// library could repeat it.
func (t Token) redact(text string) string {
	if t.secret == "" {
		return text
	}
	basic := base64.StdEncoding.EncodeToString([]byte(tokenUser + ":" + t.secret))
	return strings.NewReplacer(t.secret, "***", basic, "***").Replace(text)
}

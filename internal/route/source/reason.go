package source

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/pattern"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// credentials are the part of an address before the host.
var credentials = sync.OnceValue(func() *pattern.Pattern { return pattern.Must(`://[^/?#\s]*@`) })

// withoutCredentials leaves that part out of every address in a text.
func withoutCredentials(s string) string {
	var b strings.Builder
	for {
		at := credentials().Index(s)
		if at == nil {
			return b.String() + s
		}
		b.WriteString(s[:at[0]] + "://")
		s = s[at[1]:]
	}
}

// PublicURL is an address without user and password, as one line.
func PublicURL(s string) string {
	return plaintext.Line(strings.TrimSpace(withoutCredentials(s)), 200)
}

// reasons are git's messages that a person gets in plainer words. The first
// that matches counts.
var reasons = []struct{ has, say string }{
	{"couldn't find remote ref", "the umbrella URL has no branch BRANCH"},
	{"cannot lock ref 'refs/marola/", "refs/marola cannot be written: a ref of that name is in the way, or another git holds it"},
	{"Read-only file system", "this repository cannot be written"},
	{"insufficient permission for adding an object", "this repository cannot be written"},
	{"unable to write", "this repository cannot be written"},
	{"Host key verification failed", "ssh does not know the host's key"},
	{"terminal prompts disabled", "it needs credentials that git does not have"},
	{"could not read Username", "it needs credentials that git does not have"},
	{"could not read Password", "it needs credentials that git does not have"},
	{"Authentication failed", "it needs credentials that git does not have"},
	{"Permission denied (", "it needs credentials that git does not have"},
	{"Could not resolve host", "no network: the host's name is not known"},
	{"Connection refused", "no connection to the host"},
	{"Failed to connect", "no connection to the host"},
	{"unknown option `refetch'", "this is a partial clone, and git is too old to complete it"},
	{"Connection timed out", "the host does not answer"},
	{"does not appear to be a git repository", "there is no repository at URL"},
	{"not found", "there is no repository at URL, or it needs credentials"},
	{"does not exist", "there is no repository at URL"},
	{"transport '", "git does not allow this kind of address here"},
	{"No space left on device", "the disk is full"},
}

// reason says in one line, without control characters and credentials, why
// a fetch failed.
func reason(err error, u Umbrella) string {
	exit := (*gitstore.ExitError)(nil)
	if !errors.As(err, &exit) {
		return plaintext.Line(err.Error(), 200)
	}
	if strings.Contains(exit.Stderr, "Permission denied") && !strings.Contains(exit.Stderr, "Permission denied (") {
		return "this repository cannot be written, or that one not be read"
	}
	if u.guessed && strings.Contains(exit.Stderr, reasons[0].has) {
		return fmt.Sprintf("%s, which is %s, has no branch %s; if the umbrella is elsewhere, say where: --umbrella URL, git config marola.umbrella URL, or umbrella in %s",
			PublicURL(u.URL), plaintext.Line(u.From, 100), plaintext.Line(u.Branch, 60), SettingsFile)
	}
	for _, r := range reasons {
		if strings.Contains(exit.Stderr, r.has) {
			return strings.NewReplacer("BRANCH", plaintext.Line(u.Branch, 60), "URL", PublicURL(u.URL)).Replace(r.say)
		}
	}
	return PublicURL(gitstore.Reason(exit.Stderr))
}

package source

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// atStart is what [SettingsFile] says about the start of a session.
type atStart struct {
	Plugin      string `json:"plugin"`      // the name of the plugin that sessions are told of, or ""
	Marketplace string `json:"marketplace"` // the name of the marketplace that it comes from
	Runs        string `json:"runs"`        // what the plugin runs on a person's machine, in words
	OptOut      string `json:"optout"`      // the variable that says never; "" means [DefaultOptOut]
	Quiet       bool   `json:"quiet"`       // no line at a session's start when there is nothing to tell
}

// Quiet reports whether a session that there is nothing to tell about is told
// nothing.
func (s Settings) Quiet() bool { return s.startError == nil && s.atStart.Quiet }

// DefaultOptOut is the variable that says never, where [SettingsFile] names
// no other.
const DefaultOptOut = "MAROLA_PLUGIN_OPTOUT"

// An Offer is a plugin that the sessions of a repository are told of.
type Offer struct {
	Plugin, Marketplace string
	Runs                string // one line; "" when the file does not say
	OptOut              string // the name of a variable
}

// Name is the plugin's whole name, as in "devkit@acme".
func (o Offer) Name() string { return o.Plugin + "@" + o.Marketplace }

// Offer returns the plugin that the settings name; zero when they name none.
// A name ends up in a command line that a person may run and in the
// environment of every later session, so only plain ones are accepted.
func (s Settings) Offer() (Offer, error) {
	said := s.atStart
	if s.startError != nil || said.Plugin == "" && said.Marketplace == "" {
		return Offer{}, s.startError
	}
	o := Offer{said.Plugin, said.Marketplace, plaintext.Line(strings.TrimSpace(said.Runs), maxRuns), said.OptOut}
	if o.OptOut == "" {
		o.OptOut = DefaultOptOut
	}
	switch {
	case !plainName(o.Plugin):
		return Offer{}, fmt.Errorf("plugin %q is not the name of a plugin", plaintext.Line(o.Plugin, 60))
	case !plainName(o.Marketplace):
		return Offer{}, fmt.Errorf("marketplace %q is not the name of a marketplace", plaintext.Line(o.Marketplace, 60))
	case !optOutName(o.OptOut):
		return Offer{}, fmt.Errorf("optout %q is not a variable in capitals that ends in OPTOUT or OPT_OUT", plaintext.Line(o.OptOut, 60))
	}
	return o, nil
}

// maxRuns bounds what the file may say that a plugin runs, in bytes.
const maxRuns = 240

// plainName reports whether s is up to 40 letters, digits, dots, dashes and
// underlines, with a letter or digit first.
func plainName(s string) bool {
	if s == "" || len(s) > 40 || strings.Contains("._-", s[:1]) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// optOutName reports whether s may be set to 1 in every session without
// changing what other programs do: nothing else ends like this.
func optOutName(s string) bool {
	if len(s) > 40 || !strings.HasSuffix(s, "OPTOUT") && !strings.HasSuffix(s, "OPT_OUT") || s[0] == '_' {
		return false
	}
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && (s[0] < '0' || s[0] > '9')
}

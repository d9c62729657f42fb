package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// optInLine tells of a plugin that the repository offers and this person has
// not, in at most room characters. It is "" unless that is certain: somebody
// who has the plugin, or has said never, must not be asked.
func (s *check) optInLine(room int) string {
	offer, err := s.settings.Offer()
	if s.bad || err != nil || offer.Plugin == "" {
		return ""
	}
	if remote := s.getenv("CLAUDE_CODE_REMOTE"); remote != "" && !off(remote) {
		return "" // a machine of nobody's, on which plugins are not loaded
	}
	client := clientDir(s.env)
	if client == "" || optedOut(s.getenv(offer.OptOut)) {
		return ""
	}
	settings := filepath.Join(client, "settings.json")
	stored, err := storedOptOut(settings, offer.OptOut)
	if err != nil || optedOut(stored) {
		return ""
	}
	if absent, err := pluginAbsent(filepath.Join(client, "plugins", "installed_plugins.json"), offer.Name()); err != nil || !absent {
		return ""
	}
	from, shown := s.origin(offer.Marketplace), s.shown(settings)
	line := describe(offer, from, shown)
	if over := utf8.RuneCountInString(line) - room; over > 0 {
		// What the plugin does is the one part that may be told more briefly.
		offer.Runs = plaintext.Line(offer.Runs, max(0, len(offer.Runs)-over-len("…")))
		if line = describe(offer, from, shown); utf8.RuneCountInString(line) > room {
			return ""
		}
	}
	return line
}

// describe is the line, in statements: a text that gives orders looks to an
// agent like an attack.
func describe(o source.Offer, from, settings string) string {
	runs := "its own hooks and skills"
	if o.Runs != "" {
		runs = strings.TrimRight(o.Runs, ".")
	}
	return fmt.Sprintf("▸ opt-in: this repository offers the plugin %s, which is not installed. Installed, it runs on this machine, from %s: %s. "+
		"The place to ask is before the person's request, in one question with three answers. "+
		"Install: the person runs ! claude plugin install %s. Not now: nothing, asked again next session. "+
		`Never: "env": {"%s": "1"} in %s, shown before it is written. `+
		"Routing works either way. Where nobody can be asked, nothing is said.",
		o.Name(), from, runs, o.Name(), o.OptOut, settings)
}

// optedOut reports whether a value of the variable says never.
func optedOut(value string) bool { return strings.TrimSpace(value) != "" && !off(value) }

// storedOptOut is the variable's value in the person's settings, which is
// where never is stored; "" when it is not there. A file that cannot be
// understood is an error: it may say never.
func storedOptOut(file, name string) (string, error) {
	data, err := readClient(file)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var settings struct {
		Env map[string]any `json:"env"`
	}
	if err := strictjson.Decode(jsonplace.Blank(data), &settings); err != nil {
		return "", err
	}
	if value, ok := settings.Env[name]; ok {
		return fmt.Sprint(value), nil
	}
	return "", nil
}

// pluginAbsent reports whether the client's record of plugins has none of
// this name. It knows the layouts of versions 1 and 2; in the second a plugin
// has a list of installs, which may be empty.
func pluginAbsent(file, name string) (bool, error) {
	data, err := readClient(file)
	if errors.Is(err, os.ErrNotExist) {
		return true, nil // the client writes it with the first plugin
	}
	if err != nil {
		return false, err
	}
	var record struct {
		Version json.Number                `json:"version"`
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if err := strictjson.Decode(data, &record); err != nil {
		return false, err
	}
	if v := record.Version.String(); v != "1" && v != "2" || record.Plugins == nil {
		return false, errors.New("a layout that is not known")
	}
	installs, ok := record.Plugins[name]
	if !ok {
		return true, nil
	}
	var list []json.RawMessage
	return json.Unmarshal(installs, &list) == nil && len(list) == 0, nil
}

// maxClient is the largest file of the client's that is read, in bytes.
const maxClient = 4 << 20

// readClient reads a small regular file.
func readClient(file string) ([]byte, error) {
	st, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxClient {
		return nil, errors.New("not a small file")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxClient))
	return strictjson.TrimBOM(data), err
}

// origin is what the repository's own settings for the client say about a
// marketplace: where it is and at which ref.
func (s *check) origin(marketplace string) string {
	unnamed := "the marketplace " + marketplace + ", at a ref that .claude/settings.json does not name"
	data, err := readClient(filepath.Join(s.place.Top, ".claude", "settings.json"))
	if err != nil {
		return unnamed
	}
	var settings struct {
		Marketplaces map[string]struct {
			Source struct {
				Repo string `json:"repo"`
				URL  string `json:"url"`
				Path string `json:"path"`
				Ref  string `json:"ref"`
			} `json:"source"`
		} `json:"extraKnownMarketplaces"`
	}
	if err := strictjson.Decode(jsonplace.Blank(data), &settings); err != nil {
		return unnamed
	}
	from := settings.Marketplaces[marketplace].Source
	at := from.Repo
	if at == "" {
		at = from.URL
	}
	if at == "" {
		at = from.Path
	}
	if at == "" {
		return unnamed
	}
	at = plaintext.Line(source.PublicURL(at), 120)
	if from.Ref == "" {
		return at + " at no fixed ref"
	}
	if !gitstore.ValidRef(from.Ref) {
		return unnamed
	}
	return at + "@" + plaintext.Line(from.Ref, 60)
}

// shown is how the settings file is named to the person.
func (s *check) shown(file string) string {
	if home := s.getenv("HOME"); home != "" && file == filepath.Join(home, ".claude", "settings.json") {
		return "~/.claude/settings.json"
	}
	if plain := plaintext.Line(file, 160); plain == file {
		return filepath.ToSlash(file)
	}
	return "$CLAUDE_CONFIG_DIR/settings.json"
}

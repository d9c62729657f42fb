package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// SettingsFile is the committed file that holds what is particular to an
// organisation, relative to a checkout's root.
const SettingsFile = ".claude/routing.json"

const maxSettings = 64 << 10

// settingKeys are the keys of [SettingsFile]; "private" is for those who
// build a bundle.
var settingKeys = []string{"umbrella", "branch", "private", "plugin", "marketplace", "runs", "optout", "quiet"}

// A SettingError is a setting that names the umbrella and must not be used.
type SettingError struct {
	From   string // where it stands
	Reason string
	Next   string // the next step
}

func (e *SettingError) Error() string { return e.From + ": " + e.Reason }

// Hint is the next step.
func (e *SettingError) Hint() string { return e.Next }

// The next steps after a setting that must not be used.
const (
	nameAddress = "an umbrella is named like https://host/group/name.git or git@host:group/name.git"
	mendFile    = `mend the file: it is one JSON object, like {"umbrella": "https://host/group/name.git"}, and may also say branch and private`
)

// Settings is what route and session-check read of [SettingsFile]. What names
// the umbrella has been checked; the plugin has not, see [Settings.Offer].
type Settings struct {
	Umbrella string `json:"umbrella"` // its URL, or ""
	Branch   string `json:"branch"`   // the branch of the bundle, or ""

	atStart    atStart // what a session is told
	startError error   // why that must not be used, or nil
}

// ReadSettings reads the committed file; all is zero when there is none.
// Whoever can merge a change can write it, so it may name only what a person
// could open in a browser or over ssh.
func ReadSettings(place gitstore.Place) (Settings, error) {
	var s Settings
	if place.Top == "" {
		return s, nil
	}
	data, err := readCapped(filepath.Join(place.Top, filepath.FromSlash(SettingsFile)), maxSettings)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, &SettingError{SettingsFile, plaintext.Line(err.Error(), 300), mendFile}
	}
	if err := strictjson.Decode(data, &s); err != nil {
		return Settings{}, &SettingError{SettingsFile, plaintext.Line(err.Error(), 300), mendFile}
	}
	if s.Umbrella != "" {
		if reason := badCommittedURL(s.Umbrella); reason != "" {
			return Settings{}, &SettingError{SettingsFile, reason, nameAddress}
		}
	}
	s.startError = strictjson.Decode(data, &s.atStart)
	if s.Branch != "" && !gitstore.ValidBranch(s.Branch) {
		return Settings{}, &SettingError{SettingsFile, fmt.Sprintf("branch %q is not the name of a branch", plaintext.Line(s.Branch, 100)), mendFile}
	}
	return s, nil
}

// settingNotes says what is wrong with the committed file, for people: that
// it must not be used, or that it has keys that nothing reads.
func settingNotes(place gitstore.Place) []string {
	s, err := ReadSettings(place)
	if err != nil {
		return []string{plaintext.Line(err.Error(), 400)}
	}
	if place.Top == "" {
		return nil
	}
	data, err := readCapped(filepath.Join(place.Top, filepath.FromSlash(SettingsFile)), maxSettings)
	if err != nil {
		return nil
	}
	var all map[string]json.RawMessage
	if err := strictjson.Decode(data, &all); err != nil {
		return nil
	}
	const most = 10
	var notes []string
	if _, err := s.Offer(); err != nil {
		notes = append(notes, SettingsFile+": "+err.Error())
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if slices.Contains(settingKeys, key) {
			continue
		}
		if len(notes) == most {
			return append(notes, SettingsFile+": more keys that nothing reads")
		}
		note := fmt.Sprintf("%s: nothing reads the key %q", SettingsFile, plaintext.Line(key, 60))
		if i := slices.IndexFunc(settingKeys, func(known string) bool { return near(key, known) }); i >= 0 {
			note += "; is it meant to be " + settingKeys[i] + "?"
		}
		notes = append(notes, note)
	}
	return notes
}

// near reports whether a key looks like a slip in typing a known one: at
// most two letters are more, fewer or others, whatever their case.
func near(key, known string) bool {
	key = strings.ToLower(key)
	if len(key) > len(known)+2 {
		return false
	}
	row := make([]int, len(known)+1) // of edits from the key so far to each beginning of known
	for j := range row {
		row[j] = j
	}
	for i := range len(key) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(known) {
			edits := diagonal
			if key[i] != known[j] {
				edits++
			}
			diagonal = row[j+1]
			row[j+1] = min(edits, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(known)] <= 2
}

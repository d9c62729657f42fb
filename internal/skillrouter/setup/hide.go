package setup

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
)

// Hide makes a host's own catalogue leave out the named skills, and no others
// that were hidden by an earlier call: Claude Code keeps their names without
// their descriptions, Gemini CLI leaves them out. What the person has set for
// a skill stays. Other hosts have no such list per prompt; for them it does
// nothing. The file is written when something changes only.
func Hide(c *config.Config, t block.Target, names []string) error {
	var path string
	var edit hostfile.Edit
	switch t {
	case block.Claude:
		path, edit = filepath.Join(HostDir(c, t), "settings.json"), hideClaude(names)
	case block.Gemini:
		path, edit = filepath.Join(HostDir(c, t), "settings.json"), hideGemini(names)
	default:
		return nil
	}
	store, err := hostfile.Open(c.DataDir())
	if err != nil {
		return err
	}
	_, err = store.Change(path, hostfile.JSON, edit)
	if e := store.Close(); err == nil {
		err = e
	}
	return err
}

// hideClaude is the edit of skillOverrides. A name that the person has an
// override for keeps it.
func hideClaude(names []string) hostfile.Edit {
	return func(now, before []byte) ([]byte, error) {
		e, err := jsonplace.Edit(now)
		if err != nil {
			return nil, err
		}
		theirs, err := members(before, overridesKey)
		if err != nil {
			return nil, err
		}
		have, err := members(now, overridesKey)
		if err != nil {
			return nil, err
		}
		hidden := map[string]bool{}
		for _, n := range names {
			hidden[n] = theirs[n] == nil
		}
		for name := range have {
			if theirs[name] == nil && !hidden[name] {
				e.Delete(overridesKey, name)
			}
		}
		var pairs []jsonplace.Pair
		for _, n := range slices.Sorted(slices.Values(names)) {
			if hidden[n] && have[n] == nil {
				pairs = append(pairs, jsonplace.Pair{Name: n, Value: nameOnly})
				hidden[n] = false // once
			}
		}
		e.Set([]string{overridesKey}, pairs...)
		return e.Bytes()
	}
}

// members are those of an object under a key; none where there is no key.
func members(text []byte, key string) (map[string]json.RawMessage, error) {
	e, err := jsonplace.Edit(text)
	if err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	if raw, ok := e.Get(key); ok {
		err = json.Unmarshal(raw, &all)
	}
	return all, err
}

// disabledPath is Gemini's list of skills that are left out.
var disabledPath = []string{"skills", "disabled"}

// hideGemini is the edit of skills.disabled. What the person has disabled
// stays so; Gemini does not mind case.
func hideGemini(names []string) hostfile.Edit {
	return func(now, before []byte) ([]byte, error) {
		e, err := jsonplace.Edit(now)
		if err != nil {
			return nil, err
		}
		theirs, err := disabled(before)
		if err != nil {
			return nil, err
		}
		have, err := disabled(now)
		if err != nil {
			return nil, err
		}
		is := map[string]bool{} // disabled by the person
		for _, n := range theirs {
			is[strings.ToLower(n)] = true
		}
		want := map[string]bool{}
		for _, n := range names {
			if !is[strings.ToLower(n)] {
				want[n] = true
			}
		}
		for i, n := range slices.Backward(have) {
			if !is[strings.ToLower(n)] && !want[n] {
				e.DeleteElement(disabledPath, i)
			}
			delete(want, n)
		}
		var fresh []json.RawMessage
		for _, n := range slices.Sorted(slices.Values(names)) {
			if want[n] {
				fresh = append(fresh, jsonplace.Quote(n))
				want[n] = false
			}
		}
		e.Append(disabledPath, fresh...)
		return e.Bytes()
	}
}

func disabled(text []byte) (names []string, err error) {
	e, err := jsonplace.Edit(text)
	if err != nil {
		return nil, err
	}
	if raw, ok := e.Get(disabledPath...); ok {
		err = json.Unmarshal(raw, &names)
	}
	return names, err
}

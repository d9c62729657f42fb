package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
	"github.com/marola-dev/marola-routing/internal/skillrouter/tomlplace"
)

// A stamp says that a hook of Codex is trusted: its key, which has its place
// in the file, and the hash of what it is.
type stamp struct{ key, hash string }

// codexLabels are Codex's events as keys have them.
var codexLabels = map[string]string{"UserPromptSubmit": "user_prompt_submit", "Stop": "stop"}

// codexEventOrder are the events that hooks are registered for.
var codexEventOrder = []string{"UserPromptSubmit", "Stop"}

// A handler is one hook of a hooks.json with its place.
type handler struct {
	key, hash string
	ours      bool
}

// handlers are the command hooks of both events of a hooks.json. A group that
// Codex passes over counts in the places all the same.
func handlers(hooks []byte, file string) ([]handler, error) {
	e, err := jsonplace.Edit(hooks)
	if err != nil {
		return nil, err
	}
	var all []handler
	for _, event := range codexEventOrder {
		groups, err := groupsOf(e, event)
		if err != nil {
			return nil, err
		}
		for i, g := range groups {
			for k, raw := range g.handlers {
				var h codexHandler
				if json.Unmarshal(raw, &h) != nil {
					continue
				}
				all = append(all, handler{fmt.Sprintf("%s:%s:%d:%d", file, codexLabels[event], i, k), h.hash(codexLabels[event]), g.ours[k]})
			}
		}
	}
	return all, nil
}

// A codexHandler is what of a hook counts for its hash.
type codexHandler struct {
	Command string  `json:"command"`
	Timeout *uint64 `json:"timeout"`
	Async   bool    `json:"async"`
	Status  *string `json:"statusMessage"`
}

// codexTimeout is Codex's own, in seconds, where a hook names none.
const codexTimeout = 600

// hash is that of Codex: SHA-256 of the hook's normal form, JSON with sorted
// keys. These events have no matcher.
func (h codexHandler) hash(label string) string {
	timeout := uint64(codexTimeout)
	if h.Timeout != nil {
		timeout = max(*h.Timeout, 1)
	}
	status := ""
	if h.Status != nil {
		status = `"statusMessage":` + rustString(*h.Status) + ","
	}
	form := fmt.Sprintf(`{"event_name":%s,"hooks":[{"async":%t,"command":%s,%s"timeout":%d,"type":"command"}]}`,
		rustString(label), h.Async, rustString(h.Command), status, timeout)
	sum := sha256.Sum256([]byte(form))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// rustString is a JSON string as Codex writes it: only what must be is escaped.
func rustString(s string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, string(utf8.RuneError)) {
		switch e, ok := short[r]; {
		case ok:
			b.WriteString(e)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// stampsOf are the stamps of our hooks in a hooks.json.
func stampsOf(hooks []byte, file string) (stamps []stamp, err error) {
	all, err := handlers(hooks, file)
	for _, h := range all {
		if h.ours {
			stamps = append(stamps, stamp{h.key, h.hash})
		}
	}
	return stamps, err
}

// rekey follows hooks that move up because ours go: trust that stands under
// their old places is written under their new ones.
func rekey(text, hooksNow, hooksNew []byte, file string) []byte {
	before, err := handlers(hooksNow, file)
	if err != nil || hooksNew == nil {
		return text
	}
	after, err := handlers(hooksNew, file)
	if err != nil {
		return text
	}
	var pairs []string
	for _, a := range after {
		for i, b := range before {
			if !b.ours && b.hash == a.hash && event(b.key) == event(a.key) {
				if b.key != a.key {
					pairs = append(pairs, "["+"hooks.state."+tomlplace.String(b.key)+"]", "[hooks.state."+tomlplace.String(a.key)+"]")
				}
				before = append(before[:i:i], before[i+1:]...)
				break
			}
		}
	}
	out := []byte(strings.NewReplacer(pairs...).Replace(string(text)))
	if tomlplace.Check(out) != nil {
		return text // something stands at the new place already
	}
	return out
}

// event is the part of a key that names the event.
func event(key string) string {
	parts := strings.Split(key, ":")
	return parts[max(0, len(parts)-3)]
}

// A Trust is what Codex says, or would say, of one of our hooks.
type Trust struct {
	Key     string `json:"key"`
	Trusted bool   `json:"trusted"`
	Enabled bool   `json:"enabled"`
}

// readTrust is what the files say of our hooks.
func (s *Setup) readTrust() ([]Trust, error) {
	hooks, err := hostfile.Read(s.codexHooks())
	if err != nil || hooks == nil {
		return nil, err
	}
	text, err := hostfile.Read(s.codexConfig())
	if err != nil {
		return nil, err
	}
	stamps, err := stampsOf(hooks, s.codexHooks())
	var all []Trust
	for _, st := range stamps {
		hash, _ := tomlplace.Get(text, "hooks", "state", st.key, "trusted_hash")
		enabled, set := tomlplace.Get(text, "hooks", "state", st.key, "enabled")
		all = append(all, Trust{st.key, hash == st.hash, !set || enabled != false})
	}
	return all, err
}

// KeepTrusted renews the trust of Codex in our hooks where another program has
// moved them in hooks.json, for Codex knows hooks by their places. Where
// mega-tron is not set up for Codex, or all is well, it only reads.
func KeepTrusted(c *config.Config) error {
	look := &Setup{config: c}
	all, err := look.readTrust()
	moved := false
	for _, t := range all {
		moved = moved || !t.Trusted
	}
	if err != nil || !moved {
		return err
	}
	store, err := hostfile.Open(c.DataDir())
	if err != nil {
		return err
	}
	defer store.Close()
	s := &Setup{config: c, store: store}
	if !s.recorded(s.codexConfig()) {
		return nil // a person has put the hooks there: trust is theirs to give
	}
	return s.restamp()
}

// restamp writes the stamps of hooks.json as it is into config.toml.
func (s *Setup) restamp(stamps ...stamp) error {
	_, err := s.store.Change(s.codexConfig(), hostfile.TOML, func(now, before []byte) ([]byte, error) {
		if len(stamps) == 0 {
			hooks, err := hostfile.Read(s.codexHooks())
			if err != nil {
				return nil, err
			}
			if stamps, err = stampsOf(hooks, s.codexHooks()); err != nil {
				return nil, err
			}
		}
		include, _ := tomlplace.Get(now, "skills", includeKey)
		return withCodexConfig(now, before, stamps, include == false)
	})
	return err
}

// trustCodex asks the installed Codex whether it trusts the hooks, and if it
// does not, stamps them with what it says of them.
func (s *Setup) trustCodex(ctx context.Context) error {
	listed, err := askCodex(ctx, s.config, s.codexDir())
	if err != nil {
		s.notes = append(s.notes, "whether Codex trusts the hooks was computed, not asked: "+err.Error())
		return nil
	}
	var stamps []stamp
	trusted := 0
	for _, h := range listed {
		if ourCommand.MatchString(h.Command) || s.Command != "" && strings.HasPrefix(h.Command, s.Command+" ") {
			stamps = append(stamps, stamp{h.Key, h.Hash})
			if h.Trust == "trusted" {
				trusted++
			}
		}
	}
	if len(stamps) == 0 {
		s.notes = append(s.notes, "Codex does not list the hooks; mega-tron doctor tells more")
		return nil
	}
	if trusted < len(stamps) {
		if err := s.restamp(stamps...); err != nil {
			return err
		}
		if listed, err = askCodex(ctx, s.config, s.codexDir()); err != nil {
			return err
		}
		trusted = 0
		for _, h := range listed {
			for _, st := range stamps {
				if h.Key == st.key && h.Trust == "trusted" {
					trusted++
				}
			}
		}
	}
	if trusted < len(stamps) {
		return fmt.Errorf("codex trusts %d of the %d hooks; type /hooks in Codex and trust mega-tron's", trusted, len(stamps))
	}
	fmt.Fprintf(s.out, "codex lists the %d hooks and trusts them\n", trusted)
	return nil
}

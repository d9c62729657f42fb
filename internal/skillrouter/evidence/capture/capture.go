// Package capture reads the verdicts at the end of a turn, in the four hosts,
// and keeps those that count.
package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence/transcript"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
	"github.com/marola-dev/marola-routing/internal/skillrouter/turns"
)

// Times of a hook that a person may wait for.
const (
	deadline = 28 * time.Second // all of it: others may be writing, and setup has hosts wait for 30
	reading  = 3 * time.Second  // of the transcript
)

// Stop handles the event that a host sends when a turn has ended. An event
// that ends none is passed over.
func Stop(ctx context.Context, c *config.Config, host skill.Host, stdin io.Reader) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	e, err := readEvent(stdin)
	if err != nil {
		return err
	}
	if e.name != "" && e.name != endings[host] {
		return nil
	}
	s := stop{config: c, host: host, event: e, at: time.Now()}
	return s.run(ctx)
}

// A stop is one event that is being handled.
type stop struct {
	config *config.Config
	host   skill.Host
	event  event
	at     time.Time
	turn   string // of the transcript
	file   *transcript.File
	times  map[string]int // how often the session was shown each skill
}

func (s *stop) run(ctx context.Context) (err error) {
	if err := s.shown(); err != nil {
		return err
	}
	if path := s.path(); path != "" {
		if s.file, err = transcript.Open(path); err == nil {
			defer s.file.Close()
		}
	}
	reply := s.event.reply
	if reply != "" {
		err = nil // the event has it all
	}
	tags := evidence.Tags(reply)
	if s.file != nil && (reply == "" || len(tags) > 0 && s.event.turn == "") {
		limited, cancel := context.WithTimeout(ctx, reading)
		end, lastErr := s.file.Last(limited)
		cancel()
		s.turn = end.Turn
		if reply == "" {
			reply, err = end.Reply, lastErr
			tags = evidence.Tags(reply)
		}
	}
	if len(tags) == 0 && len(s.times) == 0 {
		return err
	}
	store, openErr := evidence.Open(ctx, evidence.Place(s.config))
	if openErr != nil {
		return errors.Join(err, openErr)
	}
	defer store.Close()
	if len(s.times) > 0 {
		err = errors.Join(err, store.Surface(ctx, s.event.session, s.host, s.times, s.at))
	}
	if len(tags) > 0 {
		err = errors.Join(err, s.judge(ctx, store, reply, tags))
	}
	return err
}

// shown reads what the session was shown or has looked up.
func (s *stop) shown() error {
	s.times = map[string]int{}
	if s.event.session == "" {
		return nil // nobody knows whose
	}
	log, err := turns.Open(s.config)
	if err != nil {
		return fmt.Errorf("what the session was shown is unknown: %w", err)
	}
	list, err := log.Read(s.event.session)
	for _, t := range list {
		for _, k := range t.Skills {
			s.times[k.Name]++
		}
	}
	return err
}

// path is the transcript: what the event names, or where Hermes keeps it.
func (s *stop) path() string {
	if s.event.transcript != "" || s.host != skill.Hermes || s.event.session == "" || strings.ContainsAny(s.event.session, `/\`) {
		return s.event.transcript
	}
	home := s.config.Env("HERMES_HOME")
	if !filepath.IsAbs(home) {
		home = filepath.Join(s.config.Home, ".hermes")
	}
	return filepath.Join(home, "sessions", "session_"+s.event.session+".json")
}

func (s *stop) judge(ctx context.Context, store *evidence.Store, reply string, tags []evidence.Tag) error {
	roots := Roots(s.config, s.event.cwd)
	finder := evidence.Finder{Roots: roots}
	limited, cancel := context.WithTimeout(ctx, reading)
	defer cancel()
	a := evidence.Admission{Gate: evidence.GateOf(s.config), Find: finder.Find, Used: func(k *skill.Skill) bool { return s.used(limited, k) }}
	for name := range s.times {
		a.Shown = append(a.Shown, name)
	}
	admitted, dropped := a.Judge(tags)
	turn, err := s.turnID(ctx, store, reply)
	if err != nil {
		return err
	}
	session := s.event.session
	if session == "" {
		session = fmt.Sprintf("_anon-%s-%s", s.host, s.at.UTC().Format("20060102T150405Z"))
	}
	_, err = store.Write(ctx, evidence.Turn{Session: session, Host: s.host, ID: turn, At: s.at}, admitted, dropped, roots)
	return err
}

// turnID names the turn: as the host does, by the prompt in the transcript, by
// the turn that goes on, or by what was said.
func (s *stop) turnID(ctx context.Context, store *evidence.Store, reply string) (string, error) {
	switch {
	case s.event.turn != "":
		return s.event.turn, nil
	case s.turn != "":
		return s.turn, nil
	case s.event.again:
		if id, err := store.LastTurn(ctx, s.event.session, s.host); id != "" || err != nil {
			return id, err
		}
	}
	sum := sha256.Sum256([]byte(reply))
	return "reply-" + hex.EncodeToString(sum[:8]), nil
}

// used looks for an operational trace of a skill.
func (s *stop) used(ctx context.Context, k *skill.Skill) bool {
	found := false
	see := func(c transcript.Call) bool {
		found = found || uses(c, k)
		return !found
	}
	for _, r := range s.event.history {
		for _, c := range r.Calls {
			see(c)
		}
	}
	if !found && s.file != nil {
		// An error means that no trace was found in time, and none counts.
		words := []string{k.Name}
		if base := filepath.Base(k.Dir); base != k.Name {
			words = append(words, base)
		}
		_ = s.file.Calls(ctx, words, see)
	}
	return found
}

// Roots are where the skills of a directory's work are.
func Roots(c *config.Config, dir string) []skill.Root {
	places := c.Places(dir)
	places.Given = skill.SplitList(c.Env("MEGA_SKILLS_DIR"), c.Home)
	return places.Roots()
}

package session

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// A check looks at one session.
type check struct {
	ctx      context.Context
	place    gitstore.Place
	env      []string
	patience time.Duration
	settings source.Settings
	bad      bool // the committed settings must not be used

	remotes []gitstore.Remote
	cancels []context.CancelFunc
}

// maxText bounds all lines together, in characters.
const maxText = 1000

// Lines returns what a session is told at its start: at most three lines, at
// most 1,000 characters together, none outside a repository. Nothing is
// written and nothing fetched.
func Lines(ctx context.Context, w Where) []string {
	if w.Place.GitDir == "" {
		return nil
	}
	s := &check{ctx: ctx, place: w.Place, env: w.Env, patience: w.Patience}
	if s.patience == 0 {
		s.patience = gitLimit
	}
	defer func() {
		for _, cancel := range s.cancels {
			cancel()
		}
	}()
	var err error
	s.settings, err = source.ReadSettings(w.Place)
	s.bad = err != nil

	f, err := s.findBundle()
	if f != nil {
		defer f.store.Close()
	}
	routing, news := s.routingLine(f, err)
	submodules := s.submoduleLine(f)
	opt := s.optInLine(maxText - utf8.RuneCountInString(routing+submodules) - 2)
	var lines []string
	if !s.settings.Quiet() || news || opt != "" || submodules != "" {
		lines = append(lines, routing)
	}
	for _, line := range []string{opt, submodules} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// limit is the time that one git process has.
func (s *check) limit() context.Context {
	ctx, cancel := context.WithTimeout(s.ctx, s.patience)
	s.cancels = append(s.cancels, cancel)
	return ctx
}

func (s *check) getenv(name string) string { return getenv(s.env, name) }

// getenv returns the value of a variable, or "".
func getenv(env []string, name string) string { return command.Process{Env: env}.Getenv(name) }

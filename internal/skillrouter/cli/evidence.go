package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// evidenceVerbs are those about what sessions said of skills.
func evidenceVerbs() []command.Verb {
	return []command.Verb{
		evaluateVerb(), statsVerb(), regressionsVerb(), searchVerdictsVerb(), restoreVerb(),
		compactEmbeddingsVerb(), compactSkillsVerb(), migrateVerb(), exportFrontmatterVerb(),
	}
}

// readStore gives the store that there is to do; where there is none, nil.
func readStore(ctx context.Context, c *config.Config, do func(*evidence.Store) error) error {
	s, err := evidence.Existing(ctx, evidence.Place(c))
	if errors.Is(err, fs.ErrNotExist) {
		return do(nil)
	}
	if err != nil {
		return storeError{err}
	}
	return errors.Join(do(s), s.Close())
}

// changeStore gives the store to do, which holds its lock, and makes one where
// there is none.
func changeStore(ctx context.Context, c *config.Config, do func(*evidence.Store) error) error {
	s, err := evidence.Open(ctx, evidence.Place(c))
	if err != nil {
		return storeError{err}
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	defer unlock()
	return errors.Join(do(s), s.Close())
}

// storeError is a store that cannot be opened.
type storeError struct{ err error }

func (e storeError) Error() string { return fmt.Sprintf("the evidence cannot be read: %v", e.err) }
func (e storeError) Unwrap() error { return e.err }
func (e storeError) Hint() string {
	return "searches go on without it; move the file away to begin anew, or set MEGA_TRON_STORE to another"
}

// tellUnwritten says on stderr which SKILL.md files do not have what the store
// has although they may.
func tellUnwritten(p command.Process, left []evidence.Unwritten) {
	for _, u := range left {
		if !u.Held {
			fmt.Fprintf(p.Stderr, "mega-tron: %s is not written: %s\n", line(u.File), line(u.Why))
		}
	}
}

// hostOf reads a host's name as the store has it, or as a target.
func hostOf(name string) (skill.Host, error) {
	switch h := skill.Host(name); h {
	case "", skill.Codex, skill.Claude, skill.Gemini, skill.Hermes, evidence.CLI:
		return h, nil
	case "claude":
		return skill.Claude, nil
	case "gemini":
		return skill.Gemini, nil
	}
	return "", command.Usage("there is no host %.40q; there are codex, claude, gemini, hermes and cli", name)
}

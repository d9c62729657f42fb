package setup

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
)

// Uninstall gives every file back as it was, or takes what is ours out of one
// that was edited since. With all targets, what the record knows of goes, too.
func Uninstall(_ context.Context, c *config.Config, o Options, dry bool, out io.Writer) error {
	s, err := open(c, o, out)
	if err != nil {
		return err
	}
	defer s.store.Close()
	if o.Mode == "" {
		s.Mode = s.mode()
	}
	s.undoing = true
	steps, err := s.undo()
	if err != nil {
		return err
	}
	var changes []*hostfile.Change
	for _, st := range steps {
		ch, err := s.store.PlanRestore(st.path, st.kind, st.take)
		if err != nil {
			return refused(err)
		}
		changes = append(changes, ch)
	}
	s.moveTrust(changes)
	s.tell(changes, steps, dry)
	if dry {
		return nil
	}
	for _, ch := range changes {
		if err := s.store.Restore(ch); err != nil {
			return fmt.Errorf("%s was not given back: %w", ch.Path, err)
		}
	}
	if !slices.Contains(o.Targets, block.Claude) {
		return nil
	}
	for _, n := range append([]string{modeNote}, exported...) {
		if err := s.store.Note(n, ""); err != nil {
			return err
		}
	}
	return nil
}

// undo are the steps that take everything out again, and files of the record that no step names
// any more, as when another file was named at the time.
func (s *Setup) undo() ([]step, error) {
	forward, err := s.steps()
	if err != nil {
		return nil, err
	}
	var steps []step
	rc := s.rcFile()
	for _, st := range forward {
		if st.path == rc && !slices.Contains(s.Targets, block.Claude) {
			continue // its words are Claude's, or of all
		}
		if _, err := os.Lstat(st.path); err == nil || s.recorded(st.path) {
			st.what = "without what setup put there"
			steps = append(steps, st)
		}
	}
	all := len(s.Targets) == len(Targets)
	for _, f := range s.store.Files {
		named := slices.ContainsFunc(steps, func(st step) bool { return st.path == f.Path })
		if named || !all && !s.belongs(f.Path) {
			continue
		}
		take := hashFence.take
		switch {
		case f.Kind == hostfile.YAML:
			take = withoutHermesHooks
		case filepath.Base(f.Path) == allowlistName:
			take = withoutApprovals
		case f.Kind == hostfile.JSON:
			take = withoutHooks
		case f.Kind == hostfile.TOML:
			take = takeCodexConfig
		case filepath.Ext(f.Path) == ".md":
			take = markdownFence.take
		}
		steps = append(steps, step{path: f.Path, kind: f.Kind, what: "without what setup put there", take: take})
	}
	return steps, nil
}

func (s *Setup) recorded(path string) bool {
	return slices.ContainsFunc(s.store.Files, func(f *hostfile.File) bool { return f.Path == path })
}

// belongs reports whether a file lies in the directory of a target.
func (s *Setup) belongs(path string) bool {
	for _, t := range s.Targets {
		if rel, err := filepath.Rel(HostDir(s.config, t), path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// moveTrust follows, in Codex's configuration, hooks of others that move up.
func (s *Setup) moveTrust(changes []*hostfile.Change) {
	var hooks, config *hostfile.Change
	for _, ch := range changes {
		switch ch.Path {
		case s.codexHooks():
			hooks = ch
		case s.codexConfig():
			config = ch
		}
	}
	if hooks != nil && config != nil && config.New != nil && hooks.Different() {
		config.New = rekey(config.New, hooks.Now, hooks.New, s.codexHooks())
	}
}

// Package setup puts mega-tron into the agents of a person: hooks, the line
// about skills in their memory files, and what keeps their own catalogues
// small. All of it can be taken out again, byte for byte.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
	"github.com/marola-dev/marola-routing/internal/skillrouter/tomlplace"
)

// Targets are the hosts that there are adapters for.
var Targets = []block.Target{block.Codex, block.Claude, block.Gemini, block.Hermes}

// Options is what a person asks for. The zero value sets up what is found.
type Options struct {
	Targets []block.Target // of [Choose]
	Program string         // absolute path of mega-tron, as hooks call it
	Command string         // instead of Program, verbatim
	Windows bool           // whether hooks run on Windows

	Mode      string // of Claude's catalogue: passive, active or strict; "" is as before, or passive
	Shell     string // zsh, bash, or "" for the one of SHELL
	RC        string // the shell's start file, instead of its own
	Model     string // the embedder that config.toml names from now on, where not ""
	SkillsDir string // exported to the hooks, where not ""
	TopK      int    // likewise, where not 0
	Budget    int

	NoHook        bool // no hooks, nor what only they need
	NoMemory      bool // nothing in AGENTS.md, CLAUDE.md, GEMINI.md and SOUL.md
	KeepCatalogue bool // leave Codex's own catalogue on
	Force         bool // go on beside a mega-optimus

	CodexHome, CodexHooks, CodexConfig, MemoryFile string // instead of the usual ones
}

// A Setup is what Options mean on a machine.
type Setup struct {
	Options
	config  *config.Config
	store   *hostfile.Store
	out     io.Writer
	notes   []string // what a person should know
	undoing bool
}

// A step is one file, what is put there, and how it is taken out.
type step struct {
	path string
	kind hostfile.Kind
	what string // what is put there, for people
	edit hostfile.Edit
	take func([]byte) ([]byte, error) // takes our marks out of a text that was edited since
}

// A LegacyError is a machine that mega-optimus is set up on.
type LegacyError struct{ Files []string }

func (e *LegacyError) Error() string {
	return "mega-optimus is set up here, and both would answer each prompt: " + strings.Join(e.Files, ", ")
}

// Hint is the next step.
func (e *LegacyError) Hint() string {
	return "run mega-optimus install --uninstall, then pip uninstall mega-optimus, then this again; --force leaves it in place"
}

// Choose turns the words of --target into hosts. With auto those are chosen
// whose directory or program is there; that none is, is an error.
func Choose(c *config.Config, words string, look func(program string) bool) ([]block.Target, error) {
	var chosen []block.Target
	add := func(all ...block.Target) {
		for _, t := range all {
			if !slices.Contains(chosen, t) {
				chosen = append(chosen, t)
			}
		}
	}
	for _, w := range strings.Split(words, ",") {
		switch w = strings.TrimSpace(w); w {
		case "all":
			add(Targets...)
		case "both":
			add(block.Codex, block.Claude)
		case "", "auto":
			for _, t := range Targets {
				if Found(c, t, look) {
					add(t)
				}
			}
			if len(chosen) == 0 {
				return nil, errors.New("no host is found here, neither its directory nor its program; name those to set up, as in --target claude, or all")
			}
		default:
			if !slices.Contains(Targets, block.Target(w)) {
				return nil, fmt.Errorf("there is no host %q; it is auto, all, both, codex, claude, gemini or hermes", plaintext.Line(w, 40))
			}
			add(block.Target(w))
		}
	}
	return chosen, nil
}

// Found reports whether a host's directory or program is there.
func Found(c *config.Config, t block.Target, look func(program string) bool) bool {
	st, err := os.Stat(HostDir(c, t))
	return err == nil && st.IsDir() || look(string(t))
}

// HostDir is where a host keeps what is the person's.
func HostDir(c *config.Config, t block.Target) string {
	for _, x := range []struct {
		t         block.Target
		env, name string
	}{{block.Codex, "CODEX_HOME", ".codex"}, {block.Claude, "CLAUDE_CONFIG_DIR", ".claude"}, {block.Hermes, "HERMES_HOME", ".hermes"}} {
		if x.t == t {
			if d := c.Env(x.env); filepath.IsAbs(d) {
				return filepath.Clean(d)
			}
			return filepath.Join(c.Home, x.name)
		}
	}
	return filepath.Join(c.Home, ".gemini")
}

// Run puts everything in, or says what it would do. It writes nothing before
// all of it is known to be possible.
func Run(ctx context.Context, c *config.Config, o Options, dry bool, out io.Writer) error {
	s, err := open(c, o, out)
	if err != nil {
		return err
	}
	defer s.store.Close()
	if o.Mode == "" {
		s.Mode = s.mode()
	}
	for name, value := range map[string]string{"MEGA_SKILLS_DIR": o.SkillsDir, "MEGA_TOP_K": number(o.TopK), "MEGA_BUDGET_TOK": number(o.Budget)} {
		if value != "" {
			s.store.Notes[name] = value
		}
	}
	steps, err := s.steps()
	if err != nil {
		return err
	}
	if err := s.legacy(steps); err != nil && !o.Force {
		return err
	}
	var changes []*hostfile.Change
	for _, st := range steps {
		ch, err := s.store.Plan(st.path, st.kind, st.edit)
		if err != nil {
			return refused(err)
		}
		changes = append(changes, ch)
	}
	s.tell(changes, steps, dry)
	if dry {
		return nil
	}
	for _, ch := range changes {
		if err := s.store.Apply(ch); err != nil {
			return fmt.Errorf("%s was not written: %w", ch.Path, err)
		}
	}
	if slices.Contains(o.Targets, block.Claude) {
		if err := s.store.Note(modeNote, s.Mode); err != nil {
			return err
		}
	}
	if slices.Contains(o.Targets, block.Codex) && !o.NoHook {
		if err := s.trustCodex(ctx); err != nil {
			return err
		}
	}
	for _, n := range s.notes {
		fmt.Fprintln(out, "note: "+n)
	}
	return nil
}

func number(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// modeNote is the note that says how much of Claude's catalogue is hidden.
const modeNote = "claude-native-mode"

// mode is what was set up before, or passive.
func (s *Setup) mode() string {
	if m := s.store.Notes[modeNote]; m != "" {
		return m
	}
	return "passive"
}

func open(c *config.Config, o Options, out io.Writer) (*Setup, error) {
	if c.Home == "" {
		return nil, errors.New("no home directory is set, so the hosts' files are not known")
	}
	store, err := hostfile.Open(c.DataDir())
	if err != nil {
		return nil, err
	}
	return &Setup{Options: o, config: c, store: store, out: out}, nil
}

// A refusedError is a file that is left as it is.
type refusedError struct{ error }

// Hint is the next step.
func (refusedError) Hint() string { return "mend the file; no file was changed" }
func (e refusedError) Unwrap() error {
	return e.error
}

func refused(err error) error { return refusedError{err} }

// steps are the files of all targets, in the order in which they are written.
func (s *Setup) steps() (steps []step, err error) {
	for _, t := range s.Targets {
		switch t {
		case block.Claude:
			steps = append(steps, s.claude()...)
		case block.Codex:
			steps = append(steps, s.codex()...)
		case block.Gemini:
			steps = append(steps, s.gemini()...)
		case block.Hermes:
			steps = append(steps, s.hermes()...)
		}
	}
	if s.Model != "" {
		steps = append(steps, step{path: s.config.File, kind: hostfile.TOML, what: "the model " + s.Model, take: takeCodexConfig,
			edit: func(now, _ []byte) ([]byte, error) {
				if v, ok := tomlplace.Get(now, "embedder", "model"); ok && v == s.Model {
					return now, nil
				}
				return tomlplace.Set(now, []string{"embedder"}, "model", tomlplace.String(s.Model))
			}})
	}
	rc, err := s.shell()
	return append(steps, rc...), err
}

// tell says what is done, file by file.
func (s *Setup) tell(changes []*hostfile.Change, steps []step, dry bool) {
	would, n := "", 0
	if dry {
		would = "would "
	}
	for i, ch := range changes {
		if !ch.Different() {
			continue
		}
		n++
		switch {
		case ch.New == nil:
			fmt.Fprintf(s.out, "%sremove %s\n", would, s.short(ch.Path))
			continue
		case ch.Now == nil:
			fmt.Fprintf(s.out, "%smake %s: %s\n", would, s.short(ch.Path), steps[i].what)
		default:
			fmt.Fprintf(s.out, "%schange %s: %s\n", would, s.short(ch.Path), steps[i].what)
		}
		if dry {
			for _, row := range hostfile.Difference(string(ch.Now), string(ch.New)) {
				fmt.Fprintln(s.out, "  "+plaintext.Line(row, 400))
			}
		}
	}
	if n == 0 {
		fmt.Fprintln(s.out, "nothing to do: all is as it is to be")
	}
}

// short is a path with ~ for the home.
func (s *Setup) short(path string) string {
	if rest, ok := strings.CutPrefix(path, s.config.Home+string(filepath.Separator)); ok {
		path = "~" + string(filepath.Separator) + rest
	}
	return plaintext.Line(path, 400)
}

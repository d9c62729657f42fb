package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// given is where a command is told to look, instead of everywhere.
type given struct {
	skillsDir string
	cachePath string
}

func (g *given) setup(f *flag.FlagSet) {
	f.StringVar(&g.skillsDir, "skills-dir", "", "look in `DIRS` only, separated by commas")
	f.StringVar(&g.cachePath, "cache-path", "", "keep the index in `FILE`, rather than in the cache directory")
}

// roots are those that are looked in.
func (g *given) roots(c *config.Config, p command.Process) ([]skill.Root, error) {
	places := c.Places(p.Dir)
	if dirs := strings.Split(g.skillsDir, ","); g.skillsDir != "" {
		for _, d := range dirs {
			if d = strings.TrimSpace(d); d == "" {
				continue
			}
			d = p.Abs(skill.ExpandHome(d, c.Home))
			if st, err := os.Stat(d); err != nil || !st.IsDir() {
				return nil, command.Usage("--skills-dir: there is no directory %s", d)
			}
			places.Given = append(places.Given, d)
		}
	} else {
		places.Given = c.GivenDirs(p.Dir)
	}
	return places.Roots(), nil
}

// settings reads config.toml; one that cannot be used is an error, for a
// person is there to mend it.
func settings(p command.Process) (*config.Config, error) { return config.Load(p.Getenv) }

// model opens the model that is set. Without one there is nil and a notice,
// which is "" when nobody asked for a model.
func model(c *config.Config) (m *router.Pack, notice string, err error) {
	path, err := models.Find(c)
	if errors.Is(err, models.ErrNone) {
		return nil, "no model is installed: skills are found by their words; see mega-tron model --help", nil
	}
	if err != nil {
		return nil, "", err
	}
	m, err = router.OpenModel(path)
	if errors.Is(err, pack.ErrDamaged) {
		err = &damagedError{err}
	}
	return m, "", err
}

// A damagedError is a pack that is not what was packed.
type damagedError struct{ error }

func (e *damagedError) Unwrap() error { return e.error }

// Hint is the next step.
func (*damagedError) Hint() string {
	return "install the model again: mega-tron model import PATH, or mega-tron model fetch"
}

// A session is what a command needs to rank prompts.
type session struct {
	config *config.Config
	router *router.Router
	roots  []skill.Root
	notice string
	close  func()
}

func (g *given) open(p command.Process) (*session, error) {
	c, err := settings(p)
	if err != nil {
		return nil, err
	}
	roots, err := g.roots(c, p)
	if err != nil {
		return nil, err
	}
	if st, err := os.Stat(p.Abs(g.cachePath)); err == nil && g.cachePath != "" && !st.Mode().IsRegular() {
		return nil, command.Usage("--cache-path: %s is there, and is no file", g.cachePath)
	}
	m, notice, err := model(c)
	if err != nil {
		return nil, err
	}
	if m == nil {
		s := g.openPlain(p, c, roots)
		s.notice = notice
		return s, nil
	}
	cache := g.cachePath
	if cache != "" {
		cache = p.Abs(cache)
	}
	return &session{config: c, roots: roots, notice: notice, router: router.Open(c, m, cache), close: func() { _ = m.Close() }}, nil
}

// openPlain is a session without a model, for whom none can be opened.
func (g *given) openPlain(p command.Process, c *config.Config, roots []skill.Root) *session {
	cache := g.cachePath
	if cache != "" {
		cache = p.Abs(cache)
	}
	return &session{config: c, roots: roots, router: router.Open(c, nil, cache), close: func() {}}
}

// What look may embed: the names and descriptions that lack vectors, where a
// person waits; nothing, where a turn does. Bodies are left to a process that
// nobody waits for.
var (
	allHeads = router.Work{Heads: -1}
	noWork   = router.Work{}
)

// look reads the skills and embeds what work allows.
func (s *session) look(ctx context.Context, p command.Process, work router.Work) (*router.View, error) {
	progress := p.Progress()
	work.Progress = progress.Step
	v, err := s.router.Look(ctx, s.roots, work)
	progress.Done()
	if err != nil {
		return nil, err
	}
	if err := s.router.Save(); err != nil {
		fmt.Fprintf(p.Stderr, "mega-tron: what was learnt is not kept: %v\n", err)
	}
	return v, nil
}

// enough is how many bodies without vectors are worth a process.
const enough = 1

// finishLater starts a process that embeds the bodies, when some lack vectors.
func (g *given) finishLater(s *session, p command.Process, v *router.View) {
	if v.Bodies < enough || s.config.Off("MEGA_TRON_WARMUP_BACKGROUND") {
		return
	}
	done, ok := s.router.Learner()
	if !ok {
		return // one is at it
	}
	done()
	exe, err := os.Executable()
	if err != nil {
		return
	}
	args := []string{"build-cache"}
	if g.skillsDir != "" {
		args = append(args, "--skills-dir", g.skillsDir)
	}
	if g.cachePath != "" {
		args = append(args, "--cache-path", p.Abs(g.cachePath))
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir, cmd.Env = p.Dir, append(p.Env, "MEGA_TRON_WARMUP_BACKGROUND=0")
	detach(cmd)
	if cmd.Start() == nil {
		_ = cmd.Process.Release()
	}
}

// rankOptions are the environment's, with what flags say.
func rankOptions(c *config.Config, topK int, dynamic, blend bool) rank.Options {
	o := router.Options(c)
	if topK > 0 {
		o.TopK = topK
	}
	o.Dynamic = dynamic
	o.Blend = o.Blend && blend
	return o
}

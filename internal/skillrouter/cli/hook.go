package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/host"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
	"github.com/marola-dev/marola-routing/internal/skillrouter/turns"
)

// hookDeadline is how long a prompt waits for its skills, whatever happens:
// then it goes on without. Tests on a busy machine may be more patient.
var hookDeadline = 3 * time.Second

// isHook reports a command line of a hook. Whatever it comes to, its exit code
// is 0: any other would hold up a host's turn, or forbid it.
func isHook(args []string) bool {
	return len(args) > 0 && (args[0] == "hook" || strings.HasSuffix(args[0], "-hook"))
}

func hookVerbs() []command.Verb {
	return []command.Verb{
		hookVerb("hook", host.Codex, "Codex", "UserPromptSubmit"),
		hookVerb("claude-hook", host.Claude, "Claude Code", "UserPromptSubmit"),
		hookVerb("gemini-hook", host.Gemini, "Gemini CLI", "BeforeAgent"),
		hookVerb("hermes-hook", host.Hermes, "Hermes", "pre_llm_call"),
	}
}

type hookOptions struct {
	given
	host        host.Host
	topK, lead  int
	noDynamicK  bool
	explainSkip bool
}

func hookVerb(name string, h host.Host, title, event string) command.Verb {
	return command.Verb{
		Name: name, Summary: "tells " + title + " which skills help with a prompt", Hidden: true,
		Help: fmt.Sprintf(`%s runs this for each prompt (its event %s), with a JSON object on standard
input. The first prompt of a session that skills help with is answered with a block
about them; later ones with {}. A prompt that none helps with gets no answer.

Whatever happens, the exit code is 0 and standard output is valid; what went wrong
is one line on standard error. See docs/hosts/%s.md.`, title, event, h.Target()),
		Examples: []string{fmt.Sprintf(`printf '{"hook_event_name":%q,"session_id":"s1","prompt":"…"}' | mega-tron %s`, event, name)},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &hookOptions{host: h}
			o.given.setup(f)
			f.IntVar(&o.topK, "top-k", 0, "show at most `N` skills; else MEGA_TOP_K, else 5")
			f.IntVar(&o.lead, "prepend-k", 3, "name at most `N` in the first line")
			f.BoolVar(&o.noDynamicK, "no-dynamic-k", false, "show as many as --top-k says, however little they fit")
			f.BoolVar(&o.explainSkip, "why", false, "say on standard error why nothing is shown")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

// An answer is what a hook writes, and what is done once that is written.
type answer struct {
	out   []byte
	why   string // nothing is shown
	after func()
}

// run answers beside a clock: a file system that hangs must not hold a prompt
// up.
func (o *hookOptions) run(ctx context.Context, p command.Process) error {
	ctx, cancel := context.WithTimeout(ctx, hookDeadline)
	defer cancel()
	type result struct {
		answer
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if fault := recover(); fault != nil {
				r = result{err: fmt.Errorf("it failed: %v", fault)}
			}
			done <- r
		}()
		r.answer, r.err = o.answer(ctx, p)
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return r.err
		}
		if _, err := p.Stdout.Write(r.out); err != nil {
			return err
		}
		if o.explainSkip && r.why != "" {
			fmt.Fprintf(p.Stderr, "mega-tron: nothing is shown: %s\n", line(r.why))
		}
		if r.after != nil {
			r.after()
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("no skills for this prompt: they were not found within %v", hookDeadline)
	}
}

func (o *hookOptions) answer(ctx context.Context, p command.Process) (answer, error) {
	message, err := host.Message(p.Stdin, host.ReadLimit)
	if err != nil {
		return answer{}, err
	}
	e, err := o.host.Read(message)
	if err != nil || e.Kind == host.Other {
		return answer{why: e.Skip}, err
	}
	c, err := config.Load(p.Getenv)
	if c.Off("MEGA_ROUTER") {
		return answer{why: "MEGA_ROUTER is off"}, nil
	}
	if err != nil {
		fmt.Fprintf(p.Stderr, "mega-tron: %s\n", line(err.Error())) // and goes on without it
	}
	log, err := turns.Open(c)
	if err != nil {
		return answer{}, err
	}
	if e.Kind == host.Reset {
		return answer{why: "the session begins anew", after: func() { log.Forget(o.host.Mark(), e.Session) }}, nil
	}
	if st, err := os.Stat(e.Dir); err == nil && st.IsDir() {
		p.Dir = e.Dir // the project's skills are those of where the work is
	}
	later := e.Session != "" && log.Marked(o.host.Mark(), e.Session)
	if later && !everyTurn(c) {
		return answer{out: host.Nothing(), why: "the session was told before"}, nil
	}
	asked := func() {}
	if !later {
		asked = o.ignite(ctx, p, c, log, e)
	}
	a, err := o.show(ctx, p, c, log, e, later)
	after := a.after
	a.after = func() {
		if after != nil {
			after()
		}
		asked()
	}
	return a, err
}

// everyTurn reports that later turns are told of their skills, too.
func everyTurn(c *config.Config) bool {
	return strings.EqualFold(strings.TrimSpace(c.Env("MEGA_TURNS")), "every")
}

// show ranks, and writes what the session is told.
func (o *hookOptions) show(ctx context.Context, p command.Process, c *config.Config, log turns.Log, e host.Event, later bool) (answer, error) {
	ranking, more, err := o.rank(ctx, p, c, e.Prompt)
	if err != nil {
		return answer{}, err
	}
	picks := ranking.Picks[:ranking.Show]
	if len(picks) == 0 {
		a := answer{why: ranking.Reason, after: more}
		if o.host.CatalogueOff(c, p.Dir) && !later && (e.Session == "" || log.Once("told", e.Session)) {
			a.out = o.host.Render(block.None(e.Session))
		}
		return a, nil
	}
	b := block.Block{Target: o.host.Target(), Lead: o.lead, Session: e.Session, Slim: later, Bytes: inlineBytes(c)}
	var shown []turns.Skill
	for _, k := range picks {
		b.Skills = append(b.Skills, k.Skill)
		shown = append(shown, turns.Skill{Name: k.Skill.Name, Dir: k.Skill.Dir})
	}
	b.Body = func(s *skill.Skill) string {
		if o.host.Loads(c, p.Dir, s) {
			return ""
		}
		return block.BodyOf(s)
	}
	return answer{out: o.host.Render(b.String()), after: func() {
		if e.Session != "" {
			if err := log.Shown(e.Session, o.host.Name(), e.Turn, shown); err != nil {
				fmt.Fprintf(p.Stderr, "mega-tron: what was shown is not remembered: %s\n", line(err.Error()))
			}
			if log.Once(o.host.Mark(), e.Session) {
				log.Sweep(time.Now())
			}
		}
		if !later && o.hides(c) {
			o.hide(p, c, ranking.Picks[ranking.Show:])
		}
		more()
	}}, nil
}

// inlineBytes is how long a block may become by the texts of skills that the
// host cannot load.
func inlineBytes(c *config.Config) int {
	return min(c.Int("MEGA_INLINE_BYTES", maxBlock), 12_000)
}

// maxBlock is what a block should cost at the most, in bytes: 600 tokens.
const maxBlock = 2400

// rank asks the warm daemon, else ranks here with what is known: nothing is
// embedded but the prompt while a prompt waits. What is to be done later is
// returned with it.
func (o *hookOptions) rank(ctx context.Context, p command.Process, c *config.Config, prompt string) (rank.Ranking, func(), error) {
	nothing := func() {}
	roots, err := o.roots(c, p)
	if err != nil {
		return rank.Ranking{}, nothing, err
	}
	options := rankOptions(c, o.topK, !o.noDynamicK, true)
	if o.cachePath == "" {
		if r, _, err := warm(ctx, p, c, roots, prompt, options, o.hides(c)); err == nil {
			return r, nothing, nil
		}
	}
	s, err := o.open(p)
	if err != nil { // whatever is wrong with settings or model, words are there
		s = o.openPlain(p, c, roots)
		fmt.Fprintf(p.Stderr, "mega-tron: %s\n", line(err.Error()))
	}
	v, err := s.look(ctx, p, noWork)
	if err != nil {
		s.close()
		return rank.Ranking{}, nothing, err
	}
	r, err := s.router.Rank(ctx, v, prompt, options)
	after := func() {
		o.finishLater(s, p, v)
		s.close()
	}
	if err != nil && ctx.Err() != nil {
		return rank.Ranking{}, nothing, errors.Join(ctx.Err(), err)
	}
	return r, after, nil // without the prompt's vector, by words
}

package cli

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// defaultBudget is the length of an answer in tokens: enough for the five
// best files and what is next to the first (MIP-0084 §5.2).
const defaultBudget = 400

// asked are the flags of every verb that asks the engine.
type asked struct {
	where
	budget int
}

func (a *asked) flags(fs *flag.FlagSet) {
	a.where.flags(fs)
	fs.IntVar(&a.budget, "budget", defaultBudget, "print at most `TOKENS` tokens")
}

// asking completes a verb that has no flags but those of asked.
func asking(v command.Verb, ask func(e *answer.Engine, args []string) (*reply, error)) command.Verb {
	v.Setup = func(fs *flag.FlagSet) command.Run {
		a := &asked{}
		a.flags(fs)
		return func(ctx context.Context, p command.Process, args []string) error {
			return a.answer(ctx, p, v.Name, func(e *answer.Engine) (*reply, error) { return ask(e, args) })
		}
	}
	return v
}

// A reply is what a verb answers, in both forms.
type reply struct {
	text func(first string, budget int) string // "" when the budget is too small for any
	json func(info source.Info, room *int) any // lists take their bytes from room
	more string                                // text that stands outside the budget
	hint string                                // a line that belongs below the first where there is room, or ""
}

// answer asks one verb's question and prints the reply: as text, or as JSON.
// Having nothing to answer from is an answer, too.
func (a *asked) answer(ctx context.Context, p command.Process, verb string, ask func(*answer.Engine) (*reply, error)) error {
	return a.answerFrom(ctx, p, verb, func(_ *source.Source, e *answer.Engine) (*reply, error) { return ask(e) })
}

// answerFrom is answer for a verb that needs to know the source.
func (a *asked) answerFrom(ctx context.Context, p command.Process, verb string, ask func(*source.Source, *answer.Engine) (*reply, error)) error {
	if a.budget < 0 {
		return command.Usage("%s: --budget must not be negative", verb)
	}
	if err := checkRepo(p, verb, a.repo); err != nil {
		return err
	}
	s, e, err := a.open(ctx, p)
	if err != nil {
		return noBundle(p, a.json, a.advise(err))
	}
	defer s.Close()
	r, err := ask(s, e)
	if err != nil {
		return a.advise(err)
	}
	now := source.Now(p.Env)
	if a.json {
		room := answer.Room(a.budget)
		return p.WriteJSON(r.json(s.Info(now), &room))
	}
	text := ""
	if r.hint != "" {
		text = r.text(s.Line(now)+"\n"+r.hint, a.budget)
	}
	if text == "" {
		text = r.text(s.Line(now), a.budget)
	}
	if text == "" {
		fmt.Fprintf(p.Stderr, "route: a budget of %d tokens is too small for an answer\n", a.budget)
		return nil
	}
	_, err = io.WriteString(p.Stdout, text+r.more)
	return err
}

// advise names the next step after a bundle that --bundle named was refused:
// a fetch would not change it.
func (w *where) advise(err error) error {
	if w.bundle == "" {
		return err
	}
	return bundle.Advise(err, "name another bundle with --bundle, or leave it out")
}

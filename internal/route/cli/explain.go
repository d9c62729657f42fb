package cli

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// lookupReport is what a name that is not clear prints as JSON.
type lookupReport struct {
	Source     source.Info   `json:"source"`
	Term       string        `json:"term"`
	Candidates []answer.Node `json:"candidates"` // several meanings
	Nearest    []answer.Node `json:"nearest"`    // no meaning, but names like it
}

// named are the flags of verbs that take names.
type named struct {
	where
	budget int
}

func (n *named) flags(fs *flag.FlagSet) {
	n.where.flags(fs)
	fs.IntVar(&n.budget, "budget", defaultBudget, "print at most `TOKENS` tokens")
}

// print writes text that was held to the budget, or says that there was no
// room for any.
func (n *named) print(p command.Process, text string) error {
	if text == "" {
		fmt.Fprintf(p.Stderr, "route: a budget of %d tokens is too small for an answer\n", n.budget)
		return nil
	}
	_, err := io.WriteString(p.Stdout, text)
	return err
}

// lookup finds one definition. Where the name is not clear it prints what it
// may mean and returns nil.
func (n *named) lookup(p command.Process, s *source.Source, e *answer.Engine, name string) (*answer.Lookup, error) {
	l, err := e.Lookup(name)
	if err != nil || len(l.Found) == 1 {
		return l, err
	}
	now := source.Now(p.Env)
	if n.json {
		r := lookupReport{Source: s.Info(now), Term: name, Candidates: l.Found, Nearest: l.Nearest}
		if r.Candidates == nil {
			r.Candidates = []answer.Node{}
		}
		if r.Nearest == nil {
			r.Nearest = []answer.Node{}
		}
		return nil, p.WriteJSON(r)
	}
	return nil, n.print(p, l.Candidates(s.Line(now), n.budget))
}

const nameHelp = `A name is a bare one (parseManifest), a qualified one (Tree.Prefetch), file:name
(bundle.go:Open), a path, path:line as answers print it, or a node's id
(internal/route/bundle/bundle.go#Open, and ~2 behind it for the second of that name).
A name with several meanings lists them; an unknown one, the nearest.`

func explainVerb() command.Verb {
	return command.Verb{
		Name:     "explain",
		Synopsis: "NAME [--budget TOKENS]",
		Summary:  "shows one definition: where, what it is, what it uses and what uses it",
		Help:     nameHelp,
		Examples: []string{"route explain parseManifest", "route explain bundle.go:Open --json"},
		Min:      1, Max: 1,
		Setup: func(fs *flag.FlagSet) command.Run {
			o := &named{}
			o.flags(fs)
			return o.explain
		},
	}
}

func (n *named) explain(ctx context.Context, p command.Process, args []string) error {
	if n.budget < 0 {
		return command.Usage("explain: --budget must not be negative")
	}
	s, e, err := n.open(ctx, p)
	if err != nil {
		return noBundle(p, n.json, err)
	}
	defer s.Close()
	l, err := n.lookup(p, s, e, args[0])
	if err != nil || l == nil {
		return err
	}
	x, err := e.Explain(l)
	if err != nil {
		return err
	}
	now := source.Now(p.Env)
	if n.json {
		return p.WriteJSON(struct {
			Source source.Info `json:"source"`
			*answer.Explanation
		}{s.Info(now), x})
	}
	return n.print(p, x.Render(s.Line(now), n.budget))
}

func pathVerb() command.Verb {
	return command.Verb{
		Name:     "path",
		Synopsis: "NAME NAME [--budget TOKENS]",
		Summary:  "shows how two definitions are joined, each step in its true direction",
		Help:     nameHelp,
		Examples: []string{"route path queryVerb parseManifest", "route path query.go strictjson.go"},
		Min:      2, Max: 2,
		Setup: func(fs *flag.FlagSet) command.Run {
			o := &named{}
			o.flags(fs)
			return o.path
		},
	}
}

func (n *named) path(ctx context.Context, p command.Process, args []string) error {
	if n.budget < 0 {
		return command.Usage("path: --budget must not be negative")
	}
	s, e, err := n.open(ctx, p)
	if err != nil {
		return noBundle(p, n.json, err)
	}
	defer s.Close()
	from, err := n.lookup(p, s, e, args[0])
	if err != nil || from == nil {
		return err
	}
	to, err := n.lookup(p, s, e, args[1])
	if err != nil || to == nil {
		return err
	}
	r, err := e.Path(from, to)
	if err != nil {
		return err
	}
	now := source.Now(p.Env)
	if n.json {
		return p.WriteJSON(struct {
			Source source.Info `json:"source"`
			*answer.Route
		}{s.Info(now), r})
	}
	return n.print(p, r.Render(s.Line(now), n.budget))
}

package cli

import (
	"context"
	"encoding/json"
	"flag"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// Steps that uses are followed.
const (
	defaultDepth = 2  // MIP-0085
	testsDepth   = 4  // a test seldom calls what it tries itself
	maxDepth     = 50 // no chain of uses that tells anything is longer
)

type impactOptions struct {
	asked
	depth int
	diff  bool
}

func impactVerb() command.Verb {
	return command.Verb{
		Name:     "impact",
		Synopsis: "NAME… | --diff [BASE] [--depth N] [--budget TOKENS]",
		Summary:  "shows what a change reaches: who uses it, which tests, what is wired to it",
		Help: `Follows the uses of a definition and of what it holds backwards: who calls, imports,
inherits, implements or names it, then who uses those, to --depth steps; tests are
among them. The nearest come first, by repository and file, each with its line, what
it uses and where, and how sure that is where it is not certain. Then comes what is
wired to the file: copies that must stay the same, who pins or reads what it or its
repository publishes, what a change of it starts. NAME may be something wired, too.

--diff takes the definitions around the changed lines of this repository: those of
the working tree since the last commit or, with BASE, of the working tree since it
left the branch or commit BASE.

All that is a lower bound, as the last line says.

` + nameHelp,
		Examples: []string{"route impact parseManifest", "route impact Tree.Prefetch --depth 3 --json", "route impact --diff", "route impact --diff origin/main --budget 2000"},
		Max:      -1,
		Setup: func(fs *flag.FlagSet) command.Run {
			o := &impactOptions{}
			o.flags(fs)
			fs.IntVar(&o.depth, "depth", defaultDepth, "follow uses for `N` steps")
			fs.BoolVar(&o.diff, "diff", false, "ask about the changed lines of this repository")
			return o.run
		},
	}
}

func (o *impactOptions) run(ctx context.Context, p command.Process, args []string) error {
	switch {
	case o.depth < 1 || o.depth > maxDepth:
		return command.Usage("impact: --depth must be 1 to %d", maxDepth)
	case o.diff && len(args) > 1:
		return command.Usage("impact: --diff takes one branch or commit, not %d", len(args))
	case !o.diff && len(args) == 0:
		return command.Usage("impact: name what changes, or ask about changed lines with --diff")
	}
	how := answer.Reach{Depth: o.depth}
	return o.answerFrom(ctx, p, "impact", func(s *source.Source, e *answer.Engine) (*reply, error) {
		if !o.diff {
			return reach(e, args, how)
		}
		return diffImpact(ctx, p.Abs(o.repo), p.Env, s, e, args, how)
	})
}

func testsVerb() command.Verb {
	return reachVerb(command.Verb{
		Name:     "tests",
		Synopsis: "NAME… [--depth N] [--budget TOKENS]",
		Summary:  "shows the tests that reach a definition, nearest first",
		Help: `Follows the uses of a definition backwards, as route impact does, and shows what
stands in files of tests or is a test.

` + nameHelp,
		Examples: []string{"route tests parseManifest", "route tests bundle.go --depth 2 --json"},
	}, testsDepth, answer.Reach{Tests: true})
}

func whereUsedVerb() command.Verb {
	return reachVerb(command.Verb{
		Name:     "where-used",
		Synopsis: "NAME… [--budget TOKENS]",
		Summary:  "shows each place that uses a definition itself, with its line",
		Help: `One step back: who calls, imports, inherits, implements or names just this
definition. What uses what it holds is not in it; route impact has that, too.

` + nameHelp,
		Examples: []string{"route where-used parseManifest", "route where-used bundle.go:Open --json"},
	}, 0, answer.Reach{Depth: 1, Alone: true})
}

// reachVerb completes a verb that asks for uses; depth 0 means that --depth is
// no flag of it.
func reachVerb(v command.Verb, depth int, how answer.Reach) command.Verb {
	v.Min, v.Max = 1, -1
	v.Setup = func(fs *flag.FlagSet) command.Run {
		a, how := &asked{}, how
		a.flags(fs)
		if depth > 0 {
			fs.IntVar(&how.Depth, "depth", depth, "follow uses for `N` steps")
		}
		return func(ctx context.Context, p command.Process, args []string) error {
			if how.Depth < 1 || how.Depth > maxDepth {
				return command.Usage("%s: --depth must be 1 to %d", v.Name, maxDepth)
			}
			return a.answer(ctx, p, v.Name, func(e *answer.Engine) (*reply, error) { return reach(e, args, how) })
		}
	}
	return v
}

// reach answers for names. A name that is unclear is answered with what it may
// mean, unless something wired is called so.
func reach(e *answer.Engine, names []string, how answer.Reach) (*reply, error) {
	var found []*answer.Lookup
	for _, name := range names {
		l, unclear, err := lookup(e, name)
		if err != nil {
			return nil, err
		}
		if unclear != nil && !how.Alone && !how.Tests {
			if wired, err := e.WiredAs(name); err != nil {
				return nil, err
			} else if wired != nil {
				l, unclear = wired, nil
			}
		}
		if unclear != nil {
			return unclear, nil
		}
		found = append(found, l)
	}
	x, err := e.Impact(found, how)
	if err != nil {
		return nil, err
	}
	return impactReply(x), nil
}

func impactReply(x *answer.Impact) *reply {
	return &reply{text: x.Render, json: func(info source.Info, room *int) any {
		all := *room
		third := all / 3
		wired := takeJSON(x.Wiring, &third)
		rest := all - all/3 + third
		reached := takeJSON(x.Reached, &rest)
		return struct {
			Source source.Info `json:"source"`
			*answer.Impact
			Reached []json.RawMessage `json:"reached"`
			Wiring  []json.RawMessage `json:"wiring"`
			LeftOut int               `json:"left_out"` // uses and rows of the wiring not printed
			Bound   string            `json:"bound"`
		}{info, x, reached, wired, len(x.Reached) - len(reached) + len(x.Wiring) - len(wired), answer.LowerBound}
	}}
}

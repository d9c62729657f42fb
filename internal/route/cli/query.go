package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// defaultBudget is the length of an answer in tokens: enough for the five
// best files and what is next to the first (MIP-0084 §5.2).
const defaultBudget = 400

// maxLimit bounds how many files one answer may list.
const maxLimit = 1000

// where are the flags that choose what a verb answers from.
type where struct {
	bundle, repo string
	json         bool
}

func (w *where) flags(fs *flag.FlagSet) {
	fs.StringVar(&w.bundle, "bundle", "", "answer from the bundle in `DIR-OR-REF`, rather than looking for one")
	fs.StringVar(&w.repo, "repo", "", "look from `DIR`, rather than from this directory")
	fs.BoolVar(&w.json, "json", false, "print JSON")
}

func (w *where) options(p command.Process) source.Options {
	return source.Options{Dir: p.Abs(w.repo), Env: p.Env, Bundle: w.bundle, From: p.Dir}
}

// open finds the source and opens the engine over it.
func (w *where) open(ctx context.Context, p command.Process) (*source.Source, *answer.Engine, error) {
	s, err := source.Open(ctx, w.options(p))
	if err != nil {
		return nil, nil, err
	}
	e, err := engine(s)
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s, e, nil
}

type queryOptions struct {
	where
	budget, limit int
	why           bool
}

func queryVerb() command.Verb {
	return command.Verb{
		Name:     "query",
		Synopsis: `"WORDS OR IDENTIFIERS…" [--budget TOKENS]`,
		Summary:  "finds the files and definitions that a question means, best first",
		Help: `Give identifiers as they stand in code, words of a name in any order, or a
sentence. The first line says what the answer comes from and whether this
checkout has moved on; then come definitions with their place, then what is next
to the best ones. An answer is never longer than the budget (one token is counted
for three bytes) and says what it left out.`,
		Examples: []string{
			`route query parseManifest`,
			`route query "strict json duplicate key" --budget 200`,
			`route query --json --limit 5 "where is the order guard of publishing"`,
		},
		Min: 1, Max: -1,
		Setup: func(fs *flag.FlagSet) command.Run {
			o := &queryOptions{}
			o.flags(fs)
			fs.IntVar(&o.budget, "budget", defaultBudget, "print at most `TOKENS` tokens")
			fs.IntVar(&o.limit, "limit", 10, "consider the `N` best files")
			fs.BoolVar(&o.why, "why", false, "show what each score is made of")
			return o.run
		},
	}
}

func (o *queryOptions) run(ctx context.Context, p command.Process, args []string) error {
	if o.budget < 0 || o.limit < 1 || o.limit > maxLimit {
		return command.Usage("query: --budget must not be negative and --limit must be 1 to %d", maxLimit)
	}
	question := strings.Join(args, " ")
	if strings.TrimSpace(question) == "" {
		return fmt.Errorf("%w%w", command.UsageError{Text: "query: the question is empty"}, hintOnly{"name what you look for: route query parseManifest"})
	}
	s, e, err := o.open(ctx, p)
	if err != nil {
		return noBundle(p, o.json, err)
	}
	defer s.Close()
	a, err := e.Query(question, o.limit, answer.Room(o.budget))
	if err != nil {
		return err
	}
	if o.json {
		return o.printJSON(p, s, a)
	}
	text := a.Render(s.Line(source.Now(p.Env)), o.budget)
	if text == "" {
		fmt.Fprintf(p.Stderr, "route: a budget of %d tokens is too small for an answer\n", o.budget)
		return nil
	}
	if o.why {
		text += whyLines(a)
	}
	_, err = io.WriteString(p.Stdout, text)
	return err
}

package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

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
	asked
	limit                    int
	why                      bool
	kind, lang, path, inRepo string
}

// narrow reads the flags that narrow the answer: lists parted by commas.
func (o *queryOptions) narrow() answer.Narrow {
	list := func(s string) []string {
		return slices.DeleteFunc(strings.Split(s, ","), func(v string) bool { return strings.TrimSpace(v) == "" })
	}
	return answer.Narrow{Kinds: list(o.kind), Langs: list(o.lang), Repos: list(o.inRepo), Paths: list(o.path)}
}

func queryVerb() command.Verb {
	return command.Verb{
		Name:     "query",
		Synopsis: `"WORDS OR IDENTIFIERS…" [--budget TOKENS]`,
		Summary:  "finds the files and definitions that a question means, best first",
		Help: `Give identifiers as they stand in code, words of a name in any order, a
sentence, what a program said when it failed, or lines of a stack trace, of which
the place that is nearest to the fault comes first. The first line says what the
answer comes from and whether this checkout has moved on; then come definitions
with their place, then what is next to the best ones.

` + budgetHelp + `; with --json,
the nodes and links, while the files are always all there. What was left out is
counted. --why stands outside the budget.

--kind, --lang, --path and --repo-name narrow the answer; of several values, parted
by commas, any will do.`,
		Examples: []string{
			`route query parseManifest`,
			`route query "strict json duplicate key" --budget 200`,
			`route query --kind function,method --path internal/route "read header"`,
			`route query "at Store.load (src/store.ts:12:3)"`,
			`route query --json --limit 5 "where is the order guard of publishing"`,
		},
		Min: 1, Max: -1,
		Setup: func(fs *flag.FlagSet) command.Run {
			o := &queryOptions{}
			o.flags(fs)
			fs.IntVar(&o.limit, "limit", 10, "consider the `N` best files")
			fs.StringVar(&o.kind, "kind", "", "show definitions of these `KINDS` only: function, method, class, …")
			fs.StringVar(&o.lang, "lang", "", "answer from files in these `LANGUAGES` only: go, python, …")
			fs.StringVar(&o.path, "path", "", "answer from these `PATHS` only: folders, files, or patterns with * and **")
			fs.StringVar(&o.inRepo, "repo-name", "", "answer from the repositories of these short `NAMES` only")
			fs.BoolVar(&o.why, "why", false, "show what each score is made of")
			return o.run
		},
	}
}

func (o *queryOptions) run(ctx context.Context, p command.Process, args []string) error {
	if o.limit < 1 || o.limit > maxLimit {
		return command.Usage("query: --limit must be 1 to %d", maxLimit)
	}
	question := strings.Join(args, " ")
	if strings.TrimSpace(question) == "" {
		return fmt.Errorf("%w%w", command.UsageError{Text: "query: the question is empty"}, hintOnly{"name what you look for: route query parseManifest"})
	}
	return o.answer(ctx, p, "query", func(e *answer.Engine) (*reply, error) {
		a, err := e.Query(question, o.narrow(), o.limit, answer.Room(o.budget))
		if unknown := (*answer.UnknownError)(nil); errors.As(err, &unknown) {
			return nil, fmt.Errorf("%w%w", command.UsageError{Text: "query: " + unknown.Error()}, hintOnly{unknown.Hint()})
		}
		if err != nil {
			return nil, err
		}
		hint, err := e.WiringHint(question)
		if err != nil {
			return nil, err
		}
		r := &reply{hint: hint, text: a.Render, json: func(info source.Info, room *int) any { return reportOf(a, hint, info, room) }}
		if o.why {
			r.more = whyLines(a)
		}
		return r, nil
	})
}

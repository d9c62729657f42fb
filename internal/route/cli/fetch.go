package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/pattern"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

var fetchVerb = command.Verb{
	Name:     "fetch",
	Synopsis: "[--umbrella URL] [--branch NAME] [--large] [--repo DIR] [--json]",
	Summary:  "gets the umbrella's routing bundle into this repository's object store",
	Help: `The bundle is verified before it takes the place of the one before, and kept
under refs/marola/routing-bundle, which all worktrees share and git status
never shows. Nothing else of the repository changes.

The umbrella's address comes from --umbrella, MAROLA_UMBRELLA, git config
marola.umbrella, or "umbrella" in .claude/routing.json, in this order; without
them from the repository around this submodule, then from this repository's
own remote. A fetch may take 60 seconds; MAROLA_FETCH_TIMEOUT sets another
limit, as in 90s. Nobody is ever asked for a password.

The graph of a large workspace, in the form for other tools, lies apart. No
question needs it; --large gets it into refs/marola/routing-bundle-large, and
only what the bundle's manifest has the hash of.`,
	Examples: []string{
		"route fetch",
		"route fetch --umbrella https://github.com/acme/umbrella.git",
		"route fetch --umbrella ../umbrella.git --branch routing-bundle --json",
		"route fetch --large",
	},
	Setup: func(fs *flag.FlagSet) command.Run {
		var o source.Options
		fs.StringVar(&o.Umbrella, "umbrella", "", "the umbrella's `URL`")
		fs.StringVar(&o.Branch, "branch", "", "the branch its bundle is on, by `NAME`; routing-bundle unless .claude/routing.json says otherwise")
		fs.BoolVar(&o.Large, "large", false, "get the large files, too: the graph for other tools")
		repo := fs.String("repo", "", "the repository is in this `DIR`, not the working directory")
		asJSON := fs.Bool("json", false, "print JSON")
		return func(ctx context.Context, p command.Process, _ []string) error {
			if err := checkRepo(p, "fetch", *repo); err != nil {
				return err
			}
			o.Dir, o.Env = p.Abs(*repo), p.Env
			return fetch(ctx, p, o, *asJSON)
		}
	},
}

// fetched is the JSON of route fetch.
type fetched struct {
	Fetched  bool                   `json:"fetched"`
	Current  bool                   `json:"current"`          // it was here already
	Reason   string                 `json:"reason,omitempty"` // why it was not fetched
	Source   *source.Info           `json:"source"`           // null when it was not fetched
	Umbrella *source.UmbrellaStatus `json:"umbrella,omitempty"`
	Files    int                    `json:"files"`
	Bytes    int64                  `json:"bytes"`           // of all files together, large ones excepted
	Large    *source.Large          `json:"large,omitempty"` // left out when the bundle has no large files
}

func fetch(ctx context.Context, p command.Process, o source.Options, asJSON bool) error {
	f, err := source.Fetch(ctx, o)
	if far := (*source.Unreachable)(nil); errors.As(err, &far) {
		if asJSON {
			return p.WriteJSON(fetched{Reason: far.Reason})
		}
		_, err = fmt.Fprintf(p.Stdout, "%s; use git grep\n", far)
		return err
	}
	if err != nil {
		return settingUsage(err)
	}
	if f.Unnamed {
		fmt.Fprintf(p.Stderr, "hint: git config marola.umbrella %s makes this the umbrella of the next fetch, too\n", quoted(source.PublicURL(o.Umbrella)))
	}
	if asJSON {
		u := &source.UmbrellaStatus{URL: source.PublicURL(f.Umbrella.URL), From: f.Umbrella.From, Branch: f.Umbrella.Branch}
		return p.WriteJSON(fetched{true, f.Current, "", &f.Source, u, f.Report.Files, f.Report.Bytes, f.Large})
	}
	current := ""
	if f.Current {
		current = "; already current"
	}
	_, err = fmt.Fprintf(p.Stdout, "fetched the routing bundle %s (%s)%s%s\n", f.Built, f.Age, current, f.Large.Line(o.Large))
	return err
}

// plain is text that a shell takes as one word as it stands.
var plain = sync.OnceValue(func() *pattern.Pattern { return pattern.Must(`^[A-Za-z0-9_@%+=:,./-]+$`) })

// quoted is text as one word for a shell.
func quoted(s string) string {
	if plain().Match(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// settingUsage makes a usage error of a bad value on the command line.
func settingUsage(err error) error {
	if bad := (*source.SettingError)(nil); errors.As(err, &bad) && len(bad.From) > 2 && bad.From[:2] == "--" {
		return fmt.Errorf("%w%w", command.UsageError{Text: bad.Error()}, hintOnly{bad.Hint()})
	}
	return err
}

// hintOnly adds a next step to an error, and no text.
type hintOnly struct{ text string }

func (hintOnly) Error() string  { return "" }
func (h hintOnly) Hint() string { return h.text }

package cli

import (
	"context"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

var forgetVerb = command.Verb{
	Name:     "forget",
	Synopsis: "[--repo DIR] [--json]",
	Summary:  "removes the fetched bundle from this repository",
	Help: `Removes the refs that route fetch made, in this repository and so in all its
worktrees, and says how much they held. The objects themselves go with git's
next clean-up; git gc --prune=now removes them at once. A remote's branch that
git fetch brought is git's own and stays.`,
	Examples: []string{"route forget", "route forget --repo ~/src/umbrella --json"},
	Setup: func(fs *flag.FlagSet) command.Run {
		repo := fs.String("repo", "", "the repository is in this `DIR`, not the working directory")
		asJSON := fs.Bool("json", false, "print JSON")
		return func(ctx context.Context, p command.Process, _ []string) error {
			if err := checkRepo(p, "forget", *repo); err != nil {
				return err
			}
			return forget(ctx, p, source.Options{Dir: p.Abs(*repo), Env: p.Env}, *asJSON)
		}
	},
}

// forgotten is the JSON of route forget.
type forgotten struct {
	Refs  []string `json:"refs"`
	Bytes *int64   `json:"bytes,omitempty"` // on disk; left out when git does not tell
}

func forget(ctx context.Context, p command.Process, o source.Options, asJSON bool) error {
	f, err := source.Forget(ctx, o)
	if err != nil {
		return noBundle(p, asJSON, err)
	}
	if asJSON {
		out := forgotten{Refs: append([]string{}, f.Refs...)}
		if f.Bytes >= 0 {
			out.Bytes = &f.Bytes
		}
		return p.WriteJSON(out)
	}
	_, err = fmt.Fprintln(p.Stdout, forgetLine(f))
	return err
}

func forgetLine(f source.Forgotten) string {
	if len(f.Refs) == 0 {
		return "nothing to forget: no bundle was fetched into this repository"
	}
	line := "forgot the routing bundle"
	if f.Built != "" {
		line += " " + f.Built
	}
	switch {
	case f.Shared != "" && f.Bytes <= 0:
		return line + "; frees nothing, " + f.Shared + " holds the same commit"
	case f.Bytes < 0:
		return line
	}
	return fmt.Sprintf("%s; frees %s on disk with git's next clean-up", line, size(f.Bytes))
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}

package cli

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
	"github.com/marola-dev/marola-routing/internal/route/usage"
)

var usageVerb = command.Verb{
	Name:     "usage",
	Synopsis: "[--since TIME] [--limit N] [--json]",
	Summary:  "counts how often agents on this machine asked route, and how often they ran grep",
	Help: `Reads the transcripts that Claude Code, Codex and Gemini keep on this machine, and
prints numbers for each session: calls of route, how many of them followed a prompt
that names route, the routing skill or the wiring, reads of the wiring, and searches
with grep and the like. It sends nothing anywhere and prints nothing of what was said.

TIME is a day (2026-11-01), a time (2026-11-01T08:00:00Z), or how long ago: 14d, 36h.`,
	Examples: []string{"route usage", "route usage --since 14d", "route usage --since 2026-11-01 --json"},
	Setup: func(fs *flag.FlagSet) command.Run {
		since := fs.String("since", "", "count from `TIME` on")
		limit := fs.Int("limit", 40, "show at most `N` sessions; the sums are of all")
		asJSON := fs.Bool("json", false, "print JSON")
		return func(ctx context.Context, p command.Process, args []string) error {
			from, err := parseSince(*since, source.Now(p.Env))
			switch {
			case len(args) > 0:
				return command.Usage("usage: %q is not an argument", args[0])
			case err != nil:
				return err
			case *limit < 0:
				return command.Usage("usage: --limit must not be negative")
			}
			report, err := usage.Scan(ctx, p.Env, from)
			if err != nil {
				return err
			}
			if *asJSON {
				return p.WriteJSON(report)
			}
			printUsage(p, report, *limit)
			return nil
		}
	},
}

// parseSince reads a day, a time, or how long ago.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 100_000 {
			return now.Add(-time.Duration(n) * 24 * time.Hour), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, command.Usage("usage: --since %q is neither a day like 2026-11-01, nor a time, nor how long ago, like 14d", plaintext.Line(text, 60))
}

// printUsage prints the report as a table, latest session first.
func printUsage(p command.Process, r usage.Report, limit int) {
	const row = "%-16s  %-6s  %-20s  %-12s  %5v  %8v  %6v  %5v\n"
	if len(r.Sessions) > 0 && limit > 0 {
		fmt.Fprintf(p.Stdout, row, "start", "client", "project", "session", "route", "prompted", "wiring", "grep")
		for _, s := range r.Sessions[:min(limit, len(r.Sessions))] {
			start := "unknown"
			if !s.Start.IsZero() {
				start = s.Start.UTC().Format("2006-01-02 15:04")
			}
			fmt.Fprintf(p.Stdout, row, start, s.Client, plaintext.Line(s.Project, 20), plaintext.Line(s.ID, 12), s.Route, s.Prompted, s.Wiring, s.Grep)
		}
		if more := len(r.Sessions) - limit; more > 0 {
			fmt.Fprintf(p.Stdout, "left out: %d sessions; --limit %d shows them\n", more, len(r.Sessions))
		}
	}
	fmt.Fprintf(p.Stdout, "sessions: %d read, %d asked route\n", r.Read, r.Asked)
	fmt.Fprintf(p.Stdout, "calls: route %d (%d prompted), wiring %d, grep %d\n", r.Total.Route, r.Total.Prompted, r.Total.Wiring, r.Total.Grep)
	if r.Passed > 0 {
		fmt.Fprintf(p.Stdout, "passed over: %d files or lines that could not be read\n", r.Passed)
	}
}

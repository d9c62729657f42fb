package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

type statsOptions struct {
	given
	all, byHost, json bool
	source            string
	top               int
}

func statsVerb() command.Verb {
	return command.Verb{
		Name: "stats", Synopsis: "[--all] [--by-host] [--top N] [--source FROM] [--json]", Summary: "counts the verdicts of each skill",
		Help: `Prints the skills with verdicts, most verdicts first, with their state. --source
sqlite counts what the store has, frontmatter what SKILL.md files say, auto both,
the store first.`,
		Examples: []string{"mega-tron stats", "mega-tron stats --by-host --json", "mega-tron stats --top 10"},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &statsOptions{}
			f.StringVar(&o.skillsDir, "skills-dir", "", "look in `DIRS` only, separated by commas")
			f.BoolVar(&o.all, "all", false, "list skills without verdicts too")
			f.StringVar(&o.source, "source", "auto", "count `FROM` auto, sqlite or frontmatter")
			f.BoolVar(&o.byHost, "by-host", false, "count by host, from the store")
			f.IntVar(&o.top, "top", 0, "list at most `N` skills; 0: all")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

type statsRow struct {
	Skill    string       `json:"skill"`
	Helpful  int          `json:"helpful"`
	Harmful  int          `json:"harmful"`
	Neutral  int          `json:"neutral"`
	Status   skill.Status `json:"status"`
	LastUsed string       `json:"last_used_at,omitempty"`
	Source   string       `json:"source"`
}

func (o *statsOptions) run(ctx context.Context, p command.Process) error {
	if o.source != "auto" && o.source != "sqlite" && o.source != "frontmatter" {
		return command.Usage("stats: there is no source %.40q; there are auto, sqlite and frontmatter", o.source)
	}
	c, err := settings(p)
	if err != nil {
		return err
	}
	roots, err := o.roots(c, p)
	if err != nil {
		return err
	}
	rows, hosts := []statsRow{}, []evidence.HostCount{}
	known := map[string]bool{}
	err = readStore(ctx, c, func(s *evidence.Store) error {
		if s == nil {
			return nil
		}
		if o.byHost {
			if hosts, err = s.ByHost(ctx); err != nil {
				return err
			}
		}
		if o.source == "frontmatter" {
			return nil
		}
		records, err := s.Records(ctx)
		for _, r := range records {
			known[r.Skill] = true
			rows = append(rows, statsRow{r.Skill, r.Helpful, r.Harmful, r.Neutral, r.Status, r.LastUsed, "sqlite"})
		}
		return err
	})
	if err != nil {
		return err
	}
	if o.source != "sqlite" {
		for _, k := range skill.Discover(roots, skill.Files{}).Skills {
			if m := k.Meta; !known[k.Name] && (o.all || m.Helpful+m.Harmful > 0) {
				rows = append(rows, statsRow{k.Name, m.Helpful, m.Harmful, 0, m.Status, "", "frontmatter"})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b statsRow) int {
		return cmp.Or(cmp.Compare(b.Helpful+b.Harmful, a.Helpful+a.Harmful), strings.Compare(a.Skill, b.Skill))
	})
	if o.top > 0 {
		rows = rows[:min(o.top, len(rows))]
	}
	if o.json {
		return p.WriteJSON(map[string]any{"skills": rows, "hosts": hosts})
	}
	for _, r := range rows {
		fmt.Fprintf(p.Stdout, "%s  %s  %d helpful, %d harmful, %d neutral\n", line(r.Skill), r.Status, r.Helpful, r.Harmful, r.Neutral)
	}
	for _, h := range hosts {
		fmt.Fprintf(p.Stdout, "%s: %d helpful, %d harmful, %d neutral\n", line(string(h.Host)), h.Helpful, h.Harmful, h.Neutral)
	}
	if len(rows) == 0 {
		fmt.Fprintln(p.Stdout, "there are no verdicts yet")
	}
	return nil
}

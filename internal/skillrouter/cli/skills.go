package cli

import (
	"context"
	"flag"
	"fmt"
	"slices"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

type skillsOptions struct {
	given
	json bool
}

func skillsListVerb() command.Verb {
	return command.Verb{
		Name:     "skills list",
		Synopsis: "[--json]",
		Summary:  "lists the skills that are found, and what was refused",
		Help: `Prints each skill with where it is and about how many tokens its name and
description cost in a catalogue, then, for each host, what its skills cost
together; then files that were refused, with the reason, and skills of which
another has the name.`,
		Examples: []string{"mega-tron skills list", "mega-tron skills list --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &skillsOptions{}
			f.StringVar(&o.skillsDir, "skills-dir", "", "look in `DIRS` only, separated by commas")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return o.run
		},
	}
}

type skillRow struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Dir         string      `json:"skill_dir"`
	Host        skill.Host  `json:"host,omitempty"`
	Scope       skill.Scope `json:"scope"`
	DescTok     int         `json:"desc_tok"`
	Status      string      `json:"status"`
}

type skillsAnswer struct {
	Skills     []skillRow        `json:"skills"`
	Tokens     map[string]int    `json:"tokens"` // by host; "" is of all hosts
	Roots      []skill.Root      `json:"roots"`
	Rejects    []skill.Reject    `json:"rejects"`
	Collisions []skill.Collision `json:"collisions"`
}

func (o *skillsOptions) run(_ context.Context, p command.Process, _ []string) error {
	c, err := settings(p)
	if err != nil {
		return err
	}
	roots, err := o.roots(c, p)
	if err != nil {
		return err
	}
	cat := skill.Discover(roots, skill.Files{})
	a := skillsAnswer{Skills: []skillRow{}, Tokens: map[string]int{}, Roots: roots, Rejects: cat.Rejects, Collisions: cat.Collisions}
	if a.Roots == nil {
		a.Roots = []skill.Root{}
	}
	for i := range cat.Skills {
		s := &cat.Skills[i]
		a.Skills = append(a.Skills, skillRow{s.Name, s.Description, s.Dir, s.Root.Host, s.Root.Scope, tokens(s), string(s.Meta.Status)})
		a.Tokens[string(s.Root.Host)] += tokens(s)
	}
	if o.json {
		return p.WriteJSON(a)
	}
	for _, s := range a.Skills {
		fmt.Fprintf(p.Stdout, "%s  %s  %d tokens\n  %s\n", line(s.Name), s.Scope, s.DescTok, line(s.Dir))
	}
	hosts := []string{}
	for h := range a.Tokens {
		hosts = append(hosts, h)
	}
	slices.Sort(hosts)
	for _, h := range hosts {
		name := h
		if name == "" {
			name = "any host"
		}
		fmt.Fprintf(p.Stdout, "%s: about %d tokens\n", name, a.Tokens[h])
	}
	for _, r := range a.Rejects {
		fmt.Fprintf(p.Stdout, "refused: %s: %s\n", line(r.File), line(r.Reason))
	}
	for _, x := range a.Collisions {
		fmt.Fprintf(p.Stdout, "hidden: %s by %s: %s\n", line(x.Loser), line(x.Winner), x.Reason)
	}
	return nil
}

package cli

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
)

type whyOptions struct {
	given
	top     int
	json    bool
	noBlend bool
}

func whyVerb() command.Verb {
	return command.Verb{
		Name:     "why",
		Synopsis: "TASK [SKILL] [--top-skills N] [--json]",
		Summary:  "explains the scores of a search",
		Help: `Prints every term of the score of the best skills for a task, or of one skill, and
whether any would be shown. docs/skill-routing.md has the formula.`,
		Examples: []string{
			"mega-tron why 'validate this webhook'",
			"mega-tron why 'validate this webhook' webhook-signer --json",
		},
		Min: 1, Max: 2,
		Setup: func(f *flag.FlagSet) command.Run {
			o := &whyOptions{}
			o.given.setup(f)
			f.IntVar(&o.top, "top-skills", 5, "explain the best `N`")
			f.BoolVar(&o.json, "json", false, "print JSON")
			f.BoolVar(&o.noBlend, "no-eval-blend", false, "leave the evidence of past sessions out")
			return o.run
		},
	}
}

type whyAnswer struct {
	Task   string    `json:"task"`
	Shown  int       `json:"shown"`
	Reason string    `json:"reason"`
	Need   rank.Need `json:"need"`
	Value  float64   `json:"value"` // of the need: above 0, skills are shown
	Skills []whyRow  `json:"skills"`
}

type whyRow struct {
	Rank  int     `json:"rank"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
	rank.Terms
}

func (o *whyOptions) run(ctx context.Context, p command.Process, args []string) error {
	if err := notNegative("top-skills", o.top); err != nil {
		return err
	}
	s, err := o.open(p)
	if err != nil {
		return err
	}
	defer s.close()
	v, err := s.look(ctx, p, allHeads)
	if err != nil {
		return err
	}
	o.finishLater(s, p, v)
	r, err := s.router.Rank(ctx, v, args[0], rankOptions(s.config, 0, true, !o.noBlend))
	if err != nil {
		return err
	}
	a := whyAnswer{Task: args[0], Shown: r.Show, Reason: r.Reason, Need: r.Need, Value: round4(r.Need.Value()), Skills: []whyRow{}}
	row := func(i int) whyRow {
		return whyRow{i + 1, r.Picks[i].Skill.Name, round4(r.Picks[i].Score), r.Picks[i].Terms}
	}
	if len(args) == 2 {
		i := slices.IndexFunc(r.Picks, func(k rank.Pick) bool { return strings.EqualFold(k.Skill.Name, args[1]) })
		if i < 0 {
			return fmt.Errorf("there is no skill %q among %d", args[1], len(r.Picks))
		}
		a.Skills = append(a.Skills, row(i))
	} else {
		for i := range r.Picks[:min(o.top, len(r.Picks))] {
			a.Skills = append(a.Skills, row(i))
		}
	}
	if o.json {
		return p.WriteJSON(a)
	}
	fmt.Fprintf(p.Stdout, "shown: %d (%s); need %.2f: likeness %.2f and words %.2f above chance\n", a.Shown, a.Reason, a.Value, a.Need.Head, a.Need.Words)
	for _, w := range a.Skills {
		t := w.Terms
		fmt.Fprintf(p.Stdout, "%d. %s  %.4f\n   likeness %.4f (description %.4f, body %.4f, words %.4f, words of a part %.4f)\n", w.Rank, line(w.Name), w.Score, t.Semantic, t.Head, t.Body, t.Words, t.Part)
		if t.Bonus != 0 || t.Context != 0 || t.Related != 0 || t.Factor != 1 || t.Silence != 0 {
			fmt.Fprintf(p.Stdout, "   evidence: verdicts %+.4f, reasons %+.4f, related %+.4f, status × %g, silence −%.4f\n", t.Bonus, t.Context, t.Related, t.Factor, t.Silence)
		}
		if t.Mentioned {
			fmt.Fprintln(p.Stdout, "   asked for by name")
		}
	}
	return nil
}
